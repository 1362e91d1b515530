import CPango
import Charts

/// How words look.
struct TextStyle: Hashable {
  var size: Double
  var isBold = false
  var ink: ChartInk = .ink

  static let body = TextStyle(size: 10)
  static let soft = TextStyle(size: 9, ink: .soft)
  static let head = TextStyle(size: 9, isBold: true)
  static let title = TextStyle(size: 20, isBold: true)
  static let heading = TextStyle(size: 14, isBold: true, ink: .primary)
  static let subheading = TextStyle(size: 11, isBold: true)
}

/// Words set in lines by Pango.
final class Letters {
  /// A line of them: how it lies in the block, in points.
  struct Line {
    var x: Double
    var height: Double
    /// From the line's top to where letters stand.
    var ascent: Double
  }

  static let family = "WenQuanYi Micro Hei"
  private static let unit = Double(PANGO_SCALE)
  private let layout: OpaquePointer
  private(set) var text = ""
  private(set) var style = TextStyle.body
  private(set) var width: Double?
  private(set) var lines: [Line] = []

  /// - Parameter language: of what is set, as BCP 47 has it; it decides among forms of the same character.
  init(on canvas: Canvas, language: String) {
    layout = pango_cairo_create_layout(canvas.context)
    let context = pango_layout_get_context(layout)
    pango_context_set_language(context, pango_language_from_string(language))
    // Paper has no pixels that letters would have to fit.
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Sets words, in lines of that width; in one line for each of theirs where there is none.
  func set(_ text: String, _ style: TextStyle, width: Double? = nil) {
    (self.text, self.style, self.width) = (text, style, width)
    let font = pango_font_description_new()
    pango_font_description_set_family_static(font, Self.family)
    pango_font_description_set_absolute_size(font, style.size * Self.unit)
    pango_font_description_set_weight(font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_width(layout, width.map { Int32(max(1, $0) * Self.unit) } ?? -1)
    let shown = Self.shown(text)
    pango_layout_set_text(layout, shown, Int32(shown.utf8.count))
    lines = measured()
  }

  /// Without characters that are none for people; Cairo refuses those that are no characters at all.
  private static func shown(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars where isShown(scalar) { shown.unicodeScalars.append(scalar) }
    return shown
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" || scalar == "\t" { return true }
    return scalar.properties.generalCategory != .control
      && !scalar.properties.isNoncharacterCodePoint
  }

  private func measured() -> [Line] {
    var lines: [Line] = []
    let place = pango_layout_get_iter(layout)
    defer { pango_layout_iter_free(place) }
    repeat {
      var extent = PangoRectangle()
      pango_layout_iter_get_line_extents(place, nil, &extent)
      let baseline = pango_layout_iter_get_baseline(place)
      lines.append(
        Line(
          x: Double(extent.x) / Self.unit, height: Double(extent.height) / Self.unit,
          ascent: Double(baseline - extent.y) / Self.unit))
    } while pango_layout_iter_next_line(place) != 0
    return lines
  }

  /// How high all lines are.
  var height: Double { lines.reduce(0) { $0 + $1.height } }

  /// How wide the widest line is.
  var naturalWidth: Double {
    var extent = PangoRectangle()
    pango_layout_get_extents(layout, nil, &extent)
    return Double(extent.width) / Self.unit
  }

  /// Draws a line with its top at `y`.
  func draw(_ number: Int, on canvas: Canvas, x: Double, y: Double) {
    canvas.take(style.ink)
    show(number, on: canvas, x: x + lines[number].x, baseline: y + lines[number].ascent)
  }

  /// Draws a line that stands on `baseline`, with the ink that the canvas has.
  func show(_ number: Int, on canvas: Canvas, x: Double, baseline: Double) {
    cairo_move_to(canvas.context, x, baseline)
    pango_cairo_show_layout_line(
      canvas.context, pango_layout_get_line_readonly(layout, Int32(number)))
  }
}
