public import Texts

/// A level of glucose exactly as it was received: a decimal number and its unit.
///
/// The number is `significand` × 10^`exponent`, so that 5.6 mmol/L stays 5.6 and 7.0 stays 7.0. A meter that counts in
/// kg/L or mol/L gives the same digits with another exponent: 5 more for mg/dL, 3 more for mmol/L. A value of this type
/// is always plausible; what is not never becomes one.
public struct GlucoseConcentration: Hashable, Sendable {
  /// The digits, without the decimal point.
  public let significand: Int64
  /// How many places the point is moved to the right: 0, or negative for to the left; at least -8.
  public let exponent: Int
  /// What is counted.
  public let unit: GlucoseUnit

  /// Levels that a person can have and a meter can show, in mg/dL. What lies outside is a fault of unit or typing.
  public static let plausibleMilligramsPerDecilitre = 10.0...1000.0

  /// A level from its digits.
  ///
  /// - Parameter exponent: -8 through 3.
  /// - Throws: ``GlucoseLevelFault`` for what cannot be a person's level.
  public init(
    significand: Int64, exponent: Int, unit: GlucoseUnit
  ) throws(GlucoseLevelFault) {
    guard significand > 0 else { throw significand == 0 ? .zero : .notANumber }
    guard significand <= 999_999_999, (-8...3).contains(exponent) else {
      throw .implausible(unit: unit, meant: nil)
    }
    // Zeros in front of the decimal point are digits: 11 × 10¹ is written 110.
    self.significand = (0..<max(0, exponent)).reduce(significand) { digits, _ in digits * 10 }
    self.exponent = min(0, exponent)
    self.unit = unit
    guard Self.isPlausible(number, unit) else {
      let other = GlucoseUnit.allCases.first { $0 != unit && Self.isPlausible(number, $0) }
      throw .implausible(unit: unit, meant: other)
    }
  }

  /// A level from a number as people and meters write it: `5.6`, `5,6` or `101`, at most nine digits.
  ///
  /// - Throws: ``GlucoseLevelFault``; `HI`, `LO` and the like are not numbers and say so.
  public init(text: String, unit: GlucoseUnit) throws(GlucoseLevelFault) {
    if let end = GlucoseLevelFault.End(shown: text) { throw .beyondRange(end) }
    var significand: Int64 = 0
    var (digits, decimals) = (0, 0)
    var isFraction = false
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39:
        guard digits < 9 else { throw .notANumber }
        significand = significand * 10 + Int64(byte - 0x30)
        digits += 1
        decimals += isFraction ? 1 : 0
      case 0x2E, 0x2C:
        guard !isFraction, digits > 0 else { throw .notANumber }
        isFraction = true
      default: throw .notANumber
      }
    }
    guard digits > 0, isFraction == (decimals > 0) else { throw .notANumber }
    // "1,234" is more likely a thousand than a decimal: nobody measures thousandths.
    guard decimals < 3 || !text.utf8.contains(0x2C) else { throw .notANumber }
    try self.init(significand: significand, exponent: -decimals, unit: unit)
  }

  private static func isPlausible(_ number: Double, _ unit: GlucoseUnit) -> Bool {
    plausibleMilligramsPerDecilitre.contains(unit.convert(number, to: .milligramsPerDecilitre))
  }

  /// The number in its own unit, the nearest that a `Double` can be.
  public var number: Double {
    // These powers of ten are exact, so one rounding gives the nearest number.
    Double(significand) / (exponent..<0).reduce(1.0) { product, _ in product * 10 }
  }

  /// The level in mg/dL, not rounded.
  public var milligramsPerDecilitre: Double {
    unit.convert(number, to: .milligramsPerDecilitre)
  }

  /// The level in whole mg/dL, as a meter of that unit shows it.
  public var wholeMilligramsPerDecilitre: Int {
    Int(milligramsPerDecilitre.rounded())
  }

  /// The number as it was received, with a decimal point: `5.6`, `7.0`, `101`.
  public var digits: String {
    let text = String(significand)
    guard exponent < 0 else { return text }
    let zeros = String(repeating: "0", count: max(0, 1 - exponent - text.utf8.count))
    let padded = zeros + text
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }

  /// The level with its unit, as received, or in another unit as a meter of that unit would show it.
  public func text(in wanted: GlucoseUnit? = nil) -> String {
    guard let wanted, wanted != unit else { return "\(digits) \(unit.rawValue)" }
    return "\(wanted.shownDigits(unit.convert(number, to: wanted))) \(wanted.rawValue)"
  }

  /// The limit that this level is for readings in a unit: in its own unit itself, in the other one as a meter shows it.
  ///
  /// So 180 mg/dL and 10.0 mmol/L are one limit, although 10.0 mmol/L are 180.156 mg/dL: who reads 10.0 on a meter and
  /// 10.0 as the end of the range must not be told that it is beyond.
  public func limit(for other: GlucoseUnit) -> Double {
    other == unit ? number : other.shown(unit.convert(number, to: other))
  }

  /// Whether the level lies below a limit; see ``limit(for:)``.
  public func isBelow(_ limit: GlucoseConcentration) -> Bool { number < limit.limit(for: unit) }

  /// Whether the level lies above a limit; see ``limit(for:)``.
  public func isAbove(_ limit: GlucoseConcentration) -> Bool { number > limit.limit(for: unit) }
}

