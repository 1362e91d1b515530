import Care
import Moments
import Ports

extension Connection {
  /// Everything that a run starts from, and what of it could not be read.
  func storedState() throws(SQLiteFailure) -> (state: StoredState, unread: UnreadRows) {
    var state = StoredState()
    var unread = UnreadRows()
    state.residents = try read(.resident, "ORDER BY id", unread: &unread)
    try readPlaces(into: &state, &unread)
    try readRoutine(into: &state, &unread)
    try readNotes(into: &state, &unread)
    for resident in state.residents {
      try readGlucose(of: resident.id, into: &state, &unread)
    }
    state.settings = try read(.setting, "ORDER BY resident, name", unread: &unread)
    state.engineRows = try read(
      .engineState, "WHERE engine <> 'places' ORDER BY engine, subject, name", unread: &unread)
    try checkCursors(&unread)
    state.heads = try journalHeads()
    return (state, unread)
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
    state.zones = try read(.zone, "ORDER BY id", unread: &unread)
    for place in state.zones.indices {
      let zone = state.zones[place]
      state.zones[place].alarmsOnLeaving = leaving.contains([
        zone.resident.rawValue, SafeZone.leavingPrefix + zone.id.rawValue,
      ])
    }
    state.bookmarks = try read(.bookmark, "ORDER BY id", unread: &unread)
    state.guardians = try read(.guardian, "ORDER BY id", unread: &unread)
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
}
