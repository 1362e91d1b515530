import CSQLite
import Care
import Glibc
import Loop
import Moments
import Ports
import Synchronization
import Texts

/// What the store starts from: its databases, or what could be had of them without writing.
struct StartingPoint {
  /// The databases, open for writing; nil while they cannot be.
  let opened: Opened?
  /// What the run starts from.
  let state: StoredState
  /// The emergency card as it is at the start.
  let card: EmergencyCard
  /// What of it could not be read, and what became of it.
  let damage: StoreDamage
  /// Why the databases cannot be written, and how they are tried again; nil when they can.
  let outage: Outage?

  /// Opens the databases; a start that recovers goes on with what can be read where nothing can be written.
  ///
  /// - Parameter hold: takes the directory, now or when it can be had.
  init(
    _ options: SQLiteStore.Options, hold: DirectoryHold, isRecovering: Bool
  ) throws(StoreError) {
    let found = CardPlace.newest(in: options.cardPlaces.map { CardPlace(directories: $0) })
    do throws(StoreError) {
      try hold.take()
      let opened = try Self.open(options, card: found, isRecovering: isRecovering)
      self.opened = opened
      state = opened.state
      damage = opened.damage
      outage = nil
      card = Self.card(of: state, number: opened.cardNumber, found)
    } catch {
      guard isRecovering, Outage.isSurvivable(error) else { throw error }
      let rest = try Self.withoutWriting(options, found, after: error)
      state = rest.state
      damage = rest.damage
      opened = nil
      let mount = MountWait(options)
      outage = Outage(directory: options.directory, card: rest.source) { () throws(StoreError) in
        try mount.check()
        try hold.take()
        return try Self.open(options, card: found, isRecovering: true)
      }
      card = Self.card(of: state, number: rest.number, found)
    }
  }

  /// The card that belongs to a state; when it differs from the one found it is the newer one, whatever their numbers.
  private static func card(
    of state: StoredState, number: Int64?, _ found: EmergencyCard?
  ) -> EmergencyCard {
    var card = EmergencyCard(
      number: number ?? found?.number ?? 1, of: state, at: found?.time ?? SystemTime.utc)
    if let found, found.number >= card.number, found.state != card.state {
      card.number = found.number + 1
    }
    return card
  }

  /// What can be had where nothing can be written: the database as it is, the emergency card, or both.
  ///
  /// - Throws: `error` when there is neither.
  private static func withoutWriting(
    _ options: SQLiteStore.Options, _ card: EmergencyCard?, after error: StoreError
  ) throws(StoreError) -> Rest {
    if ![.newerVersion, .notOurs].contains(error.code) {
      do throws(SQLiteFailure) {
        let (state, number, damage) = try FrozenDatabase.state(options)
        // Of one number both have the same, so that the card has what cannot be read.
        guard let card, let number, card.number > number - (damage.isLoss ? 1 : 0) else {
          return Rest(state: state, number: number, damage: damage)
        }
        return Rest(state: card.state(over: state), number: card.number, damage: damage)
      } catch _ {
        // Not readable either; the error of opening says more than this one.
      }
    }
    guard let card else { throw error }
    return Rest(state: card.state, number: card.number, source: card.time)
  }

  /// What there is without writing.
  private struct Rest {
    var state: StoredState
    /// The number of the last change of the emergency card in it.
    var number: Int64?
    /// When the card was written that it comes from alone; nil when the database could be read.
    var source: Timestamp?
    var damage = StoreDamage()
  }

  /// Opens the databases; gives up the ballast when there is no room even for that.
  static func open(
    _ options: SQLiteStore.Options, card: EmergencyCard?, isRecovering: Bool
  ) throws(StoreError) -> Opened {
    do throws(StoreError) {
      return try Opened(options, card: card, isRecovering: isRecovering)
    } catch {
      let ballast = options.path("ballast")
      guard isRecovering, Outage.isOfSpace(error, in: options.directory), Files.size(ballast) > 0
      else { throw explained(error, in: options.directory) }
      Files.remove(ballast)
      return try Opened(options, card: card, isRecovering: isRecovering)
    }
  }
}

extension StartingPoint {
  /// A failure as the directory explains it: of a read-only disk SQLite says only that its files cannot be opened.
  private static func explained(_ error: StoreError, in directory: String) -> StoreError {
    guard [.missing, .inputOutput].contains(error.code), access(directory, W_OK) != 0,
      errno == EROFS
    else { return error }
    return Files.failure(directory)
  }
}

/// Leaves a disk time to be mounted: its directory is there before it, and what is made there meanwhile is hidden beneath it.
final class MountWait: Sendable {
  private let options: SQLiteStore.Options
  private let emptySince = Mutex<Tick?>(nil)

