public import CivilTime
public import Moments

/// When something is due.
public enum Schedule: Hashable, Sendable {
  /// Never; it is written down only.
  case never
  /// At times of the calendar and the clock on the wall.
  case calendar(CalendarSchedule)
  /// So long after it was last done, whatever the clock on the wall does.
  case elapsed(ElapsedSchedule)
  /// When somebody wants it, within limits; nobody is reminded.
  case asNeeded(AsNeededSchedule)
}

extension Schedule {
  /// The zone that its local times are in; nil when it has none.
  public var timeZone: String? {
    switch self {
    case .never, .asNeeded: nil
    case .calendar(let calendar): calendar.timeZone
    case .elapsed(let elapsed): elapsed.timeZone
    }
  }
}

/// Times of the calendar and the clock on the wall, such as "every day at 08:00 and 20:00".
public struct CalendarSchedule: Hashable, Sendable {
  /// What happens in a month that lacks the day.
  public enum MonthEnd: String, Hashable, Sendable, CaseIterable {
    /// The month is skipped, as iCalendar does.
    case skip
    /// The last day of that month counts.
    case lastDay = "last-day"
  }

  /// Local date and time of the beginning; nothing is due before its date. Whole seconds, years 1900 through 2100.
  ///
  /// It is due itself only where the rule says so: "every Monday" that starts on a Friday begins on the Monday after.
  public var start: CivilDateTime
  /// How it comes again; nil for once.
  public var rule: RecurrenceRule?
  /// Times of day, at most 48; empty for the start's own time.
  ///
  /// Each is a series of its own that begins on the start's date: an end after three times means three times each.
  public var times: [TimeOfDay]
  /// Local times that are left out, at most 1,000 (`EXDATE`); they count towards the rule's count.
  public var excluded: [CivilDateTime]
  /// Local times that are due besides, at most 1,000 (`RDATE`).
  public var added: [CivilDateTime]
  /// The zone of all these local times, a name such as `Europe/Madrid`: that of the home, not of where the person is.
  public var timeZone: String
  /// What happens in a month that lacks day 29, 30 or 31.
  public var monthEnd: MonthEnd

  /// A schedule; see ``Schedule/fault`` for what may be wrong with it.
  public init(
    start: CivilDateTime, rule: RecurrenceRule? = nil, times: [TimeOfDay] = [],
    excluded: [CivilDateTime] = [], added: [CivilDateTime] = [], timeZone: String,
    monthEnd: MonthEnd = .skip
  ) {
    self.start = start
    self.rule = rule
    self.times = times
    self.excluded = excluded
    self.added = added
    self.timeZone = timeZone
    self.monthEnd = monthEnd
  }
}

/// So long after it was last done, such as "eight hours after the last dose"; summer time does not matter.
public struct ElapsedSchedule: Hashable, Sendable {
  /// Minutes from *done* to the next time it is due, 1 through 525,600 (a year).
  public var everyMinutes: Int64
  /// Local date and time when it is due first.
  public var first: CivilDateTime
  /// The zone of the first time.
  public var timeZone: String

  /// A schedule; see ``Schedule/fault`` for what may be wrong with it.
  public init(everyMinutes: Int64, first: CivilDateTime, timeZone: String) {
    self.everyMinutes = everyMinutes
    self.first = first
    self.timeZone = timeZone
  }
}

/// Limits of what is taken when somebody wants it.
public struct AsNeededSchedule: Hashable, Sendable {
  /// Minutes that have to pass before the next time, 0 through 525,600.
  public var minimumGapMinutes: Int64
  /// How many times a day at most, 1 through 100.
  public var dailyMaximum: Int

  /// A schedule; see ``Schedule/fault`` for what may be wrong with it.
  public init(minimumGapMinutes: Int64, dailyMaximum: Int) {
    self.minimumGapMinutes = minimumGapMinutes
    self.dailyMaximum = dailyMaximum
  }
}

extension CalendarSchedule {
  /// How many times of day there may be.
  public static let maximumTimes = 48
  /// How many times may be left out, and how many added.
  public static let maximumDates = 1000
  /// Years of which the calendar is known well enough.
  public static let years = 1900...2100

  /// The beginning of each series: the start, or its date at each of the times of day, ascending.
  public var starts: [CivilDateTime] {
    if times.isEmpty { return [start] }
    return Set(times).sorted().map { time in
      CivilDateTime(
        year: start.year, month: start.month, day: start.day, hour: time.hour, minute: time.minute)
    }
  }
}

// MARK: Exchange with calendars

extension CalendarSchedule {
  /// The days of the month behind the 28th that the rule asks for; nil where it asks for days of the month in no way.
  private var lateMonthDays: [Int]? {
    guard let rule, rule.frequency == .monthly || rule.frequency == .yearly else { return nil }
    if !rule.byMonthDay.isEmpty { return rule.byMonthDay.filter { $0 > 28 } }
    return rule.byDay.isEmpty ? [start.day].filter { $0 > 28 } : nil
  }

  /// The rule with ``monthEnd`` written into it, for calendars that know iCalendar's rules only.
  ///
  /// "Day 31, else the last day" becomes `BYMONTHDAY=28,29,30,31;BYSETPOS=-1`. Nil where it cannot be written as one
  /// rule, such as days 30 and 31 together; and for a schedule that happens once.
  public var exchangeRule: RecurrenceRule? {
    guard let rule, monthEnd == .lastDay else { return rule }
    guard let late = lateMonthDays else {
      return rule.byMonthDay.contains { $0 > 28 } ? nil : rule
    }
    if late.isEmpty { return rule }
    guard let target = late.first, late.count == 1, rule.bySetPosition.isEmpty,
      rule.byDay.isEmpty, rule.byMonthDay.allSatisfy({ $0 > 0 }),
      let (frequency, months) = monthByMonth(rule)
    else { return nil }
    // Positions count times, and each chosen day has as many of them.
    let timesADay = max(1, rule.byHour.count) * max(1, rule.byMinute.count)
    let early = rule.byMonthDay.filter { $0 <= 28 }
    let last = (1...timesADay).map { -$0 }
    let positions = Array(0..<early.count * timesADay).map { $0 + 1 } + last
    return try? RecurrenceRule(
      frequency, interval: rule.interval, end: rule.end, byMonth: months,
      byMonthDay: early + Array(28...target), byHour: rule.byHour, byMinute: rule.byMinute,
      bySetPosition: positions, weekStart: rule.weekStart)
  }

  /// Frequency and months with which each period has one month; nil where periods have several.
  private func monthByMonth(
    _ rule: RecurrenceRule
  ) -> (RecurrenceRule.Frequency, [Int])? {
    if rule.frequency == .monthly { return (.monthly, rule.byMonth) }
    let isOneMonth = rule.byMonth.count == 1 || rule.byMonth.isEmpty && rule.byMonthDay.isEmpty
    if isOneMonth { return (.yearly, rule.byMonth.isEmpty ? [start.month] : rule.byMonth) }
    return rule.interval == 1 ? (.monthly, rule.byMonth) : nil
  }
}
