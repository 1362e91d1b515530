import Bytes
import Charts
import JSON
import Testing

@Suite("Charts")
struct ChartTests {
  private var plot: Plot {
    var plot = Plot(width: 300, height: 200, along: 0...24, up: 0...20)
    plot.band(4...10, .safe)
    plot.levels([(5, "5"), (30, "beyond")])
    plot.places([(0, "0"), (12, "12")])
    plot.axes()
    plot.dot(6, 10, .up, .attention)
    plot.line([(0, 5), (24, 6)], .primary)
    plot.area([(0, 4), (24, 5)], [(0, 8), (24, 9)], .safe)
    return plot
  }

  @Test("What is along and up has its place, and what lies beyond is at the edge")
  func places() {
    let plot = Plot(width: 300, height: 200, along: 0...10, up: 0...100)
    #expect(plot.point(0, 0) == ChartPoint(Plot.left, 200 - Plot.below))
    #expect(plot.point(10, 100) == ChartPoint(290, 10))
    #expect(plot.point(5, 50) == ChartPoint((Plot.left + 290) / 2, (200 - Plot.below + 10) / 2))
    #expect(plot.point(-5, 900) == plot.point(0, 100))
    #expect(plot.point(.infinity, 0) == plot.point(10, 0))
  }

  @Test("What is drawn comes through as JSON, shape by shape")
  func json() throws {
    let drawing = plot.drawing
    #expect(try ChartDrawing(json: JSONValue(parsing: drawing.json.serialized)) == drawing)
    let chart = Chart(
      title: "A", sentence: "B", drawing: drawing, header: ["C"], rows: [["1"], ["2"]])
    #expect(try Chart(json: JSONValue(parsing: chart.json.serialized)) == chart)
    for bad in [
      #"{"shape":"dot","points":[1],"ink":"ink","radius":1,"mark":"disc"}"#,
      #"{"shape":"dot","points":[1,2,3,4],"ink":"ink","radius":1,"mark":"disc"}"#,
      #"{"shape":"star","points":[1,2],"ink":"ink"}"#,
      #"{"shape":"area","points":[1,2],"ink":"gold"}"#,
      #"{"shape":"area","points":["1",2],"ink":"ink"}"#,
    ] {
      let value = try JSONValue(parsing: bad)
      #expect(throws: DecodeError.self, "\(bad)") { try ChartShape(json: value) }
    }
    let huge = try JSONValue(parsing: #"{"width":1e9,"height":2,"shapes":[]}"#)
    #expect(throws: DecodeError.self) { try ChartDrawing(json: huge) }
  }

  @Test("A page gets SVG whose texts are no markup, and inks are classes")
  func svg() {
    var drawing = plot.drawing
    drawing.shapes.append(.words("<b>&\"5\"", ChartPoint(1.256, 2), .middle, size: 12, .ink))
    let svg = ChartSVG.markup(drawing, label: "Levels < 10 & \"more\"")
    #expect(svg.hasPrefix("<svg class=\"chart\" viewBox=\"0 0 300 200\" role=\"img\""))
    #expect(svg.contains("aria-label=\"Levels &lt; 10 &amp; &quot;more&quot;\""))
    #expect(svg.contains(">&lt;b&gt;&amp;&quot;5&quot;</text>") && svg.contains("x=\"1.26\""))
    #expect(svg.contains("class=\"f-attention\"") && !svg.contains("style"))
    #expect(!svg.contains("beyond"))
    #expect(svg.components(separatedBy: "<polygon").count == 3)
  }

  @Test("A bar is as long as its parts, and of nothing there is nothing")
  func bar() {
    let drawing = StackedBar.drawing(
      width: 100, [(1, .alarm, "low"), (3, .safe, "in range"), (0, .attention, "high")])
    let boxes = drawing.shapes.compactMap { shape -> Double? in
      guard case .box(let from, let to, _) = shape, from.y == 0 else { return nil }
      return to.x - from.x
    }
    #expect(boxes == [25, 75])
    let none = StackedBar.drawing(width: 100, [(0, .alarm, "low")])
    #expect(none.shapes.count == 2)
  }
}

extension String {
  fileprivate func components(separatedBy text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
