/// A bare mail address, safe to stand in a header and in a command to a mail server.
struct MailAddress: Hashable, Sendable {
  /// The address, such as `anna@example.org`.
  let text: String

  /// Takes an address of ASCII letters, digits and the signs that need no quotes.
  ///
  /// Returns nil for anything else: quoted names, comments, lists, line breaks, spaces.
  ///
  /// - Source: RFC 5321, section 4.1.2 (`Dot-string`) and 4.5.3.1 (lengths).
  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254,
      (1...64).contains(parts[0].utf8.count), Self.isDotted(parts[0], Self.isLocal),
      Self.isDotted(parts[1], Self.isHost)
    else { return nil }
    self.text = text
  }

  private static func isDotted(_ text: Substring, _ isAllowed: (UInt8) -> Bool) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && label.utf8.count <= 64 && label.utf8.allSatisfy(isAllowed)
        && (label.utf8.first != UInt8(ascii: "-"))
    }
  }

  private static func isLocal(_ byte: UInt8) -> Bool {
    isHost(byte) || "!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
  }

  private static func isHost(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
    default: false
    }
  }
}
