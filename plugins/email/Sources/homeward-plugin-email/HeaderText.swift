import Bytes
import Moments

/// Texts in the head of a mail.
enum HeaderText {
  /// The most bytes of UTF-8 in one encoded word, so that it stays below 75 characters.
  private static let wordBytes = 42

  /// Any text as one line of a header, in encoded words unless it is plain; line breaks and other control characters
  /// become spaces.
  ///
  /// - Source: RFC 2047, sections 2 and 4.1.
  static func encoded(_ text: String) -> String {
    let clean = text.unicodeScalars.map { scalar in
      let isControl =
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x2028...0x2029).contains(scalar.value)
      return isControl ? " " : scalar
    }
    let isPlain =
      clean.allSatisfy { (0x20...0x7E).contains($0.value) } && clean.count <= 60
      && !clean.contains("=")
    if isPlain { return String(String.UnicodeScalarView(clean)) }
    return words(clean).joined(separator: "\r\n ")
  }

  /// Cuts between characters, never inside one.
  private static func words(_ scalars: [Unicode.Scalar]) -> [String] {
    var words: [[UInt8]] = [[]]
    for scalar in scalars {
      let bytes = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      if words[words.count - 1].count + bytes.count > wordBytes { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { word in
      "=?UTF-8?B?" + String(decoding: Base64.encode(word), as: UTF8.self) + "?="
    }
  }

  /// A name before an address: quoted when it is plain.
  static func displayName(_ name: String) -> String {
    let encoded = encoded(name)
    if encoded.hasPrefix("=?") { return encoded }
    let escaped = encoded.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }

  /// A moment as mails write it, in UTC.
  ///
  /// - Source: RFC 5322, section 3.3.
  static func date(_ moment: Timestamp) -> String {
    let civil = CivilDateTime(utc: moment)
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    // The first of January 1970 was a Thursday.
    let day = days[Int(((civil.daysSinceEpoch % 7) + 7) % 7)]
    let time = [civil.hour, civil.minute, civil.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(day), \(civil.day) \(months[civil.month - 1]) \(civil.year) "
      + "\(time.joined(separator: ":")) +0000"
  }

  /// Letters, digits, hyphens and dots of a name, for the id of a message; at most 100.
  static func identifier(_ name: String) -> String {
    let kept = name.unicodeScalars.map { scalar in
      let isKept =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isKept ? Character(scalar) : "-"
    }
    return kept.isEmpty ? "x" : String(kept.prefix(100))
  }
}
