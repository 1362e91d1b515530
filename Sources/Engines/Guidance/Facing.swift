import Glibc
import Moments
import WalkingRoutes

/// Which way somebody looks, by a compass that they carry.
///
/// How a compass is worn, how far magnetic north is off here, and what iron is near it, nobody says. All of it is learned
/// while somebody walks: then the direction of movement is known, and how far the compass differs from it. What was learned
/// counts once it agrees with itself, and no longer when it ceases to, as when the tracker is put into another pocket.
struct Facing: Hashable, Sendable {
  /// A compass that was silent for longer says nothing, in milliseconds.
  static let freshMilliseconds: Int64 = 5_000
  /// It is compared with the movement once in so many milliseconds.
  static let compareMilliseconds: Int64 = 2_000
  /// What was compared before counts for so much less with each comparison: half of it is gone after 23.
  private static let memory = 0.97
  /// Comparisons, as they count, without which nothing is known.
  private static let leastComparisons = 8.0
  /// How well they agree, from 0 to 1; 0.9 is a spread of 26 degrees.
  private static let leastAgreement = 0.9

  private var degrees = 0.0
  private var heard: Tick?
  private var compared: Tick?
  /// The sum of the differences as directions, and what it counts.
  private var (east, north, weight) = (0.0, 0.0, 0.0)

  /// Takes what the compass says, and where somebody moves, nil where they stand or nobody knows; both in degrees clockwise
  /// from north.
  mutating func take(_ degrees: Double, moving: Double?, at now: Tick) {
    self.degrees = degrees
    heard = now
    guard let moving,
      compared.map({ now.milliseconds(since: $0) >= Self.compareMilliseconds }) ?? true
    else { return }
    compared = now
    let difference = Angle.turn(from: degrees, to: moving) * .pi / 180
    east = east * Self.memory + sin(difference)
    north = north * Self.memory + cos(difference)
    weight = weight * Self.memory + 1
  }

  /// Where somebody looks, in degrees clockwise from north, 0 through 360; nil as long as nobody knows.
  func degrees(at now: Tick) -> Double? {
    guard let heard, now.milliseconds(since: heard) <= Self.freshMilliseconds,
      weight >= Self.leastComparisons, hypot(east, north) >= Self.leastAgreement * weight
    else { return nil }
    let found = degrees + atan2(east, north) * 180 / .pi
    return found - 360 * (found / 360).rounded(.down)
  }
}
