import CivilTime
import Moments
import Recurrence

/// A due time of an item.
struct DueSlot: Hashable, Sendable {
  var key: String
  /// When it is asked.
  var instant: Timestamp
  /// When the item's own times say it; another moment than ``instant`` where quiet hours moved it.
  var due: Timestamp

  init(key: String, instant: Timestamp) {
    self.key = key
    self.instant = instant
    due = instant
  }
}

/// When an item is due by its own rule.
enum ItemTimes: Sendable {
  /// By the calendar.
  case calendar(OccurrenceFinder)
  /// So many milliseconds after the last time, at first at a moment.
  case elapsed(milliseconds: Int64, first: Timestamp)
  /// When somebody wants it.
  case asNeeded(gapMilliseconds: Int64, dailyMaximum: Int64)
  /// Never.
  case never
  /// It cannot be said: the zone is not known on this machine.
  case unknown

  init(_ schedule: Schedule, zones: [String: CivilTimeZone]) {
    switch schedule {
    case .never: self = .never
    case .calendar(let calendar):
      guard let zone = zones[calendar.timeZone],
        let finder = try? OccurrenceFinder(calendar, zone: zone)
      else {
        self = .unknown
        return
      }
      self = .calendar(finder)
    case .elapsed(let elapsed):
      guard let zone = zones[elapsed.timeZone] else {
        self = .unknown
        return
      }
      self = .elapsed(
        milliseconds: elapsed.everyMinutes * 60_000, first: zone.instant(of: elapsed.first))
    case .asNeeded(let asNeeded):
      self = .asNeeded(
        gapMilliseconds: asNeeded.minimumGapMinutes * 60_000,
        dailyMaximum: Int64(asNeeded.dailyMaximum))
    }
  }

  /// The first due time by the calendar after a moment; nil for other kinds and when there is none.
  func next(after moment: Timestamp) -> DueSlot? {
    guard case .calendar(let finder) = self, let slot = finder.next(after: moment) else {
      return nil
    }
    return DueSlot(key: slot.key, instant: slot.instant)
  }

  /// Due times by the calendar in a span, its end included, at most `limit`.
  func slots(from start: Timestamp, through end: Timestamp, limit: Int) -> [DueSlot] {
    guard case .calendar(let finder) = self else { return [] }
    return finder.slots(from: start, to: end.advanced(byMilliseconds: 1), limit: limit).map {
      DueSlot(key: $0.key, instant: $0.instant)
    }
  }

  /// The last due time by the calendar at or before a moment.
  func latest(atOrBefore moment: Timestamp) -> DueSlot? {
    guard case .calendar(let finder) = self, let slot = finder.latest(atOrBefore: moment) else {
      return nil
    }
    return DueSlot(key: slot.key, instant: slot.instant)
  }

  /// Doses in four weeks, for what a stock lasts; as-needed counts with its daily maximum. Nil when nothing is due.
  func dosesInFourWeeks(after moment: Timestamp) -> Int64? {
    let span: Int64 = 28 * 86_400_000
    switch self {
    case .calendar:
      let end = moment.advanced(byMilliseconds: span)
      let count = Int64(slots(from: moment, through: end, limit: 28 * 48).count)
      // Summer time or the very edge may bring one more or less than so many each day.
      let daily = (count + 1) / 28 * 28
      return count == 0 ? nil : daily > 0 && (daily - count).magnitude <= 1 ? daily : count
    case .elapsed(let milliseconds, _): return max(1, span / max(60_000, milliseconds))
    case .asNeeded(_, let dailyMaximum): return 28 * dailyMaximum
    case .never, .unknown: return nil
    }
  }
}

extension Schedule {
  /// The same local times in another zone.
  func moved(to zone: String) -> Schedule {
    switch self {
    case .never, .asNeeded: return self
    case .calendar(var calendar):
      calendar.timeZone = zone
      return .calendar(calendar)
    case .elapsed(var elapsed):
      elapsed.timeZone = zone
      return .elapsed(elapsed)
    }
  }
}
