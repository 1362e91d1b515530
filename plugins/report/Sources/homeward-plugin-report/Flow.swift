import CareReports
import Charts
import Texts

/// Where on which page something comes next, and what stands on every page.
///
/// All is gone through twice: once to count the pages, once to draw them.
final class Flow {
  static let margin = 48.0
  private static let footHeight = 34.0

  let canvas: Canvas
  /// How many pages there are; nil while they are being counted, when nothing is drawn.
  let pages: Int?
  private let document: ReportDocument
  private let letters: Letters
  private(set) var page = 1
  private(set) var y = Flow.margin
  private var isAtTop: Bool { y == Flow.margin }

  init(on canvas: Canvas, _ document: ReportDocument, pages: Int?) {
    self.canvas = canvas
    self.document = document
    self.pages = pages
    letters = Letters(on: canvas, language: document.language)
    drawFoot()
  }

  var isDrawing: Bool { pages != nil }
  var width: Double { canvas.size.width - 2 * Self.margin }
  /// How high a page is, from the first line to the last.
  var pageHeight: Double { canvas.size.height - 2 * Self.margin - Self.footHeight }
  /// How much of this page is left.
  var room: Double { Self.margin + pageHeight - y }

  /// Goes on to the next page.
  func turn() {
    if isDrawing { canvas.showPage() }
    page += 1
    y = Self.margin
    drawFoot()
  }

  /// Sees to it that there is so much room, where a page has that much.
  func need(_ height: Double) {
    if room < height, !isAtTop { turn() }
  }

  /// Goes down.
  func advance(_ height: Double) { y += height }

  /// Leaves room, unless a page begins here.
  func space(_ height: Double) {
    if !isAtTop { y += height }
  }

  /// What is drawn where pages are, as an element of the document.
  func draw(_ tag: String? = nil, _ draw: () -> Void) {
    guard isDrawing else { return }
    if let tag { canvas.tagged(tag, draw) } else { draw() }
  }

  /// What is gone through meanwhile, over pages, belongs to such an element of the document.
  func tagged(_ tag: String, _ go: () -> Void) {
    if isDrawing { canvas.tagged(tag, go) } else { go() }
  }

  private func drawFoot() {
    guard let pages else { return }
    let language = Language(document.language)
    let top = canvas.size.height - Self.margin - Self.footHeight + 8
    canvas.line(
      from: ChartPoint(Self.margin, top), to: ChartPoint(canvas.size.width - Self.margin, top),
      .hair, width: 0.5)
    let number = Message("Page {page} of {pages}", ["page": page, "pages": pages])
    letters.set(number.text(in: language), .foot)
    let numberWidth = letters.naturalWidth
    letters.draw(
      0, on: canvas, x: canvas.size.width - Self.margin - numberWidth, y: top + 5)
    let named = page == 1 ? document.foot : "\(document.title) · \(document.foot)"
    letters.set(named, .foot, width: width - numberWidth - 24)
    var y = top + 5
    for (place, line) in letters.lines.enumerated() {
      letters.draw(place, on: canvas, x: Self.margin, y: y)
      y += line.height
    }
  }
}

extension TextStyle {
  static let foot = TextStyle(size: 8, ink: .soft)
}
