public import Bytes
public import JSON

/// A chart as shapes on a plane, drawn on a page and on paper alike: measured in points, `y` downwards.
///
/// What ink looks like is decided by whoever draws: a page by its colours, paper by its own.
public struct ChartDrawing: Hashable, Sendable {
  /// How wide it is.
  public var width: Double
  /// How high it is.
  public var height: Double
  /// What is drawn, the first at the bottom.
  public var shapes: [ChartShape]

  /// An empty drawing.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
    shapes = []
  }
}

/// A place in a drawing.
public struct ChartPoint: Hashable, Sendable {
  /// From the left.
  public var x: Double
  /// From the top.
  public var y: Double

  /// A place.
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// What something is drawn with, by what it means.
public enum ChartInk: String, Hashable, Sendable, CaseIterable {
  /// Text and axes.
  case ink
  /// What stands second.
  case soft
  /// Lines that only help the eye.
  case hair
  /// What is measured.
  case primary
  /// Within the range.
  case safe
  /// Above it.
  case attention
  /// Below it.
  case alarm
  /// Not known.
  case unknown

  /// Its colour on paper, `#rrggbb`: that of the page by day, with fine lines dark enough for a printer.
  public var onPaper: String {
    switch self {
    case .ink: "#1b1f23"
    case .soft: "#454b50"
    case .hair: "#c4bfb4"
    case .primary: "#0a4f5c"
    case .safe: "#ddeff1"
    case .attention: "#ffdf9e"
    case .alarm: "#9a1b1b"
    case .unknown: "#e4e2dc"
    }
  }
}

/// The form of a dot, so that nothing is told by colour alone.
public enum ChartMark: String, Hashable, Sendable, CaseIterable {
  /// A disc.
  case disc
  /// A ring.
  case ring
  /// A square, standing on its side.
  case square
  /// A triangle that points up.
  case up
  /// A triangle that points down.
  case down
}

/// Where words stand from their point.
public enum ChartAnchor: String, Hashable, Sendable, CaseIterable {
  /// They begin there.
  case start
  /// Their middle is there.
  case middle
  /// They end there.
  case end
}

/// One shape.
public enum ChartShape: Hashable, Sendable {
  /// A line through points.
  case line([ChartPoint], ChartInk, width: Double, isDashed: Bool)
  /// A filled area within points.
  case area([ChartPoint], ChartInk)
  /// A filled box: its left upper corner and its right lower one.
  case box(ChartPoint, ChartPoint, ChartInk)
  /// A dot.
  case dot(ChartPoint, radius: Double, ChartMark, ChartInk)
  /// Words; `y` is their base line.
  case words(String, ChartPoint, ChartAnchor, size: Double, ChartInk)
}

extension ChartDrawing: JSONCodable {
  /// Reads a drawing.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      width: try Self.length(reader, "width"), height: try Self.length(reader, "height"))
    var shapes: [ChartShape] = []
    for shape in try reader.array("shapes") { shapes.append(try ChartShape(json: shape)) }
    self.shapes = shapes
  }

  private static func length(_ reader: JSONReader, _ name: String) throws(DecodeError) -> Double {
    let length = try reader.double(name)
    guard (1...10_000).contains(length) else { throw reader.error(.outOfRange, name) }
    return length
  }

  /// The drawing as an object.
  public var json: JSONValue {
    [
      "width": .number(width), "height": .number(height), "shapes": .array(shapes.map(\.json)),
    ]
  }
}

extension ChartShape: JSONCodable {
  /// Reads a shape.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let ink = try reader.word("ink", as: ChartInk.self)
    let points = try Self.pairs(reader)
    func first(_ count: Int) throws(DecodeError) -> [ChartPoint] {
      guard points.count == count else { throw reader.error(.outOfRange, "points") }
      return points
    }
    switch try reader.string("shape") {
    case "line":
      self = .line(
        points, ink, width: try reader.double("width"),
        isDashed: try reader.optionalBool("isDashed") ?? false)
    case "area": self = .area(points, ink)
    case "box":
      let corners = try first(2)
      self = .box(corners[0], corners[1], ink)
    case "dot":
      self = .dot(
        try first(1)[0], radius: try reader.double("radius"),
        try reader.word("mark", as: ChartMark.self), ink)
    case "words":
      self = .words(
        try reader.string("text"), try first(1)[0],
        try reader.word("anchor", as: ChartAnchor.self), size: try reader.double("size"), ink)
    default: throw reader.error(.unknownWord, "shape")
    }
  }

  private static func pairs(_ reader: JSONReader) throws(DecodeError) -> [ChartPoint] {
    let numbers = try reader.array("points").map { number throws(DecodeError) in
      guard let number = number.doubleContent, number.isFinite else {
        throw reader.error(.outOfRange, "points")
      }
      return number
    }
    guard numbers.count % 2 == 0 else { throw reader.error(.outOfRange, "points") }
    return stride(from: 0, to: numbers.count, by: 2).map {
      ChartPoint(numbers[$0], numbers[$0 + 1])
    }
  }

  private var points: [ChartPoint] {
    switch self {
    case .line(let points, _, _, _), .area(let points, _): points
    case .box(let from, let to, _): [from, to]
    case .dot(let point, _, _, _), .words(_, let point, _, _, _): [point]
    }
  }

  private var ink: ChartInk {
    switch self {
    case .line(_, let ink, _, _), .area(_, let ink), .box(_, _, let ink), .dot(_, _, _, let ink),
      .words(_, _, _, _, let ink):
      ink
    }
  }

  /// The shape as an object; points are numbers in pairs.
  public var json: JSONValue {
    let numbers = points.flatMap { [$0.x, $0.y] }
    let shape = JSONValue.object([
      "points": .array(numbers.map { .number($0) }), "ink": .string(ink.rawValue),
    ])
    switch self {
    case .line(_, _, let width, let isDashed):
      return shape.setting("shape", to: "line").setting("width", to: .number(width))
        .setting("isDashed", to: .bool(isDashed))
    case .area: return shape.setting("shape", to: "area")
    case .box: return shape.setting("shape", to: "box")
    case .dot(_, let radius, let mark, _):
      return shape.setting("shape", to: "dot").setting("radius", to: .number(radius))
        .setting("mark", to: .string(mark.rawValue))
    case .words(let text, _, let anchor, let size, _):
      return shape.setting("shape", to: "words").setting("text", to: .string(text))
        .setting("anchor", to: .string(anchor.rawValue)).setting("size", to: .number(size))
    }
  }
}
