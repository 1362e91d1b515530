import CSQLite
import Care
import Loop
import Moments
import Ports
import Synchronization
import Texts

/// What threads besides the writer's may know about it.
final class WriterFacts: Sendable {
  struct Facts {
    var heads: LaneHeads
    var lastCommit: Tick?
    var lastBackup: Timestamp?
    /// Whether the databases are open for writing.
    var isWritable: Bool
  }

  private let facts: Mutex<Facts>

  init(heads: LaneHeads, isWritable: Bool) {
    facts = Mutex(Facts(heads: heads, isWritable: isWritable))
  }

  var now: Facts { facts.withLock { $0 } }

  func committed(_ heads: LaneHeads, at tick: Tick) {
    facts.withLock {
      $0.heads = heads
      $0.lastCommit = tick
    }
  }

  func backedUp(at time: Timestamp) { facts.withLock { $0.lastBackup = time } }

  func opened(_ heads: LaneHeads) {
    facts.withLock {
      $0.heads = heads
      $0.isWritable = true
    }
  }
}

/// The thread that makes records durable: takes groups from the queue, commits, answers, tries again.
///
/// Unchecked: made on the opening thread, then used on its own thread only.
final class Writer: @unchecked Sendable {
  /// The database; nil until it can be written for the first time.
  private(set) var care: Connection?
  /// The traces; nil as long as the database is.
  private(set) var traces: TraceWriter?
  let inputs: InputLog
  private let outage: Outage?
  private let card: CardKeeper
  private let pauseReading: @Sendable () -> (@Sendable () -> Void)
  private let options: SQLiteStore.Options
  private let queue: WaitingQueue
  private let facts: WriterFacts
  private let health: HealthBoard
  private let space: SpaceGuard
  private let erasureCommitted: @Sendable () -> Void
  private var heads: LaneHeads
  private var mark: CommitMarkFile?
  /// The newest event of the journal.
  private var newest: CommitMark?
  /// After each attempt that failed, as long as none succeeds.
  private var backoff = Backoff(firstMilliseconds: 250, longestMilliseconds: 5000)
  private var retryAt: Tick?

  init(
    start: StartingPoint, options: SQLiteStore.Options, queue: WaitingQueue, facts: WriterFacts,
    health: HealthBoard, card: CardKeeper,
    pauseReading: @escaping @Sendable () -> (@Sendable () -> Void),
    erasureCommitted: @escaping @Sendable () -> Void
  ) {
    self.card = card
    self.pauseReading = pauseReading
    care = start.opened?.care
    traces = start.opened?.traces
    outage = start.outage
    heads = start.state.heads
    self.options = options
    self.queue = queue
    self.facts = facts
    self.health = health
    self.erasureCommitted = erasureCommitted
    inputs = InputLog(options: options)
    space = SpaceGuard(options: options, health: health)
    if let opened = start.opened { begin(marksFrom: opened) }
  }

  private func begin(marksFrom opened: Opened) {
    newest = opened.newest
    newest?.card = opened.cardNumber
    mark = CommitMarkFile(options, hasLoss: opened.damage.isLoss, at: EventLoop.now)
  }

  /// Notes how far the database has come.
  private func writeMark(_ result: GroupResult? = nil) {
    if let event = result?.newest { newest?.take(event) }
    if let number = result?.cardNumber { newest?.card = number }
    if let newest { mark?.write(newest, at: EventLoop.now) }
  }

  /// Works until the queue is closed and empty, or the disk has refused for too long after that.
  ///
  /// - Returns: whether everything was written.
  func run() -> Bool {
    space.refresh(isForced: true)
    noteSetAsideTraces()
    while true {
      switch queue.next(limit: options.groupLimit, notBefore: retryAt, idleUntil: nextLook) {
      case .idle: space.refresh(isForced: true)
      case .closed: return true
      case .group(let group):
        if !openIfNeeded() {
          if queue.isClosed, hasFailedOften { return false }
        } else if let entry = group.first, case .upkeep(let work) = entry.work {
          work(self)
          queue.finish(group)
        } else if !write(group) {
          return false
        }
      }
    }
  }

