public import CivilTime
public import Moments

/// How something comes again: the subset of iCalendar's recurrence rules that a routine needs.
///
/// A value of this type is always valid: numbers are within their ranges, lists are sorted and hold nothing twice, and
/// the parts go together. Seconds, weeks of the year, days of the year and other calendars are not part of the subset.
///
/// - Source: RFC 5545, section 3.3.10.
public struct RecurrenceRule: Hashable, Sendable {
  /// The unit in which periods are counted.
  public enum Frequency: String, Hashable, Sendable, CaseIterable {
    /// Each period is an hour of the clock on the wall.
    case hourly = "HOURLY"
    /// Each period is a day.
    case daily = "DAILY"
    /// Each period is a week; see ``RecurrenceRule/weekStart``.
    case weekly = "WEEKLY"
    /// Each period is a month.
    case monthly = "MONTHLY"
    /// Each period is a year.
    case yearly = "YEARLY"
  }

  /// When the repetition ends.
  public enum End: Hashable, Sendable {
    /// Never.
    case forever
    /// After so many times, 1 through 100,000.
    case count(Int)
    /// With the last time at or before a local time, in the schedule's own zone.
    case untilLocal(CivilDateTime)
    /// With the last time at or before a moment; whole seconds.
    case untilUTC(Timestamp)
    /// With the last time on or before a day; the time of day is midnight and says nothing.
    ///
    /// RFC 5545 asks for a time where the start has one; people write the day nevertheless, and mean all of it.
    case untilDate(CivilDateTime)
  }

  /// A weekday, or the n-th of them in the month or year.
  public struct DayOfWeek: Hashable, Sendable {
    /// 1 for the first, -1 for the last; nil for each.
    public let ordinal: Int?
    /// The weekday.
    public let weekday: Weekday

    /// A weekday, by itself or the n-th.
    public init(_ ordinal: Int? = nil, _ weekday: Weekday) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// The unit of periods.
  public let frequency: Frequency
  /// Every how many units, 1 through 10,000.
  public let interval: Int
  /// When it ends.
  public let end: End
  /// Months, 1 through 12; empty for no limit.
  public let byMonth: [Int]
  /// Days of the month, 1 through 31, or -1 through -31 counted from its end.
  public let byMonthDay: [Int]
  /// Weekdays.
  public let byDay: [DayOfWeek]
  /// Hours, 0 through 23.
  public let byHour: [Int]
  /// Minutes, 0 through 59.
  public let byMinute: [Int]
  /// Which of a period's times are meant, 1 through 366 from its start, -1 through -366 from its end; empty for all.
  public let bySetPosition: [Int]
  /// The day on which weeks begin.
  public let weekStart: Weekday

  /// A rule from its parts, in any order and with repetitions.
  ///
  /// - Throws: ``RecurrenceFault`` when a number is out of range, a list too long, or parts do not go together.
  public init(
    _ frequency: Frequency, interval: Int = 1, end: End = .forever, byMonth: [Int] = [],
    byMonthDay: [Int] = [], byDay: [DayOfWeek] = [], byHour: [Int] = [], byMinute: [Int] = [],
    bySetPosition: [Int] = [], weekStart: Weekday = .monday
  ) throws(RecurrenceFault) {
    for part in [byMonth, byMonthDay, byHour, byMinute, bySetPosition]
    where part.count > Self.maximumListCount {
      throw .listTooLong
    }
    if byDay.count > Self.maximumListCount { throw .listTooLong }
    self.frequency = frequency
    self.interval = interval
    self.end = end.normalised
    self.byMonth = Self.sorted(byMonth)
    self.byMonthDay = Self.sorted(byMonthDay)
    self.byDay = Set(byDay).sorted()
    self.byHour = Self.sorted(byHour)
    self.byMinute = Self.sorted(byMinute)
    self.bySetPosition = Self.sorted(bySetPosition)
    self.weekStart = weekStart
    try checkNumbers()
    try checkCombination()
    if text.utf8.count > Self.maximumTextBytes { throw .tooLong }
  }

  /// The rule "every hour", "every day" and so on, for ever.
  public static func every(_ frequency: Frequency) -> RecurrenceRule {
    RecurrenceRule(plain: frequency, end: .forever)
  }

