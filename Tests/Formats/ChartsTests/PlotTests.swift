import Charts
import Testing

/// Where values stand, also where there are none, one, or only equal ones.
@Suite("Plots")
struct PlotTests {
  private func lines(_ plot: Plot) -> [[ChartPoint]] {
    plot.drawing.shapes.compactMap {
      if case .line(let points, _, _, _) = $0 { points } else { nil }
    }
  }

  private func words(_ plot: Plot) -> [String] {
    plot.drawing.shapes.compactMap {
      if case .words(let text, _, _, _, _) = $0 { text } else { nil }
    }
  }

  @Test("Where all values are equal, everything stands in the lower left corner, and is a number")
  func equalValues() {
    var plot = Plot(width: 300, height: 200, along: 5...5, up: 3...3)
    let corner = ChartPoint(Plot.left, 200 - Plot.below)
    for value in [-1.0, 3, 5, 1e300] { #expect(plot.point(value, value) == corner) }
    plot.line([(5, 3), (5, 3)], .primary)
    #expect(lines(plot) == [[corner, corner]])
  }

  @Test("What is no number stands at the lower edge")
  func noNumber() {
    let plot = Plot(width: 300, height: 200, along: 0...10, up: 0...100)
    #expect(plot.point(.nan, .nan) == plot.point(0, 0))
    #expect(plot.point(-.infinity, .infinity) == plot.point(0, 100))
  }

  @Test("No value makes no line and no area, one makes neither, two make both")
  func fewValues() {
    let values: [(x: Double, y: Double)] = [(1, 1), (2, 2)]
    for count in 0...2 {
      var plot = Plot(width: 300, height: 200, along: 0...10, up: 0...10)
      let some = Array(values.prefix(count))
      plot.line(some, .primary)
      plot.area(some, values, .safe)
      plot.area(values, some, .safe)
      #expect(plot.drawing.shapes.count == (count < 2 ? 0 : 3))
    }
  }

  @Test("An area goes along the lower line and back along the upper one")
  func area() {
    var plot = Plot(width: 300, height: 200, along: 0...10, up: 0...10)
    plot.area([(0, 1), (10, 2)], [(0, 5), (10, 6)], .safe)
    let corners = [plot.point(0, 1), plot.point(10, 2), plot.point(10, 6), plot.point(0, 5)]
    #expect(plot.drawing.shapes == [.area(corners, .safe)])
  }

  @Test("Levels and places are drawn at the very edges, and beyond them not even their words")
  func edges() {
    var plot = Plot(width: 300, height: 200, along: 0...24, up: 2...20)
    plot.levels([(2, "lowest"), (20, "highest"), (1.99, "below"), (20.01, "above")])
    plot.places([(0, "first"), (24, "last"), (-0.01, "before"), (24.01, "after")])
    #expect(words(plot) == ["lowest", "highest", "first", "last"])
    let (left, right) = (Plot.left, 290.0)
    #expect(
      lines(plot).prefix(2) == [
        [ChartPoint(left, 174), ChartPoint(right, 174)],
        [ChartPoint(left, 10), ChartPoint(right, 10)],
      ])
    #expect(lines(plot).suffix(2).map(\.first) == [ChartPoint(left, 174), ChartPoint(right, 174)])
  }

  @Test("A band that reaches beyond the plot is cut off at its edges, and one beyond it is flat")
  func bands() {
    var plot = Plot(width: 300, height: 200, along: 0...24, up: 2...20)
    plot.band(-50...500, .safe)
    plot.band(30...40, .attention)
    #expect(
      plot.drawing.shapes == [
        .box(ChartPoint(Plot.left, 10), ChartPoint(290, 174), .safe),
        .box(ChartPoint(Plot.left, 10), ChartPoint(290, 10), .attention),
      ])
  }

  @Test("A higher value is never lower on the paper, and a later one never further left")
  func scale() {
    let plot = Plot(width: 640, height: 320, along: -3...7, up: 2.2...22.2)
    var last = plot.point(-10, -10)
    for step in -100...300 {
      let next = plot.point(Double(step) / 10, Double(step) / 10)
      #expect(next.x >= last.x && next.y <= last.y)
      #expect((Plot.left...630).contains(next.x) && (10...294).contains(next.y))
      last = next
    }
    #expect(last == plot.point(7, 22.2))
  }

  @Test("The parts of a bar fill it from the left without gaps, whatever counts are nonsense")
  func bar() {
    let drawing = StackedBar.drawing(
      width: 120,
      [
        (0, .alarm, "a"), (1, .safe, "b"), (-5, .unknown, "c"), (2, .attention, "d"),
        (3, .ink, "e"),
      ])
    let parts = drawing.shapes.compactMap { shape -> ClosedRange<Double>? in
      guard case .box(let from, let to, _) = shape, from.y == 0 else { return nil }
      return from.x...to.x
    }
    #expect(parts == [0...20, 20...60, 60...120])
    let words = drawing.shapes.compactMap { shape -> String? in
      if case .words(let text, let place, _, _, _) = shape, place.y < drawing.height {
        text
      } else {
        nil
      }
    }
    #expect(words == ["a", "b", "c", "d", "e"])
    #expect(StackedBar.drawing(width: 120, []).shapes.isEmpty)
  }
}
