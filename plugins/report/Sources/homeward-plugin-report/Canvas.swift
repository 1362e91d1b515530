import CPango
import CareReports
import Charts
import Glibc

/// Paper that is drawn on by Cairo, a page after the other, and becomes a PDF; measured in points from the upper left corner.
///
/// - Source: cairo 1.16, whose PDF surfaces take tags of structure (PDF 1.5, 14.7) and an outline.
final class Canvas {
  /// What is written.
  private final class Output {
    var bytes: [UInt8] = []
  }

  let size: PaperSize
  private let output = Output()
  private let surface: OpaquePointer
  let context: OpaquePointer

  /// The first page.
  ///
  /// - Parameter title: what readers of PDF call it.
  init(_ size: PaperSize, title: String) {
    self.size = size
    surface = cairo_pdf_surface_create_for_stream(
      { output, bytes, count in
        guard let output, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<Output>.fromOpaque(output).takeUnretainedValue().bytes
          .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(output).toOpaque(), size.width, size.height)
    context = cairo_create(surface)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Homeward")
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Ends a page, and begins the next one.
  func showPage() { cairo_show_page(context) }

  /// The PDF; nothing can be drawn any more.
  ///
  /// - Throws: what Cairo could not do.
  func finish() throws(PaperFault) -> [UInt8] {
    cairo_surface_finish(surface)
    for status in [cairo_status(context), cairo_surface_status(surface)]
    where status != CAIRO_STATUS_SUCCESS {
      throw PaperFault(String(cString: cairo_status_to_string(status)))
    }
    return output.bytes
  }

  /// What is drawn meanwhile is such an element of the document, for whoever has it read aloud.
  func tagged(_ tag: String, _ draw: () -> Void) {
    cairo_tag_begin(context, tag, "")
    draw()
    cairo_tag_end(context, tag)
  }

  /// A line in the outline, which leads to this height of this page.
  func outline(_ title: String, page: Int, y: Double) {
    _ = cairo_pdf_surface_add_outline(
      surface, CAIRO_PDF_OUTLINE_ROOT, title, "page=\(page) pos=[0 \(Int(y))]",
      CAIRO_PDF_OUTLINE_FLAG_OPEN)
  }

  // MARK: Shapes

  /// Takes an ink.
  func take(_ ink: ChartInk) {
    let colour = UInt32(ink.onPaper.dropFirst(), radix: 16) ?? 0
    cairo_set_source_rgb(
      context, Double(colour >> 16) / 255, Double(colour >> 8 & 255) / 255,
      Double(colour & 255) / 255)
  }

  /// A straight line.
  func line(from: ChartPoint, to: ChartPoint, _ ink: ChartInk, width: Double) {
    path([from, to])
    stroke(ink, width)
  }

  /// A filled box.
  func box(_ from: ChartPoint, _ to: ChartPoint, _ ink: ChartInk) {
    cairo_rectangle(context, from.x, from.y, max(0, to.x - from.x), max(0, to.y - from.y))
    fill(ink)
  }

  /// Draws smaller or larger than is measured, from a place on.
  func scaled(by factor: Double, at place: ChartPoint, _ draw: () -> Void) {
    cairo_save(context)
    cairo_translate(context, place.x, place.y)
    cairo_scale(context, factor, factor)
    draw()
    cairo_restore(context)
  }

  /// A shape of a chart.
  func draw(_ shape: ChartShape, _ letters: Letters) {
    switch shape {
    case .line(let points, let ink, let width, let isDashed):
      if isDashed { cairo_set_dash(context, [4, 3], 2, 0) }
      path(points)
      stroke(ink, width)
      cairo_set_dash(context, nil, 0, 0)
    case .area(let points, let ink):
      path(points)
      cairo_close_path(context)
      fill(ink)
    case .box(let from, let to, let ink): box(from, to, ink)
    case .dot(let point, let radius, let mark, let ink): dot(point, radius, mark, ink)
    case .words(let text, let point, let anchor, let size, let ink):
      letters.set(text, TextStyle(size: size, ink: ink))
      let shift: Double =
        switch anchor {
        case .start: 0
        case .middle: letters.naturalWidth / 2
        case .end: letters.naturalWidth
        }
      take(ink)
      letters.show(0, on: self, x: point.x - shift, baseline: point.y)
    }
  }

  private func dot(_ point: ChartPoint, _ radius: Double, _ mark: ChartMark, _ ink: ChartInk) {
    switch mark {
    case .disc, .ring:
      cairo_new_path(context)
      cairo_arc(context, point.x, point.y, radius, 0, 2 * .pi)
      if mark == .disc { fill(ink) } else { stroke(ink, 1.5) }
    case .square, .up, .down:
      path(ChartSVG.corners(of: mark, at: point, radius))
      cairo_close_path(context)
      fill(ink)
    }
  }

  private func path(_ points: [ChartPoint]) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
  }

  private func stroke(_ ink: ChartInk, _ width: Double) {
    take(ink)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  /// What is above the range has an edge, as on the page: its colour alone is too pale.
  private func fill(_ ink: ChartInk) {
    take(ink)
    guard ink == .attention else { return cairo_fill(context) }
    cairo_fill_preserve(context)
    stroke(.ink, 1)
  }
}

/// Why something could not be drawn.
struct PaperFault: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
