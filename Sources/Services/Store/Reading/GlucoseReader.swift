import Care
import JSON
import Moments
import Ports

/// Reading and writing glucose readings.
extension Connection {
  /// A run starts with the newest readings of each resident.
  func readGlucose(
    of resident: ResidentID, into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    var found: [GlucoseReading] = []
    let (source, rest, bindings) = Self.selection(GlucoseQuery(resident: resident))
    try checkedRows(.glucoseReading, from: source, rest, bindings, unread: &unread) { row in
      guard let reading = GlucoseReading(row) else { return false }
      found.append(reading)
      return true
    }
    state.glucoseReadings += found.reversed()
  }

  func glucoseReadings(_ query: GlucoseQuery) throws(SQLiteFailure) -> [GlucoseReading] {
    var found: [GlucoseReading] = []
    let (source, rest, bindings) = Self.selection(query)
    try soundRows(.glucoseReading, from: source, rest, bindings) { row in
      if let reading = GlucoseReading(row) { found.append(reading) }
      return true
    }
    return found
  }

  private static func selection(_ query: GlucoseQuery) -> (String, String, [Binding]) {
    (
      "glucose_reading INDEXED BY glucose_reading_by_time",
      "WHERE resident = ? AND time >= ? AND time < ? ORDER BY time DESC, id DESC LIMIT ?",
      [
        .text(query.resident.rawValue), .integer(query.since?.milliseconds ?? .min),
        .integer(query.until?.milliseconds ?? .max), .integer(Int64(max(0, query.limit))),
      ]
    )
  }

  func glucoseReading(_ id: GlucoseReadingID) throws(SQLiteFailure) -> GlucoseReading? {
    var found: GlucoseReading?
    try soundRows(.glucoseReading, "WHERE id = ?", [.text(id.rawValue)]) { row in
      found = GlucoseReading(row)
      return false
    }
    return found
  }

  func put(_ reading: GlucoseReading) throws(SQLiteFailure) {
    try put(
      .glucoseReading, .text(reading.id.rawValue), .text(reading.resident.rawValue),
      .integer(reading.time.milliseconds), .textBytes(reading.json.serializedBytes))
  }
}

extension GlucoseReading {
  /// A row of the table; nil for one that is no reading.
  fileprivate init?(_ row: Row) {
    guard let json = try? JSONValue(parsing: row.bytes(3)),
      let reading = try? GlucoseReading(json: json)
    else { return nil }
    self = reading
  }
}
