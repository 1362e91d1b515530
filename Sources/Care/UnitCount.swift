public import Bytes
public import JSON
import Moments

/// How many units of a medicine: whole tablets, halves and quarters of them, exact to a hundredth.
public struct UnitCount: Hashable, Comparable, Sendable {
  /// Hundredths of a unit.
  public var hundredths: Int64

  /// A count of hundredths of a unit.
  public init(hundredths: Int64) { self.hundredths = hundredths }

  /// Whole units.
  public init(_ units: Int64) { hundredths = units.multipliedClamped(by: 100) }

  /// Reads a count as people write it: `60`, `2.5`, `0,5`, `½`, `1½`, `1/2`, `1 1/2`; nil for anything else.
  public init?(text: String) {
    var rest = Substring(text.filter { $0 != "\u{00A0}" })
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    guard let count = Self.sum(rest) else { return nil }
    self = count
  }

  /// Which of two counts is smaller.
  public static func < (left: UnitCount, right: UnitCount) -> Bool {
    left.hundredths < right.hundredths
  }

  private static let signs: [Character: Int64] = ["½": 50, "¼": 25, "¾": 75]

  private static func sum(_ text: Substring) -> UnitCount? {
    if let sign = text.last.flatMap({ signs[$0] }) {
      let whole = text.dropLast().split(separator: " ")
      guard whole.count <= 1 else { return nil }
      guard let number = whole.first else { return UnitCount(hundredths: sign) }
      return digits(number).map { UnitCount(hundredths: $0 * 100 + sign) }
    }
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    switch parts.count {
    case 1: return fraction(parts[0]) ?? decimal(parts[0])
    case 2:
      guard let whole = digits(parts[0]), let part = fraction(parts[1]), part.hundredths < 100
      else { return nil }
      return UnitCount(hundredths: whole * 100 + part.hundredths)
    default: return nil
    }
  }

  /// `1/2`, where the result is exact.
  private static func fraction(_ text: Substring) -> UnitCount? {
    let ends = text.split(separator: "/", omittingEmptySubsequences: false)
    guard ends.count == 2, let top = digits(ends[0]), let bottom = digits(ends[1]), bottom > 0,
      top * 100 % bottom == 0
    else { return nil }
    return UnitCount(hundredths: top * 100 / bottom)
  }

  /// `2`, `2.5`, `2,25`.
  private static func decimal(_ text: Substring) -> UnitCount? {
    let ends = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
    guard let whole = ends.first.flatMap(digits) else { return nil }
    guard ends.count == 2 else { return UnitCount(hundredths: whole * 100) }
    guard (1...2).contains(ends[1].count), let part = digits(ends[1]) else { return nil }
    return UnitCount(hundredths: whole * 100 + (ends[1].count == 1 ? part * 10 : part))
  }

  private static func digits(_ text: Substring) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }
}

extension UnitCount: ExpressibleByIntegerLiteral {
  /// Whole units from a literal.
  public init(integerLiteral units: Int64) { self.init(units) }
}

extension UnitCount: CustomStringConvertible {
  /// The count as people read it: `60`, `2.5`.
  public var description: String {
    let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if part == 0 { return "\(sign)\(whole)" }
    let digits = part % 10 == 0 ? "\(part / 10)" : part < 10 ? "0\(part)" : "\(part)"
    return "\(sign)\(whole).\(digits)"
  }
}

extension UnitCount: JSONCodable {
  /// Reads a number, of which hundredths are kept.
  public init(json: JSONValue) throws(DecodeError) {
    if let whole = json.integerContent, whole.magnitude <= 1_000_000_000 {
      self.init(whole)
    } else if case .number(let number) = json, number.magnitude <= 1_000_000_000 {
      self.init(hundredths: Int64((number * 100).rounded()))
    } else {
      throw DecodeError(.wrongType, at: 0)
    }
  }

  /// A whole number where there is no part of a unit.
  public var json: JSONValue {
    hundredths % 100 == 0 ? .integer(hundredths / 100) : .number(Double(hundredths) / 100)
  }
}
