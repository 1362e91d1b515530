import Bytes
import Moments

/// Who a message is for, or who seems to have sent it.
public struct PhoneAddress: Hashable, Sendable, CustomStringConvertible {
  /// What kind of address it is.
  public enum Kind: Hashable, Sendable {
    /// A number with its country, written with a leading plus sign.
    case international
    /// Digits as they would be dialled here, short numbers included.
    case local
    /// A name that the sender chose freely, which proves nothing.
    case name
  }

  /// What kind of address it is.
  public let kind: Kind
  /// Digits (`0` through `9`, `*`, `#`, `a` through `c`) without a plus sign, or the name.
  public let text: String

  /// An address from its parts.
  public init(kind: Kind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// A number as people write it, `+4791234567` or `112`; nil when it has other signs, none or more than 20.
  public init?(number: String) {
    let digits = number.hasPrefix("+") ? String(number.dropFirst()) : number
    guard (1...20).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.init(kind: number.hasPrefix("+") ? .international : .local, text: digits)
  }

  /// The address as people write it.
  public var description: String { kind == .international ? "+\(text)" : text }

  /// Signs of semi-octets; 15 fills up.
  private static let signs = Array("0123456789*#abc")

  /// An address field: length, type, digits two to an octet, the first one low.
  ///
  ///     octet   0       1     2....
  ///     field   digits  type  10 32 54 …   F fills an odd number
  ///     bytes   0A      91    19 32 54 76 98  → +9123456789
  ///
  /// `type` has the kind in bits 4 through 6: 1 international, 5 a name in packed septets. Bytes above: synthetic.
  ///
  /// - Source: 3GPP TS 23.040, section 9.1.2.5.
  init(_ reader: inout ByteReader) throws(DecodeError) {
    let start = reader.offset
    let length = Int(try reader.byte("address length"))
    guard length <= 22 else { throw DecodeError(.outOfRange, at: start, field: "address length") }
    let type = try reader.byte("address type")
    let octets = Array(try reader.take((length + 1) / 2, "address"))
    if type & 0x70 == 0x50 {
      let septets = Septets.unpacked(octets, count: length * 4 / 7)
      self.init(kind: .name, text: DefaultAlphabet.text(of: septets))
      return
    }
    var text = ""
    for nibble in octets.flatMap({ [$0 & 0x0F, $0 >> 4] }).prefix(length) {
      guard Self.signs.indices.contains(Int(nibble)) else { continue }
      text.append(Self.signs[Int(nibble)])
    }
    self.init(kind: type & 0x70 == 0x10 ? .international : .local, text: text)
  }

  /// The address field of a number.
  var octets: [UInt8] {
    let nibbles = text.compactMap { Self.signs.firstIndex(of: $0) }.map { UInt8($0) }
    var octets: [UInt8] = [UInt8(nibbles.count), kind == .international ? 0x91 : 0x81]
    for index in stride(from: 0, to: nibbles.count, by: 2) {
      let high = index + 1 < nibbles.count ? nibbles[index + 1] : 0x0F
      octets.append(high << 4 | nibbles[index])
    }
    return octets
  }

  /// Whether this sender can be the holder of an E.164 number.
  ///
  /// A name never is; a number without country is when the known one ends in it, at least eight digits without the
  /// zeros in front.
  public func isHolder(of number: String) -> Bool {
    switch kind {
    case .international: return "+\(text)" == number
    case .local:
      let significant = text.drop { $0 == "0" }
      return significant.count >= 8 && number.hasSuffix(significant)
    case .name: return false
    }
  }
}
