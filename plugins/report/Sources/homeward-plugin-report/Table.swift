import CareReports
import Charts

/// Rows of cells, which go on over pages: rows stay whole where they can, and the head stands on each page.
final class Table {
  /// What a cell is for whoever has the table read aloud.
  private enum Kind { case head, name, cell }

  private static let gap = 14.0
  private static let above = 3.0
  private static let narrowest = 48.0
  private static let airAtMost = 36.0
  /// Widths are taken of so many rows; what is wider further down is broken into lines.
  private static let measuredRows = 200

  private let flow: Flow
  private let header: [String]
  private let rows: [[String]]
  private let hasNames: Bool
  private var columns: [Letters] = []
  private var widths: [Double] = []

  /// - Parameter hasNames: the first cell of each row is its name, and there is no head.
  init(_ flow: Flow, _ language: String, header: [String], rows: [[String]], hasNames: Bool = false)
  {
    self.flow = flow
    self.header = header
    self.rows = rows
    self.hasNames = hasNames
    let count = max(header.count, rows.map(\.count).max() ?? 0)
    columns = (0..<count).map { _ in Letters(on: flow.canvas, language: language) }
    widths = shared(natural())
  }

  private func natural() -> [Double] {
    columns.indices.map { place in
      var widest = 0.0
      func measure(_ row: [String], _ style: TextStyle) {
        guard place < row.count else { return }
        columns[place].set(row[place], style)
        widest = max(widest, columns[place].naturalWidth.rounded(.up))
      }
      measure(header, .head)
      for row in rows.prefix(Self.measuredRows) { measure(row, .cell) }
      return widest
    }
  }

  /// The widths that there is room for: narrow columns have what they want, and some air; wide ones share what is left.
  private func shared(_ natural: [Double]) -> [Double] {
    let room = flow.width - Self.gap * Double(max(0, natural.count - 1))
    let spare = room - natural.reduce(0, +)
    guard spare < 0 else {
      let air = min(Self.airAtMost, spare / Double(max(1, natural.count)))
      return natural.map { $0 + air }
    }
    var (wide, left) = (Set(natural.indices), room)
    while true {
      let share = max(Self.narrowest, left / Double(max(1, wide.count)))
      let narrow = wide.filter { natural[$0] <= share }
      guard !narrow.isEmpty else {
        return natural.indices.map { wide.contains($0) ? share : natural[$0] }
      }
      wide.subtract(narrow)
      left -= narrow.reduce(0) { $0 + natural[$1] }
    }
  }

  /// Draws it.
  func draw() {
    guard !columns.isEmpty else { return }
    flow.tagged("Table") {
      drawHead()
      for row in rows { draw(row) }
    }
  }

  private func drawHead() {
    guard !header.isEmpty else { return }
    flow.need(60)
    draw(header, .head)
    flow.draw {
      flow.canvas.line(
        from: ChartPoint(Flow.margin, flow.y), to: ChartPoint(Flow.margin + flow.width, flow.y),
        .soft, width: 0.75)
    }
  }

  private func draw(_ row: [String]) {
    draw(row, hasNames ? .name : .cell)
    flow.draw {
      flow.canvas.line(
        from: ChartPoint(Flow.margin, flow.y), to: ChartPoint(Flow.margin + flow.width, flow.y),
        .hair, width: 0.5)
    }
  }

  private func draw(_ row: [String], _ kind: Kind) {
    flow.tagged("TR") { drawCells(row, kind) }
  }

  private func drawCells(_ row: [String], _ kind: Kind) {
    for (place, text) in row.enumerated() {
      columns[place].set(text, style(place, kind), width: widths[place])
    }
    let cells = row.indices
    let height = cells.map { columns[$0].height }.max() ?? 0
    if flow.room < height + 2 * Self.above, height < flow.pageHeight / 3 { turn(kind) }
    var next = cells.map { _ in 0 }
    while true {
      let isWhole = drawLines(of: cells, from: &next, kind)
      if isWhole { return }
      turn(kind)
    }
  }

  private func turn(_ kind: Kind) {
    flow.turn()
    guard kind != .head, !header.isEmpty else { return }
    let texts = columns.map { ($0.text, $0.style, $0.width) }
    drawHead()
    for (column, (text, style, width)) in zip(columns, texts) {
      column.set(text, style, width: width)
    }
  }

  /// As many lines as there is room for, of each cell.
  ///
  /// - Returns: whether all are drawn.
  private func drawLines(of cells: Range<Int>, from next: inout [Int], _ kind: Kind) -> Bool {
    let bottom = flow.y + flow.room - Self.above
    var (lowest, isWhole) = (flow.y + Self.above, true)
    var left = Flow.margin
    for place in cells {
      let (letters, first) = (columns[place], next[place])
      var y = flow.y + Self.above
      while next[place] < letters.lines.count {
        let height = letters.lines[next[place]].height
        // A page that has just begun has room for one.
        guard y + height <= bottom || y == Flow.margin + Self.above else { break }
        y += height
        next[place] += 1
      }
      isWhole = isWhole && next[place] == letters.lines.count
      lowest = max(lowest, y)
      let (drawn, x) = (first..<next[place], left)
      flow.draw(tag(place, kind)) {
        var y = flow.y + Self.above
        for line in drawn {
          letters.draw(line, on: flow.canvas, x: x, y: y)
          y += letters.lines[line].height
        }
      }
      left += widths[place] + Self.gap
    }
    flow.advance(lowest + Self.above - flow.y)
    return isWhole
  }

  private func style(_ place: Int, _ kind: Kind) -> TextStyle {
    switch kind {
    case .head: .head
    case .name where place == 0: TextStyle(size: TextStyle.cell.size, ink: .soft)
    case .name, .cell: .cell
    }
  }

  private func tag(_ place: Int, _ kind: Kind) -> String {
    kind == .head || (kind == .name && place == 0) ? "TH" : "TD"
  }
}

extension TextStyle {
  static let cell = TextStyle(size: 9.5)
}
