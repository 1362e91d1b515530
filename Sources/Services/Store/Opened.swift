import Care
import Moments
import Ports

/// What opening a directory gives: connections and what the databases held.
struct Opened {
  let care: Connection
  let traces: TraceWriter
  let state: StoredState
  /// What was damaged, and what became of it.
  let damage: StoreDamage
  /// The number of the last change of the emergency card that the database has; nil when it knows of none.
  let cardNumber: Int64?
  /// The newest event of the journal, as the next mark has it.
  let newest: CommitMark

  /// Opens the databases.
  ///
  /// - Parameters:
  ///   - card: the newest emergency card; what it knows and the database does not is written to the database.
  ///   - isRecovering: set a damaged or empty database aside and go on from the newest good backup and the card.
  init(
    _ options: SQLiteStore.Options, schema: Schema = .care, card: EmergencyCard? = nil,
    isRecovering: Bool
  ) throws(StoreError) {
    let mark = CommitMark.newest(in: CommitMark.path(options))
    var damage = StoreDamage()
    let care: Connection
    let unread: UnreadRows
    var state: StoredState
    do throws(StoreError) {
      let mayBeNew = !isRecovering || !Recovery.hadData(options, card: card)
      if !mayBeNew { try Recovery.checkPresence(options) }
      (care, state, unread) = try Self.openCare(options, schema, mayBeNew: mayBeNew)
    } catch {
      guard isRecovering, Self.isDamage(error, options) else { throw error }
      (care, state, unread, damage.recovery) = try Self.recover(options, schema, from: error)
    }
    do throws(StoreError) {
      damage.hadDamagedHeader = care.finding?.isHeaderDamaged == true
      newest = try CommitMark.newest(in: care)
      if let mark { damage.compare(mark, with: newest, in: care) }
      let known = try CardNote(care: care).number()
      let rescue = RowRescue(care: care, options: options, card: card)
      var rows = unread.rows
      if let card, known == card.number, damage.recovery == nil, !Self.wasBroughtForward(care) {
        rows += card.rowsMissing(in: state).filter { row in
          !rows.contains { $0.isSame(as: row) }
        }
      }
      if isRecovering, !rows.isEmpty {
        try rescue.run(rows, into: &damage)
        state = try Self.read(care).state
      } else {
        damage.lost = rows
      }
      damage.note(lostEarlier: try LostRows(care: care).openOnes())
      let isOlder = damage.recovery != nil || mark?.card ?? 0 > known ?? 0
      if let card, Self.isNewer(card, than: known, isOlder: isOlder) {
        try Self.write(card, over: state, to: care)
        state = try Self.read(care).state
        damage.recovery?.card = card.time
        cardNumber = card.number
      } else {
        cardNumber = known
      }
      traces = try Self.traces(options, care)
    } catch {
      care.close()
      throw error
    }
    state.heads.trace = traces.head
    self.care = care
    self.state = state
    self.damage = damage
  }

  /// Goes on from the newest backup that can be opened, and from nothing when there is none.
  private static func recover(
    _ options: SQLiteStore.Options, _ schema: Schema, from cause: StoreError
  ) throws(StoreError) -> (Connection, StoredState, UnreadRows, StoreRecovery) {
    var recovery = StoreRecovery(
      damagedFile: try Recovery.setAsideIfThere(options.carePath), cause: cause)
    for name in Backups.newestFirst(in: options.backupDirectory) {
      let path = options.backupDirectory + "/" + name
      guard (try? Backups.check(path)) != nil else { continue }
      try Backups.copy(path, to: options.carePath)
      do throws(StoreError) {
        let (care, state, unread) = try openCare(options, schema)
        recovery.restoredBackup = name
        return (care, state, unread, recovery)
      } catch {
        guard isDamage(error, options) else { throw error }
        // The backup itself stays where it is.
        Files.removeDatabase(options.carePath)
      }
    }
    let (care, state, unread) = try openCare(options, schema)
    return (care, state, unread, recovery)
  }

  /// Of a database that was never in trouble the card knows nothing that was not about to be written; one that the disk
  /// left behind, or that came from a backup, or whose log was damaged, is older.
  private static func isNewer(
    _ card: EmergencyCard, than known: Int64?, isOlder: Bool
  ) -> Bool {
    if isOlder { return card.number > known ?? 0 }
    guard let known else { return false }
    return card.isAhead && card.number > known
  }

  private static func read(
    _ care: Connection
  ) throws(StoreError) -> (state: StoredState, unread: UnreadRows) {
    do throws(SQLiteFailure) { return try StateReader(care: care).storedState() } catch {
      throw error.storeError
    }
  }

