import Care
import JSON
import Moments

/// When a heartbeat holds the routine: the first after a start and after the clock was put right, then one each day.
struct Listing: Sendable {
  /// Between two heartbeats that hold the routine, in milliseconds: a day.
  private static let pauseMilliseconds: Int64 = 86_400_000

  /// The most items that a heartbeat holds.
  private static let itemsAtMost = 200

  private static let names = [
    "id", "resident", "title", "kind", "place", "isOn", "state", "occurrence", "slot", "due",
    "nextDue", "lastDone", "source",
  ]

  private var next: Tick
  /// Whether the clock was trusted when somebody last said how it does.
  private var isClockTrusted: Bool

  init(at now: Moment) {
    next = now.tick
    isClockTrusted = now.quality.isTrusted
  }

  /// What was listed without a clock had no next due times, or those of a wrong one.
  mutating func note(_ report: ClockReport, at now: Tick) {
    let isTrusted = report.quality.isTrusted
    if isTrusted, !isClockTrusted || report.stepMilliseconds != 0 { next = now }
    isClockTrusted = isTrusted
  }

  /// Whether it is the routine's turn now; the next turn is a day later then.
  mutating func takeTurn(at now: Tick) -> Bool {
    guard next <= now else { return false }
    next = now.advanced(byMilliseconds: Self.pauseMilliseconds)
    return true
  }

  /// What a heartbeat holds of the routine, which is listed with what is due first; nothing where there is none.
  static func members(_ all: [JSONValue]) -> [JSONMember] {
    if all.isEmpty { return [] }
    let listed = all.prefix(Self.itemsAtMost).map { summary in
      JSONValue.object(
        Self.names.compactMap { name in
          summary[name].map { JSONMember(key: name, value: $0) }
        })
    }
    return [
      JSONMember(key: "routine", value: .array(listed)),
      JSONMember(key: "routineIsComplete", value: .bool(listed.count == all.count)),
    ]
  }
}
