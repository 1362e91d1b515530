/// Texts of iCalendar: escapes, folding, and what of a foreign text may be shown and spoken.
///
/// - Source: RFC 5545, sections 3.1 and 3.3.11.
enum CalendarText {
  /// The text of a value.
  static func unescaped(_ value: String) -> String {
    var text = String.UnicodeScalarView()
    var isEscape = false
    for scalar in value.unicodeScalars {
      if isEscape {
        text.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// A text as a value.
  static func escaped(_ text: String) -> String {
    var value = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": value += "\\\\"
      case ";": value += "\\;"
      case ",": value += "\\,"
      case "\n": value += "\\n"
      case "\r": break
      default: if scalar == "\t" || !isControl(scalar) { value.unicodeScalars.append(scalar) }
      }
    }
    return value
  }

  /// Lines of at most 75 bytes, broken between characters, with CRLF at the end.
  static func folded(_ line: String) -> String {
    var folded = ""
    var room = 75
    for scalar in line.unicodeScalars {
      let size = UTF8.width(scalar)
      if size > room {
        folded += "\r\n "
        room = 74
      }
      folded.unicodeScalars.append(scalar)
      room -= size
    }
    return folded + "\r\n"
  }

  /// One line: white space and control characters between words become one space.
  static func line(_ value: String) -> String {
    unescaped(value).unicodeScalars
      .split { $0.properties.isWhitespace || isControl($0) }
      .map { String($0) }.joined(separator: " ")
  }

  /// Several lines: control characters other than line feeds and tabs are left out, and white space at both ends.
  static func lines(_ value: String) -> String {
    let kept = unescaped(value).unicodeScalars.filter {
      $0 == "\n" || $0 == "\t" || !isControl($0)
    }
    let start = kept.firstIndex { !$0.properties.isWhitespace } ?? kept.endIndex
    let end = kept.lastIndex { !$0.properties.isWhitespace }.map { kept.index(after: $0) }
    return String(String.UnicodeScalarView(kept[start..<max(start, end ?? start)]))
  }

  /// The first `limit` Unicode scalars of a text, the last of them `…` where something is left out.
  static func shortened(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > limit else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(limit - 1))) + "…"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
