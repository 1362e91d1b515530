import Care
import Moments
import Ports

/// What a run starts from, as it is stored.
struct StateReader {
  let care: Connection

  /// Everything that a run starts from, and what of it could not be read.
  func storedState() throws(SQLiteFailure) -> (state: StoredState, unread: UnreadRows) {
    var state = StoredState()
    var unread = UnreadRows()
    state.residents = try care.read(.resident, "ORDER BY id", unread: &unread)
    try readPlaces(into: &state, &unread)
    try RoutineReader(care: care).read(into: &state, &unread)
    try NoteReader(care: care).read(into: &state, &unread)
    for resident in state.residents {
      state.glucoseReadings += try GlucoseReader(care: care).newest(of: resident.id, &unread)
    }
    state.settings = try care.read(.setting, "ORDER BY resident, name", unread: &unread)
    state.engineRows = try care.read(
      .engineState, "WHERE engine <> 'places' ORDER BY engine, subject, name", unread: &unread)
    try checkCursors(&unread)
    state.heads = try journalHeads()
    return (state, unread)
  }

  /// Where plugins stand is read later, by their names; what is damaged of it must be told and put back now.
  private func checkCursors(_ unread: inout UnreadRows) throws(SQLiteFailure) {
    try care.checkedRows(.pluginCursor, unread: &unread) { Lane(rawValue: $0.text(1)) != nil }
    try care.checkedRows(.pluginException, unread: &unread) { Lane(rawValue: $0.text(1)) != nil }
    try care.checkedRows(.meta, unread: &unread) { _ in true }
  }

  private func readPlaces(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    var leaving: Set<[String]> = []
    try care.checkedRows(.engineState, "WHERE engine = 'places'", unread: &unread) { row in
      leaving.insert([row.text(1), row.text(2)])
      return true
    }
    state.zones = try care.read(.zone, "ORDER BY id", unread: &unread)
    for place in state.zones.indices {
      let zone = state.zones[place]
      state.zones[place].alarmsOnLeaving = leaving.contains([
        zone.resident.rawValue, SafeZone.leavingPrefix + zone.id.rawValue,
      ])
    }
    state.bookmarks = try care.read(.bookmark, "ORDER BY id", unread: &unread)
    state.guardians = try care.read(.guardian, "ORDER BY id", unread: &unread)
  }

  /// Heads of alarm and record lane.
  private func journalHeads() throws(SQLiteFailure) -> LaneHeads {
    let head = "SELECT sequence FROM journal WHERE lane ="
    return LaneHeads(
      alarm: try care.integer("\(head) 'alarm' ORDER BY sequence DESC LIMIT 1") ?? 0,
      record: try care.integer("\(head) 'record' ORDER BY sequence DESC LIMIT 1") ?? 0)
  }
}
