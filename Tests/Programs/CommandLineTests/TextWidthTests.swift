import Testing

@testable import homeward

@Suite("Texts on a terminal")
struct TextWidthTests {
  private static let family = "👩‍👩‍👧"

  @Test(
    "Each character takes the columns that a terminal gives it",
    arguments: [
      ("", 0), ("Mary", 4), ("王奶奶", 6), ("e\u{301}", 1), ("\u{301}", 0), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ１", 4), ("ｱ", 1), ("𠀀", 2), ("—", 1), ("🏠", 2),
      (family, 2), ("🇳🇴", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("，。", 4),
    ])
  func widths(text: String, columns: Int) {
    #expect(TextWidth.of(text) == columns)
  }

  @Test(
    "Spaces fill a text up to its columns, and cut nothing off",
    arguments: [("王", 4, "王  "), ("abc", 3, "abc"), ("王奶奶", 4, "王奶奶"), ("", 2, "  ")])
  func padding(text: String, columns: Int, padded: String) {
    #expect(TextWidth.padded(text, to: columns) == padded)
  }

  @Test(
    "Lines break at spaces where there are any, else between characters, never within one",
    arguments: [
      ("", 10, [""]), ("one two three", 7, ["one two", "three"]),
      ("one two three", 13, ["one two three"]), ("老王今天去了公园", 6, ["老王今", "天去了", "公园"]),
      ("老王今天", 5, ["老王", "今天"]), ("老王", 1, ["老", "王"]),
      ("ab abcdefgh", 3, ["ab", "abc", "def", "gh"]), (family + family, 2, [family, family]),
      ("see 老王 now", 8, ["see 老王", "now"]),
    ] as [(String, Int, [String])])
  func wrapping(text: String, columns: Int, lines: [String]) {
    #expect(TextWidth.wrapped(text, to: columns) == lines)
  }

  @Test("However narrow: nothing is lost, and no line is wider than wanted")
  func wrappingLosesNothing() {
    let text = "Mary O'Neil (王奶奶 🏠) left  the day-centre-of-the-town at 15:32 e\u{301}te\u{301}"
    let letters = text.filter { $0 != " " }
    for columns in 2...90 {
      let lines = TextWidth.wrapped(text, to: columns)
      #expect(lines.allSatisfy { TextWidth.of($0) <= columns }, "\(columns): \(lines)")
      #expect(lines.joined().filter { $0 != " " } == letters, "\(columns): \(lines)")
    }
  }

  @Test("Further lines stand below the text, not below its label")
  func folding() {
    #expect(TextWidth.folded("one two three", to: 9, first: "- ") == "- one two\n  three\n")
    #expect(TextWidth.folded("one two three", to: 10, first: "王 ") == "王 one two\n   three\n")
    #expect(TextWidth.folded("ab", to: 2, first: "long: ") == "long: a\n      b\n")
    #expect(TextWidth.folded("", to: 9, first: "- ") == "- \n")
  }

  @Test(
    "Nothing that moves the cursor, colours or turns the writing round reaches a terminal",
    arguments: [
      ("a\u{1B}[31mb\n", "a [31mb "), ("\u{202E}cod.exe", "cod.exe"), ("a\u{9B}2Jb", "a 2Jb"),
      ("a\u{FEFF}b", "ab"), ("a\tb\u{7}", "a b "), (family, family), ("王奶奶 é", "王奶奶 é"),
    ])
  func printable(text: String, shown: String) {
    #expect(TextWidth.printable(text) == shown)
  }
}

@Suite("Tables on a terminal")
struct TableTests {
  private var table: Table {
    var table = Table(["ID", "WHO", "WHAT"])
    table.add(["a1", "王奶奶", "walks to the park and back again"])
    table.add(["b", "-", ""])
    return table
  }

  @Test("Columns align below wide characters, and no line ends in spaces")
  func whole() {
    let whole = """
      ID  WHO     WHAT
      a1  王奶奶  walks to the park and back again
      b   -

      """
    #expect(table.text(columns: nil) == whole)
    #expect(table.text(columns: 44) == whole, "it fits to the column")
  }

  @Test("Where it does not fit, the last column wraps below itself")
  func wrapped() {
    #expect(
      table.text(columns: 43) == """
        ID  WHO     WHAT
        a1  王奶奶  walks to the park and back
                    again
        b   -

        """)
  }

  @Test("Where the last column has no room, each row is a paragraph without what is empty")
  func paragraphs() {
    #expect(
      table.text(columns: 31) == """
        ID    a1
        WHO   王奶奶
        WHAT  walks to the park and
              back again

        ID    b

        """)
  }

  @Test("What a cell holds cannot break out of its line")
  func cells() {
    var table = Table(["NAME", "NOTE"])
    table.add(["\u{1B}[2JMary\nTom", "x"])
    #expect(table.text(columns: nil) == "NAME          NOTE\n [2JMary Tom  x\n")
  }

  @Test("A row may have fewer cells than the heading")
  func shortRow() {
    var table = table
    table.add(["c"])
    for columns in [nil, 43, 31] as [Int?] {
      #expect(table.text(columns: columns).contains("c\n"))
    }
  }
}
