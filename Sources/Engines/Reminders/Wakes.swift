import Care
import Moments

/// When an item wants to be looked at; nil for each that it does not wait for.
struct Wake: Sendable {
  let item: RoutineItemID
  /// When the wall clock brings something.
  var due: Timestamp?
  /// When a wait of its open due time ends.
  var wait: Tick?
}

/// When the items want to be looked at: by the wall clock, while it is trusted, and by ticks.
struct Wakes: Sendable {
  /// When items are due, by the wall clock.
  private var dueQueue = WakeQueue<Timestamp>()
  /// When waits of open due times end.
  private var waitQueue = WakeQueue<Tick>()
  private var isClockTrusted: Bool
  /// The wall clock less the ticks, in milliseconds, as it was last.
  private var clockOffset: Int64

  /// Items that one step looks at; the rest follows in a step of its own at once.
  private static let itemsAStep = 2_000

  init(at now: Moment) {
    clockOffset = Self.offset(now)
    isClockTrusted = now.quality.isTrusted
  }

  /// The tick at which the first item wants to be looked at; nil for never.
  var next: Tick? {
    var due: Tick?
    if isClockTrusted, let first = dueQueue.first {
      let (milliseconds, overflows) = first.milliseconds.subtractingReportingOverflow(clockOffset)
      due = overflows ? nil : Tick(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
    }
    return .soonest(due, waitQueue.first)
  }

  mutating func set(_ wake: Wake) {
    dueQueue.set(wake.item, wake.due)
    waitQueue.set(wake.item, wake.wait)
  }

  /// Takes the items that are due by the wall clock.
  mutating func takeDue(at now: Moment) -> [RoutineItemID] {
    guard isClockTrusted else { return [] }
    return dueQueue.take(through: now.utc, limit: Self.itemsAStep)
  }

  /// Takes the items of which a wait has ended.
  mutating func takeWaits(at now: Moment) -> [RoutineItemID] {
    waitQueue.take(through: now.tick, limit: Self.itemsAStep)
  }

  /// Takes how the clock is now; says whether it was set, or became trusted, since the last time.
  mutating func note(_ now: Moment) -> Bool {
    let offset = Self.offset(now)
    defer {
      clockOffset = offset
      isClockTrusted = now.quality.isTrusted
    }
    guard now.quality.isTrusted else { return false }
    // Slewing moves a clock by far less between two steps.
    return !isClockTrusted || (clockOffset &- offset).magnitude > 1_000
  }

  private static func offset(_ now: Moment) -> Int64 {
    let ticks = now.tick.milliseconds(since: Tick(nanoseconds: 0))
    let (difference, overflows) = now.utc.milliseconds.subtractingReportingOverflow(ticks)
    return overflows ? 0 : difference
  }
}
