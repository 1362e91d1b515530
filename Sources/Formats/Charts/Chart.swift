public import Bytes
public import JSON

/// A drawing with all that it says in words as well, for whoever does not see it.
public struct Chart: Hashable, Sendable {
  /// What it is called.
  public var title: String
  /// What is to be seen, in a sentence.
  public var sentence: String
  /// The drawing.
  public var drawing: ChartDrawing
  /// The names of the table's columns.
  public var header: [String]
  /// The table that says the same, a row for each thing.
  public var rows: [[String]]

  /// A chart from its parts.
  public init(
    title: String, sentence: String, drawing: ChartDrawing, header: [String], rows: [[String]]
  ) {
    self.title = title
    self.sentence = sentence
    self.drawing = drawing
    self.header = header
    self.rows = rows
  }
}

extension Chart: JSONCodable {
  /// Reads a chart.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let rows = try reader.array("rows").map { row throws(DecodeError) in
      guard let cells = row.arrayContent else { throw reader.error(.outOfRange, "rows") }
      return cells.map { $0.stringContent ?? "" }
    }
    self.init(
      title: try reader.string("title"), sentence: try reader.string("sentence"),
      drawing: try ChartDrawing(json: reader.required("drawing")),
      header: try reader.strings("header"), rows: rows)
  }

  /// The chart as an object.
  public var json: JSONValue {
    [
      "title": .string(title), "sentence": .string(sentence), "drawing": drawing.json,
      "header": .array(header.map { .string($0) }),
      "rows": .array(rows.map { .array($0.map { .string($0) }) }),
    ]
  }
}
