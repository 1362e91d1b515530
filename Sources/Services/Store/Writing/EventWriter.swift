import CSQLite
import Care
import Moments
import Ports

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