  private static func traces(
    _ options: SQLiteStore.Options, _ care: Connection
  ) throws(StoreError) -> TraceWriter {
    let settled: Int64
    do throws(SQLiteFailure) { settled = try PluginReader(care: care).settledTraces() } catch {
      throw error.storeError
    }
    return TraceWriter(options: options, after: settled)
  }

  /// A damaged database, not one of another program: a file without SQLite's header was ours and broke.
  private static func isDamage(_ error: StoreError, _ options: SQLiteStore.Options) -> Bool {
    let header = DatabaseHeader(options.carePath)
    let isOursAndDamaged = header.isDamaged(of: Schema.care.applicationID)
    switch error.code {
    case .corrupt: return true
    case .notOurs: return header.isMissing || isOursAndDamaged
    case .readOnly: return isOursAndDamaged
    case .full, .inputOutput, .locked, .newerVersion, .missing, .closed, .other: return false
    }
  }

  /// Opens `care.db` and reads what a run starts from, so that damage shows now.
  private static func openCare(
    _ options: SQLiteStore.Options, _ schema: Schema, mayBeNew: Bool = true
  ) throws(StoreError) -> (Connection, StoredState, UnreadRows) {
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
    do throws(StoreError) {
      if !mayBeNew { try requireRows(in: care) }
      try DatabaseCheck(care: care).requireSoundTables()
      let (state, unread) = try read(care)
      return (care, state, unread)
    } catch {
      care.close()
      throw error
    }
  }

  /// Before a migration, so that the older version can be installed again.
  private static func keepCopy(_ options: SQLiteStore.Options) throws(StoreError) {
    let name = Backups.nextName(in: options.backupDirectory, at: SystemTime.utc)
    try Backups.make(of: options, named: name)
  }

  /// Whether it had to be brought to the newest version when it was opened.
  private static func wasBroughtForward(_ care: Connection) -> Bool {
    care.finding.map { $0.version < Schema.care.newest } ?? false
  }

  /// Finds a database that has its tables and nothing in them.
  ///
  /// The store notes something of itself before anything else, and never removes that.
  private static func requireRows(in care: Connection) throws(StoreError) {
    let hasRows: Bool
    do throws(SQLiteFailure) {
      hasRows =
        try care.integer(
          """
          SELECT EXISTS (SELECT 1 FROM meta WHERE name <> 'journal_unchecked')
            OR EXISTS (SELECT 1 FROM resident) OR EXISTS (SELECT 1 FROM journal)
          """) == 1
    } catch { throw error.storeError }
    if !hasRows { throw Recovery.emptiness }
  }

  /// Writes what the card knows and this database does not.
  private static func write(
    _ card: EmergencyCard, over stored: StoredState, to care: Connection
  ) throws(StoreError) {
    do throws(SQLiteFailure) {
      try care.transaction { () throws(SQLiteFailure) in
        for change in card.changes(from: stored) {
          try ChangeWriter(care: care).apply(
            change, after: max(stored.heads.alarm, stored.heads.record))
        }
        try CardNote(care: care).put(card.number)
      }
    } catch { throw error.storeError }
  }
}

extension CommitMark {
  /// The newest event of the journal, and how many there have ever been; the database's side of a ``CommitMark``.
  fileprivate static func newest(in care: Connection) throws(StoreError) -> CommitMark {
    do throws(SQLiteFailure) {
      let count = try care.integer("SELECT seq FROM sqlite_sequence WHERE name = 'journal'") ?? 0
      let sql = "SELECT id, time FROM journal ORDER BY sequence DESC LIMIT 1"
      let newest = try care.first(sql) { ($0.text(0), Timestamp(milliseconds: $0.integer(1))) }
      return CommitMark(
        sequence: count, event: newest?.0 ?? "", time: newest?.1 ?? Timestamp(milliseconds: 0))
    } catch { throw error.storeError }
  }
}

extension StoreDamage {
  /// Notes what a mark knows to have been stored and is not there any more.
  fileprivate mutating func compare(
    _ mark: CommitMark, with newest: CommitMark, in care: Connection
  ) {
    if mark.sequence > newest.sequence {
      lostEvents = mark.sequence - newest.sequence
      lostUntil = mark.time
    } else {
      let event = try? care.first(
        "SELECT id FROM journal WHERE sequence = ?", .integer(mark.sequence)
      ) {
        $0.text(0)
      }
      isOther = event.flatMap { $0 }.map { $0 != mark.event } ?? false
    }
    if recovery == nil, let log = mark.log, let found = care.logAtOpening {
      lostPages = found.hasLost(since: log)
    }
  }
}
