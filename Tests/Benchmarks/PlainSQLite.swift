import CSQLite
import Care
import JSON
import Moments
import Ports

/// The same rows as the store writes, with SQLite and nothing else: prepared statements and one transaction a group.
///
/// The yardstick for the store: what the disk and SQLite cost by themselves.
final class PlainSQLite {
  private var care: OpaquePointer?
  private var traces: OpaquePointer?
  private var inputs: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]
  /// Beyond the few traces that the store wrote when it made the file.
  private var traceSequence: Int64 = 1_000

  /// Opens databases that the store has made in a directory.
  init(directory: String, traceFile: String) {
    care = Self.open("\(directory)/care.db", synchronous: "FULL")
    traces = Self.open("\(directory)/\(traceFile)", synchronous: "NORMAL")
    inputs = Self.open("\(directory)/inputs.db", synchronous: "NORMAL")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    for database in [care, traces, inputs] { sqlite3_close(database) }
  }

  private static func open(_ path: String, synchronous: String) -> OpaquePointer? {
    var database: OpaquePointer?
    precondition(sqlite3_open(path, &database) == SQLITE_OK, "cannot open \(path)")
    run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
    return database
  }

  private static func run(_ database: OpaquePointer?, _ statements: String) {
    precondition(
      sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK,
      String(cString: sqlite3_errmsg(database)))
  }

  /// Writes the records in groups of `size`, one transaction each.
  func write(_ records: [StepRecord], groupsOf size: Int) {
    var rest = records[...]
    while !rest.isEmpty {
      let group = rest.prefix(size)
      rest = rest.dropFirst(size)
      for database in [care, traces, inputs] { Self.run(database, "BEGIN IMMEDIATE") }
      for record in group { write(record) }
      for database in [care, traces, inputs] { Self.run(database, "COMMIT") }
    }
  }

  private func write(_ record: StepRecord) {
    for event in record.events {
      event.lane == .trace ? writeTrace(event) : writeJournal(event)
    }
    for change in record.changes { write(change) }
    if let input = record.input { write(input) }
  }

  private func writeTrace(_ event: EncodedEvent) {
    traceSequence += 1
    insert(
      traces,
      """
      INSERT OR IGNORE INTO trace (sequence, id, boot_id, tick, time, time_quality, type, subject, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, [.integer(traceSequence)] + common(event) + [.text(event.body)])
  }

  private func writeJournal(_ event: EncodedEvent) {
    insert(
      care,
      """
      INSERT INTO journal (id, boot_id, tick, time, time_quality, type, subject, lane, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, common(event) + [.string(event.lane.rawValue), .text(event.body)])
  }

  private func common(_ event: EncodedEvent) -> [Field] {
    [
      .string(event.id.rawValue), .string(event.boot.rawValue),
      .integer(event.moment.tick.nanoseconds), .integer(event.moment.utc.milliseconds),
      .string(event.moment.quality.rawValue), .string(event.type.rawValue), .string(event.subject),
    ]
  }

  private func write(_ change: StateChange) {
    switch change {
    case .putEngineRow(let row):
      insert(
        care,
        """
        INSERT INTO engine_state (engine, subject, name, content) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET content = excluded.content
        """,
        [
          .string(row.engine), .string(row.subject), .string(row.name),
          .text(row.content.serializedBytes),
        ])
    case .put(let row):
      if let record = row.content as? LocationRecord { write(record, to: row.table.name) }
    case .remove, .eraseResident, .removeEngineRow, .addAudit:
      break
    }
  }

  private func write(_ record: LocationRecord, to table: String) {
    insert(
      care,
      """
      INSERT INTO \(table) (resident, time, time_quality, latitude, longitude, accuracy_meters,
      minutes_at_location, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .string(record.resident.rawValue), .integer(record.time.milliseconds),
        .string(record.timeQuality.rawValue), .real(record.coordinate.latitudeDegrees),
        .real(record.coordinate.longitudeDegrees), .real(record.accuracyMeters ?? 0),
        .integer(Int64(record.minutesAtLocation)), .string(record.reason.rawValue),
      ])
  }

  private func write(_ input: InputRecord) {
    insert(
      inputs,
      """
      INSERT OR IGNORE INTO input (run, number, tick, time, time_quality, resident, body,
      outcome_digest, first_event, events, first_trace, traces)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)
      """,
      [
        .integer(input.number), .integer(input.moment.tick.nanoseconds),
        .integer(input.moment.utc.milliseconds), .string(input.moment.quality.rawValue),
        .string(input.resident?.rawValue ?? ""), .text(input.body),
        .integer(Int64(bitPattern: input.outcomeDigest)),
      ])
  }

  private enum Field {
    case integer(Int64)
    case real(Double)
    case string(String)
    case text([UInt8])
  }

  private func insert(_ database: OpaquePointer?, _ query: String, _ fields: [Field]) {
    let statement = prepared(database, query)
    for (index, field) in fields.enumerated() { bind(field, to: statement, at: Int32(index + 1)) }
    precondition(
      sqlite3_step(statement) == SQLITE_DONE, String(cString: sqlite3_errmsg(database)))
    sqlite3_reset(statement)
  }

  private func prepared(_ database: OpaquePointer?, _ query: String) -> OpaquePointer? {
    if let known = statements[query] { return known }
    var statement: OpaquePointer?
    precondition(
      sqlite3_prepare_v3(
        database, query, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      String(cString: sqlite3_errmsg(database)))
    statements[query] = statement
    return statement
  }

  private func bind(_ field: Field, to statement: OpaquePointer?, at index: Int32) {
    switch field {
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .string(let text):
      sqlite3_bind_text(statement, index, text, -1, homeward_sqlite_transient())
    case .text(let bytes):
      bytes.withUnsafeBytes { raw in
        _ = sqlite3_bind_text(
          statement, index, raw.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(raw.count), homeward_sqlite_transient())
      }
    }
  }
}
