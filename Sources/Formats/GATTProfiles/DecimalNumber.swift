/// A decimal number exactly as it came: `significand × 10^exponent`.
///
/// A concentration of 0.00111 kg/L is 111 mg/dL and nothing beside it; binary fractions would say 110.99999.
public struct DecimalNumber: Hashable, Sendable, CustomStringConvertible {
  /// The digits.
  public let significand: Int64
  /// The power of ten; −40...40.
  public let exponent: Int

  /// A number from its digits and the power of ten, which is kept within −40...40.
  public init(_ significand: Int64, exponent: Int = 0) {
    self.significand = significand
    self.exponent = min(40, max(-40, exponent))
  }

  /// The number times a power of ten.
  public func scaled(byPowerOfTen power: Int) -> DecimalNumber {
    DecimalNumber(significand, exponent: exponent + min(80, max(-80, power)))
  }

  /// The nearest binary number.
  public var double: Double {
    // Division by an exact power is rounded once; multiplication by a negative power would be rounded twice.
    exponent < 0
      ? Double(significand) / Self.power(-exponent) : Double(significand) * Self.power(exponent)
  }

  /// The number without an exponent and without zeros that say nothing: `0.00111`, `-0.1`, `300`.
  public var description: String {
    if significand == 0 { return "0" }
    var digits = String(significand.magnitude)
    let sign = significand < 0 ? "-" : ""
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    if digits.utf8.count <= -exponent {
      digits = String(repeating: "0", count: 1 - exponent - digits.utf8.count) + digits
    }
    let whole = digits.dropLast(-exponent)
    var fraction = digits.suffix(-exponent)
    while fraction.last == "0" { fraction.removeLast() }
    return sign + whole + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  private static func power(_ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<max(0, exponent) { power *= 10 }
    return power
  }
}
