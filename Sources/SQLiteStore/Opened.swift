import CareModel
import GatewayPorts

/// What opening a directory gives: connections and what the databases held.
struct Opened {
  let care: Connection
  let traces: TraceWriter
  let state: StoredState
  let recovery: StoreRecovery?
  let wasCleanlyStopped: Bool
  /// The number of the last change of the emergency card that the database has; nil when it knows of none.
  let cardNumber: Int64?

  /// Opens the databases.
  ///
  /// - Parameters:
  ///   - card: the newest emergency card; what it knows and the database does not is written to the database.
  ///   - isRecovering: set a damaged or empty database aside and go on from the newest good backup and the card.
  init(
    _ options: SQLiteStore.Options, schema: Schema = .care, card: EmergencyCard? = nil,
    isRecovering: Bool
  ) throws(StoreError) {
    var recovery: StoreRecovery?
    var care: Connection
    var state: StoredState
    do throws(StoreError) {
      let mayBeNew = !isRecovering || !Recovery.hadData(options, card: card)
      if !mayBeNew { try Recovery.checkPresence(options) }
      (care, state) = try Self.openCare(options, schema, mayBeNew: mayBeNew)
    } catch {
      guard isRecovering, Self.isDamage(error, options) else { throw error }
      (care, state, recovery) = try Self.recover(options, schema, from: error)
    }
    do throws(StoreError) {
      let known = try care.cardNumber()
      if let card, Self.isNewer(card, than: known, isRecovered: recovery != nil) {
        try care.take(card, over: state)
        state = try Self.state(of: care)
        recovery?.card = card.time
        cardNumber = card.number
      } else {
        cardNumber = known
      }
      wasCleanlyStopped = try Self.wasCleanlyStopped(care)
      traces = try Self.traces(options, care)
    } catch {
      care.close()
      throw error
    }
    state.heads.trace = traces.head
    self.care = care
    self.state = state
    self.recovery = recovery
  }

  /// Goes on from the newest backup that can be opened, and from nothing when there is none.
  private static func recover(
    _ options: SQLiteStore.Options, _ schema: Schema, from cause: StoreError
  ) throws(StoreError) -> (Connection, StoredState, StoreRecovery) {
    var recovery = StoreRecovery(
      damagedFile: try Recovery.setAsideIfThere(options.carePath), cause: cause)
    for name in Backups.newestFirst(in: options.backupDirectory) {
      let path = options.backupDirectory + "/" + name
      guard (try? Backups.check(path)) != nil else { continue }
      try Backups.copy(path, to: options.carePath)
      do throws(StoreError) {
        let (care, state) = try openCare(options, schema)
        recovery.restoredBackup = name
        return (care, state, recovery)
      } catch {
        guard isDamage(error, options) else { throw error }
        // The backup itself stays where it is.
        Files.removeDatabase(options.carePath)
      }
    }
    let (care, state) = try openCare(options, schema)
    return (care, state, recovery)
  }

  /// Of a database that was never in trouble the card knows nothing that was not about to be written; one that the disk
  /// left behind, or that came from a backup, is older.
  private static func isNewer(
    _ card: EmergencyCard, than known: Int64?, isRecovered: Bool
  ) -> Bool {
    if isRecovered { return card.number > known ?? 0 }
    guard let known else { return false }
    return card.isAhead && card.number > known
  }

  private static func state(of care: Connection) throws(StoreError) -> StoredState {
    do throws(SQLiteFailure) { return try care.storedState() } catch { throw error.storeError }
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
    return TraceWriter(options: options, after: settled)
  }

  /// A damaged database, not one of another program: a file without SQLite's header was ours and broke.
  private static func isDamage(_ error: StoreError, _ options: SQLiteStore.Options) -> Bool {
    switch error.code {
    case .corrupt: true
    case .notOurs: !Files.hasDatabaseHeader(options.carePath)
    case .full, .inputOutput, .readOnly, .locked, .newerVersion, .missing, .closed, .other: false
    }
  }

  /// Opens `care.db` and reads what a run starts from, so that damage shows now.
  private static func openCare(
    _ options: SQLiteStore.Options, _ schema: Schema, mayBeNew: Bool = true
  ) throws(StoreError) -> (Connection, StoredState) {
    let care = try Connection.writable(
      path: options.carePath, schema: schema, synchronous: options.synchronous.rawValue,
      options: options
    ) { _, version throws(StoreError) in
      guard version > 0 else {
        if !mayBeNew { throw Recovery.emptiness }
        return
      }
      try keepCopy(options)
    }
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

extension Connection {
  private static var cardName: String { "card" }

  /// The number of the last change of the emergency card in this database.
  func cardNumber() throws(StoreError) -> Int64? {
    do throws(SQLiteFailure) {
      return try first("SELECT content FROM meta WHERE name = ?", .text(Self.cardName)) {
        Int64($0.text(0))
      } ?? nil
    } catch { throw error.storeError }
  }

  /// Notes the number of the last change of the emergency card, in the transaction of that change.
  func put(cardNumber: Int64) throws(SQLiteFailure) {
    try run(
      "INSERT OR REPLACE INTO meta VALUES (?, ?)", .text(Self.cardName), .text(String(cardNumber)))
  }

  /// Forgets which card belongs to this database: the database is right, whatever a card says.
  func forgetCard() throws(SQLiteFailure) {
    try run("DELETE FROM meta WHERE name = ?", .text(Self.cardName))
  }

  /// Writes what the card knows and this database does not.
  fileprivate func take(
    _ card: EmergencyCard, over stored: StoredState
  ) throws(StoreError) {
    do throws(SQLiteFailure) {
      try transaction { () throws(SQLiteFailure) in
        for change in card.changes(from: stored) {
          try apply(change, after: max(stored.heads.alarm, stored.heads.record))
        }
        try put(cardNumber: card.number)
      }
    } catch { throw error.storeError }
  }
}
