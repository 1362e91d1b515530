public import Care
import Glibc
import Loop
public import Moments
public import Ports
import Synchronization
import Texts

/// The journal and everything else that must survive, in SQLite files that any SQLite tool can read.
///
/// `care.db` holds people, places, records, journal and where each plugin stands, and is durable with every commit;
/// `traces-YYYY-MM.db` hold raw traces and `inputs.db` what replay needs, both allowed to lose their last seconds in
/// a power cut. One thread writes, one reads, one looks after the files; every answer comes on the event loop.
public final class SQLiteStore: CareStore {
  /// What the store held when it opened.
  public let loaded: StoredState
  /// What was damaged when it opened, and what became of it.
  public let damage: StoreDamage
  /// Whether the database could not be read either, so that ``loaded`` is the emergency card alone.
  public let isOnCard: Bool

  let options: Options
  let facts: WriterFacts
  let queue: WaitingQueue
  let maintenance: Maintenance
  private let health: HealthBoard
  private let card: CardKeeper
  private let hold: DirectoryHold
  let reader: JournalReader
  let readingThread = Worker(name: "homeward-read", givesWay: true)
  private let timer = Mutex<Ticking?>(nil)

  private struct Ticking: Sendable { let timer: LoopTimer }

  /// Opens the store: takes the directory, makes or migrates the databases, reads what a run starts from.
  ///
  /// - Parameters:
  ///   - options: where, and what it allows itself.
  ///   - isRecovering: set a damaged `care.db` aside and restore the newest good backup instead of refusing, and bring back
  ///     rows that cannot be read; what was done is in ``damage`` and in the health reports. For the start of the daemon.
  /// - Throws: `locked`, `newerVersion`, `notOurs`, `corrupt`, `readOnly`, `full` and others, each saying what to do.
  public static func open(
    _ options: Options, isRecovering: Bool = false
  ) throws(StoreError) -> SQLiteStore {
    let hold = DirectoryHold(options.directory)
    do throws(StoreError) {
      return try SQLiteStore(options, hold: hold, isRecovering: isRecovering)
    } catch {
      hold.release()
      throw error
    }
  }

  private init(
    _ options: Options, hold: DirectoryHold, isRecovering: Bool
  ) throws(StoreError) {
    self.options = options
    self.hold = hold
    let start = try StartingPoint(options, hold: hold, isRecovering: isRecovering)
    loaded = start.state
    damage = start.damage
    isOnCard = start.outage?.card != nil
    health = HealthBoard()
    facts = WriterFacts(heads: start.state.heads, isWritable: start.opened != nil)
    queue = WaitingQueue(memoryBytes: options.waitingMemoryBytes)
    reader = JournalReader(options: options, facts: facts)
    maintenance = Maintenance(
      options: options, queue: queue, facts: facts, health: health)
    if let last = Backups.names(in: options.backupDirectory).last.flatMap(Backups.time) {
      facts.backedUp(at: last)
    }
    health.note(damage)
    card = CardKeeper(
      card: start.card, places: options.cardPlaces.map { CardPlace(directories: $0) },
      health: health)
    try startWriter(start)
    // Before anything else is written.
    append(
      .upkeep { writer in
        writer.begin()
      }, { _ in })
  }

  private func startWriter(_ start: StartingPoint) throws(StoreError) {
    let maintenance = maintenance
    let writer = Writer(
      start: start, options: options, queue: queue, facts: facts, health: health, card: card,
      pauseReading: { [reader, readingThread] in Self.pause(reader, on: readingThread) },
      erasureCommitted: {
        maintenance.worker.perform { maintenance.finishErasures(at: SystemTime.utc) }
      })
    let started = SystemThread.start(name: "homeward-store") { [stopped] in
      let isClean = writer.run()
      if !isClean { writer.abandonRest() }
      writer.finish(isClean: isClean)
      stopped.open()
    }
    guard started else {
      throw StoreError(.other, Message("The system has no thread for the store."))
    }
  }

  private let stopped = Latch()

  /// Closes what is read from and keeps the reading thread waiting until the answer is called.
  private static func pause(
    _ reader: JournalReader, on readingThread: Worker
  ) -> @Sendable () -> Void {
    let (closed, mayGoOn) = (Latch(), Latch())
    let isTaken = readingThread.perform {
      reader.close()
      closed.open()
      mayGoOn.wait()
    }
    if isTaken { closed.wait() }
    return { mayGoOn.open() }
  }
  // MARK: Writing

  /// Submits one step; see ``CareStore``.
  public func submit(
    _ record: StepRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    append(.step(record), completion)
  }

  /// Takes the newest step back as long as the disk has not got it; see ``CareStore``.
  public func takeBack(_ record: StepRecord) -> Bool {
    guard let entry = queue.takeBack(record) else { return false }
    if let number = entry.cardNumber { card.takeBack(number) }
    return true
  }

