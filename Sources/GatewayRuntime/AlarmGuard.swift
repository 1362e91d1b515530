import CareModel

/// Sees to it that an alarm goes out when the disk does not answer in time.
///
/// Every step with alarm-lane events is watched until its commit; when that fails or takes longer than the limit, its
/// events are handed out once from memory. The store keeps the step and writes it when the disk answers.
struct AlarmGuard {
  private struct Watched {
    var events: [EncodedEvent]
    var dueAt: Tick
  }

  /// The longest that an alarm waits for the disk, in milliseconds.
  static let limitMilliseconds: Int64 = 500

  private var watched: [Int64: Watched] = [:]

  /// When the next alarm has waited long enough.
  var nextDeadline: Tick? { watched.values.map(\.dueAt).min() }

  /// Watches the alarm-lane events of a step.
  mutating func watch(step number: Int64, events: [EncodedEvent], at now: Tick) {
    let alarms = events.filter { $0.lane == .alarm }
    guard !alarms.isEmpty else { return }
    watched[number] = Watched(
      events: alarms, dueAt: now.advanced(byMilliseconds: Self.limitMilliseconds))
  }

  /// Stops watching a step; answers its alarms if they have not been handed out yet.
  mutating func settle(step number: Int64) -> [EncodedEvent] {
    watched.removeValue(forKey: number)?.events ?? []
  }

  /// Takes out the alarms that have waited too long, oldest step first.
  mutating func takeOverdue(at now: Tick) -> [EncodedEvent] {
    let overdue = watched.filter { $0.value.dueAt <= now }.keys.sorted()
    return overdue.flatMap { settle(step: $0) }
  }
}