extension GlucoseUnit {
  /// A number of this unit as precise as meters show it: whole mg/dL, tenths of mmol/L.
  public func shown(_ number: Double) -> Double {
    switch self {
    case .milligramsPerDecilitre: number.rounded()
    case .millimolesPerLitre: (number * 10).rounded() / 10
    }
  }

  /// As ``shown(_:)``, in digits; a dash for what is no number.
  public func shownDigits(_ number: Double) -> String {
    guard let tenths = Int64(exactly: (shown(number) * 10).rounded()) else { return "-" }
    let sign = tenths < 0 ? "-" : ""
    switch self {
    case .milligramsPerDecilitre: return "\(sign)\(tenths.magnitude / 10)"
    case .millimolesPerLitre: return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
  }

  /// The unit that a text means, whatever its case and spaces: `mg/dL`, `mmol/l`, `MG/DL`; nil for any other text.
  public init?(written text: String) {
    let letters = text.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
    switch String(String.UnicodeScalarView(letters)) {
    case "mg/dl", "mgdl", "mg/100ml": self = .milligramsPerDecilitre
    case "mmol/l", "mmoll", "mmol": self = .millimolesPerLitre
    default: return nil
    }
  }
}

extension GlucoseConcentration {
  /// A limit from its text with its unit: `70 mg/dL`, `3.9 mmol/L`; a number alone means nothing.
  ///
  /// - Throws: ``GlucoseLevelFault``.
  public init(withUnit text: String) throws(GlucoseLevelFault) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    guard let unit = GlucoseUnit(written: String(text.dropFirst(digits.count))) else {
      throw .noUnit
    }
    try self.init(text: String(digits), unit: unit)
  }
}

/// Why something is no level of glucose.
public enum GlucoseLevelFault: Error, Hashable, Sendable {
  /// An end of a meter's range.
  public enum End: String, Hashable, Sendable, CaseIterable {
    /// More than the meter can measure.
    case high
    /// Less than the meter can measure.
    case low

    /// What a meter shows at the ends of its range: `HI`, `LO`, also with digits in front or behind (`0Hi`).
    public init?(shown text: String) {
      let letters = text.lowercased().unicodeScalars.filter { !(0x30...0x39).contains($0.value) }
      switch String(String.UnicodeScalarView(letters)) {
      case "hi", "high": self = .high
      case "lo", "low": self = .low
      default: return nil
      }
    }

    /// What the meter shows: `HI` or `LO`.
    public var shown: String {
      switch self {
      case .high: "HI"
      case .low: "LO"
      }
    }
  }

  /// It is no number.
  case notANumber
  /// It is 0, which meters write for "no result".
  case zero
  /// The meter could not measure it.
  case beyondRange(End)
  /// Nobody can have that level; in the unit `meant` it would be one.
  case implausible(unit: GlucoseUnit, meant: GlucoseUnit?)
  /// It is not said what is counted.
  case noUnit

  /// The fault in one sentence that says what to do.
  public var message: Message {
    switch self {
    case .notANumber:
      Message("This is no number. Write the level as the meter shows it, such as 101 or 5.6.")
    case .zero: Message("0 is no glucose level; some meters write it when there is no result.")
    case .beyondRange(.high):
      Message("The meter showed HI: more than it can measure. That is no number to count with.")
    case .beyondRange(.low):
      Message("The meter showed LO: less than it can measure. That is no number to count with.")
    case .implausible(let unit, let meant?):
      Message(
        "Nobody has this level in {unit}; it looks like {meant}. Check the unit.",
        ["unit": unit.rawValue, "meant": meant.rawValue])
    case .implausible(let unit, nil):
      Message(
        "Nobody has this level in {unit}. Check the number and the unit.", ["unit": unit.rawValue])
    case .noUnit:
      Message("Say the unit as well: mg/dL or mmol/L, such as \"70 mg/dL\" or \"3.9 mmol/L\".")
    }
  }
}
