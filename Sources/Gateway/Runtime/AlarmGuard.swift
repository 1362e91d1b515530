import Care
import Moments

/// Sees to it that an alarm goes out when the disk does not answer in time.
///
/// Every step with alarm-lane events, with something to do outside that a power cut must not forget, or of a command that
/// is of this minute, is watched until its commit; when that fails or takes longer than the limit, its events are handed
/// out once from memory, the deeds are done, and who waits is answered. The store keeps the step and writes it when the disk answers.
struct AlarmGuard {
  /// What waits for a commit.
  struct Held {
    /// Alarm-lane events.
    var events: [EncodedEvent] = []
    /// What to do outside.
    var actions: [Action] = []
    /// Steps whose command is to be answered.
    var answers: [Int64] = []

    /// Appends what another step holds.
    mutating func append(_ other: Held) {
      events += other.events
      actions += other.actions
      answers += other.answers
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

  /// Watches the alarm-lane events of a step, what is to be done outside, and whether somebody waits for an answer.
  mutating func watch(
    step number: Int64, events: [EncodedEvent], actions: [Action] = [], isAwaited: Bool = false,
    at now: Tick
  ) {
    let alarms = events.filter { $0.lane == .alarm }
    guard !alarms.isEmpty || !actions.isEmpty || isAwaited else { return }
    watched[number] = Watched(
      held: Held(events: alarms, actions: actions, answers: isAwaited ? [number] : []),
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
