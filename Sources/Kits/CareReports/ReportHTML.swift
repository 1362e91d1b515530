import Charts

/// A report as tagged HTML: headings, tables with heads, pictures with words, so that whoever does not see it has all of it.
public enum ReportHTML {
  /// What stands within a page, or a file of its own.
  ///
  /// - Parameter picture: the address of a picture, by its name.
  public static func body(_ document: ReportDocument, picture: (String) -> String) -> String {
    let lines = document.lines.map { "<li>\(escaped($0))</li>" }.joined()
    return """
      <article class="report" lang="\(document.language)"><header><h1>\(escaped(document.title))</h1><ul class="plain">\(lines)</ul></header>
      \(document.parts.map { part($0, picture) }.joined(separator: "\n"))
      <footer><p class="soft">\(escaped(document.foot))</p></footer></article>
      """
  }

  private static func part(_ part: ReportPart, _ picture: (String) -> String) -> String {
    switch part {
    case .heading(let text): return "<h2>\(escaped(text))</h2>"
    case .paragraph(let text): return "<p>\(escaped(text))</p>"
    case .doubt(let text): return "<p class=\"doubt\">\(escaped(text))</p>"
    case .facts(let facts):
      let rows = facts.map {
        "<tr><th scope=\"row\">\(escaped($0.name))</th><td>\(escaped($0.value))</td></tr>"
      }
      return "<table class=\"facts\"><tbody>\(rows.joined())</tbody></table>"
    case .table(let header, let rows): return table(header, rows)
    case .chart(let chart):
      return
        "<figure><h3>\(escaped(chart.title))</h3>\(ChartSVG.markup(chart.drawing, label: chart.sentence))<figcaption>\(escaped(chart.sentence))</figcaption>\(table(chart.header, chart.rows))</figure>"
    case .picture(let id, let words):
      return
        "<figure><img src=\"\(escaped(picture(id)))\" alt=\"\(escaped(words))\"></figure>"
    }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let head = header.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let body = rows.map { row in
      "<tr>\(row.map { "<td>\(escaped($0))</td>" }.joined())</tr>"
    }
    return
      "<div class=\"scrolls\"><table><thead><tr>\(head)</tr></thead><tbody>\(body.joined())</tbody></table></div>"
  }

  private static func escaped(_ text: String) -> String { ChartSVG.escaped(text) }
}

/// A report as a table for programs, one line for each figure and each row.
///
/// - Source: RFC 4180; a cell that a program would take for a formula is written with an apostrophe before it.
public enum ReportCSV {
  /// The lines, each ended by CRLF.
  public static func text(_ document: ReportDocument) -> String {
    var lines = [[document.title]] + document.lines.map { [$0] }
    for part in document.parts {
      switch part {
      case .heading(let text): lines += [[], [text]]
      case .paragraph(let text), .doubt(let text): lines.append([text])
      case .facts(let facts): lines += facts.map { [$0.name, $0.value] }
      case .table(let header, let rows): lines += [header] + rows
      case .chart(let chart): lines += [[chart.title], [chart.sentence], chart.header] + chart.rows
      case .picture(_, let words): lines.append([words])
      }
    }
    return lines.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func cell(_ text: String) -> String {
    var text = text
    if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
