/// The default alphabet of short messages: 128 characters of seven bits, and ten more behind an escape.
///
/// - Source: 3GPP TS 23.038, section 6.2.1.
public enum DefaultAlphabet {
  static let escape: UInt8 = 0x1B

  /// By septet; the escape stands for itself.
  private static let basic = Array(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
      + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)

  private static let extended: [UInt8: Unicode.Scalar] = [
    0x0A: "\u{0C}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]",
    0x40: "|", 0x65: "€",
  ]

  private static let septets: [Unicode.Scalar: [UInt8]] = {
    var table: [Unicode.Scalar: [UInt8]] = [:]
    for (septet, scalar) in basic.enumerated() where UInt8(septet) != escape {
      table[scalar] = [UInt8(septet)]
    }
    for (septet, scalar) in extended { table[scalar] = [escape, septet] }
    return table
  }()

  /// The septets of each character; nil when the alphabet lacks one.
  static func characters(of text: String) -> [[UInt8]]? {
    var characters: [[UInt8]] = []
    for scalar in text.unicodeScalars {
      guard let character = septets[scalar] else { return nil }
      characters.append(character)
    }
    return characters
  }

  /// The septets of a text; nil when the alphabet lacks a character of it.
  public static func septets(of text: String) -> [UInt8]? {
    characters(of: text).map { Array($0.joined()) }
  }

  /// The text of septets; an unknown or cut extension is a space, as the standard asks for.
  public static func text(of septets: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var isEscaped = false
    for septet in septets.map({ $0 & 0x7F }) {
      if isEscaped {
        scalars.append(extended[septet] ?? " ")
        isEscaped = false
      } else if septet == escape {
        isEscaped = true
      } else if basic.indices.contains(Int(septet)) {
        scalars.append(basic[Int(septet)])
      }
    }
    if isEscaped { scalars.append(" ") }
    return String(scalars)
  }
}
