import Bytes

/// What the mails of this plugin are made of.
///
/// - Source: RFC 2045 and 2046.
enum MailText {
  private static let lineLetters = 76
  /// No line of Base64 starts with a hyphen, so none is taken for a boundary.
  static let boundary = "=_homeward"

  static let textHead = [
    "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
  ]

  /// Lines, ended by CR LF.
  static func bytes(_ lines: [String]) -> [UInt8] {
    lines.flatMap { Array($0.utf8) + [0x0D, 0x0A] }
  }

  /// Bytes in lines of Base64.
  static func encodedLines(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Base64.encode(bytes)
    var text: [UInt8] = []
    text.reserveCapacity(letters.count + letters.count / lineLetters * 2 + 4)
    for start in stride(from: 0, to: letters.count, by: lineLetters) {
      text.append(contentsOf: letters[start..<min(start + lineLetters, letters.count)])
      text.append(contentsOf: [0x0D, 0x0A])
    }
    return text
  }
}
