/// Rows in columns, aligned for characters of any width.
struct Table {
  var header: [String]
  var rows: [[String]] = []

  init(_ header: [String]) { self.header = header }

  mutating func add(_ cells: [String]) { rows.append(cells.map(TextWidth.printable)) }

  var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in
      all.map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0
    }
    return all.map { line($0, widths) }.joined()
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.enumerated().map { column, cell in
      column == cells.count - 1 ? cell : TextWidth.padded(cell, to: widths[column])
    }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}
