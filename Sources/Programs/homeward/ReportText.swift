import CareReports
import Charts

/// A report as it is shown in a terminal.
enum ReportText {
  static func text(of document: ReportDocument) -> String {
    var text = "\(document.title)\n"
    for line in document.lines { text += "\(line)\n" }
    for part in document.parts { text += self.text(of: part) }
    return text + "\n\(document.foot)\n"
  }

  private static func text(of part: ReportPart) -> String {
    switch part {
    case .heading(let text): return "\n\(text)\n"
    case .paragraph(let text): return "\(text)\n"
    case .doubt(let text): return "! \(text)\n"
    case .facts(let facts):
      let width = facts.map { TextWidth.of($0.name) }.max() ?? 0
      return facts.map { "  \(TextWidth.padded($0.name, to: width))  \($0.value)\n" }.joined()
    case .table(let header, let rows): return table(header, rows)
    case .chart(let chart):
      return "\n\(chart.title)\n\(chart.sentence)\n\(table(chart.header, chart.rows))"
    case .picture(_, let words): return "[\(words)]\n"
    }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    var table = Table(header)
    for row in rows { table.add(row) }
    return table.text
  }
}
