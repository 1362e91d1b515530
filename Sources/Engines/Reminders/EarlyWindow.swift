import Care
import Moments

/// From when on something that is done counts for a due time that lies ahead.
struct EarlyWindow {
  let times: DueTimes
  var closed: ClosedDues
  /// The due time that was announced before its time.
  let announced: String?
  let timing: ReminderSettings

  /// So long after a dose no other one counts as early, or pressing twice would be two doses.
  private static let longestPause: Int64 = 4 * 3_600_000

  /// Within the time that its settings say, at most half of the way from the due time before, so that it is never the one
  /// before that was meant; or once it was announced; and never soon after it was done the last time.
  func start(of next: DueSlot) -> Timestamp {
    let interval = interval(before: next)
    var window = timing.earlyMinutes * 60_000
    if let interval { window = min(window, interval / 2) }
    if announced == next.key { window = max(window, timing.noticeMinutes * 60_000) }
    let earliest = next.instant.advanced(byMilliseconds: -window)
    guard let done = closed.newestDone else { return earliest }
    let pause = min(interval.map { $0 / 2 } ?? 0, Self.longestPause)
    return min(next.instant, max(earliest, done.changedAt.advanced(byMilliseconds: pause)))
  }

  /// Milliseconds from the due time before; where there was none, to the one after.
  private func interval(before next: DueSlot) -> Int64? {
    if case .elapsed(let milliseconds, _) = times.own { return milliseconds }
    let before = times.latest(atOrBefore: next.instant.advanced(byMilliseconds: -1))
    if let before { return next.instant.milliseconds(since: before.instant) }
    return times.next(after: next.instant)?.instant.milliseconds(since: next.instant)
  }
}
