/// A number of 16 bits as medical devices send it: four bits of exponent, twelve of mantissa, both in two's complement.
///
///     bits   15..12    11........0
///     field  exponent  mantissa        number = mantissa × 10^exponent
///     b0 5a  b = −5    05a = 90        0.0009
///
/// Five words are no numbers. Some libraries look at the mantissa alone, so that a device built on one may send
/// `17FF` and mean none: ``hasSpecialMantissa`` says so.
///
/// - Source: IEEE 11073-20601; Bluetooth GATT Specification Supplement, medfloat16.
public struct SFLOAT: Hashable, Sendable {
  /// What a word means that is no number.
  public enum Special: String, Hashable, Sendable, CaseIterable {
    /// Not a number.
    case notANumber = "NaN"
    /// Not at this resolution.
    case notAtThisResolution = "NRes"
    /// More than can be said.
    case positiveInfinity = "+INFINITY"
    /// Less than can be said.
    case negativeInfinity = "-INFINITY"
    /// Reserved for future use.
    case reserved = "reserved"
  }

  /// The word as sent.
  public let bits: UInt16

  /// The number of a word.
  public init(bits: UInt16) { self.bits = bits }

  /// A number from mantissa (−2048...2047) and exponent (−8...7); nil outside, and for words that are no numbers.
  public init?(mantissa: Int, exponent: Int = 0) {
    guard (-2048...2047).contains(mantissa), (-8...7).contains(exponent) else { return nil }
    bits =
      UInt16(truncatingIfNeeded: mantissa) & 0x0FFF | UInt16(truncatingIfNeeded: exponent) << 12
    if special != nil { return nil }
  }

  /// The twelve bits of the mantissa with their sign.
  public var mantissa: Int { Int(Int16(bitPattern: bits << 4) >> 4) }

  /// The four bits of the exponent with their sign.
  public var exponent: Int { Int(Int16(bitPattern: bits) >> 12) }

  /// What the word means when it is no number.
  public var special: Special? { Self.special(bits) }

  /// Whether the mantissa is one of those that with exponent 0 are no numbers.
  public var hasSpecialMantissa: Bool { Self.special(bits & 0x0FFF) != nil }

  /// The number exactly; nil when it is none.
  public var decimal: DecimalNumber? {
    special == nil ? DecimalNumber(Int64(mantissa), exponent: exponent) : nil
  }

  private static func special(_ bits: UInt16) -> Special? {
    switch bits {
    case 0x07FE: .positiveInfinity
    case 0x07FF: .notANumber
    case 0x0800: .notAtThisResolution
    case 0x0801: .reserved
    case 0x0802: .negativeInfinity
    default: nil
    }
  }
}

extension SFLOAT: CustomStringConvertible {
  /// The number, or what it is instead.
  public var description: String { decimal?.description ?? special?.rawValue ?? "" }
}
