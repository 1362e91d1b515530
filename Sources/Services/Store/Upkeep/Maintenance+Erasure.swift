import Care
import JSON
import Moments
import Ports
import Texts

extension Maintenance {
  /// Finishes erasures that were committed: traces, recorded inputs, logs, backups and set-aside files.
  ///
  /// Until this is done the resident stays listed in the table `erasure`, over restarts too.
  func finishErasures(at now: Timestamp) {
    do throws(StoreError) {
      let residents = try pendingErasures()
      guard !residents.isEmpty else { return }
      for resident in residents {
        try eraseTraces(of: resident)
        try eraseInputs(of: resident)
      }
      try emptyLog()
      try replaceBackups(at: now)
      forget(residents)
      try emptyLog()
      health.clear(.erasure)
    } catch {
      health.set(
        .erasure, .degraded, code: "erasure-pending",
        detail:
          Message(
            "Copies of an erased resident's data remain and are removed as soon as possible. {error}",
            ["error": error.message])
      )
    }
  }

  private func pendingErasures() throws(StoreError) -> [ResidentID] {
    var residents: [ResidentID] = []
    do throws(SQLiteFailure) {
      let care = try Connection(path: options.carePath, mode: .readOnly, vfs: options.vfs)
      defer { care.close() }
      try care.rows("SELECT resident FROM erasure ORDER BY resident") { row in
        residents.append(ResidentID(row.text(0)))
        return true
      }
    } catch { throw error.storeError }
    return residents
  }

  private func eraseTraces(of resident: ResidentID) throws(StoreError) {
    for name in TraceFiles.names(in: options.directory) {
      let file = try Connection.writable(
        path: options.path(name), schema: .traces, synchronous: "NORMAL", options: options)
      defer { file.close() }
      do throws(SQLiteFailure) { try Self.eraseTraces(of: resident, in: file) } catch {
        throw error.storeError
      }
    }
  }

  /// Runs that know the resident go as a whole: what is left could not be replayed.
  private func eraseInputs(of resident: ResidentID) throws(StoreError) {
    guard Files.exists(options.inputsPath) else { return }
    let inputs = try inputsConnection()
    defer { inputs.close() }
    do throws(SQLiteFailure) {
      try inputs.run(
        """
        DELETE FROM run WHERE instr(start_state, ?1) > 0
          OR EXISTS (SELECT 1 FROM input WHERE input.run = run.number AND input.resident = ?2)
        """, .textBytes(JSONValue.string(resident.rawValue).serializedBytes),
        .text(resident.rawValue))
      _ = onWriter { writer in writer.inputs.forgetRuns() }
      try InputPruning.removeOrphans(from: inputs)
      try inputs.checkpoint(truncating: true)
    } catch { throw error.storeError }
  }

  /// Moves everything out of the log of `care.db` and empties it.
  private func emptyLog() throws(StoreError) {
    do throws(SQLiteFailure) {
      let care = try Connection(path: options.carePath, mode: .readWrite, vfs: options.vfs)
      defer { care.close() }
      try care.checkpoint(truncating: true)
    } catch { throw error.storeError }
  }

  /// Makes a backup without the resident, then removes all that were made before, and what was set aside.
  private func replaceBackups(at now: Timestamp) throws(StoreError) {
    let directory = options.backupDirectory
    // One made by hand stays as it is, so a newer one without the resident has to stand before it.
    let hasBackups = !Backups.newestFirst(in: directory).isEmpty
    if hasBackups {
      guard let made = backUp(at: now) else {
        throw StoreError(
          .full, Message("A new backup could not be made: free some space on the disk."))
      }
      for name in Files.names(in: directory) where name != made && name.hasPrefix("care-") {
        Files.removeDatabase(directory + "/" + name)
      }
    }
    for name in Files.names(in: options.directory)
    where name.contains(".damaged-") || name.contains(".replaced-") {
      Files.remove(options.path(name))
    }
  }

  private func forget(_ residents: [ResidentID]) {
    _ = onWriter { writer in
      for resident in residents {
        _ = try? writer.care?.run(
          "DELETE FROM erasure WHERE resident = ?", .text(resident.rawValue))
      }
    }
  }

  /// Removes a resident's traces a few thousand numbers at a time, and their remains from the log.
  private static func eraseTraces(
    of resident: ResidentID, in file: Connection
  ) throws(SQLiteFailure) {
    let last = try file.integer("SELECT max(sequence) FROM trace") ?? 0
    var from = try file.integer("SELECT min(sequence) FROM trace") ?? 1
    while from <= last {
      try file.run(
        "DELETE FROM trace WHERE sequence BETWEEN ? AND ? AND subject = ?", .integer(from),
        .integer(from + 4999), .text("resident/\(resident)"))
      from += 5000
    }
    try file.checkpoint(truncating: true)
  }
}
