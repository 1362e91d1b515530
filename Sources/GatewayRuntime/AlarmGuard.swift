import CareModel

/// Sees to it that an alarm goes out when the disk does not answer in time.
///
/// Every step with alarm-lane events, or with something to do outside that a power cut must not forget, is watched until
/// its commit; when that fails or takes longer than the limit, its events are handed out once from memory and the deeds
/// are done. The store keeps the step and writes it when the disk answers.
struct AlarmGuard {
  /// What waits for a commit.
  struct Held {
    /// Alarm-lane events.
    var events: [EncodedEvent] = []
    /// What to do outside.
    var actions: [Action] = []

    /// Appends what another step holds.
    mutating func append(_ other: Held) {
      events += other.events
      actions += other.actions
    }
  }

  private struct Watched {
    var held: Held
    var dueAt: Tick
  }

  /// The longest that an alarm waits for the disk, in milliseconds.
  static let limitMilliseconds: Int64 = 500

  private var watched: [Int64: Watched] = [:]

  /// When the next alarm has waited long enough.
  var nextDeadline: Tick? { watched.values.map(\.dueAt).min() }

  /// Watches the alarm-lane events of a step, and what is to be done outside.
  mutating func watch(
    step number: Int64, events: [EncodedEvent], actions: [Action] = [], at now: Tick
  ) {
    let alarms = events.filter { $0.lane == .alarm }
    guard !alarms.isEmpty || !actions.isEmpty else { return }
    watched[number] = Watched(
      held: Held(events: alarms, actions: actions),
      dueAt: now.advanced(byMilliseconds: Self.limitMilliseconds))
  }

  /// Stops watching a step; answers what has not been handed out yet.
  mutating func settle(step number: Int64) -> Held {
    watched.removeValue(forKey: number)?.held ?? Held()
  }

  /// Takes out what has waited too long, oldest step first.
  mutating func takeOverdue(at now: Tick) -> Held {
    let overdue = watched.filter { $0.value.dueAt <= now }.keys.sorted()
    var held = Held()
    for number in overdue { held.append(settle(step: number)) }
    return held
  }
}
