import Bytes
import Charts
import JSON
import Testing

/// The two forms of a drawing that leave the program: JSON and markup.
@Suite("Forms of a drawing")
struct ChartFormTests {
  private let place = ChartPoint(1.5, -2)

  @Test("Every ink, mark and anchor comes through as JSON")
  func everyShape() throws {
    var shapes: [ChartShape] = ChartInk.allCases.flatMap { ink -> [ChartShape] in
      [
        .line([place, ChartPoint(3, 4)], ink, width: 0.5, isDashed: true),
        .line([], ink, width: 1, isDashed: false), .area([place], ink),
        .box(place, ChartPoint(9, 9), ink),
      ]
    }
    shapes += ChartMark.allCases.map { .dot(place, radius: 2.5, $0, .alarm) }
    shapes += ChartAnchor.allCases.map { .words("x\n\"y\"", place, $0, size: 12, .soft) }
    var drawing = ChartDrawing(width: 1, height: 10_000)
    drawing.shapes = shapes
    #expect(try ChartDrawing(json: JSONValue(parsing: drawing.json.serialized)) == drawing)
  }

  @Test(
    "A shape that is none names what does not fit",
    arguments: [
      (#"{"shape":"line","points":[],"width":1}"#, .missingField, "ink"),
      (#"{"shape":"line","points":[],"ink":"gold","width":1}"#, .unknownWord, "ink"),
      (#"{"points":[],"ink":"ink"}"#, .missingField, "shape"),
      (#"{"shape":"star","points":[],"ink":"ink"}"#, .unknownWord, "shape"),
      (#"{"shape":"line","points":[1],"ink":"ink","width":1}"#, .outOfRange, "points"),
      (#"{"shape":"line","points":["1",2],"ink":"ink","width":1}"#, .outOfRange, "points"),
      (#"{"shape":"line","points":5,"ink":"ink","width":1}"#, .wrongType, "points"),
      (#"{"shape":"line","points":[],"ink":"ink"}"#, .missingField, "width"),
      (
        #"{"shape":"line","points":[],"ink":"ink","width":1,"isDashed":1}"#, .wrongType,
        "isDashed"
      ),
      (#"{"shape":"box","points":[1,2],"ink":"ink"}"#, .outOfRange, "points"),
      (#"{"shape":"box","points":[1,2,3,4,5,6],"ink":"ink"}"#, .outOfRange, "points"),
      (
        #"{"shape":"dot","points":[],"ink":"ink","radius":1,"mark":"disc"}"#, .outOfRange,
        "points"
      ),
      (
        #"{"shape":"dot","points":[1,2],"ink":"ink","radius":1,"mark":"star"}"#, .unknownWord,
        "mark"
      ),
      (
        #"{"shape":"words","points":[1,2],"ink":"ink","text":"x","anchor":"left","size":1}"#,
        .unknownWord, "anchor"
      ),
      (
        #"{"shape":"words","points":[1,2],"ink":"ink","text":5,"anchor":"end","size":1}"#,
        .wrongType, "text"
      ),
    ] as [(String, DecodeError.Code, String)])
  func noShape(text: String, code: DecodeError.Code, field: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: DecodeError(code, at: 0, field: field)) { try ChartShape(json: json) }
  }

  @Test("A line of which nothing else is said is not dashed")
  func notDashed() throws {
    let json: JSONValue = ["shape": "line", "points": [1, 2], "ink": "hair", "width": 2]
    let line = ChartShape.line([ChartPoint(1, 2)], .hair, width: 2, isDashed: false)
    #expect(try ChartShape(json: json) == line)
  }

  @Test(
    "A drawing is from one point to ten thousand wide and high",
    arguments: [
      (1, 1, nil), (10_000, 10_000, nil), (0.5, 1, "width"), (1, 0, "height"), (-1, 1, "width"),
      (1, 10_000.5, "height"),
    ] as [(Double, Double, String?)])
  func sizes(width: Double, height: Double, fault: String?) {
    let json: JSONValue = ["width": .number(width), "height": .number(height), "shapes": []]
    guard let fault else {
      #expect(throws: Never.self) { try ChartDrawing(json: json) }
      return
    }
    #expect(throws: DecodeError(.outOfRange, at: 0, field: fault)) { try ChartDrawing(json: json) }
  }

  @Test("A chart without one of its parts is none, and a row of its table is a list")
  func charts() throws {
    let whole = Chart(
      title: "A", sentence: "B", drawing: ChartDrawing(width: 1, height: 1), header: ["C"],
      rows: [])
    for name in ["title", "sentence", "drawing"] {
      let json = whole.json.setting(name, to: .null)
      #expect(throws: DecodeError(.missingField, at: 0, field: name)) { try Chart(json: json) }
    }
    #expect(throws: DecodeError(.outOfRange, at: 0, field: "rows")) {
      try Chart(json: whole.json.setting("rows", to: [["1"], "2"]))
    }
  }

  @Test(
    "Markup has two decimals at most, and only numbers that a page can draw",
    arguments: [
      (2, "2"), (-1.5, "-1.5"), (0.07, "0.07"), (10.1, "10.1"), (1.256, "1.26"), (-0.25, "-0.25"),
      (-0.001, "0"), (1.999, "2"), (-0.996, "-1"), (999_999_999.99, "999999999.99"), (1e9, "0"),
      (-1e300, "0"), (.nan, "0"), (.infinity, "0"),
    ])
  func numbers(value: Double, written: String) {
    var drawing = ChartDrawing(width: 5, height: 5)
    drawing.shapes = [.dot(ChartPoint(value, 0), radius: 1, .disc, .ink)]
    #expect(ChartSVG.markup(drawing, label: "").contains(" cx=\"\(written)\" cy=\"0\" r=\"1\"/>"))
  }

  @Test(
    "Marks differ by form: what points up is what points down turned over, a ring is not filled")
  func marks() {
    let up = ChartSVG.corners(of: .up, at: place, 4)
    let down = ChartSVG.corners(of: .down, at: place, 4)
    #expect(down == up.map { ChartPoint($0.x, 2 * place.y - $0.y) })
    #expect(up.count == 3 && up[0].x == place.x && up[0].y < place.y && up[1].y > place.y)
    #expect(ChartSVG.corners(of: .square, at: place, 4).count == 4)
    var drawing = ChartDrawing(width: 5, height: 5)
    drawing.shapes = [.dot(place, radius: 4, .ring, .alarm)]
    let ring = ChartSVG.markup(drawing, label: "")
    #expect(ring.contains("class=\"s-alarm\" fill=\"none\"") && !ring.contains("f-alarm"))
    #expect(Set(ChartInk.allCases.map(\.onPaper)).count == ChartInk.allCases.count)
  }

  @Test("A box whose corners are the wrong way round has no size, and no negative one")
  func turnedBox() {
    var drawing = ChartDrawing(width: 5, height: 5)
    drawing.shapes = [
      .box(ChartPoint(4, 4), ChartPoint(1, 1), .safe),
      .line([place], .ink, width: 1, isDashed: true),
    ]
    let svg = ChartSVG.markup(drawing, label: "a\0b")
    #expect(svg.contains("width=\"0\" height=\"0\"/>") && svg.contains("aria-label=\"ab\""))
    #expect(svg.contains("stroke-dasharray=\"4 3\" points=\"1.5,-2\"/>") && svg.hasSuffix("</svg>"))
  }
}
