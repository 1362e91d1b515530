/// A sequence of numbers that looks random and follows from its seed alone, on every machine.
///
/// For identifiers, jitter, displaced homes and tests; not for secrets.
///
/// - Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  /// Where the sequence is.
  public private(set) var state: UInt64

  /// The sequence of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// The next number, evenly spread over 0..<1.
  public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// The output function by itself: spreads the bits of a word over all 64.
  public static func mixed(_ word: UInt64) -> UInt64 {
    var mixed = word
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
