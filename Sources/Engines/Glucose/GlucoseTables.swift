public import Care
public import GlucoseValues
import Texts

extension Table {
  /// Glucose readings: `content` is the reading as JSON, the level as it was received; `time`, when it was measured, stands
  /// beside it in milliseconds since 1970-01-01T00:00:00Z.
  public static let glucoseReading = Table(
    "glucose_reading", key: [.text("id")],
    [.text("resident"), .integer("time"), .text("content")], of: .resident("resident")
  ) { _ in Message("a glucose reading") }

  /// The tables of glucose.
  public static let glucose: [Table] = [.glucoseReading]
}

extension GlucoseReading: ReadableRow {
  /// A row of ``Care/Table/glucoseReading``.
  public var columnValues: [ColumnValue] {
    [.text(id.rawValue), .text(resident.rawValue), .time(time), .json(json)]
  }

  /// Reads a row of ``Care/Table/glucoseReading``; nil for one that is no reading.
  public init?(_ row: some ColumnReader) {
    guard let json = row.json(3), let reading = try? GlucoseReading(json: json) else { return nil }
    self = reading
  }
}

extension StateChange {
  /// Insert or replace a glucose reading.
  public static func putGlucoseReading(_ reading: GlucoseReading) -> StateChange {
    .put(reading, in: .glucoseReading)
  }

  /// Remove a glucose reading.
  public static func removeGlucoseReading(_ id: GlucoseReadingID) -> StateChange {
    .remove(id.rawValue, from: .glucoseReading)
  }
}
