import Moments

/// A time of the plugin's own that goes on evenly, whatever somebody does to the system's clock.
///
/// Who was told in 1970 is not forgotten when network time arrives a minute later.
struct SteadyTime: Hashable, Sendable {
  private let began: Timestamp
  private let beganAt: Tick

  /// Goes on from the later of what the clock shows and what was written down last.
  init(now: Timestamp, notBefore newest: Timestamp?, at tick: Tick) {
    began = max(now, newest ?? now)
    beganAt = tick
  }

  /// The time at a tick.
  func time(at tick: Tick) -> Timestamp {
    began.advanced(byMilliseconds: tick.milliseconds(since: beganAt))
  }
}

/// The time as the message centres tell it in passing, for judging how old a message is without a clock of one's own.
struct NetworkTime: Hashable, Sendable {
  private var newest: Timestamp?

  /// Notes a time that a message centre gave.
  mutating func note(_ time: Timestamp) { newest = newest.map { max($0, time) } ?? time }

  /// How old a message is at least, in milliseconds; a clock that nobody keeps right does not make it younger.
  func age(of sent: Timestamp, at now: Timestamp, isClockKept: Bool) -> Int64 {
    guard !isClockKept, let newest else { return now.milliseconds(since: sent) }
    return max(now, newest).milliseconds(since: sent)
  }
}
