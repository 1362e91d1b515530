import CSQLite
import Care
import Ports

extension JournalRow {
  /// Reads the columns sequence, id, type, subject, body; time is the sixth, the seventh whether the row is as it was
  /// written, and the eighth may be the lane.
  ///
  /// - Returns: nil for a damaged row; whoever looks through the whole database tells of it.
  init?(_ row: Row, _ lane: Lane) {
    guard row.integer(6) == 1 else { return nil }
    self.init(
      sequence: row.integer(0), id: EventID(row.text(1)), type: EventType(rawValue: row.text(2)),
      subject: row.text(3), lane: lane, body: row.bytes(4))
  }
}

/// One ordered result that is read row by row, so that many can be merged in little memory.
final class RowStream {
  private let connection: Connection
  private let sql: String
  private let statement: Statement
  private let fixedLane: Lane?
  /// Sequence of the current row; nil at the end.
  private(set) var sequence: Int64?

  /// A stream over a statement whose first column is the sequence, on its first row.
  ///
  /// - Parameter lane: the lane of all rows; when nil, the eighth column says it.
  init(
    _ connection: Connection, _ sql: String, _ bindings: [Binding], lane: Lane? = nil
  ) throws(SQLiteFailure) {
    self.connection = connection
    self.sql = sql
    fixedLane = lane
    statement = try connection.borrow(sql)
    let bound = statement.bind(bindings)
    guard bound == SQLITE_OK else { throw SQLiteFailure(bound, detail: "a query's parameter") }
    try advance()
  }

  deinit { connection.giveBack(statement, sql) }

  private func advance() throws(SQLiteFailure) {
    let row = Row(handle: statement.handle)
    sequence = try connection.step(statement) ? row.integer(0) : nil
  }

  private var row: JournalRow? {
    let row = Row(handle: statement.handle)
    return JournalRow(row, fixedLane ?? Lane(rawValue: row.text(7)) ?? .record)
  }

  private var time: Int64 { Row(handle: statement.handle).integer(5) }

  /// Calls `body` with the rows of all streams and their times in milliseconds, in the order of sequence until it answers false.
  static func merge(
    _ streams: [RowStream], isAscending: Bool, _ body: (JournalRow, Int64) -> Bool
  ) throws(SQLiteFailure) {
    while true {
      var next: RowStream?
      for stream in streams {
        guard let sequence = stream.sequence else { continue }
        guard let best = next?.sequence else {
          next = stream
          continue
        }
        if isAscending ? sequence < best : sequence > best { next = stream }
      }
      guard let next else { return }
      if let row = next.row, !body(row, next.time) { return }
      try next.advance()
    }
  }
}
