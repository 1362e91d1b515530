import CareModel
import EventLoop
import GatewayPorts
import Synchronization
import Texts

/// Backups, retention, integrity check and the rest of an erasure, on a thread of their own.
final class Maintenance: Sendable {
  let options: SQLiteStore.Options
  let worker = Worker(name: "homeward-upkeep")
  let health: HealthBoard
  let facts: WriterFacts
  private let queue: WaitingQueue
  private let nextBackup = Mutex<Tick?>(nil)
  private let mustCheck: Mutex<Bool>

  init(
    options: SQLiteStore.Options, queue: WaitingQueue, facts: WriterFacts, health: HealthBoard,
    mustCheck: Bool
  ) {
    self.options = options
    self.queue = queue
    self.facts = facts
    self.health = health
    self.mustCheck = Mutex(mustCheck)
  }

  /// Runs `work` on the writer's thread, between two groups, and waits for it; false when the store has closed.
  func onWriter(_ work: @escaping @Sendable (Writer) -> Void) -> Bool {
    let latch = Latch()
    let upkeep = Work.upkeep { writer in
      work(writer)
      latch.open()
    }
    guard queue.append(Entry(upkeep, completion: nil)).refusal == nil else { return false }
    latch.wait()
    return true
  }

  /// Does what is due; on the maintenance thread.
  func run(at now: Moment) {
    // What cannot be written yet needs no looking after, and must not be opened twice.
    guard facts.now.isWritable else { return }
    checkOnce()
    finishErasures(at: now.utc)
    backUpIfDue(at: now)
    // A clock that nobody vouches for must not decide what is old.
    if now.quality.isTrusted { applyRetention(at: now.utc) }
    health.clear(.refused)
  }

  // MARK: Integrity

  /// After an unclean stop, reads through the whole database once.
  private func checkOnce() {
    guard mustCheck.withLock({ exchange(&$0, with: false) }) else { return }
    do throws(SQLiteFailure) {
      let connection = try Connection(path: options.carePath, mode: .readOnly, vfs: options.vfs)
      defer { connection.close() }
      if let damage = try connection.damage() { note(damage) }
    } catch {
      if [.corrupt, .notOurs].contains(error.storeError.code) { note(error.detail) }
    }
  }

  private func note(_ damage: String) {
    health.set(
      .damage, .failed, code: "corrupt",
      detail: Message(
        "The database is damaged: run `homeward restore` soon ({damage}).", ["damage": damage]))
  }

  // MARK: Backups

  private func backUpIfDue(at now: Moment) {
    let due = nextBackup.withLock { next in
      if next == nil { next = firstBackup(at: now) }
      return (next ?? now.tick) <= now.tick
    }
    guard due else { return }
    backUp(at: now.utc)
    nextBackup.withLock {
      // A backup that failed is tried again sooner.
      let seconds =
        health.has(.backup) ? min(600, options.backupEverySeconds) : options.backupEverySeconds
      $0 = now.tick.advanced(byMilliseconds: seconds * 1000)
    }
  }

  /// The period after the newest backup there is, when its age can be told; otherwise now.
  private func firstBackup(at now: Moment) -> Tick {
    guard now.quality.isTrusted, let last = facts.now.lastBackup else { return now.tick }
    let age = now.utc.milliseconds(since: last)
    let period = options.backupEverySeconds * 1000
    guard age >= 0, age < period else { return now.tick }
    return now.tick.advanced(byMilliseconds: period - age)
  }

  /// Makes a backup and removes the oldest beyond those kept; answers its name.
  @discardableResult
  func backUp(at time: Timestamp) -> String? {
    let directory = options.backupDirectory
    do throws(StoreError) {
      try Files.makeDirectory(directory)
      let name = Backups.nextName(in: directory, at: time)
      try Backups.make(of: options, at: directory + "/" + name)
      for old in Backups.names(in: directory).dropLast(max(1, options.backupsKept)) {
        Files.removeDatabase(directory + "/" + old)
      }
      facts.backedUp(at: time)
      health.clear(.backup)
      return name
    } catch {
      health.set(.backup, .degraded, code: "backup-\(error.code.rawValue)", detail: error.message)
      return nil
    }
  }
}

/// Puts something in a place and answers what was there.
func exchange<Content>(_ place: inout Content, with content: Content) -> Content {
  let old = place
  place = content
  return old
}