  /// Makes a plugin's cursor and new dead letters durable, with the next commit.
  public func save(
    cursor: PluginCursor, deadLetters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    append(.cursor(cursor, deadLetters), completion)
  }

  /// Forgets dead letters that are being driven again.
  public func removeDeadLetters(
    _ letters: [DeadLetter], completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    append(.removeDeadLetters(letters), completion)
  }

  /// Notes the start of a run, from which its inputs are replayed; call it again daily with the state of then.
  ///
  /// Inputs are kept for a week and belong to the last run that began before them.
  public func begin(
    run: RunRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void = { _ in }
  ) {
    append(.run(run), completion)
  }

  private func append(_ work: Work, _ completion: @escaping CommitCompletion) {
    var cardNumber: Int64?
    if case .step(let record) = work { cardNumber = card.take(record) }
    let admission = queue.append(Entry(work, cardNumber: cardNumber, completion: completion))
    let refusal = admission.refusal
    guard refusal != nil || !admission.evicted.isEmpty else { return }
    EventLoop.current.post {
      for evicted in admission.evicted { evicted(.dropped(WaitingQueue.memoryRefusal)) }
      if let refusal { completion(.dropped(refusal)) }
    }
  }

  // MARK: Upkeep

  /// Starts backups, retention and a look through the whole database; call it once the gateway is armed.
  ///
  /// - Parameters:
  ///   - now: reads the clocks; retention waits until they are trusted.
  ///   - onHealth: hears how the store does, at once and with every change.
  @LoopActor
  public func startMaintenance(
    now: @escaping @LoopActor @Sendable () -> Moment,
    onHealth: @escaping @LoopActor @Sendable (HealthReport) -> Void
  ) {
    health.observe(onHealth)
    card.start()
    let milliseconds = min(600, max(1, options.backupEverySeconds)) * 1000
    var next: LoopTimer?
    let ticking = LoopTimer { [weak self] in
      guard let self else { return }
      maintain(at: now()) {}
      next?.set(afterMilliseconds: milliseconds)
    }
    next = ticking
    timer.withLock { $0 = Ticking(timer: ticking) }
    ticking.set(afterMilliseconds: 1000)
  }

  /// Does at once what maintenance finds due at `now`: the first look, erasures, backup, retention.
  public func maintain(at now: Moment, completion: @escaping @LoopActor @Sendable () -> Void) {
    card.start()
    let isTaken = maintenance.worker.perform { [maintenance] in
      maintenance.run(at: now)
      EventLoop.current.post { completion() }
    }
    if !isTaken { EventLoop.current.post { completion() } }
  }

  /// How the store does now; may be called on any thread.
  public var healthReport: HealthReport { health.report }

  /// Copies `care.db` consistently into a new file, while running, and checks the copy; see ``CareStore``.
  public func backup(
    to path: String?, at time: Timestamp,
    completion: @escaping @LoopActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    let isTaken = maintenance.worker.perform { [options] in
      let result: Result<String, StoreError>
      do throws(StoreError) {
        result = .success(try Backups.make(of: options, wanted: path, at: time))
      } catch { result = .failure(error) }
      EventLoop.current.post { completion(result) }
    }
    guard !isTaken else { return }
    EventLoop.current.post { completion(.failure(WaitingQueue.closedRefusal)) }
  }

  /// Reads what a run starts from once everything is written that was submitted before; waits until it can be.
  ///
  /// - Parameter completion: called on the loop; not at all when the store closes before.
  public func loadAgain(completion: @escaping @LoopActor @Sendable (StoredState) -> Void) {
    append(
      .upkeep { writer in
        guard let care = writer.care, var state = try? StateReader(care: care).storedState().state
        else { return }
        state.heads.trace = writer.traces?.head ?? 0
        EventLoop.current.post { [state] in completion(state) }
      }, { _ in })
  }

  // MARK: The end

  /// Writes what waits, empties the logs and lets go of the directory; the store takes nothing more.
  ///
  /// - Parameter completion: called on the loop when everything is closed.
  public func close(completion: @escaping @LoopActor @Sendable () -> Void) {
    if let ticking = timer.withLock({ exchange(&$0, with: nil) }) {
      EventLoop.current.post { ticking.timer.cancel() }
    }
    let (queue, reader, hold, stopped, readingThread, card) = (
      queue, reader, hold, stopped, readingThread, card
    )
    maintenance.worker.stop {
      queue.close()
      stopped.wait()
      card.stop {
        readingThread.stop {
          reader.close()
          hold.release()
          EventLoop.current.post { completion() }
        }
      }
    }
  }
}