  /// The same rule with another end.
  ///
  /// - Throws: ``RecurrenceFault`` when the count is out of range or the end is no date.
  public func ending(_ end: End) throws(RecurrenceFault) -> RecurrenceRule {
    try RecurrenceRule(
      frequency, interval: interval, end: end, byMonth: byMonth, byMonthDay: byMonthDay,
      byDay: byDay, byHour: byHour, byMinute: byMinute, bySetPosition: bySetPosition,
      weekStart: weekStart)
  }

  private init(plain frequency: Frequency, end: End) {
    self.frequency = frequency
    interval = 1
    self.end = end
    byMonth = []
    byMonthDay = []
    byDay = []
    byHour = []
    byMinute = []
    bySetPosition = []
    weekStart = .monday
  }

  /// Without repetitions; those from the start first, ascending.
  private static func sorted(_ numbers: [Int]) -> [Int] {
    Set(numbers).sorted { ($0 < 0 ? 1 : 0, $0) < ($1 < 0 ? 1 : 0, $1) }
  }
}

// MARK: Limits

extension RecurrenceRule {
  /// The longest text of a rule, in bytes.
  public static let maximumTextBytes = 1000
  /// How many entries a list may have.
  public static let maximumListCount = 100
  /// Every how many units at most.
  public static let intervals = 1...10_000
  /// How many times at most.
  public static let counts = 1...100_000
  /// Years in which an end may lie.
  static let endYears = 1900...9999

  private func checkNumbers() throws(RecurrenceFault) {
    guard Self.intervals.contains(interval) else { throw .interval }
    switch end {
    case .forever: break
    case .count(let count): guard Self.counts.contains(count) else { throw .count }
    case .untilLocal(let local), .untilDate(let local):
      guard local.isOnTheCalendar, Self.endYears.contains(local.year) else { throw .until }
    case .untilUTC(let moment):
      let bounds = Self.endMilliseconds
      guard bounds.contains(moment.milliseconds) else { throw .until }
    }
    guard byMonth.allSatisfy((1...12).contains) else { throw .month }
    guard byMonthDay.allSatisfy({ Self.isPosition($0, 31) }) else { throw .monthDay }
    guard byHour.allSatisfy((0...23).contains) else { throw .hour }
    guard byMinute.allSatisfy((0...59).contains) else { throw .minute }
    guard bySetPosition.allSatisfy({ Self.isPosition($0, 366) }) else { throw .setPosition }
  }

  private func checkCombination() throws(RecurrenceFault) {
    let ordinals = byDay.compactMap(\.ordinal)
    if !ordinals.isEmpty {
      guard frequency == .monthly || frequency == .yearly else { throw .ordinalNeedsMonth }
      let isInMonth = frequency == .monthly || !byMonth.isEmpty
      guard ordinals.allSatisfy({ Self.isPosition($0, isInMonth ? 5 : 53) }) else {
        throw .ordinal(upTo: isInMonth ? 5 : 53)
      }
    }
    if frequency == .weekly, !byMonthDay.isEmpty { throw .monthDayInWeek }
    let isChosenFrom = [byMonth, byMonthDay, byHour, byMinute].contains { !$0.isEmpty }
    if !bySetPosition.isEmpty, byDay.isEmpty, !isChosenFrom { throw .setPositionAlone }
  }

  /// Whether a number is in 1 through `limit`, counted from the start or, negative, from the end.
  private static func isPosition(_ number: Int, _ limit: Int) -> Bool {
    (1...limit).contains(number) || (-limit...(-1)).contains(number)
  }

  private static var endMilliseconds: ClosedRange<Int64> {
    let first = CivilDateTime(year: endYears.lowerBound, month: 1, day: 1)
    let last = CivilDateTime(
      year: endYears.upperBound, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    return first.asUTC.milliseconds...last.asUTC.milliseconds
  }
}

extension RecurrenceRule.End {
  /// A day at its midnight, a moment in whole seconds.
  fileprivate var normalised: RecurrenceRule.End {
    switch self {
    case .forever, .count, .untilLocal: self
    case .untilDate(let day):
      .untilDate(CivilDateTime(year: day.year, month: day.month, day: day.day))
    case .untilUTC(let moment):
      .untilUTC(
        Timestamp(milliseconds: moment.milliseconds.flooredDivision(by: 1000).quotient * 1000))
    }
  }
}

extension RecurrenceRule.DayOfWeek: Comparable {
  /// Plain weekdays come first, then those counted from the start, then those counted from the end.
  public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

  private var order: (Int, Int, Int) {
    let rank = ordinal.map { $0 < 0 ? 2 : 1 } ?? 0
    return (rank, ordinal ?? 0, weekday.rawValue)
  }
}
