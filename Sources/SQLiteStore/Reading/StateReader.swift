import CareModel
import GatewayPorts

extension Connection {
  /// Everything that a run starts from.
  func storedState() throws(SQLiteFailure) -> StoredState {
    var state = StoredState()
    try rows("SELECT id, name, time_zone, gps_source FROM resident ORDER BY id") { row in
      state.residents.append(
        Resident(
          id: ResidentID(row.text(0)), name: row.text(1), timeZone: row.text(2),
          gpsSource: row.optionalText(3).map { SourceID($0) }))
      return true
    }
    try readPlaces(into: &state)
    try readRoutine(into: &state)
    try readNotes(into: &state)
    try readGlucose(into: &state)
    try rows("SELECT resident, name, value FROM setting ORDER BY resident, name") { row in
      if let content = try? JSONValue(parsing: row.bytes(2)) {
        state.settings.append(
          StoredState.Setting(
            resident: ResidentID(row.text(0)), name: row.text(1), value: content))
      }
      return true
    }
    try rows(
      """
      SELECT engine, subject, name, content FROM engine_state WHERE engine <> 'places'
        ORDER BY engine, subject, name
      """
    ) { row in
      // A damaged row goes on as null, so that its engine finds it unreadable and says so.
      let content = (try? JSONValue(parsing: row.bytes(3))) ?? .null
      state.engineRows.append(
        EngineRow(engine: row.text(0), subject: row.text(1), name: row.text(2), content: content))
      return true
    }
    state.heads = try journalHeads()
    return state
  }

  private func readPlaces(into state: inout StoredState) throws(SQLiteFailure) {
    try rows(
      """
      SELECT id, resident, name, latitude, longitude, radius_meters, exit_margin_meters, is_home,
          EXISTS (
            SELECT 1 FROM engine_state
              WHERE engine = 'places' AND subject = zone.resident AND name = 'leaving:' || zone.id
          )
        FROM zone ORDER BY id
      """
    ) { row in
      guard let center = row.coordinate(3) else { return true }
      state.zones.append(
        SafeZone(
          id: ZoneID(row.text(0)), resident: ResidentID(row.text(1)), name: row.text(2),
          center: center, radiusMeters: row.real(5), exitMarginMeters: row.real(6),
          isHome: row.integer(7) != 0, alarmsOnLeaving: row.integer(8) != 0))
      return true
    }
    try rows(
      "SELECT id, resident, name, address, latitude, longitude FROM bookmark ORDER BY id"
    ) { row in
      guard let coordinate = row.coordinate(4) else { return true }
      state.bookmarks.append(
        Bookmark(
          id: BookmarkID(row.text(0)), resident: ResidentID(row.text(1)), name: row.text(2),
          address: row.text(3), coordinate: coordinate))
      return true
    }
    try rows("SELECT content FROM guardian ORDER BY id") { row in
      guard let json = try? JSONValue(parsing: row.text(0)),
        let guardian = try? Guardian(json: json)
      else { return true }
      state.guardians.append(guardian)
      return true
    }
  }

  /// Heads of alarm and record lane.
  func journalHeads() throws(SQLiteFailure) -> LaneHeads {
    let head = "SELECT sequence FROM journal WHERE lane ="
    return LaneHeads(
      alarm: try integer("\(head) 'alarm' ORDER BY sequence DESC LIMIT 1") ?? 0,
      record: try integer("\(head) 'record' ORDER BY sequence DESC LIMIT 1") ?? 0)
  }

  /// The highest trace number that a plugin has settled or that is refused.
  func settledTraces() throws(SQLiteFailure) -> Int64 {
    try integer(
      """
      SELECT max(sequence) FROM (
        SELECT sequence FROM plugin_cursor WHERE lane = 'trace'
        UNION ALL SELECT sequence FROM plugin_exception WHERE lane = 'trace')
      """) ?? 0
  }

  func cursors(of plugin: String) throws(SQLiteFailure) -> [PluginCursor] {
    var cursors: [PluginCursor] = []
    try rows("SELECT lane, sequence FROM plugin_cursor WHERE plugin = ?", [.text(plugin)]) { row in
      if let lane = Lane(rawValue: row.text(0)) {
        cursors.append(PluginCursor(plugin: plugin, lane: lane, sequence: row.integer(1)))
      }
      return true
    }
    for index in cursors.indices {
      try rows(
        """
        SELECT sequence, subject, attempts FROM plugin_exception
          WHERE plugin = ? AND lane = ? ORDER BY sequence
        """, [.text(plugin), .text(cursors[index].lane.rawValue)]
      ) { row in
        cursors[index].exceptions.append(
          PluginCursor.Exception(
            sequence: row.integer(0), subject: row.text(1), attempts: Int(row.integer(2))))
        return true
      }
    }
    return cursors.sorted { $0.lane < $1.lane }
  }

  func deadLetters(of plugin: String?) throws(SQLiteFailure) -> [DeadLetter] {
    var letters: [DeadLetter] = []
    try rows(
      """
      SELECT plugin, lane, sequence, event, reason, time FROM dead_letter
        WHERE ?1 IS NULL OR plugin = ?1 ORDER BY time, sequence
      """, [.optional(plugin)]
    ) { row in
      guard let lane = Lane(rawValue: row.text(1)) else { return true }
      letters.append(
        DeadLetter(
          plugin: row.text(0), lane: lane, sequence: row.integer(2), event: EventID(row.text(3)),
          reason: row.text(4), time: Timestamp(milliseconds: row.integer(5))))
      return true
    }
    return letters
  }

  func locations(
    of resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int
  ) throws(SQLiteFailure) -> [LocationRecord] {
    var records: [LocationRecord] = []
    try rows(
      """
      SELECT time, time_quality, latitude, longitude, accuracy_meters, minutes_at_location, reason
        FROM \(isSeries ? "location_sample" : "location_record")
        WHERE resident = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?
      """,
      [
        .text(resident.rawValue), .integer(since?.milliseconds ?? .min),
        .integer(until?.milliseconds ?? .max), .integer(Int64(max(0, limit))),
      ]
    ) { row in
      guard let coordinate = row.coordinate(2) else { return true }
      records.append(
        LocationRecord(
          resident: resident, time: Timestamp(milliseconds: row.integer(0)),
          timeQuality: TimeQuality(rawValue: row.text(1)) ?? .untrusted, coordinate: coordinate,
          accuracyMeters: row.optionalReal(4), minutesAtLocation: Int(row.integer(5)),
          reason: RecordReason(rawValue: row.text(6)) ?? .moved))
      return true
    }
    return records
  }
}

extension Row {
  fileprivate func coordinate(_ column: Int32) -> Coordinate? {
    Coordinate(latitudeDegrees: real(column), longitudeDegrees: real(column + 1))
  }
}