  /// Notes which emergency card the store began with: its first row, by which a database that was emptied is known.
  func begin() {
    guard let care else { return }
    _ = try? care.transaction { () throws(SQLiteFailure) in
      if try care.integer("SELECT 1 FROM meta WHERE name = 'card'") == nil {
        try CardNote(care: care).put(card.numberAtStart)
        newest?.card = card.numberAtStart
      }
    }
    writeMark()
  }

  /// Opens what could not be written at the start; answers whether it can be now.
  private func openIfNeeded() -> Bool {
    guard care == nil, let outage else { return true }
    // Of a file that is open twice, closing the one without locks would take the locks of the other.
    let resumeReading = pauseReading()
    defer { resumeReading() }
    do throws(StoreError) {
      take(try outage.openAgain())
      return true
    } catch {
      putBack(after: error, told: outage.error(for: error))
      return false
    }
  }

  private func take(_ opened: Opened) {
    care = opened.care
    traces = opened.traces
    heads = opened.state.heads
    facts.opened(heads)
    health.note(opened.damage)
    begin(marksFrom: opened)
    space.refresh(isForced: true)
    noteSetAsideTraces()
  }

  private func noteSetAsideTraces() {
    guard let traces, !traces.setAside.isEmpty else { return }
    health.set(
      .traces, .degraded, code: "traces-damaged",
      detail: Message(
        "Damaged trace files were set aside: check the card ({count}).",
        ["count": traces.setAside.count]))
  }

  /// While space is short somebody has to look whether it came back.
  private var nextLook: Tick? {
    space.level == .ample ? nil : EventLoop.now.advanced(byMilliseconds: 5000)
  }

  // MARK: One group

  /// Writes a group and answers it, or arranges the next attempt; false when a closing store gives up.
  private func write(_ group: [Entry]) -> Bool {
    space.refresh()
    do throws(SQLiteFailure) {
      let result = try commit(group)
      succeed(group, result)
      return true
    } catch {
      return arrangeRetry(after: error.storeError)
    }
  }

  /// Commits; gives up the ballast and tries once more when the disk is full.
  private func commit(_ group: [Entry]) throws(SQLiteFailure) -> GroupResult {
    guard let care else { throw SQLiteFailure(SQLITE_CANTOPEN, detail: "care.db") }
    let writer = GroupWriter(care: care)
    do {
      return try writer.write(group, after: heads)
    } catch {
      guard error.storeError.code == .full, space.releaseBallast() else { throw error }
      return try writer.write(group, after: heads)
    }
  }

  private func succeed(_ group: [Entry], _ result: GroupResult) {
    heads = result.heads
    writeMark(result)
    backoff.reset()
    retryAt = nil
    health.clear(.writing)
    card.note(isAhead: false)
    writeTracesAndInputs(group, result)
    facts.committed(heads, at: EventLoop.now)
    answer(group, result)
    queue.finish(group)
    if result.hasErasure { erasureCommitted() }
    checkpoint()
  }

  private func answer(_ group: [Entry], _ result: GroupResult) {
    var answers: [(completion: CommitCompletion, outcome: CommitOutcome)] = []
    for (index, entry) in group.enumerated() {
      guard let completion = entry.completion else { continue }
      let outcome = result.refused[index].map { CommitOutcome.dropped($0) } ?? .committed(heads)
      answers.append((completion, outcome))
    }
    if let error = result.refused.values.first {
      health.set(
        .refused, .degraded, code: "record-refused",
        detail: Message(
          "A record could not be stored and was left out. {error}", ["error": error.message]))
    }
    guard !answers.isEmpty else { return }
    EventLoop.current.post { [answers] in
      for answer in answers { answer.completion(answer.outcome) }
    }
  }

  private func arrangeRetry(after error: StoreError) -> Bool {
    putBack(after: error, told: error)
    return !queue.isClosed || !hasFailedOften
  }

