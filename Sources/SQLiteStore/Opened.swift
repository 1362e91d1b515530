import CareModel
import GatewayPorts

/// What opening a directory gives: connections and what the databases held.
struct Opened {
  let care: Connection
  let traces: TraceWriter
  let state: StoredState
  let recovery: StoreRecovery?
  let wasCleanlyStopped: Bool

  init(
    _ options: SQLiteStore.Options, schema: Schema = .care, isRecovering: Bool
  ) throws(StoreError) {
    var recovery: StoreRecovery?
    var opened: (care: Connection, state: StoredState)
    do throws(StoreError) {
      opened = try Self.openCare(options, schema)
    } catch {
      guard isRecovering, Self.isDamage(error, options) else { throw error }
      recovery = try Recovery.recover(options, from: error)
      opened = try Self.openCare(options, schema)
    }
    do throws(StoreError) {
      wasCleanlyStopped = try Self.wasCleanlyStopped(opened.care)
      traces = try Self.traces(options, opened.care)
    } catch {
      opened.care.close()
      throw error
    }
    opened.state.heads.trace = traces.head
    care = opened.care
    state = opened.state
    self.recovery = recovery
  }

  private static func wasCleanlyStopped(_ care: Connection) throws(StoreError) -> Bool {
    do throws(SQLiteFailure) {
      let mark = try care.first("SELECT content FROM meta WHERE name = 'clean_stop'") { $0.text(0) }
      return mark != "0"
    } catch { throw error.storeError }
  }

  private static func traces(
    _ options: SQLiteStore.Options, _ care: Connection
  ) throws(StoreError) -> TraceWriter {
    let settled: Int64
    do throws(SQLiteFailure) { settled = try care.settledTraces() } catch {
      throw error.storeError
    }
    return try TraceWriter(options: options, after: settled)
  }

  /// A damaged database, not one of another program: a file without SQLite's header was ours and broke.
  private static func isDamage(_ error: StoreError, _ options: SQLiteStore.Options) -> Bool {
    switch error.code {
    case .corrupt: true
    case .notOurs: !Files.hasDatabaseHeader(options.carePath)
    case .full, .inputOutput, .readOnly, .locked, .newerVersion, .missing, .closed, .other: false
    }
  }

  private static func openCare(
    _ options: SQLiteStore.Options, _ schema: Schema
  ) throws(StoreError) -> (Connection, StoredState) {
    let care = try Connection.writable(
      path: options.carePath, schema: schema, synchronous: options.synchronous.rawValue,
      options: options
    ) { _, _ throws(StoreError) in try keepCopy(options) }
    do throws(SQLiteFailure) { return (care, try care.storedState()) } catch {
      care.close()
      throw error.storeError
    }
  }

  /// Before a migration, so that the older version can be installed again.
  private static func keepCopy(_ options: SQLiteStore.Options) throws(StoreError) {
    try Files.makeDirectory(options.backupDirectory)
    let name = Backups.nextName(in: options.backupDirectory, at: SystemTime.utc)
    try Backups.make(of: options, at: options.backupDirectory + "/" + name)
  }
}
