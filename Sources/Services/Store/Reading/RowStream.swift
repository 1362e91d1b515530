import CSQLite
import Care
import Glibc
import Ports

/// Reads events from the rows of one table; what rows have in common, their type and whom they are about, is made once.
struct EventReader {
  private let table: EventTable
  private var type: EventType = ""
  private var subject = ""
  private var lane = Lane.record

  init(_ table: EventTable) { self.table = table }

  /// The event of a row, the table's columns selected.
  ///
  /// - Returns: nil for a damaged row; whoever looks through the whole database tells of it.
  mutating func event(_ row: Row) -> JournalRow? {
    var checksum = table.checksum
    let id = checksum.add(row, 1)
    for column: Int32 in 2...5 { checksum.add(row, column) }
    let (type, subject) = (checksum.add(row, 6), checksum.add(row, 7))
    let (lane, body) = (checksum.add(row, 8), checksum.add(row, 9))
    guard table.isSound(row, checksum) else { return nil }
    if !type.holds(self.type.rawValue) { self.type = EventType(rawValue: type.text) }
    if !subject.holds(self.subject) { self.subject = subject.text }
    if !lane.holds(self.lane.rawValue) { self.lane = Lane(rawValue: lane.text) ?? .record }
    return JournalRow(
      sequence: row.integer(0), id: EventID(id.text), type: self.type, subject: self.subject,
      lane: self.lane, body: Array(body))
  }
}

/// One ordered result that is read row by row, so that many can be merged in little memory.
final class RowStream {
  private let connection: Connection
  private let sql: String
  private let statement: Statement
  private var reader: EventReader
  /// Sequence of the current row; nil at the end.
  private(set) var sequence: Int64?

  /// A stream over the events of a table, on its first row.
  ///
  /// - Parameter rest: what follows the table: conditions, order.
  init(
    _ connection: Connection, _ table: EventTable, _ rest: String, _ bindings: [Binding]
  ) throws(SQLiteFailure) {
    self.connection = connection
    sql = "SELECT \(table.columns) FROM \(table.name) \(rest)"
    reader = EventReader(table)
    statement = try connection.borrow(sql)
    let bound = statement.bind(bindings)
    guard bound == SQLITE_OK else { throw SQLiteFailure(bound, detail: "a query's parameter") }
    try advance()
  }

  deinit { connection.giveBack(statement, sql) }

  private func advance() throws(SQLiteFailure) {
    sequence = try connection.step(statement) ? Row(handle: statement.handle).integer(0) : nil
  }

  /// Takes the current row and goes on; nil for a damaged one.
  fileprivate func take() throws(SQLiteFailure) -> (row: JournalRow, time: Int64)? {
    let row = Row(handle: statement.handle)
    let taken = reader.event(row).map { ($0, row.integer(4)) }
    try advance()
    return taken
  }
}

/// The rows of several streams in the order of their sequences.
struct RowMerge {
  private let streams: [RowStream]
  private let isAscending: Bool

  init(_ streams: [RowStream], isAscending: Bool) {
    self.streams = streams
    self.isAscending = isAscending
  }

  /// The next row with its time in milliseconds, damaged ones left out; nil at the end.
  func next() throws(SQLiteFailure) -> (row: JournalRow, time: Int64)? {
    while let stream = best {
      if let taken = try stream.take() { return taken }
    }
    return nil
  }

  private var best: RowStream? {
    var best: (stream: RowStream, sequence: Int64)?
    for stream in streams {
      guard let sequence = stream.sequence else { continue }
      if let known = best, isAscending ? sequence > known.sequence : sequence < known.sequence {
        continue
      }
      best = (stream, sequence)
    }
    return best?.stream
  }
}

extension UnsafeRawBufferPointer {
  /// The text whose UTF-8 it is.
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }

  /// Whether it is the UTF-8 of a text; false also for a text that does not lie in one piece.
  @inline(__always)
  fileprivate func holds(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { known in
      guard let ours = baseAddress, let theirs = known.baseAddress else {
        return count == known.count
      }
      return count == known.count && memcmp(ours, theirs, count) == 0
    } ?? false
  }
}
