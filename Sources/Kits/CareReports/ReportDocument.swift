public import Bytes
public import Charts
public import JSON

/// A report before it is drawn: what it says, in order, in words of one language.
public struct ReportDocument: Hashable, Sendable {
  /// What it is called.
  public var title: String
  /// Whom it is about and from when to when, a line each.
  public var lines: [String]
  /// Its language as BCP 47 has it: `en` or `zh-Hans`.
  public var language: String
  /// What it says.
  public var parts: [ReportPart]
  /// What stands at the foot of each page.
  public var foot: String

  /// A document from its parts.
  public init(
    title: String, lines: [String], language: String, parts: [ReportPart], foot: String
  ) {
    self.title = title
    self.lines = lines
    self.language = language
    self.parts = parts
    self.foot = foot
  }
}

/// A figure with its name.
public struct ReportFact: Hashable, Sendable {
  /// What it is.
  public var name: String
  /// How much, with its unit.
  public var value: String

  /// A fact from its parts.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One part of a report.
public enum ReportPart: Hashable, Sendable {
  /// What the following is about.
  case heading(String)
  /// Sentences.
  case paragraph(String)
  /// What is missing, or in doubt, in the part before.
  case doubt(String)
  /// Figures with their names.
  case facts([ReportFact])
  /// A table: the names of its columns, and its rows.
  case table(header: [String], rows: [[String]])
  /// A chart.
  case chart(Chart)
  /// A picture that the gateway has, by its name, and what it shows.
  case picture(id: String, words: String)
}

extension ReportDocument: JSONCodable {
  /// Reads a document.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    var parts: [ReportPart] = []
    for part in try reader.array("parts") { parts.append(try ReportPart(json: part)) }
    self.init(
      title: try reader.string("title"), lines: try reader.strings("lines"),
      language: try reader.string("language"), parts: parts, foot: try reader.string("foot"))
  }

  /// The document as an object.
  public var json: JSONValue {
    [
      "title": .string(title), "lines": .array(lines.map { .string($0) }),
      "language": .string(language), "parts": .array(parts.map(\.json)), "foot": .string(foot),
    ]
  }
}

extension ReportPart: JSONCodable {
  /// Reads a part.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("part") {
    case "heading": self = .heading(try reader.string("text"))
    case "paragraph": self = .paragraph(try reader.string("text"))
    case "doubt": self = .doubt(try reader.string("text"))
    case "facts":
      self = .facts(
        try reader.array("facts").map { fact throws(DecodeError) in
          let reader = try JSONReader(fact)
          return ReportFact(try reader.string("name"), try reader.string("value"))
        })
    case "table":
      let rows = try reader.array("rows").map { row throws(DecodeError) in
        guard let cells = row.arrayContent else { throw reader.error(.outOfRange, "rows") }
        return cells.map { $0.stringContent ?? "" }
      }
      self = .table(header: try reader.strings("header"), rows: rows)
    case "chart": self = .chart(try Chart(json: reader.required("chart")))
    case "picture":
      self = .picture(id: try reader.string("id"), words: try reader.string("words"))
    default: throw reader.error(.unknownWord, "part")
    }
  }

  /// The part as an object.
  public var json: JSONValue {
    switch self {
    case .heading(let text): ["part": "heading", "text": .string(text)]
    case .paragraph(let text): ["part": "paragraph", "text": .string(text)]
    case .doubt(let text): ["part": "doubt", "text": .string(text)]
    case .facts(let facts):
      [
        "part": "facts",
        "facts": .array(
          facts.map { ["name": .string($0.name), "value": .string($0.value)] }),
      ]
    case .table(let header, let rows):
      [
        "part": "table", "header": .array(header.map { .string($0) }),
        "rows": .array(rows.map { .array($0.map { .string($0) }) }),
      ]
    case .chart(let chart): ["part": "chart", "chart": chart.json]
    case .picture(let id, let words):
      ["part": "picture", "id": .string(id), "words": .string(words)]
    }
  }
}
