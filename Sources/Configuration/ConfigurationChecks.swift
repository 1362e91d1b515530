import Glibc

/// Checks of single texts; each answers what is wrong, to follow the key's name, or nil.
enum ConfigurationChecks {
  @Sendable static func name(_ text: String) -> String? {
    let allowed = text.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    if allowed, (1...64).contains(text.utf8.count) { return nil }
    return "must be 1 to 64 letters, digits, \"-\", \".\" or \"_\"; it is \"\(text.prefix(80))\"."
  }

  @Sendable static func pluginName(_ text: String) -> String? {
    let allowed = text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    if allowed, (1...32).contains(text.utf8.count) { return nil }
    return "must be 1 to 32 lower-case letters, digits or \"-\"; it is \"\(text.prefix(80))\"."
  }

  @Sendable static func absolutePath(_ text: String) -> String? {
    if text.hasPrefix("/"), !text.utf8.contains(0), text.utf8.count < 4096 { return nil }
    return "must be a whole path that starts with \"/\"; it is \"\(text.prefix(80))\"."
  }

  @Sendable static func numericAddress(_ text: String) -> String? {
    if isAddress(text) { return nil }
    return "must be a numeric address such as 127.0.0.1, for a name has to be looked up and that "
      + "may hang; it is \"\(text.prefix(80))\"."
  }

  @Sendable static func loopback(_ text: String) -> String? {
    if text == "::1" { return nil }
    if text.hasPrefix("127."), isAddress(text) { return nil }
    return "must be a loopback address such as 127.0.0.1, for there is no password on it; it is "
      + "\"\(text.prefix(80))\"."
  }

  @Sendable static func timeZone(_ text: String) -> String? {
    if TimeZoneDirectory.contains(text) { return nil }
    let hint = TimeZoneDirectory.nearest(to: text).map { " Did you mean \"\($0)\"?" } ?? ""
    return "must be the name of a time zone such as Europe/Oslo; it is "
      + "\"\(text.prefix(80))\".\(hint)"
  }

  private static func isAddress(_ text: String) -> Bool {
    var buffer = in6_addr()
    return inet_pton(AF_INET, text, &buffer) == 1 || inet_pton(AF_INET6, text, &buffer) == 1
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
