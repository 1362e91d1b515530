/// A box within a drawing in which values are drawn: what is along lies between left and right, what is up between bottom and top.
public struct Plot: Hashable, Sendable {
  /// Space for the words of the axes, at the left and below.
  public static let left = 44.0
  /// Space for the words below.
  public static let below = 26.0
  private static let above = 10.0
  private static let right = 10.0

  /// The drawing.
  public var drawing: ChartDrawing
  /// What is along.
  public let along: ClosedRange<Double>
  /// What is up.
  public let up: ClosedRange<Double>

  /// An empty plot.
  public init(
    width: Double, height: Double, along: ClosedRange<Double>, up: ClosedRange<Double>
  ) {
    drawing = ChartDrawing(width: width, height: height)
    self.along = along
    self.up = up
  }

  /// Where a value is in the drawing; what lies beyond is at the edge.
  public func point(_ x: Double, _ y: Double) -> ChartPoint {
    ChartPoint(
      Self.left + part(x, along) * (drawing.width - Self.left - Self.right),
      drawing.height - Self.below
        - part(y, up) * (drawing.height - Self.below - Self.above))
  }

  private func part(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    let length = range.upperBound - range.lowerBound
    guard length > 0 else { return 0 }
    return min(1, max(0, (value - range.lowerBound) / length))
  }

  /// A band of values, such as the range that is aimed at.
  public mutating func band(_ range: ClosedRange<Double>, _ ink: ChartInk) {
    drawing.shapes.append(
      .box(
        point(along.lowerBound, range.upperBound), point(along.upperBound, range.lowerBound), ink))
  }

  /// Lines across with their values at the left.
  public mutating func levels(_ values: [(value: Double, words: String)]) {
    for (value, words) in values where up.contains(value) {
      let (from, to) = (point(along.lowerBound, value), point(along.upperBound, value))
      drawing.shapes.append(.line([from, to], .hair, width: 1, isDashed: false))
      drawing.shapes.append(
        .words(words, ChartPoint(from.x - 6, from.y + 4), .end, size: 12, .soft))
    }
  }

  /// Words below, each at its place.
  public mutating func places(_ values: [(value: Double, words: String)]) {
    for (value, words) in values where along.contains(value) {
      let foot = point(value, up.lowerBound)
      drawing.shapes.append(
        .line([foot, ChartPoint(foot.x, foot.y + 4)], .soft, width: 1, isDashed: false))
      drawing.shapes.append(
        .words(words, ChartPoint(foot.x, foot.y + 18), .middle, size: 12, .soft))
    }
  }

  /// The two axes.
  public mutating func axes() {
    let corner = point(along.lowerBound, up.lowerBound)
    drawing.shapes.append(
      .line(
        [point(along.lowerBound, up.upperBound), corner, point(along.upperBound, up.lowerBound)],
        .ink, width: 1.5, isDashed: false))
  }

  /// A value.
  public mutating func dot(
    _ x: Double, _ y: Double, _ mark: ChartMark, _ ink: ChartInk, radius: Double = 4
  ) {
    drawing.shapes.append(.dot(point(x, y), radius: radius, mark, ink))
  }

  /// A line through values.
  public mutating func line(
    _ values: [(x: Double, y: Double)], _ ink: ChartInk, width: Double = 2, isDashed: Bool = false
  ) {
    guard values.count > 1 else { return }
    drawing.shapes.append(
      .line(values.map { point($0.x, $0.y) }, ink, width: width, isDashed: isDashed))
  }

  /// The area between two lines.
  public mutating func area(
    _ lower: [(x: Double, y: Double)], _ upper: [(x: Double, y: Double)], _ ink: ChartInk
  ) {
    guard lower.count > 1, upper.count > 1 else { return }
    drawing.shapes.append(
      .area((lower + upper.reversed()).map { point($0.x, $0.y) }, ink))
  }
}

/// A bar in parts, each as long as its share.
public enum StackedBar {
  /// Draws it, with the words of each part above or below where there is room.
  ///
  /// - Parameter parts: their counts, inks and words, from the left.
  public static func drawing(
    width: Double, _ parts: [(count: Int, ink: ChartInk, words: String)]
  ) -> ChartDrawing {
    var drawing = ChartDrawing(width: width, height: 40 + 20 * Double(parts.count))
    let sum = parts.reduce(0) { $0 + max(0, $1.count) }
    var x = 0.0
    for (index, part) in parts.enumerated() {
      let share = sum > 0 ? width * Double(max(0, part.count)) / Double(sum) : 0
      if share > 0 {
        drawing.shapes.append(.box(ChartPoint(x, 0), ChartPoint(x + share, 28), part.ink))
        drawing.shapes.append(
          .line(
            [ChartPoint(x, 0), ChartPoint(x, 28)], .ink, width: index == 0 ? 0 : 1, isDashed: false)
        )
      }
      x += share
      let y = 48 + 20 * Double(index)
      drawing.shapes.append(.box(ChartPoint(0, y - 10), ChartPoint(12, y + 2), part.ink))
      drawing.shapes.append(.words(part.words, ChartPoint(20, y), .start, size: 13, .ink))
    }
    return drawing
  }
}
