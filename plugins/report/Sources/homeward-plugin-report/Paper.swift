import CareReports
import Charts
import Texts

/// A report on paper.
///
/// Charts are the shapes that pages show; tables, sentences and figures are the document's, word by word.
struct Paper {
  private let parcel: ReportParcel
  private let flow: Flow
  private let letters: Letters

  private var document: ReportDocument { parcel.document }

  /// Draws a report.
  ///
  /// - Returns: the PDF, and how many pages it has.
  /// - Throws: what could not be done.
  static func draw(_ parcel: ReportParcel) throws(PaperFault) -> (pdf: [UInt8], pages: Int) {
    Fonts.take()
    let counted = run(parcel, on: Canvas(parcel.paper, title: ""), pages: nil)
    let canvas = Canvas(parcel.paper, title: parcel.document.title)
    let pages = run(parcel, on: canvas, pages: counted)
    canvas.showPage()
    return (try canvas.finish(), pages)
  }

  private static func run(_ parcel: ReportParcel, on canvas: Canvas, pages: Int?) -> Int {
    let flow = Flow(on: canvas, parcel.document, pages: pages)
    let letters = Letters(on: canvas, language: parcel.document.language)
    Paper(parcel: parcel, flow: flow, letters: letters).draw()
    return flow.page
  }

  private func draw() {
    write(document.title, .title, "H1")
    flow.advance(4)
    for line in document.lines { write(line, .body, "P") }
    for part in document.parts { draw(part) }
  }

  private func draw(_ part: ReportPart) {
    switch part {
    case .heading(let text):
      flow.space(16)
      flow.need(90)
      if flow.isDrawing { flow.canvas.outline(text, page: flow.page, y: flow.y) }
      write(text, .heading, "H2")
      flow.advance(4)
    case .paragraph(let text):
      flow.advance(3)
      write(text, .body, "P")
      flow.advance(3)
    case .doubt(let text): writeDoubt(text)
    case .facts(let facts):
      table(header: [], rows: facts.map { [$0.name, $0.value] }, hasNames: true)
    case .table(let header, let rows): table(header: header, rows: rows)
    case .chart(let chart): draw(chart)
    case .picture(let id, let words): draw(parcel.pictures[id], words)
    }
  }

  /// Writes lines, which go on over pages.
  private func write(_ text: String, _ style: TextStyle, _ tag: String, indent: Double = 0) {
    letters.set(text, style, width: flow.width - indent)
    for (place, line) in letters.lines.enumerated() {
      flow.need(line.height)
      flow.draw(tag) { letters.draw(place, on: flow.canvas, x: Flow.margin + indent, y: flow.y) }
      flow.advance(line.height)
    }
  }

  /// What is missing or doubtful has a bar beside it, also where it goes on over a page.
  private func writeDoubt(_ text: String) {
    flow.advance(3)
    letters.set(text, TextStyle(size: 10, isBold: true), width: flow.width - 12)
    for (place, line) in letters.lines.enumerated() {
      flow.need(line.height)
      flow.draw("P") {
        letters.draw(place, on: flow.canvas, x: Flow.margin + 12, y: flow.y)
      }
      flow.draw {
        flow.canvas.box(
          ChartPoint(Flow.margin, flow.y), ChartPoint(Flow.margin + 4, flow.y + line.height), .alarm
        )
      }
      flow.advance(line.height)
    }
    flow.advance(3)
  }

  private func table(header: [String], rows: [[String]], hasNames: Bool = false) {
    flow.advance(4)
    Table(flow, document.language, header: header, rows: rows, hasNames: hasNames).draw()
    flow.advance(6)
  }

  private func draw(_ chart: Chart) {
    let drawing = chart.drawing
    // What is higher than a page would be is drawn smaller.
    let scale = min(flow.width / drawing.width, flow.pageHeight * 0.8 / drawing.height)
    flow.space(8)
    flow.need(drawing.height * scale + 60)
    write(chart.title, .subheading, "H3")
    flow.advance(4)
    let place = ChartPoint(Flow.margin, flow.y)
    flow.draw("Figure") {
      flow.canvas.scaled(by: scale, at: place) {
        for shape in drawing.shapes { flow.canvas.draw(shape, letters) }
      }
    }
    flow.advance(drawing.height * scale + 4)
    write(chart.sentence, .soft, "Caption")
    table(header: chart.header, rows: chart.rows)
  }

  private func draw(_ file: [UInt8]?, _ words: String) {
    let language = Language(document.language)
    let picture: PaperPicture
    do throws(PaperFault) {
      guard let file else {
        throw PaperFault(
          Message("The picture did not come along: {what}.", ["what": words]).text(in: language))
      }
      picture = try PaperPicture(file, language: language)
    } catch {
      return writeDoubt(error.description)
    }
    let scale = min(flow.width * 0.6 / picture.width, 280 / picture.height)
    let height = picture.height * scale
    flow.advance(4)
    flow.need(height + 20)
    let place = ChartPoint(Flow.margin, flow.y)
    flow.draw("Figure") {
      flow.canvas.scaled(by: scale, at: place) { picture.draw(on: flow.canvas) }
    }
    flow.advance(height + 4)
    write(words, .soft, "Caption")
    flow.advance(4)
  }
}
