import Care
import Moments
import Ports

/// An input with the events that came of it, as positions in journal and traces.
struct RecordedStep {
  var input: InputRecord
  var firstEvent: Int64 = 0
  var events: Int64 = 0
  var firstTrace: Int64 = 0
  var traces: Int64 = 0
}

/// Writes runs and inputs to `inputs.db`.
///
/// Used on the writer's thread only.
final class InputLog {
  private let options: SQLiteStore.Options
  private var connection: Connection?
  private var runNumbers: [String: Int64] = [:]

  init(options: SQLiteStore.Options) { self.options = options }

  /// The file, opened or made at its first use; a damaged one is set aside.
  private func opened() throws(StoreError) -> Connection {
    if let connection { return connection }
    do throws(StoreError) { connection = try open() } catch {
      guard [.corrupt, .notOurs].contains(error.code) else { throw error }
      try Recovery.setAside(options.inputsPath)
      connection = try open()
    }
    return try opened()
  }

  private func open() throws(StoreError) -> Connection {
    try Connection.writable(
      path: options.inputsPath, schema: .inputs,
      synchronous: options.synchronous == .full ? "NORMAL" : "OFF", options: options)
  }

  func begin(_ run: RunRecord) throws(StoreError) {
    let connection = try opened()
    do throws(SQLiteFailure) {
      try connection.run(
        """
        INSERT OR IGNORE INTO run (run, seed, version, boot_id, tick, time, time_quality,
          start_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, .text(run.run), .integer(Int64(bitPattern: run.seed)), .text(run.version),
        .text(run.boot.rawValue), .integer(run.moment.tick.nanoseconds),
        .integer(run.moment.utc.milliseconds), .text(run.moment.quality.rawValue),
        .textBytes(run.startState))
    } catch { throw error.storeError }
  }

  /// Appends inputs; those of runs that never began or were erased are left out.
  func append(_ steps: [RecordedStep]) throws(StoreError) {
    guard !steps.isEmpty else { return }
    let connection = try opened()
    do throws(SQLiteFailure) {
      try connection.transaction { () throws(SQLiteFailure) in
        for step in steps {
          guard let run = try number(of: step.input.run, in: connection) else { continue }
          try Self.append(step, run: run, to: connection)
        }
      }
    } catch { throw error.storeError }
  }

  private func number(
    of run: String, in connection: Connection
  ) throws(SQLiteFailure) -> Int64? {
    if let known = runNumbers[run] { return known }
    let found = try connection.integer("SELECT number FROM run WHERE run = ?", .text(run))
    runNumbers[run] = found
    return found
  }

  /// Forgets which runs exist, after an erasure removed some.
  func forgetRuns() { runNumbers = [:] }

  func checkpointIfLong(pages: Int) {
    guard let connection, connection.logPages >= pages else { return }
    _ = try? connection.checkpoint()
  }

  func close() {
    _ = try? connection?.checkpoint(truncating: true)
    connection?.close()
    connection = nil
  }

  private static func append(
    _ step: RecordedStep, run: Int64, to connection: Connection
  ) throws(SQLiteFailure) {
    let input = step.input
    try connection.run(
      """
      INSERT OR IGNORE INTO input (run, number, tick, time, time_quality, resident, body,
        outcome_digest, first_event, events, first_trace, traces)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(run), .integer(input.number), .integer(input.moment.tick.nanoseconds),
      .integer(input.moment.utc.milliseconds), .text(input.moment.quality.rawValue),
      .optional(input.resident?.rawValue), .textBytes(input.body),
      .integer(Int64(bitPattern: input.outcomeDigest)), .integer(step.firstEvent),
      .integer(step.events), .integer(step.firstTrace), .integer(step.traces))
  }
}
