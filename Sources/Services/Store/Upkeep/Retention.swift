import Care
import Moments
import Ports
import Synchronization

extension Maintenance {
  /// Removes what is older than its period, a few hundred rows at a time between two groups of records.
  func applyRetention(at now: Timestamp) {
    let periods = options.retention
    let unsettled = cutoff(periods.unsettledDays, now)
    for (lane, days) in [(Lane.alarm, periods.alarmDays), (.record, periods.recordDays)] {
      guard let limit = cutoff(days, now) else { continue }
      pruneJournal(lane, before: limit, unsettledBefore: unsettled)
    }
    prune("location_record", before: cutoff(periods.locationDays, now))
    prune("location_sample", before: cutoff(periods.seriesDays, now))
    prune("audit", before: cutoff(periods.auditDays, now))
    pruneDeadLetters(before: cutoff(periods.alarmDays, now))
    pruneLosses(before: cutoff(30, now))
    pruneTraces(before: cutoff(periods.trackDays, now))
    pruneInputs(before: cutoff(options.inputLogDays, now))
  }

  private func cutoff(_ days: Int?, _ now: Timestamp) -> Timestamp? {
    days.map { now.advanced(byMilliseconds: -Int64(max(0, min($0, 100_000))) * 86_400_000) }
  }

  /// Removes old events of a lane that every plugin has settled, or that are older than anybody may need them.
  ///
  /// Events from a time that nobody vouched for go with the vouched ones that came after them.
  private func pruneJournal(
    _ lane: Lane, before limit: Timestamp, unsettledBefore: Timestamp?
  ) {
    let (old, veryOld) = (Counter(), Counter())
    let reached = onWriter { writer in
      guard let care = writer.care else { return }
      old.number = Self.lastEvent(before: limit, in: care)
      veryOld.number = unsettledBefore.map { Self.lastEvent(before: $0, in: care) } ?? 0
    }
    guard reached, old.number > 0 else { return }
    deleteInChunks { care throws(SQLiteFailure) in
      try care.run(
        """
        DELETE FROM journal WHERE sequence IN (
          SELECT sequence FROM journal WHERE time < ? AND lane = '\(lane.rawValue)'
            AND sequence <= ? AND (sequence < ? OR sequence <= ?) LIMIT 500)
        """, .integer(limit.milliseconds), .integer(old.number),
        .integer(try Self.firstUnsettled(lane, in: care)), .integer(veryOld.number))
    }
  }

  /// The newest event from before a time that somebody vouched for; 0 when there is none.
  private static func lastEvent(before limit: Timestamp, in care: Connection) -> Int64 {
    let found = try? care.integer(
      "SELECT max(sequence) FROM journal WHERE time < ? AND time_quality <> 'untrusted'",
      .integer(limit.milliseconds))
    return found ?? 0
  }

  /// The lowest sequence of a lane that some plugin has not settled yet.
  private static func firstUnsettled(
    _ lane: Lane, in care: Connection
  ) throws(SQLiteFailure) -> Int64 {
    try care.integer(
      """
      SELECT min(sequence) FROM (
        SELECT sequence + 1 AS sequence FROM plugin_cursor WHERE lane = ?1
        UNION ALL SELECT sequence FROM plugin_exception WHERE lane = ?1)
      """, .text(lane.rawValue)) ?? .max
  }

  private func prune(_ table: String, before limit: Timestamp?) {
    guard let limit else { return }
    deleteInChunks { care throws(SQLiteFailure) in
      try care.run(
        """
        DELETE FROM \(table) WHERE number IN (
          SELECT number FROM \(table) WHERE time < ? ORDER BY number LIMIT 500)
        """, .integer(limit.milliseconds))
    }
  }

  private func pruneDeadLetters(before limit: Timestamp?) {
    guard let limit else { return }
    deleteInChunks { care throws(SQLiteFailure) in
      try care.run("DELETE FROM dead_letter WHERE time < ?", .integer(limit.milliseconds))
    }
  }

  /// After a month nobody looks for what was lost any more.
  private func pruneLosses(before limit: Timestamp?) {
    guard let limit else { return }
    deleteInChunks { care throws(SQLiteFailure) in
      try care.run("DELETE FROM damaged_row WHERE found_at < ?", .integer(limit.milliseconds))
    }
  }

  /// Runs a deletion on the writer's thread, each time as a transaction of its own, until it finds nothing.
  private func deleteInChunks(
    _ delete: @escaping @Sendable (Connection) throws(SQLiteFailure) -> Void
  ) {
    let deleted = Counter()
    repeat {
      deleted.number = 0
      let reached = onWriter { writer in
        guard let care = writer.care else { return }
        _ = try? care.transaction { () throws(SQLiteFailure) in
          try delete(care)
          deleted.number = Int64(care.changedRows)
        }
      }
      guard reached else { return }
    } while deleted.number >= 500
  }

  /// Removes whole months, never the newest file: the numbering goes on from it.
  private func pruneTraces(before limit: Timestamp?) {
    guard let limit else { return }
    for name in TraceFiles.names(in: options.directory).dropLast() {
      guard let end = TraceFiles.end(of: name), end < limit else { continue }
      let path = options.path(name)
      _ = onWriter { writer in
        writer.traces?.close()
        Files.removeDatabase(path)
      }
    }
  }

  private func pruneInputs(before limit: Timestamp?) {
    guard let limit, Files.exists(options.inputsPath) else { return }
    do throws(StoreError) {
      let inputs = try inputsConnection()
      defer { inputs.close() }
      try InputPruning.remove(before: limit, from: inputs)
    } catch {
      health.set(.inputs, .degraded, code: "inputs-\(error.code.rawValue)", detail: error.message)
    }
  }

  /// A connection of the maintenance thread to `inputs.db`.
  func inputsConnection() throws(StoreError) -> Connection {
    try Connection.writable(
      path: options.inputsPath, schema: .inputs, synchronous: "NORMAL", options: options)
  }
}

/// Removes recorded inputs, in steps so short that the writer hardly waits.
enum InputPruning {
  static func remove(before limit: Timestamp, from inputs: Connection) throws(StoreError) {
    let time = Binding.integer(limit.milliseconds)
    do throws(SQLiteFailure) {
      repeat {
        try inputs.run(
          """
          DELETE FROM input WHERE (run, number) IN (
            SELECT run, number FROM input WHERE time < ? AND time_quality <> 'untrusted' LIMIT 500)
          """, time)
      } while inputs.changedRows >= 500
      try inputs.run(
        """
        DELETE FROM run WHERE time < ? AND number < (SELECT max(number) FROM run)
          AND NOT EXISTS (SELECT 1 FROM input WHERE input.run = run.number
            AND input.time_quality <> 'untrusted')
        """, time)
      try removeOrphans(from: inputs)
    } catch { throw error.storeError }
  }

  /// Removes the inputs of runs that are gone.
  static func removeOrphans(from inputs: Connection) throws(SQLiteFailure) {
    let sql = """
      SELECT run FROM (SELECT DISTINCT run FROM input)
        WHERE run NOT IN (SELECT number FROM run) LIMIT 1
      """
    while let run = try inputs.integer(sql) {
      try inputs.run(
        """
        DELETE FROM input WHERE (run, number) IN (
          SELECT run, number FROM input WHERE run = ? LIMIT 500)
        """, .integer(run))
    }
  }
}

/// A number that two threads hand over through the writer's queue.
final class Counter: Sendable {
  private let stored = Atomic<Int64>(0)
  var number: Int64 {
    get { stored.load(ordering: .acquiring) }
    set { stored.store(newValue, ordering: .releasing) }
  }
}
