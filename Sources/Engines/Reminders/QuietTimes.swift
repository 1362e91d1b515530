import Care
import CivilTime
import Moments

/// How the due times of an item give way to quiet hours.
struct QuietTimes: Sendable {
  /// What decides; another rule moves due times that wait.
  struct Rule: Hashable, Sendable {
    var hours: DailyHours
    var policy: QuietPolicy
    var zone: String
  }

  let rule: Rule
  /// The zone of the clock that the quiet hours mean; nil while its rules are not known: nothing is moved then.
  let zone: CivilTimeZone?

  /// How long before the quiet hours something is asked, so that it can be said twice.
  static let leadMilliseconds: Int64 = 15 * 60_000
  private static let dayMilliseconds: Int64 = 86_400_000

  /// Whether due times are moved at all.
  var moves: Bool {
    switch rule.policy {
    case .before, .after, .nearest: zone != nil
    case .ask, .silent: false
    }
  }

  /// The furthest that a due time is moved ahead.
  static let longestAdvance = dayMilliseconds + leadMilliseconds

  /// When the quiet hours around a moment began and when they end; nil outside of them.
  func night(around moment: Timestamp) -> (start: Timestamp, end: Timestamp)? {
    guard let zone, let night = rule.hours.night(around: zone.local(at: moment).civil) else {
      return nil
    }
    // Where the clock jumps, the hours still hold the moment that lies in them.
    return (
      min(zone.instant(of: night.start), moment),
      max(zone.instant(of: night.end), moment.advanced(byMilliseconds: 1))
    )
  }

  /// When a due time is asked.
  ///
  /// - Parameters:
  ///   - times: all due times of the item, so that one that is asked for soon before the quiet hours stands for more.
  ///   - since: what was made or changed after the moment before the quiet hours is asked behind them.
  func asked(_ slot: DueSlot, among times: ItemTimes, since: Timestamp) -> DueSlot {
    guard moves, let night = night(around: slot.due) else { return slot }
    let ahead = slot.due.milliseconds(since: night.start)
    let left = night.end.milliseconds(since: slot.due)
    var slot = slot
    let isBefore = rule.policy == .before || rule.policy == .nearest && ahead <= left
    slot.instant = night.end
    if isBefore, case .calendar = times {
      var before = night.start.advanced(byMilliseconds: -Self.leadMilliseconds)
      let last = times.latest(atOrBefore: night.start.advanced(byMilliseconds: -1))
      if let last, last.due > before { before = last.due }
      // An interval is never made shorter, and what is over cannot be asked for any more.
      if before > since { slot.instant = before }
    }
    return slot
  }
}
