import CSQLite
import Care
import JSON
import Moments
import Ports

extension Connection {
  /// Writes one change of what is stored, inside the transaction of its step.
  ///
  /// - Parameter lastSequence: the journal's head before the step; an erasure spares the events of its own step.
  func apply(_ change: StateChange, after lastSequence: Int64) throws(SQLiteFailure) {
    switch change {
    case .putResident(let resident): try put(resident)
    case .eraseResident(let id): try erase(id, after: lastSequence)
    case .putZone(let zone): try put(zone)
    case .removeZone(let id):
      try run("DELETE FROM zone WHERE id = ?", .text(id.rawValue))
      try forgetLeaving(of: id)
    case .putBookmark(let bookmark): try put(bookmark)
    case .removeBookmark(let id): try run("DELETE FROM bookmark WHERE id = ?", .text(id.rawValue))
    case .putGuardian(let guardian): try put(guardian)
    case .removeGuardian(let id): try run("DELETE FROM guardian WHERE id = ?", .text(id.rawValue))
    case .putRoutineItem(let item): try put(item)
    case .removeRoutineItem(let id):
      try run("DELETE FROM routine_item WHERE id = ?", .text(id.rawValue))
    case .putOccurrence(let occurrence): try put(occurrence)
    case .putNote(let note): try put(note)
    case .removeNote(let id): try remove(id)
    case .putMessage(let message): try put(message)
    case .putPicture(let picture): try put(picture)
    case .removePicture(let id): try run("DELETE FROM picture WHERE id = ?", .text(id.rawValue))
    case .putGlucoseReading(let reading): try put(reading)
    case .removeGlucoseReading(let id):
      try run("DELETE FROM glucose_reading WHERE id = ?", .text(id.rawValue))
    case .putSetting(let resident, let name, let content):
      try put(
        .setting, .text(resident.rawValue), .text(name), .textBytes(content.serializedBytes))
    case .removeSetting(let resident, let name):
      try run(
        "DELETE FROM setting WHERE resident = ? AND name = ?", .text(resident.rawValue),
        .text(name))
    case .putEngineRow(let row): try put(row)
    case .removeEngineRow(let engine, let subject, let name):
      try run(
        "DELETE FROM engine_state WHERE engine = ? AND subject = ? AND name = ?", .text(engine),
        .text(subject), .text(name))
    case .addLocationRecord(let record): try add(record, to: "location_record")
    case .addLocationSample(let record): try add(record, to: "location_sample")
    case .addAudit(let entry): try add(entry)
    }
  }

  private func put(_ resident: Resident) throws(SQLiteFailure) {
    try put(
      .resident, .text(resident.id.rawValue), .text(resident.name), .text(resident.timeZone),
      .optional(resident.gpsSource?.rawValue))
  }

  private func put(_ zone: SafeZone) throws(SQLiteFailure) {
    try put(
      .zone, .text(zone.id.rawValue), .text(zone.resident.rawValue), .text(zone.name),
      .real(zone.center.latitudeDegrees), .real(zone.center.longitudeDegrees),
      .real(zone.radiusMeters), .real(zone.exitMarginMeters), .integer(zone.isHome ? 1 : 0))
    try forgetLeaving(of: zone.id)
    guard zone.alarmsOnLeaving else { return }
    try put(
      .engineState, .text("places"), .text(zone.resident.rawValue), .text("leaving:\(zone.id)"),
      .text("{\"alarmOnLeaving\":true}"))
  }

  /// That leaving a zone is an alarm stands beside the table of zones, whose columns are those of the first release.
  private func forgetLeaving(of zone: ZoneID) throws(SQLiteFailure) {
    try run(
      "DELETE FROM engine_state WHERE engine = 'places' AND name = 'leaving:' || ?",
      .text(zone.rawValue))
  }

  private func put(_ bookmark: Bookmark) throws(SQLiteFailure) {
    try put(
      .bookmark, .text(bookmark.id.rawValue), .text(bookmark.resident.rawValue),
      .text(bookmark.name),
      .text(bookmark.address), .real(bookmark.coordinate.latitudeDegrees),
      .real(bookmark.coordinate.longitudeDegrees))
  }

