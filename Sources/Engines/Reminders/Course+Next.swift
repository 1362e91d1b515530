import Care
import Moments

/// What comes next, as far as it follows from where the item stands.
extension Course {
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

  /// From when on something that is done counts for a due time that lies ahead.
  func earlyWindow(_ timing: ReminderSettings) -> EarlyWindow {
    EarlyWindow(times: dueTimes, closed: closed, announced: announced, timing: timing)
  }

  // MARK: Stock

  /// Whole days that the stock lasts; nil when nobody counts or nothing is due.
  func daysLeft(at utc: Timestamp) -> Int64? { item.stock?.daysLeft(by: dueTimes.own, at: utc) }
}
