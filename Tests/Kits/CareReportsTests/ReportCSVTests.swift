import CareReports
import Testing

@Suite struct ReportCSVTests {
  private func text(_ parts: [ReportPart], title: String = "T") -> [UInt8] {
    Array(
      ReportCSV.text(
        ReportDocument(title: title, lines: [], language: "en", parts: parts, foot: "F")
      ).utf8)
  }

  @Test(arguments: [
    ("", ""), ("soup", "soup"), ("–5", "–5"), ("妈妈", "妈妈"), ("a b;c", "a b;c"),
    // RFC 4180: what would end a cell or a line, or a quotation, stands in quotes.
    ("a,b", "\"a,b\""), ("say \"ah\"", "\"say \"\"ah\"\"\""), ("a\nb", "\"a\nb\""),
    ("a\rb", "\"a\rb\""), ("a\r\nb", "\"a\r\nb\""), ("\n", "\"\n\""),
    // Signs that something joins to one character are the same signs.
    ("a\"\u{301},b", "\"a\"\"\u{301},b\""), ("a,\u{301}b", "\"a,\u{301}b\""),
    // What a program would take for a formula.
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
    ("\r=1", "\"'\r=1\""), ("\r\n=1", "\"'\r\n=1\""), ("=\u{301}1", "'=\u{301}1"),
    ("=\"x\"", "\"'=\"\"x\"\"\""), ("1=1", "1=1"),
  ])
  func aCellIsQuotedWhereItMustBe(cell: String, written: String) {
    #expect(text([.paragraph(cell)]) == Array("T\r\n\(written)\r\n".utf8))
  }

  @Test func everyPartHasItsLines() {
    let parts: [ReportPart] = [
      .heading("H"), .doubt("D"), .facts([ReportFact("Mean", "5.6"), ReportFact("Lowest", "4,0")]),
      .table(header: ["When", "What"], rows: [["1", "a"], ["2", "b,c"]]),
      .picture(id: "p", words: "W"),
    ]
    let lines = [
      "T", "", "H", "D", "Mean,5.6", "Lowest,\"4,0\"", "When,What", "1,a", "2,\"b,c\"", "W", "",
    ]
    #expect(text(parts) == Array(lines.joined(separator: "\r\n").utf8))
  }
}