  init(_ options: SQLiteStore.Options) { self.options = options }

  /// Lets a directory with a database pass at once, and one without only after ``SQLiteStore/Options/mountWaitSeconds``.
  ///
  /// - Throws: `missing` until then.
  func check() throws(StoreError) {
    let isThere = Files.exists(options.carePath)
    let now = EventLoop.now
    let since = emptySince.withLock { since in
      since = isThere ? nil : since ?? now
      return since
    }
    guard let since, now < since.advanced(byMilliseconds: options.mountWaitSeconds * 1000) else {
      return
    }
    errno = ENOENT
    throw Files.failure(options.carePath)
  }
}

/// A database that can be read and not be written.
enum FrozenDatabase {
  /// Bytes of a database of an earlier version that is brought forward in memory.
  private static let memoryBytes: Int64 = 64 << 20

  /// What a run starts from, the number of the last change of the emergency card in it, and what could not be read: nothing
  /// can be put right where nothing can be written.
  static func state(
    _ options: SQLiteStore.Options
  ) throws(SQLiteFailure) -> (state: StoredState, cardNumber: Int64?, damage: StoreDamage) {
    let care = try Connection.frozen(path: options.carePath)
    defer { care.close() }
    let version: Int64
    do throws(StoreError) { version = try Schema.care.inspect(care).version } catch {
      throw SQLiteFailure(SQLITE_NOTADB, detail: error.description)
    }
    guard version > 0 else { throw SQLiteFailure(SQLITE_CORRUPT, detail: "care.db is empty") }
    care.hasChecksums = version >= Migration.care5.version
    let number = (try? CardNote(care: care).number()) ?? nil
    let (state, unread) =
      version == Schema.care.newest
      ? try StateReader(care: care).storedState() : try stateBroughtForward(care, options)
    var damage = StoreDamage()
    damage.lost = unread.rows
    return (state, number, damage)
  }

  /// Of an earlier version: where no migration can be written, it is done in memory.
  private static func stateBroughtForward(
    _ care: Connection, _ options: SQLiteStore.Options
  ) throws(SQLiteFailure) -> (state: StoredState, unread: UnreadRows) {
    let bytes = Files.size(options.carePath) + Files.size(options.carePath + "-wal")
    guard bytes <= memoryBytes else {
      throw SQLiteFailure(SQLITE_CANTOPEN, detail: "care.db cannot be brought forward in memory")
    }
    let memory = try Connection(path: ":memory:", mode: .create)
    defer { memory.close() }
    try care.copy(into: memory)
    do throws(StoreError) { try Schema.care.migrate(memory) } catch {
      throw SQLiteFailure(SQLITE_CANTOPEN, detail: error.description)
    }
    return try StateReader(care: memory).storedState()
  }
}

/// Why the databases could not be opened for writing at the start, told until they are.
struct Outage {
  let directory: String
  /// When the emergency card was written that everything comes from; nil when the database can be read.
  let card: Timestamp?
  /// Tries to open the databases; nobody may have them open meanwhile.
  let openAgain: () throws(StoreError) -> Opened

  /// Whether a start goes on after this, with what can be had.
  static func isSurvivable(_ error: StoreError) -> Bool {
    switch error.code {
    case .full, .inputOutput, .readOnly, .missing, .corrupt, .newerVersion, .notOurs, .other: true
    // Somebody else guards from this directory.
    case .locked, .closed: false
    }
  }

  /// Whether an error comes of a full disk: SQLite calls it an error of the disk when its index cannot grow.
  static func isOfSpace(_ error: StoreError, in directory: String) -> Bool {
    if error.code == .full { return true }
    guard [.inputOutput, .missing].contains(error.code) else { return false }
    return Files.freeBytes(at: directory).map { $0 < 1 << 16 } ?? false
  }

  /// What people are told about an error of ``openAgain``.
  func error(for error: StoreError) -> StoreError {
    let isFull = Self.isOfSpace(error, in: directory)
    let cause =
      isFull && error.code != .full
      ? Message(
        "The disk is full: free some space or insert a larger card ({reason}).",
        [
          "reason": directory
        ]) : error.message
    return StoreError(isFull ? .full : error.code, explanation(of: cause))
  }

  private func explanation(of cause: Message) -> Message {
    guard let card else {
      return Message(
        "{cause} Homeward started with what it could read and keeps what happens in memory: a power cut loses it.",
        ["cause": cause])
    }
    return Message(
      "{cause} Homeward runs on the emergency card of {time}: people, numbers, buttons and open alarms. Routine, notes "
        + "and history are away, and what happens is kept in memory: a power cut loses it.",
      ["cause": cause, "time": card.iso8601])
  }
}
