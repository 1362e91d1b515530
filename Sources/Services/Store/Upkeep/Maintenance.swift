import CGatewayShims
import Care
import Loop
import Moments
import Ports
import Synchronization
import Texts

/// Backups, retention, the look through the whole database and the rest of an erasure, on a thread of their own.
final class Maintenance: Sendable {
  let options: SQLiteStore.Options
  let worker = Worker(name: "homeward-upkeep", givesWay: true)
  let health: HealthBoard
  let facts: WriterFacts
  private let queue: WaitingQueue
  private let nextBackup = Mutex<Tick?>(nil)
  private let mustLook = Mutex(true)

  init(
    options: SQLiteStore.Options, queue: WaitingQueue, facts: WriterFacts, health: HealthBoard
  ) {
    self.options = options
    self.queue = queue
    self.facts = facts
    self.health = health
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
    lookIfDue()
    finishErasures(at: now.utc)
    backUpIfDue(at: now)
    // A clock that nobody vouches for must not decide what is old.
    if now.quality.isTrusted { applyRetention(at: now.utc) }
    health.clear(.refused)
    // What the start, the look and the backup took is not needed again for hours.
    homeward_trim_memory()
  }

  // MARK: Integrity

  /// Looks through the whole database, once after the start and once after each backup: a card can break it at any time,
  /// also while nobody is there.
  private func lookIfDue() {
    guard mustLook.withLock({ exchange(&$0, with: false) }) else { return }
    do throws(SQLiteFailure) {
      let connection = try Connection(path: options.carePath, mode: .readOnly, vfs: options.vfs)
      defer { connection.close() }
      let check = DatabaseCheck(care: connection)
      if let damage = try check.damage() { return note(damage) }
      if let damage = try check.damageOfIndexes() { return note(damage) }
      let (rows, events) = (try check.unsoundRows(), try check.unsoundEvents())
      if rows + events > 0 { note(rows: rows, events: events) }
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

  private func note(rows: Int64, events: Int64) {
    let message =
      rows > 0
      ? Message(
        "Parts of the database cannot be read any more ({rows}): start Homeward again, and it looks for copies of them.",
        ["rows": rows])
      : Message(
        "Events of the journal are not as they were written ({events}), and nobody is told of them any more: check the card.",
        ["events": events])
    health.set(
      .damage, .failed, code: rows > 0 ? "rows-damaged" : "events-damaged", detail: message)
  }

  // MARK: Backups

  private func backUpIfDue(at now: Moment) {
    let due = nextBackup.withLock { next in
      if next == nil { next = firstBackup(at: now) }
      return (next ?? now.tick) <= now.tick
    }
    guard due else { return }
    backUp(at: now.utc)
    // What breaks while the gateway runs is found before backups without the damage are all replaced.
    mustLook.withLock { $0 = true }
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
      let name = Backups.nextName(in: directory, at: time)
      try Backups.make(of: options, named: name)
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
