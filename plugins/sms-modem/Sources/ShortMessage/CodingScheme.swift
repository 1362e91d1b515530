/// The alphabet of a message.
public enum MessageAlphabet: Hashable, Sendable {
  /// The default alphabet.
  case default7Bit
  /// Octets without meaning as text.
  case octets
  /// UTF-16, big end first.
  case ucs2

  /// The alphabet by the octet of the data coding scheme.
  ///
  /// - Source: 3GPP TS 23.038, section 4.
  init(codingScheme: UInt8) {
    switch codingScheme {
    case 0xF0...0xFF: self = codingScheme & 0x04 != 0 ? .octets : .default7Bit
    case 0xE0...0xEF: self = .ucs2
    case 0x80...0xDF: self = .default7Bit
    default:
      switch codingScheme & 0x0C {
      case 0x04: self = .octets
      case 0x08: self = .ucs2
      default: self = .default7Bit
      }
    }
  }
}
