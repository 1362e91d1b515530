/// A drawing as SVG of its own, to stand in a page: inks are classes (`f-primary` fills, `s-primary` strokes), no style is in line.
///
/// - Source: SVG 2, W3C.
public enum ChartSVG {
  /// The markup.
  ///
  /// - Parameter label: what it shows, in a sentence, for whoever does not see it.
  public static func markup(_ drawing: ChartDrawing, label: String) -> String {
    var svg =
      "<svg class=\"chart\" viewBox=\"0 0 \(number(drawing.width)) \(number(drawing.height))\" role=\"img\" aria-label=\"\(escaped(label))\">"
    for shape in drawing.shapes { svg += markup(shape) }
    return svg + "</svg>"
  }

  private static func markup(_ shape: ChartShape) -> String {
    switch shape {
    case .line(let points, let ink, let width, let isDashed):
      let dashes = isDashed ? " stroke-dasharray=\"4 3\"" : ""
      return
        "<polyline class=\"s-\(ink.rawValue)\" fill=\"none\" stroke-width=\"\(number(width))\"\(dashes) points=\"\(list(points))\"/>"
    case .area(let points, let ink):
      return "<polygon class=\"f-\(ink.rawValue)\" points=\"\(list(points))\"/>"
    case .box(let from, let to, let ink):
      return
        "<rect class=\"f-\(ink.rawValue)\" x=\"\(number(from.x))\" y=\"\(number(from.y))\" width=\"\(number(max(0, to.x - from.x)))\" height=\"\(number(max(0, to.y - from.y)))\"/>"
    case .dot(let point, let radius, let mark, let ink):
      return dot(point, radius, mark, ink)
    case .words(let text, let point, let anchor, let size, let ink):
      return
        "<text class=\"f-\(ink.rawValue)\" x=\"\(number(point.x))\" y=\"\(number(point.y))\" text-anchor=\"\(anchor.rawValue)\" font-size=\"\(number(size))\">\(escaped(text))</text>"
    }
  }

  private static func dot(
    _ point: ChartPoint, _ radius: Double, _ mark: ChartMark, _ ink: ChartInk
  ) -> String {
    switch mark {
    case .disc:
      return
        "<circle class=\"f-\(ink.rawValue)\" cx=\"\(number(point.x))\" cy=\"\(number(point.y))\" r=\"\(number(radius))\"/>"
    case .ring:
      return
        "<circle class=\"s-\(ink.rawValue)\" fill=\"none\" stroke-width=\"1.5\" cx=\"\(number(point.x))\" cy=\"\(number(point.y))\" r=\"\(number(radius))\"/>"
    case .square, .up, .down:
      return
        "<polygon class=\"f-\(ink.rawValue)\" points=\"\(list(corners(of: mark, at: point, radius)))\"/>"
    }
  }

  /// The corners of a dot that has some.
  public static func corners(
    of mark: ChartMark, at point: ChartPoint, _ radius: Double
  ) -> [ChartPoint] {
    let (x, y, r) = (point.x, point.y, radius)
    return switch mark {
    case .disc, .ring: []
    case .square:
      [
        ChartPoint(x - r, y - r), ChartPoint(x + r, y - r), ChartPoint(x + r, y + r),
        ChartPoint(x - r, y + r),
      ]
    case .up:
      [
        ChartPoint(x, y - 1.2 * r), ChartPoint(x + 1.1 * r, y + 0.8 * r),
        ChartPoint(x - 1.1 * r, y + 0.8 * r),
      ]
    case .down:
      [
        ChartPoint(x, y + 1.2 * r), ChartPoint(x + 1.1 * r, y - 0.8 * r),
        ChartPoint(x - 1.1 * r, y - 0.8 * r),
      ]
    }
  }

  private static func list(_ points: [ChartPoint]) -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
  }

  /// With two decimals at most, and none that says nothing.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0" }
    let hundredths = Int64((value * 100).rounded())
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(decimals)"
  }

  /// A text as it stands in markup and in its attributes.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\0": break
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
