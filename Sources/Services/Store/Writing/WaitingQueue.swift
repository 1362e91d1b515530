import Loop
import Moments
import Ports
import Texts

/// The records that wait for the disk: first in, first out, in bounded memory.
///
/// Any thread appends; the writer's thread alone takes. Unchecked: everything mutable is touched with the gate's lock.
final class WaitingQueue: @unchecked Sendable {
  /// What the writer does next.
  enum Next {
    /// Make these durable; they stay at the head until ``finish(_:)`` or ``putBack()``.
    case group([Entry])
    /// Nothing came in time.
    case idle
    /// Closed, and nothing is left.
    case closed
  }

  private let gate = Gate()
  private let memoryBytes: Int
  private var entries: [Entry] = []
  private var head = 0
  private var inFlight = 0
  private var ordinaryBytes = 0
  private var alarmArrived = false
  private var hasTraces = false
  private var isClosing = false
  private var thinnedTraces: Int64 = 0

  init(memoryBytes: Int) { self.memoryBytes = memoryBytes }

  // MARK: Any thread

  /// What became of work that was handed in.
  struct Admission {
    /// Why it was not taken; nil when it was.
    var refusal: StoreError?
    /// Records that held nothing but traces and were given up to make room.
    var evicted: [CommitCompletion] = []
  }

  /// Takes work, or answers why not.
  func append(_ entry: Entry) -> Admission {
    let admission = gate.withLock { admit(entry) }
    gate.wakeAll()
    return admission
  }

  private func admit(_ newcomer: Entry) -> Admission {
    if isClosing { return Admission(refusal: Self.closedRefusal) }
    var entry = newcomer
    var admission = Admission()
    let isBounded = !entry.hasAlarm && !entry.work.isUpkeep
    if isBounded, ordinaryBytes + entry.bytes > memoryBytes {
      thin(&entry)
      if hasTraces { admission.evicted = thinWaiting() }
      guard !entry.work.isEmpty, ordinaryBytes + entry.bytes <= memoryBytes else {
        admission.refusal = Self.memoryRefusal
        return admission
      }
    }
    if !entry.hasAlarm { ordinaryBytes += entry.bytes }
    alarmArrived = alarmArrived || entry.hasAlarm
    hasTraces = hasTraces || entry.work.hasTraces
    entries.append(entry)
    return admission
  }

  static let closedRefusal = StoreError(
    .closed, Message("The store is closed: start the gateway again."))

  static let memoryRefusal = StoreError(
    .full,
    Message("Too many records wait for the disk: check the card; alarms still go out from memory."))

  /// Trace events and recorded inputs of everything that is not being written go; what is empty then leaves.
  private func thinWaiting() -> [CommitCompletion] {
    hasTraces = false
    var evicted: [CommitCompletion] = []
    var kept: [Entry] = []
    for var entry in entries[(head + inFlight)...] {
      if !entry.hasAlarm { ordinaryBytes -= entry.bytes }
      thin(&entry)
      if entry.work.isEmpty {
        if let completion = entry.completion { evicted.append(completion) }
        continue
      }
      if !entry.hasAlarm { ordinaryBytes += entry.bytes }
      kept.append(entry)
    }
    entries.replaceSubrange((head + inFlight)..., with: kept)
    return evicted
  }

  private func thin(_ entry: inout Entry) {
    guard entry.work.hasTraces else { return }
    let (work, traces) = entry.work.thinned()
    entry.work = work
    entry.bytes = work.bytes
    thinnedTraces += Int64(traces)
  }

  /// Takes the newest step out again; nil when it is another one, is being written, or gave up its recorded input.
  func takeBack(_ record: StepRecord) -> Entry? {
    gate.withLock {
      guard let index = entries.indices.last(where: { entries[$0].work.isStep }),
        index >= head + inFlight, case .step(let newest) = entries[index].work,
        let input = newest.input, input == record.input
      else { return nil }
      let entry = entries.remove(at: index)
      if !entry.hasAlarm { ordinaryBytes -= entry.bytes }
      return entry
    }
  }

  /// No more work is taken; the writer ends when it has written what is there.
  func close() {
    gate.withLock { isClosing = true }
    gate.wakeAll()
  }

  /// Records that wait, those being written included.
  var count: Int { gate.withLock { entries.count - head } }

  /// Trace events dropped since the start, for want of memory or space.
  var thinned: Int64 { gate.withLock { thinnedTraces } }

  /// Counts trace events that were dropped for want of space.
  func countThinned(_ traces: Int) { gate.withLock { thinnedTraces += Int64(traces) } }

  // MARK: The writer's thread

  /// Waits for work and takes a group from the head, upkeep always alone.
  ///
  /// - Parameters:
  ///   - notBefore: while set, waits until then unless an alarm arrives or the store closes.
  ///   - idleUntil: answers `idle` at this time when nothing came.
  func next(limit: Int, notBefore: Tick?, idleUntil: Tick?) -> Next {
    gate.withLock {
      if let notBefore { waitOut(notBefore) }
      while head == entries.count {
        if isClosing { return .closed }
        if let idleUntil, idleUntil <= EventLoop.now { return .idle }
        gate.wait(until: idleUntil)
      }
      alarmArrived = false
      let group = takeGroup(limit: limit)
      inFlight = group.count
      return .group(group)
    }
  }

  private func waitOut(_ deadline: Tick) {
    while !alarmArrived, !isClosing, EventLoop.now < deadline { gate.wait(until: deadline) }
  }

  private func takeGroup(limit: Int) -> [Entry] {
    let waiting = entries[head...].prefix(max(1, limit))
    if let first = waiting.first, first.work.isUpkeep { return [first] }
    return Array(waiting.prefix { !$0.work.isUpkeep })
  }

  /// The group is done with.
  func finish(_ group: [Entry]) {
    gate.withLock {
      for entry in group where !entry.hasAlarm { ordinaryBytes -= entry.bytes }
      head += group.count
      inFlight = 0
      if head == entries.count {
        entries.removeAll(keepingCapacity: entries.count <= 1024)
        head = 0
      } else if head >= 4096 {
        entries.removeFirst(head)
        head = 0
      }
    }
  }

  /// The group stays at the head; answers everybody who waits and has not been told yet that it takes longer.
  func putBack() -> [CommitCompletion] {
    gate.withLock {
      inFlight = 0
      var completions: [CommitCompletion] = []
      for index in head..<entries.count where !entries[index].wasDelayed {
        entries[index].wasDelayed = true
        if let completion = entries[index].completion { completions.append(completion) }
      }
      return completions
    }
  }

  var isClosed: Bool { gate.withLock { isClosing } }
}
