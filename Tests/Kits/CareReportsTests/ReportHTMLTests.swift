import CareReports
import Charts
import Testing

@Suite struct ReportHTMLTests {
  private static let hostile = "<i x=\"1\">&\0'"
  private static let escaped = "&lt;i x=&quot;1&quot;&gt;&amp;'"

  private var drawing: ChartDrawing {
    var drawing = ChartDrawing(width: 10, height: 10)
    drawing.shapes = [.words(Self.hostile, ChartPoint(1, 1), .start, size: 8, .ink)]
    return drawing
  }

  /// A document with the same words wherever words can stand.
  private var document: ReportDocument {
    let words = Self.hostile
    return ReportDocument(
      title: words, lines: [words], language: "en",
      parts: [
        .heading(words), .paragraph(words), .doubt(words), .facts([ReportFact(words, words)]),
        .table(header: [words], rows: [[words]]),
        .chart(
          Chart(
            title: words, sentence: words, drawing: drawing, header: [words], rows: [[words]])),
        .picture(id: "p", words: words),
      ], foot: words)
  }

  @Test func wordsNeverBecomeMarkupWhereverTheyStand() {
    // Title, line, foot; heading, paragraph, doubt; two of a fact; two of a table; seven of a
    // chart, with the label of its drawing and the words in it; two of a picture.
    let body = ReportHTML.body(document) { _ in Self.hostile }
    #expect(body.ranges(of: Self.escaped).count == 18)
    let file = ReportHTML.file(document, pictures: [:])
    // Its own title instead of the address of the picture.
    #expect(file.ranges(of: Self.escaped).count == 18)
    for text in [body, file] {
      #expect(!text.contains("<i x") && !text.utf8.contains(0))
      #expect(text.ranges(of: "&amp;amp;").isEmpty)
    }
  }

  @Test func aFileHasItsPicturesWithin() {
    let document = ReportDocument(
      title: "T", lines: [], language: "zh-Hans",
      parts: ["jpeg", "png", "gone"].map { .picture(id: $0, words: "of \($0)") }, foot: "")
    let file = ReportHTML.file(
      document, pictures: ["jpeg": [0xFF, 0xD8, 0xFF], "png": [0x89, 0x50, 0x4E, 0x47]])
    #expect(file.contains("<img src=\"data:image/jpeg;base64,/9j/\" alt=\"of jpeg\">"))
    #expect(file.contains("<img src=\"data:image/png;base64,iVBORw==\" alt=\"of png\">"))
    #expect(file.contains("<img src=\"\" alt=\"of gone\">"))
    #expect(file.hasPrefix("<!DOCTYPE html>\n<html lang=\"zh-Hans\">"))
    // It opens anywhere and asks nobody for anything.
    #expect(!file.contains("http:") && !file.contains("https:") && !file.contains("<script"))
    for ink in ChartInk.allCases {
      #expect(file.contains(".f-\(ink.rawValue){fill:") && file.contains(".s-\(ink.rawValue){"))
    }
  }

  @Test func tablesHaveHeadsForWhoeverHearsThem() {
    let document = ReportDocument(
      title: "T", lines: ["a", "b"], language: "en",
      parts: [
        .table(header: ["When", "What"], rows: [["1", "2"], ["3", "4"]]),
        .facts([ReportFact("Mean", "5.6 mmol/L")]),
      ], foot: "F")
    let body = ReportHTML.body(document) { $0 }
    #expect(
      body.contains(
        "<thead><tr><th scope=\"col\">When</th><th scope=\"col\">What</th></tr></thead>"
          + "<tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody>"))
    #expect(body.contains("<tr><th scope=\"row\">Mean</th><td>5.6 mmol/L</td></tr>"))
    #expect(body.contains("<ul class=\"plain\"><li>a</li><li>b</li></ul>"))
  }
}
