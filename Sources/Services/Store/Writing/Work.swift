import Care
import Loop
import Ports

typealias CommitCompletion = @LoopActor @Sendable (CommitOutcome) -> Void

/// One thing that the writer makes durable, alone or with others.
enum Work: Sendable {
  /// A step of the core.
  case step(StepRecord)
  /// Where a plugin stands, and what it refused for ever.
  case cursor(PluginCursor, [DeadLetter])
  /// Dead letters that are driven again.
  case removeDeadLetters([DeadLetter])
  /// The start of a run.
  case run(RunRecord)
  /// Something that the store does to itself on the writer's thread, outside a group.
  case upkeep(@Sendable (Writer) -> Void)

  var hasAlarm: Bool {
    guard case .step(let record) = self else { return false }
    return record.events.contains { $0.lane == .alarm }
  }

  var isUpkeep: Bool {
    guard case .upkeep = self else { return false }
    return true
  }

  var isStep: Bool {
    guard case .step = self else { return false }
    return true
  }

  /// Whether it holds what may be thinned: trace events or a recorded input.
  var hasTraces: Bool {
    guard case .step(let record) = self else { return false }
    return record.input != nil || record.events.contains { $0.lane == .trace }
  }

  /// Whether nothing is to be written.
  var isEmpty: Bool {
    guard case .step(let record) = self else { return false }
    return record.input == nil && record.events.isEmpty && record.changes.isEmpty
  }

  /// A fair estimate of the memory that it holds.
  var bytes: Int {
    switch self {
    case .step(let record):
      256 + 256 * record.changes.count + (record.input?.body.count ?? 0)
        + record.events.reduce(0) { $0 + 256 + $1.body.count }
    case .cursor(let cursor, let letters): 256 + 64 * cursor.exceptions.count + 256 * letters.count
    case .removeDeadLetters(let letters): 256 + 256 * letters.count
    case .run(let run): 256 + run.startState.count
    case .upkeep: 0
    }
  }

  /// The same without what may be thinned, and how many trace events went.
  func thinned() -> (work: Work, traces: Int) {
    guard case .step(var record) = self else { return (self, 0) }
    let kept = record.events.filter { $0.lane != .trace }
    let traces = record.events.count - kept.count
    record.events = kept
    record.input = nil
    return (.step(record), traces)
  }
}

/// Work that waits, with what its sender wants to know.
struct Entry: Sendable {
  var work: Work
  let completion: CommitCompletion?
  var bytes: Int
  let hasAlarm: Bool
  var wasDelayed = false
  /// The number of the emergency card with what this changes; nil when it changes nothing on it.
  let cardNumber: Int64?

  init(_ work: Work, cardNumber: Int64? = nil, completion: CommitCompletion?) {
    self.cardNumber = cardNumber
    self.work = work
    self.completion = completion
    bytes = work.bytes
    hasAlarm = work.hasAlarm
  }
}