  private func put(_ guardian: Guardian) throws(SQLiteFailure) {
    try put(
      .guardian, .text(guardian.id.rawValue), .text(guardian.resident.rawValue),
      .textBytes(guardian.json.serializedBytes))
  }

  private func put(_ row: EngineRow) throws(SQLiteFailure) {
    try put(
      .engineState, .text(row.engine), .text(row.subject), .text(row.name),
      .textBytes(row.content.serializedBytes))
  }

  private func add(_ record: LocationRecord, to table: String) throws(SQLiteFailure) {
    try run(
      """
      INSERT INTO \(table) (resident, time, time_quality, latitude, longitude, accuracy_meters,
        minutes_at_location, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(record.resident.rawValue), .integer(record.time.milliseconds),
      .text(record.timeQuality.rawValue), .real(record.coordinate.latitudeDegrees),
      .real(record.coordinate.longitudeDegrees), .optional(record.accuracyMeters),
      .integer(Int64(record.minutesAtLocation)), .text(record.reason.rawValue))
  }

  private func add(_ entry: AuditEntry) throws(SQLiteFailure) {
    try run(
      """
      INSERT INTO audit (time, principal, command, action, target, outcome)
        VALUES (?, ?, ?, ?, ?, ?)
      """, .integer(entry.time.milliseconds), .text(entry.principal), .text(entry.command),
      .text(entry.action), .text(entry.target), .text(entry.outcome))
  }
}

extension Connection {
  /// Appends an event to the journal and answers its sequence.
  func append(_ event: EncodedEvent) throws(SQLiteFailure) -> Int64 {
    let statement = try statement(JournalCheck.insertion)
    defer { statement.reset() }
    var row = SummedInsertion(statement, JournalCheck.start)
    row.add(event.id.rawValue)
    row.add(event.boot.rawValue)
    row.add(event.moment.tick.nanoseconds)
    row.add(event.moment.utc.milliseconds)
    row.add(event.moment.quality.rawValue)
    row.add(event.type.rawValue)
    row.add(event.subject)
    row.add(event.lane.rawValue)
    row.add(event.body)
    row.finish()
    guard row.fault == SQLITE_OK else { throw failure(row.fault) }
    _ = try step(statement)
    return lastInsertedRow
  }

  /// Writes where a plugin stands; exceptions replace those stored before.
  func save(_ cursor: PluginCursor, _ letters: [DeadLetter]) throws(SQLiteFailure) {
    let (plugin, lane) = (Binding.text(cursor.plugin), Binding.text(cursor.lane.rawValue))
    try put(.pluginCursor, plugin, lane, .integer(cursor.sequence))
    try run("DELETE FROM plugin_exception WHERE plugin = ? AND lane = ?", plugin, lane)
    for exception in cursor.exceptions {
      try put(
        .pluginException, plugin, lane, .integer(exception.sequence), .text(exception.subject),
        .integer(Int64(exception.attempts)))
    }
    for letter in letters { try add(letter) }
  }

  private func add(_ letter: DeadLetter) throws(SQLiteFailure) {
    try run(
      """
      INSERT OR REPLACE INTO dead_letter (plugin, lane, sequence, event, reason, time)
        VALUES (?, ?, ?, ?, ?, ?)
      """, .text(letter.plugin), .text(letter.lane.rawValue), .integer(letter.sequence),
      .text(letter.event.rawValue), .text(letter.reason), .integer(letter.time.milliseconds))
  }

  /// Forgets dead letters.
  func remove(_ letters: [DeadLetter]) throws(SQLiteFailure) {
    for letter in letters {
      try run(
        "DELETE FROM dead_letter WHERE plugin = ? AND lane = ? AND sequence = ?",
        .text(letter.plugin), .text(letter.lane.rawValue), .integer(letter.sequence))
    }
  }
}
