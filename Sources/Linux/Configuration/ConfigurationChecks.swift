import Bytes
import Care
import Glibc
public import Texts

/// Checks of single texts; each answers what is wrong, to follow the key's name, or nil.
public enum ConfigurationChecks {
  /// A name towards backends: 1 through 64 letters, digits, hyphens, dots and underscores.
  @Sendable public static func name(_ text: String) -> Message? {
    let allowed = text.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    if allowed, (1...64).contains(text.utf8.count) { return nil }
    return Message(
      "must be 1 to 64 letters, digits, \"-\", \".\" or \"_\"; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// The name of a plugin: 1 through 32 lower-case letters, digits and hyphens.
  @Sendable public static func pluginName(_ text: String) -> Message? {
    let allowed = text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    if allowed, (1...32).contains(text.utf8.count) { return nil }
    return Message(
      "must be 1 to 32 lower-case letters, digits or \"-\"; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// A whole path.
  @Sendable public static func absolutePath(_ text: String) -> Message? {
    if text.hasPrefix("/"), !text.utf8.contains(0), text.utf8.count < 4096 { return nil }
    return Message(
      "must be a whole path that starts with \"/\"; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// An address of pages that are encrypted, without anything behind the host; plain where it is this machine's own.
  @Sendable public static func webAddress(_ text: String) -> Message? {
    let match =
      text.wholeMatch(of: /https:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::([0-9]{1,5}))?\/?/)
      ?? text.wholeMatch(of: /http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([0-9]{1,5}))?\/?/)
    let hasPort = match?.output.2.map { UInt16($0) != nil } ?? true
    if match != nil, hasPort, text.utf8.count <= 100 { return nil }
    return Message(
      "must be where browsers find the pages, at most 100 letters, such as \"https://home.example.org:8474\"; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// A name of ALSA's, 1 through 200 characters.
  @Sendable public static func soundName(_ text: String) -> Message? {
    if (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      return nil
    }
    return Message(
      "must be a name of 1 to 200 characters, such as \"aplay -L\" and \"amixer\" list; it is "
        + "\"{text}\".", ["text": String(text.prefix(80))])
  }

  /// An address of IPv4 or IPv6 in numbers, for a name has to be looked up.
  @Sendable public static func numericAddress(_ text: String) -> Message? {
    if isAddress(text) { return nil }
    return Message(
      "must be a numeric address such as 127.0.0.1, for a name has to be looked up and that "
        + "may hang; it is \"{text}\".", ["text": String(text.prefix(80))])
  }

  /// An IANA name of a time zone that this machine knows.
  @Sendable public static func timeZone(_ text: String) -> Message? {
    if TimeZoneDirectory.contains(text) { return nil }
    let hint =
      TimeZoneDirectory.nearest(to: text).map { Message(" Did you mean \"{word}\"?", ["word": $0]) }
      ?? Message(verbatim: "")
    return Message(
      "must be the name of a time zone such as Europe/Oslo; it is " + "\"{text}\".{hint}",
      ["text": String(text.prefix(80)), "hint": hint])
  }

  /// A device's path or name: no control characters, and no more than the kernel's longest.
  @Sendable public static func device(_ text: String) -> Message? {
    let isPrintable = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    if isPrintable, (1...255).contains(text.utf8.count) { return nil }
    return Message(
      "must be 1 to 255 printable characters; it is \"{text}\".", ["text": String(text.prefix(80))])
  }

  /// The address of a Bluetooth device, `/random` behind one that it drew.
  @Sendable public static func bluetoothAddress(_ text: String) -> Message? {
    if BluetoothAddress(written: text) != nil { return nil }
    return Message(
      "must be an address such as A4:C1:38:8D:18:B2, with /random behind one that the device drew; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// A key of 128 bits; it is not repeated, for it is a secret.
  @Sendable public static func key128(_ text: String) -> Message? {
    if AES128Key(text) != nil { return nil }
    return Message("must be a key of 32 hexadecimal digits.")
  }

  /// The name of a key in the kernel's words.
  @Sendable public static func key(_ text: String) -> Message? {
    let isWord = text.utf8.allSatisfy { byte in
      (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    let isKey = text.hasPrefix("KEY_") || text.hasPrefix("BTN_")
    if isWord, isKey, text.utf8.count <= 40 { return nil }
    return Message(
      "must hold names such as KEY_ENTER, as evtest shows them; one is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  /// The name of an entry of `/sys/class/leds`.
  @Sendable public static func light(_ text: String) -> Message? {
    if !text.contains("/"), text != ".", text != ".." { return device(text) }
    return Message(
      "must be a name that ls /sys/class/leds shows; it is \"{text}\".",
      ["text": String(text.prefix(80))])
  }

  private static func isAddress(_ text: String) -> Bool {
    var buffer = in6_addr()
    // C reads a text up to a zero byte, and would not see what stands behind.
    guard !text.utf8.contains(0) else { return false }
    return inet_pton(AF_INET, text, &buffer) == 1 || inet_pton(AF_INET6, text, &buffer) == 1
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
