import Bytes
import Glibc

/// The error of a receiver at any second, in standard deviations: a slow drift and a little jitter.
///
/// A receiver's error does not jump about from second to second, it wanders: chance at knots ten seconds apart, a
/// smooth curve between them, and a tenth of fresh chance on top. Hashing the seed with the place in the sequence
/// (SplitMix64) makes each second its own, without a state to carry along.
struct Noise {
  let seed: UInt64

  private static let secondsBetweenKnots = 10

  func east(atSecond second: Int) -> Double { wander(atSecond: second, axis: 1) }

  func north(atSecond second: Int) -> Double { wander(atSecond: second, axis: 2) }

  private func wander(atSecond second: Int, axis: UInt64) -> Double {
    let knot = Int((Double(second) / Double(Self.secondsBetweenKnots)).rounded(.down))
    let part = Double(second - knot * Self.secondsBetweenKnots) / Double(Self.secondsBetweenKnots)
    let turn = part * .pi / 2
    let drift = bell(knot, axis: axis) * cos(turn) + bell(knot + 1, axis: axis) * sin(turn)
    return drift + 0.1 * bell(second, axis: axis + 2)
  }

  /// Nearly normal, mean 0, standard deviation 1, never beyond 3.5: four even chances added up.
  private func bell(_ index: Int, axis: UInt64) -> Double {
    let sum = (0..<4).reduce(0.0) { $0 + even(index, stream: axis &* 4 &+ UInt64($1)) }
    return (sum - 2) * 3.0.squareRoot()
  }

  /// Evenly spread over 0..<1.
  private func even(_ index: Int, stream: UInt64) -> Double {
    var mixed = seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15
    mixed = mixed &+ stream &* 0xD1B5_4A32_D192_ED03
    return Double(SplitMix64.mixed(mixed) >> 11) * 0x1p-53
  }
}
