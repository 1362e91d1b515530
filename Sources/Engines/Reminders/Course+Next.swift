import Care
import Moments

/// What comes next, as far as it follows from where the item stands.
extension Course {
  /// So long after a dose no other one counts as early, or pressing twice would be two doses.
  private static let longestPause: Int64 = 4 * 3_600_000

  /// The next due time that is not settled yet, by a trusted clock.
  func nextSlot(at now: Moment) -> DueSlot? {
    guard item.isOn else { return nil }
    switch dueTimes.own {
    case .calendar:
      var slot = dueTimes.next(afterJudged: judged(at: now.utc))
      while let found = slot, isSettled(found, at: now) {
        slot = dueTimes.next(after: found.instant)
      }
      return slot
    case .elapsed(let milliseconds, let first):
      guard open == nil else { return nil }
      var due = first
      if let last, !last.isEstimated {
        due = last.utc.advanced(byMilliseconds: milliseconds)
      }
      due = max(due, dueTimes.since.utc)
      return dueTimes.asked(DueSlot(key: due.iso8601, instant: due))
    case .asNeeded, .never, .unknown: return nil
    }
  }

  /// The same while the clock can be trusted; nil while it cannot.
  func trustedNext(at now: Moment) -> DueSlot? {
    now.quality.isTrusted ? nextSlot(at: now) : nil
  }

  /// Whether a due time is not to be judged again: it is open, somebody answered it, or it has passed under this key.
  ///
  /// One that nobody answered and that lies in the future once more, because the clock was ahead, is open again.
  func isSettled(_ slot: DueSlot, at now: Moment) -> Bool {
    guard let known = known(slot.key), known.reason != Occurrence.undoneReason else {
      return false
    }
    return !known.state.isFinal || !known.by.isEmpty || known.due <= now.utc
  }

  /// From when on something that is done counts for a due time.
  ///
  /// Within the time that its settings say, at most half of the way from the due time before, so that it is never the one
  /// before that was meant; or once it was announced; and never soon after it was done the last time.
  func earliest(_ next: DueSlot, by timing: ReminderSettings) -> Timestamp {
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
    if case .elapsed(let milliseconds, _) = dueTimes.own { return milliseconds }
    let before = dueTimes.latest(atOrBefore: next.instant.advanced(byMilliseconds: -1))
    if let before { return next.instant.milliseconds(since: before.instant) }
    return dueTimes.next(after: next.instant)?.instant.milliseconds(since: next.instant)
  }

  // MARK: Stock

  /// Whole days that the stock lasts; nil when nobody counts or nothing is due.
  func daysLeft(at utc: Timestamp) -> Int64? {
    guard let stock = item.stock, let doses = dueTimes.own.dosesInFourWeeks(after: utc)
    else { return nil }
    return stock.units.hundredths / max(1, stock.unitsPerDose.hundredths) * 28 / doses
  }

  /// Whether the stock lasts for so few days that caregivers are to know.
  func isLow(at utc: Timestamp) -> Bool {
    guard let stock = item.stock, let days = daysLeft(at: utc) else { return false }
    return days <= stock.warnDays
  }
}
