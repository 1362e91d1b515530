import Moments

/// Standard time and, in most zones that have it, the yearly rule of daylight saving time.
///
/// - Source: POSIX.1-2024, section 8.3, `TZ`; RFC 9636, section 3.3.1 for hours from -167 through 167.
struct PosixTimeZoneRule: Hashable, Sendable {
  /// Daylight saving time and the local times of year at which it starts and ends.
  struct DaylightSaving: Hashable, Sendable {
    var type: LocalTimeType
    /// Start, in standard time.
    var start: YearlyMoment
    /// End, in daylight saving time.
    var end: YearlyMoment
  }

  var standard: LocalTimeType
  var daylightSaving: DaylightSaving?

  /// What holds at a second since the Unix epoch.
  func type(at time: Int64) -> LocalTimeType {
    guard daylightSaving != nil else { return standard }
    let year = Self.year(of: time)
    let around = transitions(ofYears: year - 1...year + 1)
    return around.last { $0.time <= time }?.type ?? standard
  }

  /// The rule's transitions in a span of seconds, ascending.
  func transitions(after lower: Int64, through upper: Int64) -> [CivilTimeZone.Transition] {
    guard daylightSaving != nil else { return [] }
    let years = Self.year(of: lower) - 1...Self.year(of: upper) + 1
    return transitions(ofYears: years).filter { $0.time > lower && $0.time <= upper }
  }

  /// All of some years, ascending; of two at one second the later year's is last and wins.
  ///
  /// A rule of daylight saving time all year round ends and starts it at the same second.
  func transitions(ofYears years: ClosedRange<Int>) -> [CivilTimeZone.Transition] {
    guard let daylightSaving else { return [] }
    let all = years.flatMap { year in
      let start = daylightSaving.start.localSeconds(year: year) - Int64(standard.offsetSeconds)
      let end =
        daylightSaving.end.localSeconds(year: year) - Int64(daylightSaving.type.offsetSeconds)
      let pair = [
        CivilTimeZone.Transition(time: start, type: daylightSaving.type),
        CivilTimeZone.Transition(time: end, type: standard),
      ]
      return start <= end ? pair : pair.reversed()
    }
    return all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  static func year(of time: Int64) -> Int {
    let limit: Int64 = .max / 2000
    let milliseconds = min(max(time, -limit), limit) * 1000
    return CivilDateTime(utc: Timestamp(milliseconds: milliseconds)).year
  }
}

/// A local time that comes once a year.
struct YearlyMoment: Hashable, Sendable {
  /// How the day is named.
  enum Day: Hashable, Sendable {
    /// `Jn`: 1 through 365, 29 February never counted.
    case julianWithoutLeapDay(Int)
    /// `n`: 0 through 365, 29 February counted.
    case zeroBased(Int)
    /// `Mm.w.d`: month 1 through 12, week 1 through 5 (5 is the last), weekday 0 (Sunday) through 6.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  var day: Day
  /// Seconds after the day's midnight; may be negative or beyond a day.
  var secondsAfterMidnight: Int

  /// The moment in a year, in local seconds since 1970-01-01T00:00:00.
  func localSeconds(year: Int) -> Int64 {
    daysSinceEpoch(year: year) * 86_400 + Int64(secondsAfterMidnight)
  }

  private func daysSinceEpoch(year: Int) -> Int64 {
    let newYear = CivilDateTime(year: year, month: 1, day: 1).daysSinceEpoch
    switch day {
    case .zeroBased(let index): return newYear + Int64(index)
    case .julianWithoutLeapDay(let number):
      let leapDay = CivilDateTime.isLeapYear(year) && number >= 60 ? 1 : 0
      return newYear + Int64(number - 1 + leapDay)
    case .weekday(let month, let week, let weekday):
      let first = CivilDateTime(year: year, month: month, day: 1).daysSinceEpoch
      // 1970-01-01 was a Thursday, weekday 4.
      let firstWeekday = Int(((first + 4) % 7 + 7) % 7)
      let offset = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      let days = CivilDateTime.daysInMonth(month, year: year)
      return first + Int64(offset < days ? offset : offset - 7)
    }
  }
}
