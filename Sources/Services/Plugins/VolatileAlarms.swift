import Care
import Moments
import PluginProtocol

/// Alarms that go out from memory because the disk does not answer, and what the plugin made of them.
struct VolatileAlarms {
  static let maximumEvents = 1000

  /// What the plugin said about an event that the journal did not hold yet.
  enum Verdict: Hashable {
    case accepted
    case refused(String)
  }

  private struct Waiting {
    var event: EncodedEvent
    var retryAt: Tick?
  }

  private var waiting: [Waiting] = []
  private var verdicts: [EventID: Verdict] = [:]
  private var verdictOrder: [EventID] = []
  /// Alarms that had to make room for newer ones; they still come from the journal once the disk answers.
  private(set) var dropped = 0

  var count: Int { waiting.count }

  /// Queues an alarm unless it is known.
  mutating func add(_ event: EncodedEvent) {
    guard verdicts[event.id] == nil, !waiting.contains(where: { $0.event.id == event.id }) else {
      return
    }
    if waiting.count == Self.maximumEvents {
      waiting.removeFirst()
      dropped += 1
    }
    waiting.append(Waiting(event: event))
  }

  /// Alarms to send now, in order: those of each subject up to the first that must still wait.
  func due(at now: Tick, limit: Int, maximumBytes: Int) -> [EncodedEvent] {
    var held: Set<String> = []
    var due: [EncodedEvent] = []
    var bytes = 0
    for entry in waiting where due.count < limit && !held.contains(entry.event.subject) {
      if let tick = entry.retryAt, tick > now {
        held.insert(entry.event.subject)
        continue
      }
      bytes += entry.event.body.count
      if bytes > maximumBytes, !due.isEmpty { break }
      due.append(entry.event)
    }
    return due
  }

  /// Lets every alarm be tried now.
  mutating func forgetWaits() {
    for index in waiting.indices { waiting[index].retryAt = nil }
  }

  /// When the next alarm may be tried again; nil when none waits for a time.
  var nextDue: Tick? { waiting.compactMap(\.retryAt).min() }

  /// Notes what the plugin answered.
  mutating func settle(
    _ events: [EncodedEvent], outcomes: [EventOutcome], now: Tick, retrySecondMilliseconds: Int64
  ) {
    for (event, outcome) in zip(events, outcomes) {
      switch outcome {
      case .accepted: conclude(event.id, .accepted)
      case .refused(let reason): conclude(event.id, .refused(reason))
      case .retry(let seconds, _):
        guard let index = waiting.firstIndex(where: { $0.event.id == event.id }) else { continue }
        waiting[index].retryAt = now.advanced(byMilliseconds: seconds * retrySecondMilliseconds)
      }
    }
  }

  private mutating func conclude(_ id: EventID, _ verdict: Verdict) {
    waiting.removeAll { $0.event.id == id }
    verdicts[id] = verdict
    verdictOrder.append(id)
    if verdictOrder.count > Self.maximumEvents { verdicts[verdictOrder.removeFirst()] = nil }
  }

  /// What the plugin said about an event that has reached the journal now.
  func verdict(on id: EventID) -> Verdict? { verdicts[id] }

  /// Forgets events that the journal holds and the plugin has settled.
  mutating func forget(_ ids: some Sequence<EventID>) {
    for id in ids {
      waiting.removeAll { $0.event.id == id }
      if verdicts.removeValue(forKey: id) != nil { verdictOrder.removeAll { $0 == id } }
    }
  }
}
