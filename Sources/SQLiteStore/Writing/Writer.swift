import CareModel
import EventLoop
import GatewayPorts
import Synchronization
import Texts

/// What threads besides the writer's may know about it.
final class WriterFacts: Sendable {
  struct Facts {
    var heads: LaneHeads
    var lastCommit: Tick?
    var lastBackup: Timestamp?
  }

  private let facts: Mutex<Facts>

  init(heads: LaneHeads) { facts = Mutex(Facts(heads: heads)) }

  var now: Facts { facts.withLock { $0 } }

  func committed(_ heads: LaneHeads, at tick: Tick) {
    facts.withLock {
      $0.heads = heads
      $0.lastCommit = tick
    }
  }

  func backedUp(at time: Timestamp) { facts.withLock { $0.lastBackup = time } }
}

/// The thread that makes records durable: takes groups from the queue, commits, answers, tries again.
///
/// Unchecked: made on the opening thread, then used on its own thread only.
final class Writer: @unchecked Sendable {
  let care: Connection
  let traces: TraceWriter
  let inputs: InputLog
  private let options: SQLiteStore.Options
  private let queue: WaitingQueue
  private let facts: WriterFacts
  private let health: HealthBoard
  private let space: SpaceGuard
  private let erasureCommitted: @Sendable () -> Void
  private var heads: LaneHeads
  private var failures = 0
  private var retryAt: Tick?

  init(
    care: Connection, traces: TraceWriter, heads: LaneHeads, options: SQLiteStore.Options,
    queue: WaitingQueue, facts: WriterFacts, health: HealthBoard,
    erasureCommitted: @escaping @Sendable () -> Void
  ) {
    self.care = care
    self.traces = traces
    self.heads = heads
    self.options = options
    self.queue = queue
    self.facts = facts
    self.health = health
    self.erasureCommitted = erasureCommitted
    inputs = InputLog(options: options)
    space = SpaceGuard(options: options, health: health)
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
        if let entry = group.first, case .upkeep(let work) = entry.work {
          work(self)
          queue.finish(group)
        } else if !write(group) {
          return false
        }
      }
    }
  }

  private func noteSetAsideTraces() {
    guard !traces.setAside.isEmpty else { return }
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
    failures = 0
    retryAt = nil
    health.clear(.writing)
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
    EventLoop.shared.post { [answers] in
      for answer in answers { answer.completion(answer.outcome) }
    }
  }

  private func arrangeRetry(after error: StoreError) -> Bool {
    failures += 1
    health.set(.writing, .failed, code: error.code.rawValue, detail: error.message)
    if queue.isClosed, failures > 4 { return false }
    let delayed = queue.putBack()
    EventLoop.shared.post {
      for completion in delayed { completion(.delayed(error)) }
    }
    let milliseconds = min(5000, Int64(250) << min(failures - 1, 5))
    retryAt = EventLoop.now.advanced(byMilliseconds: milliseconds)
    return true
  }

  /// Drops what a closing store could not write.
  func abandonRest() {
    let error = StoreError(.closed, Message("The store closed before the disk took this record."))
    while case .group(let group) = queue.next(limit: .max, notBefore: nil, idleUntil: nil) {
      if let entry = group.first, case .upkeep(let work) = entry.work { work(self) }
      let completions = group.compactMap(\.completion)
      queue.finish(group)
      EventLoop.shared.post { for completion in completions { completion(.dropped(error)) } }
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
      if let input = record.input, space.keepsInputs {
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
    guard !events.isEmpty else { return 0 }
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
    if care.logPages >= pages { _ = try? care.checkpoint() }
    traces.checkpointIfLong(pages: pages)
    inputs.checkpointIfLong(pages: pages)
  }

  // MARK: The end

  /// Notes a clean stop, empties the logs and lets go of all files.
  func finish(isClean: Bool) {
    if isClean {
      _ = try? care.run("INSERT OR REPLACE INTO meta VALUES ('clean_stop', '1')")
      _ = try? care.checkpoint(truncating: true)
    }
    traces.close()
    inputs.close()
    care.close()
  }
}
