import Care
import Glibc
import Moments
public import Ports
import Texts

/// Reads recorded runs, for replay: streaming, and without changing anything.
///
/// Works on the directory of a running daemon, a stopped one, or a copy of either. Used by one thread at a time.
public final class RecordedRuns {
  private let inputs: Connection
  private let directory: String
  private let scratch: String?
  private lazy var care: Connection? = try? Self.connection(directory + "/care.db")
  private lazy var traces: [Connection] = TraceFiles.names(in: directory).compactMap {
    try? Self.connection(directory + "/" + $0)
  }

  /// Opens the recorded inputs in a directory.
  ///
  /// - Throws: `missing` when nothing was recorded there, `newerVersion`, `notOurs`, `corrupt`.
  public static func open(directory: String) throws(StoreError) -> RecordedRuns {
    guard Files.exists(directory + "/inputs.db") else {
      throw StoreError(
        .missing,
        Message(
          "Nothing was recorded in {directory}: give the directory that holds inputs.db.",
          ["directory": directory]))
    }
    do throws(StoreError) { return try RecordedRuns(directory, scratch: nil) } catch {
      guard [.missing, .readOnly].contains(error.code) else { throw error }
      let copy = try copied(directory)
      return try RecordedRuns(copy, scratch: copy)
    }
  }

  private init(_ directory: String, scratch: String?) throws(StoreError) {
    self.directory = directory
    self.scratch = scratch
    do throws(StoreError) {
      inputs = try Self.connection(directory + "/inputs.db")
      guard try Schema.inputs.inspect(inputs).version > 0 else {
        throw StoreError(
          .missing, Message("Nothing was recorded in {directory}.", ["directory": directory]))
      }
    } catch {
      Self.removeScratch(scratch)
      throw error
    }
  }

  deinit {
    inputs.close()
    care?.close()
    for file in traces { file.close() }
    Self.removeScratch(scratch)
  }

  private static func connection(_ path: String) throws(StoreError) -> Connection {
    do throws(SQLiteFailure) {
      let connection = try Connection(path: path, mode: .readOnly)
      // Opening is lazy: only a read shows whether the write-ahead log can be used.
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch { throw error.storeError }
  }

  /// A private copy, for directories where SQLite may not put its index of the log.
  private static func copied(_ directory: String) throws(StoreError) -> String {
    var template = Array("/tmp/homeward-replay-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Files.failure("/tmp") }
    let copy = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in Files.names(in: directory)
    where name.contains(".db") && !name.hasSuffix("-shm") && !name.contains(".db.") {
      do throws(StoreError) {
        try Backups.copyBytes(of: directory + "/" + name, to: copy + "/" + name)
      } catch {
        removeScratch(copy)
        throw error
      }
    }
    return copy
  }

  private static func removeScratch(_ scratch: String?) {
    guard let scratch else { return }
    for name in Files.names(in: scratch) { Files.remove(scratch + "/" + name) }
    rmdir(scratch)
  }

  /// All runs, oldest first.
  public func runs() throws(StoreError) -> [RunRecord] {
    var runs: [RunRecord] = []
    do throws(SQLiteFailure) {
      try inputs.rows(
        """
        SELECT run, seed, version, boot_id, tick, time, time_quality, start_state FROM run
          ORDER BY number
        """
      ) { row in
        runs.append(
          RunRecord(
            run: row.text(0), seed: UInt64(bitPattern: row.integer(1)), version: row.text(2),
            boot: BootID(row.text(3)), moment: row.moment(4), startState: row.bytes(7)))
        return true
      }
    } catch { throw error.storeError }
    return runs
  }

  /// Calls `body` with the inputs of a run in order, one at a time in memory, until it answers false.
  ///
  /// A run whose first input has not the number 1 began before the week that is kept and cannot be replayed whole.
  public func inputs(run: String, body: (InputRecord) -> Bool) throws(StoreError) {
    do throws(SQLiteFailure) {
      guard let number = try number(of: run) else { return }
      try inputs.rows(
        """
        SELECT number, tick, time, time_quality, resident, body, outcome_digest FROM input
          WHERE run = ? ORDER BY number
        """, [.integer(number)]
      ) { row in
        body(
          InputRecord(
            run: run, number: row.integer(0), moment: row.moment(1),
            resident: row.optionalText(4).map { ResidentID($0) }, body: row.bytes(5),
            outcomeDigest: UInt64(bitPattern: row.integer(6))))
      }
    } catch { throw error.storeError }
  }

  /// The stored events that came of one input, traces last; those that retention or thinning took are missing.
  public func events(run: String, input: Int64) throws(StoreError) -> [JournalRow] {
    do throws(SQLiteFailure) {
      guard let number = try number(of: run),
        let ranges = try inputs.first(
          """
          SELECT first_event, events, first_trace, traces FROM input WHERE run = ? AND number = ?
          """, .integer(number), .integer(input),
          convert: { row in (0..<4).map { row.integer($0) } })
      else { return [] }
      var rows: [JournalRow] = []
      if let care {
        rows += try Self.rows(
          care, .unchecked, ranges[0], ranges[1])
      }
      for file in traces {
        rows += try Self.rows(
          file, .traces, ranges[2], ranges[3])
      }
      return rows
    } catch { throw error.storeError }
  }

  private static func rows(
    _ connection: Connection, _ table: EventTable, _ first: Int64, _ count: Int64
  ) throws(SQLiteFailure) -> [JournalRow] {
    guard count > 0 else { return [] }
    var rows: [JournalRow] = []
    var reader = EventReader(table)
    try connection.rows(
      "SELECT \(table.columns) FROM \(table.name) WHERE sequence >= ? ORDER BY sequence LIMIT ?",
      [.integer(first), .integer(count)]
    ) { row in
      if let event = reader.event(row) { rows.append(event) }
      return true
    }
    return rows
  }

  private func number(of run: String) throws(SQLiteFailure) -> Int64? {
    try inputs.integer("SELECT number FROM run WHERE run = ?", .text(run))
  }
}

extension Row {
  /// Reads tick, time and time quality from three columns.
  fileprivate func moment(_ column: Int) -> Moment {
    Moment(
      tick: Tick(nanoseconds: integer(column)),
      utc: Timestamp(milliseconds: integer(column + 1)),
      quality: TimeQuality(rawValue: text(column + 2)) ?? .untrusted)
  }
}
