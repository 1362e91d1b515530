/// Rows in columns, aligned for characters of any width.
struct Table {
  var header: [String]
  var rows: [[String]] = []

  init(_ header: [String]) { self.header = header }

  mutating func add(_ cells: [String]) { rows.append(cells.map(TextWidth.printable)) }

  /// The table for whoever reads it: folded to the width of a terminal, in whole lines for a pipe.
  var text: String { text(columns: Terminal.columns) }

  /// The table, at most so many columns wide; as wide as it needs without.
  ///
  /// The last column wraps where it has room to; else each row becomes a paragraph with a name before each cell.
  func text(columns: Int?) -> String {
    guard let columns, width > columns else { return wholeText }
    let before = header.indices.dropLast().reduce(0) { $0 + columnWidth($1) + 2 }
    return columns - before >= Self.narrowest ? wrapped(before, columns) : paragraphs(columns)
  }

  private static let narrowest = 20

  private var width: Int { header.indices.reduce(-2) { $0 + columnWidth($1) + 2 } }

  private func columnWidth(_ column: Int) -> Int {
    ([header] + rows).map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0
  }

  private func wrapped(_ before: Int, _ columns: Int) -> String {
    let widths = header.indices.map(columnWidth)
    let indent = String(repeating: " ", count: before)
    return ([header] + rows).map { cells in
      guard cells.count == header.count, let last = cells.last else { return line(cells, widths) }
      let parts = TextWidth.wrapped(last, to: columns - before)
      let first = line(Array(cells.dropLast()) + [parts.first ?? ""], widths)
      return first + parts.dropFirst().map { "\(indent)\($0)\n" }.joined()
    }.joined()
  }

  private func paragraphs(_ columns: Int) -> String {
    let names = header.map { TextWidth.of($0) }.max() ?? 0
    return rows.map { cells in
      zip(header, cells).filter { !$0.1.isEmpty && $0.1 != "-" }.map { name, cell in
        let parts = TextWidth.wrapped(cell, to: max(Self.narrowest, columns - names - 2))
        let indent = String(repeating: " ", count: names + 2)
        return TextWidth.padded(name, to: names) + "  "
          + parts.joined(separator: "\n\(indent)") + "\n"
      }.joined()
    }.joined(separator: "\n")
  }

  private var wholeText: String {
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