  /// Whether a store that closes waits for the disk no longer.
  private var hasFailedOften: Bool { backoff.count > 4 }

  /// Keeps the group for the next attempt, and says so to those who wait.
  private func putBack(after error: StoreError, told: StoreError) {
    card.note(isAhead: true)
    let delayed = queue.putBack()
    health.set(.writing, .failed, code: told.code.rawValue, detail: told.message) {
      // Before the fault, which is a step of its own: what is the newest until then can be taken back.
      EventLoop.current.post {
        for completion in delayed { completion(.delayed(error)) }
      }
    }
    retryAt = EventLoop.now.advanced(byMilliseconds: backoff.next())
  }

  /// Drops what a closing store could not write.
  func abandonRest() {
    let error = StoreError(.closed, Message("The store closed before the disk took this record."))
    while case .group(let group) = queue.next(limit: .max, notBefore: nil, idleUntil: nil) {
      if let entry = group.first, case .upkeep(let work) = entry.work { work(self) }
      let completions = group.compactMap(\.completion)
      queue.finish(group)
      EventLoop.current.post { for completion in completions { completion(.dropped(error)) } }
    }
  }

  // MARK: Traces and inputs, outside the transaction

  private func writeTracesAndInputs(_ group: [Entry], _ result: GroupResult) {
    var kept: [EncodedEvent] = []
    var steps: [RecordedStep] = []
    var lost = 0
    for (index, entry) in group.enumerated() {
      if case .run(let run) = entry.work { begin(run) }
      guard case .step(let record) = entry.work, result.refused[index] == nil else { continue }
      let traced = record.events.filter { $0.lane == .trace }
      let thinned = space.thin(traced)
      lost += traced.count - thinned.count
      if let input = record.input, let traces, space.keepsInputs {
        let range = result.journalRanges[index]
        steps.append(
          RecordedStep(
            input: input, firstEvent: range.first, events: range.count,
            firstTrace: traces.head + Int64(kept.count) + 1, traces: Int64(thinned.count)))
      }
      kept += thinned
    }
    lost += append(kept)
    if lost > 0 { queue.countThinned(lost) }
    record(steps)
  }

  /// Appends trace events; answers how many were lost. Traces never hold up the journal.
  private func append(_ events: [EncodedEvent]) -> Int {
    guard let traces, !events.isEmpty else { return 0 }
    do throws(StoreError) {
      try traces.append(events)
      heads.trace = traces.head
      health.clear(.traces)
      return 0
    } catch {
      health.set(.traces, .degraded, code: "traces-\(error.code.rawValue)", detail: error.message)
      return events.count
    }
  }

  private func begin(_ run: RunRecord) {
    do throws(StoreError) { try inputs.begin(run) } catch { noteInputs(error) }
  }

  private func record(_ steps: [RecordedStep]) {
    guard !steps.isEmpty else { return }
    do throws(StoreError) {
      try inputs.append(steps)
      health.clear(.inputs)
    } catch { noteInputs(error) }
  }

  private func noteInputs(_ error: StoreError) {
    health.set(.inputs, .degraded, code: "inputs-\(error.code.rawValue)", detail: error.message)
  }

  /// Moves logs into their databases once everybody has been answered, sooner when nobody waits.
  private func checkpoint() {
    let pages = queue.count == 0 ? 1000 : 8000
    if let care, care.logPages >= pages { _ = try? care.checkpoint() }
    traces?.checkpointIfLong(pages: pages)
    inputs.checkpointIfLong(pages: pages)
  }

  // MARK: The end

  /// Empties the logs, when everything was written, and lets go of all files.
  func finish(isClean: Bool) {
    if isClean {
      _ = try? care?.checkpoint(truncating: true)
      writeMark()
      mark?.synchronise()
    }
    // Not with the writer, which ends when its thread does: who closes the store may unmount its disk then.
    mark = nil
    traces?.close()
    inputs.close()
    care?.close()
  }
}
