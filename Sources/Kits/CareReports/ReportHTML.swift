import Bytes
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

  /// A file of its own, with everything within: it opens without the gateway, and can be sent on.
  ///
  /// - Parameter pictures: JPEG or PNG, by their names; one that is not there is named by its words.
  public static func file(_ document: ReportDocument, pictures: [String: [UInt8]]) -> String {
    let body = body(document) { name in
      guard let bytes = pictures[name] else { return "" }
      let type = bytes.starts(with: [0xFF, 0xD8]) ? "jpeg" : "png"
      return "data:image/\(type);base64,\(String(decoding: Base64.encode(bytes), as: UTF8.self))"
    }
    return """
      <!DOCTYPE html>
      <html lang="\(document.language)"><head><meta charset="utf-8"><title>\(escaped(document.title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><style>\(style)</style></head>
      <body>\(body)</body></html>

      """
  }

  /// The inks of paper.
  private static let style: String = {
    let inks = ChartInk.allCases.map { ink in
      ".f-\(ink.rawValue){fill:\(ink.onPaper)}.s-\(ink.rawValue){stroke:\(ink.onPaper)}"
    }
    return """
      body{font:16px/1.5 sans-serif;max-width:48em;margin:2em auto;padding:0 1em;color:\(ChartInk.ink.onPaper)}
      table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.2em 1em .2em 0;border-bottom:1px solid \(ChartInk.hair.onPaper)}
      figure{margin:1em 0}img{max-width:60%;max-height:20em}svg{width:100%;height:auto}.doubt{border-left:4px solid \(ChartInk.alarm.onPaper);padding-left:.6em;font-weight:bold}
      .soft,figcaption{color:\(ChartInk.soft.onPaper)}ul.plain{list-style:none;padding:0}.f-attention{stroke:\(ChartInk.ink.onPaper)}
      \(inks.joined())
      """
  }()

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

  /// Looks at single signs: a line break of two, or an accent behind a sign, would be one character.
  private static func cell(_ text: String) -> String {
    let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
    let text = isFormula ? "'" + text : text
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
