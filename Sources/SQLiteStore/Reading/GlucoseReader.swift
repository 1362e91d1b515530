import CareModel
import GatewayPorts

/// Reading and writing glucose readings.
extension Connection {
  /// A run starts with the newest readings of each resident.
  func readGlucose(into state: inout StoredState) throws(SQLiteFailure) {
    for resident in state.residents {
      state.glucoseReadings += try glucoseReadings(GlucoseQuery(resident: resident.id)).reversed()
    }
  }

  func glucoseReadings(_ query: GlucoseQuery) throws(SQLiteFailure) -> [GlucoseReading] {
    var found: [GlucoseReading] = []
    try rows(
      """
      SELECT content FROM glucose_reading INDEXED BY glucose_reading_by_time
        WHERE resident = ? AND time >= ? AND time < ? ORDER BY time DESC, id DESC LIMIT ?
      """,
      [
        .text(query.resident.rawValue), .integer(query.since?.milliseconds ?? .min),
        .integer(query.until?.milliseconds ?? .max), .integer(Int64(max(0, query.limit))),
      ]
    ) { row in
      if let reading = GlucoseReading(row) { found.append(reading) }
      return true
    }
    return found
  }

  func glucoseReading(_ id: GlucoseReadingID) throws(SQLiteFailure) -> GlucoseReading? {
    var found: GlucoseReading?
    try rows("SELECT content FROM glucose_reading WHERE id = ?", [.text(id.rawValue)]) { row in
      found = GlucoseReading(row)
      return false
    }
    return found
  }

  func put(_ reading: GlucoseReading) throws(SQLiteFailure) {
    try run(
      "INSERT OR REPLACE INTO glucose_reading (id, resident, time, content) VALUES (?, ?, ?, ?)",
      .text(reading.id.rawValue), .text(reading.resident.rawValue),
      .integer(reading.time.milliseconds), .textBytes(reading.json.serializedBytes))
  }
}

extension GlucoseReading {
  /// A row whose first column is the reading; nil for a damaged one.
  fileprivate init?(_ row: Row) {
    guard let json = try? JSONValue(parsing: row.bytes(0)),
      let reading = try? GlucoseReading(json: json)
    else { return nil }
    self = reading
  }
}
