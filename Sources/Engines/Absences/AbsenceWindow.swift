public import Care
public import CivilTime
public import Moments
import Recurrence

/// One time that an absence is on: from its beginning to the moment from which somebody worries.
public struct AbsenceWindow: Hashable, Sendable {
  /// When it begins.
  public var from: Timestamp
  /// When the resident is expected back.
  public var until: Timestamp
  /// From when on somebody worries: ``until`` and the grace.
  public var limit: Timestamp

  /// A window from its parts, in ascending order.
  public init(from: Timestamp, until: Timestamp, limit: Timestamp) {
    self.from = from
    self.until = until
    self.limit = limit
  }

  /// Whether the absence is on at a moment; at the limit itself it is over.
  public func contains(_ moment: Timestamp) -> Bool { from <= moment && moment < limit }
}

/// The windows of one absence in the zone that its resident lives by.
///
/// Beginning and end are found by the rules that hold for the routine: a time that the clock jumps over is read by the
/// offset before the jump, of one that comes twice the first is meant, so that somebody worries rather too early.
public struct AbsenceTimes: Sendable {
  private let absence: Absence
  private let zone: CivilTimeZone
  private let finder: OccurrenceFinder

  /// The windows of an absence; nil where its date lies outside of the years that schedules know.
  public init?(_ absence: Absence, zone: CivilTimeZone) {
    guard let finder = try? OccurrenceFinder(Self.schedule(absence, zone.name), zone: zone) else {
      return nil
    }
    self.absence = absence
    self.zone = zone
    self.finder = finder
  }

  /// The window that a moment lies in, else the next one; nil when there is none any more.
  public func window(atOrAfter moment: Timestamp) -> AbsenceWindow? {
    if let slot = finder.latest(atOrBefore: moment) {
      let running = window(slot)
      if moment < running.limit { return running }
    }
    return finder.next(after: moment).map(window)
  }

  /// The windows from a moment on, the one that it lies in first; at most `count`.
  public func windows(atOrAfter moment: Timestamp, count: Int) -> [AbsenceWindow] {
    var found: [AbsenceWindow] = []
    var next = window(atOrAfter: moment)
    while let window = next, found.count < count {
      found.append(window)
      next = finder.next(after: window.from).map(self.window)
    }
    return found
  }

  private func window(_ slot: Slot) -> AbsenceWindow {
    var end = slot.local
    (end.hour, end.minute) = (absence.until.hour, absence.until.minute)
    var until = zone.instant(of: end)
    // A beginning within the hour that the clock jumps over may come behind the end: then it lasts as long as it says.
    if until <= slot.instant {
      until = slot.instant.advanced(byMilliseconds: absence.lengthMinutes * 60_000)
    }
    return AbsenceWindow(
      from: slot.instant, until: until,
      limit: until.advanced(byMilliseconds: absence.graceMinutes * 60_000))
  }

  private static func schedule(_ absence: Absence, _ zone: String) throws -> CalendarSchedule {
    let date = absence.days.date ?? CivilDateTime(year: 2000, month: 1, day: 1)
    let start = CivilDateTime(
      year: date.year, month: date.month, day: date.day, hour: absence.from.hour,
      minute: absence.from.minute)
    let rule = try absence.days.weekdays.map {
      try RecurrenceRule(.weekly, byDay: $0.map { RecurrenceRule.DayOfWeek(nil, $0) })
    }
    return CalendarSchedule(start: start, rule: rule, timeZone: zone)
  }
}

extension Absence {
  /// Minutes from beginning to end by the clock on the wall; 0 or less for an absence that is refused.
  var lengthMinutes: Int64 {
    Int64((until.hour - from.hour) * 60 + until.minute - from.minute)
  }
}
