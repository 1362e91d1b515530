import Ports

/// The checksum of an event in the journal: over all of its columns but its number, which SQLite gives it afterwards.
enum JournalCheck {
  static let columns = "id, boot_id, tick, time, time_quality, type, subject, lane, body"

  /// Appends an event, one value for each of its columns and the checksum of these.
  static let insertion =
    "INSERT INTO journal (\(columns), checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

  /// The checksum of an event without columns.
  static let start = RowChecksum(table: "journal")
}

/// A table of events, journal or traces: what is read of it, and which of its rows are as they were written.
struct EventTable: Sendable {
  let name: String
  /// What is read of each row: its number, the columns of the journal's checksum in their order, the checksum.
  let columns: String
  /// Events up to this number may be without a checksum.
  private let uncheckedUpTo: Int64
  /// The checksum of a row without columns.
  let checksum: RowChecksum

  private init(_ name: String, columns: String, uncheckedUpTo: Int64) {
    self.name = name
    self.columns = columns
    self.uncheckedUpTo = uncheckedUpTo
    checksum = RowChecksum(table: name)
  }

  /// The events of a trace file, which have no checksum: traces are no promise.
  static let traces = EventTable(
    "trace",
    columns: "sequence, id, boot_id, tick, time, time_quality, type, subject, 'trace', body, NULL",
    uncheckedUpTo: .max)

  /// The journal as it is found, checksums or not: of a database from before them, and where damage is somebody else's affair.
  static let unchecked = EventTable(
    "journal", columns: "sequence, \(JournalCheck.columns), NULL", uncheckedUpTo: .max)

  /// The journal.
  ///
  /// - Parameter number: of the last event from before the checksums.
  static func journal(uncheckedUpTo number: Int64) -> EventTable {
    EventTable(
      "journal", columns: "sequence, \(JournalCheck.columns), checksum", uncheckedUpTo: number)
  }

  /// Whether an event, its ``columns`` selected and summed up, is as it was written; those from before the checksums are
  /// believed.
  func isSound(_ row: Row, _ checksum: RowChecksum) -> Bool {
    guard let kept = row.wholeNumber(10) else {
      return row.isNull(10) && row.integer(0) <= uncheckedUpTo
    }
    return kept == Int64(checksum.sum)
  }
}

extension Connection {
  /// Finds out which checksums a `care.db` has; for one that was opened without being brought to the newest version.
  func learnChecks() throws(SQLiteFailure) {
    let version: Int64
    do throws(StoreError) { version = try Schema.care.inspect(self).version } catch {
      // The reader of a damaged schema finds out by itself, row by row.
      return
    }
    hasChecksums = version >= Migration.care5.version
  }

  /// The journal of a `care.db`, with what is known of its checksums.
  func journal() throws(SQLiteFailure) -> EventTable {
    guard hasChecksums else { return .unchecked }
    var number: Int64?
    try soundRows(.meta, "WHERE name = 'journal_unchecked'") { row in
      number = Int64(row.text(1))
      return false
    }
    return .journal(uncheckedUpTo: number ?? .max)
  }
}
