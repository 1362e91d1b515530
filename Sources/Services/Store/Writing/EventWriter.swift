import CSQLite
import Care
import Moments
import Ports

/// Appends events to the journal.
struct EventWriter {
  let care: Connection

  /// Appends an event to the journal and answers its sequence.
  func append(_ event: EncodedEvent) throws(SQLiteFailure) -> Int64 {
    let statement = try care.statement(JournalCheck.insertion)
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
    guard row.fault == SQLITE_OK else { throw care.failure(row.fault) }
    _ = try care.step(statement)
    return care.lastInsertedRow
  }
}
