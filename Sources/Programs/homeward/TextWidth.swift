/// How many columns a text takes on a terminal.
enum TextWidth {
  /// Columns of a text: two for East Asian wide characters and emoji, none for combining marks.
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// The text with spaces behind it, up to so many columns.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// The text in lines of at most so many columns, the further ones indented by the width of `first`.
  static func folded(_ text: String, to columns: Int, first: String) -> String {
    let indent = String(repeating: " ", count: of(first))
    let lines = wrapped(text, to: max(1, columns - of(first)))
    return lines.enumerated().map { ($0.offset == 0 ? first : indent) + $0.element + "\n" }.joined()
  }

  /// The text in lines of at most so many columns, broken at spaces where there are any, else anywhere.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !line.isEmpty, of(line) + 1 + of(word) <= columns {
        line += " \(word)"
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while of(word) > columns {
        var head = ""
        while let next = word.first, of(head) + of(String(next)) <= columns || head.isEmpty {
          head.append(word.removeFirst())
        }
        lines.append(head)
      }
      line = word
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
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
