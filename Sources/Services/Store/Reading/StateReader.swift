import Care
import JSON
import Moments
import Ports

extension Connection {
  /// Everything that a run starts from, and what of it could not be read.
  func storedState() throws(SQLiteFailure) -> (state: StoredState, unread: UnreadRows) {
    var state = StoredState()
    var unread = UnreadRows()
    try checkedRows(.resident, "ORDER BY id", unread: &unread) { row in
      state.residents.append(
        Resident(
          id: ResidentID(row.text(0)), name: row.text(1), timeZone: row.text(2),
          gpsSource: row.optionalText(3).map { SourceID($0) }))
      return true
    }
    try readPlaces(into: &state, &unread)
    try readRoutine(into: &state, &unread)
    try readNotes(into: &state, &unread)
    for resident in state.residents {
      try readGlucose(of: resident.id, into: &state, &unread)
    }
    try checkedRows(.setting, "ORDER BY resident, name", unread: &unread) { row in
      guard let content = try? JSONValue(parsing: row.bytes(2)) else { return false }
      state.settings.append(
        StoredState.Setting(resident: ResidentID(row.text(0)), name: row.text(1), value: content))
      return true
    }
    try readEngines(into: &state, &unread)
    try checkCursors(&unread)
    state.heads = try journalHeads()
    return (state, unread)
  }

  private func readEngines(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    try checkedRows(
      .engineState, "WHERE engine <> 'places' ORDER BY engine, subject, name", unread: &unread
    ) { row in
      guard let content = try? JSONValue(parsing: row.bytes(3)) else { return false }
      state.engineRows.append(
        EngineRow(engine: row.text(0), subject: row.text(1), name: row.text(2), content: content))
      return true
    }
  }

  /// Where plugins stand is read later, by their names; what is damaged of it must be told and put back now.
  private func checkCursors(_ unread: inout UnreadRows) throws(SQLiteFailure) {
    try checkedRows(.pluginCursor, unread: &unread) { Lane(rawValue: $0.text(1)) != nil }
    try checkedRows(.pluginException, unread: &unread) { Lane(rawValue: $0.text(1)) != nil }
    try checkedRows(.meta, unread: &unread) { _ in true }
  }

  private func readPlaces(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    var leaving: Set<[String]> = []
    try checkedRows(.engineState, "WHERE engine = 'places'", unread: &unread) { row in
      leaving.insert([row.text(1), row.text(2)])
      return true
    }
    try checkedRows(.zone, "ORDER BY id", unread: &unread) { row in
      guard let center = row.coordinate(3) else { return false }
      let (id, resident) = (row.text(0), row.text(1))
      state.zones.append(
        SafeZone(
          id: ZoneID(id), resident: ResidentID(resident), name: row.text(2), center: center,
          radiusMeters: row.real(5), exitMarginMeters: row.real(6), isHome: row.integer(7) != 0,
          alarmsOnLeaving: leaving.contains([resident, "leaving:" + id])))
      return true
    }
    try checkedRows(.bookmark, "ORDER BY id", unread: &unread) { row in
      guard let coordinate = row.coordinate(4) else { return false }
      state.bookmarks.append(
        Bookmark(
          id: BookmarkID(row.text(0)), resident: ResidentID(row.text(1)), name: row.text(2),
          address: row.text(3), coordinate: coordinate))
      return true
    }
    try checkedRows(.guardian, "ORDER BY id", unread: &unread) { row in
      guard let json = try? JSONValue(parsing: row.bytes(2)),
        let guardian = try? Guardian(json: json), guardian.id.rawValue == row.text(0)
      else { return false }
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
    try soundRows(.pluginCursor, "WHERE plugin = ?", [.text(plugin)]) { row in
      if let lane = Lane(rawValue: row.text(1)) {
        cursors.append(PluginCursor(plugin: plugin, lane: lane, sequence: row.integer(2)))
      }
      return true
    }
    for index in cursors.indices {
      try soundRows(
        .pluginException, "WHERE plugin = ? AND lane = ? ORDER BY sequence",
        [.text(plugin), .text(cursors[index].lane.rawValue)]
      ) { row in
        cursors[index].exceptions.append(
          PluginCursor.Exception(
            sequence: row.integer(2), subject: row.text(3), attempts: Int(row.integer(4))))
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
