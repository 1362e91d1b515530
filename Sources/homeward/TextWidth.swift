/// How many columns a text takes on a terminal.
enum TextWidth {
  /// Columns of a text: two for East Asian wide characters and emoji, none for combining marks.
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// The text with spaces behind it, up to so many columns.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// The text without characters that would move the cursor or change colours.
  static func printable(_ text: String) -> String {
    var clean = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: clean += " "
      case .format where scalar.value != 0x200D: continue
      default: clean.unicodeScalars.append(scalar)
      }
    }
    return clean
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    let isEmoji = character.unicodeScalars.contains {
      $0.properties.isEmojiPresentation || $0.value == 0xFE0F
    }
    if isEmoji || isWide(first.value) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return 1
    }
  }

  /// The blocks that Unicode's East Asian Width calls wide or full-width.
  private static func isWide(_ code: UInt32) -> Bool {
    switch code {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
