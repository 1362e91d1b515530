import CivilTime
import Moments

/// Expands a rule into local times, period by period, in whole seconds as if they were UTC.
///
/// A period is found by division, never by walking from the start, and a period without a meant day is left by its
/// month or day at once: finding the next time after any moment takes a few steps.
struct RuleExpander: Hashable, Sendable {
  /// No time is given at or after this year.
  static let endYear = CalendarSchedule.years.upperBound + 1
  /// How many periods without any time are looked at before the search is given up; more than any rule has that ever
  /// is due again.
  static let maximumEmptyPeriods = 100_000

  let frequency: RecurrenceRule.Frequency
  let interval: Int64
  let pattern: DayPattern
  /// Bit 0 is midnight; 0 for every hour. Of hourly rules only.
  let hours: UInt32
  /// Seconds after midnight, ascending; of hourly rules seconds after the hour.
  let clockTimes: [Int32]
  /// ``RecurrenceRule/bySetPosition``.
  let positions: [Int]
  /// Whether positions choose among days, each with all its clock times, instead of among single times.
  let choosesDays: Bool
  /// Nothing is given before it.
  let first: Int64
  /// Nothing is given behind it.
  private(set) var last: Int64
  /// The period of ``last``.
  private(set) var lastPeriod: Int64 = 0
  /// The start's year, month since year 0, first day of its week, day, or hour since 1970, after ``frequency``.
  let origin: Int64

  /// The expander of a schedule that has a rule and no fault; nil for one that happens once.
  init?(_ schedule: CalendarSchedule) {
    guard let rule = schedule.rule else { return nil }
    let start = schedule.start
    frequency = rule.frequency
    interval = Int64(rule.interval)
    pattern = DayPattern(rule, start: start, usesLastDay: schedule.monthEnd == .lastDay)
    hours = frequency == .hourly ? rule.byHour.reduce(0) { $0 | 1 << UInt32($1) } : 0
    clockTimes = Self.clockTimes(schedule, rule)
    positions = rule.bySetPosition
    choosesDays = !schedule.times.isEmpty
    first = choosesDays ? start.daysSinceEpoch * 86_400 : start.wallSeconds
    origin = Self.origin(rule, start)
    last = CivilDateTime(year: Self.endYear, month: 1, day: 1).wallSeconds - 1
    lastPeriod = period(of: last)
    switch rule.end {
    case .forever: break
    case .untilLocal(let local): last = min(last, local.wallSeconds)
    case .untilDate(let day): last = min(last, day.wallSeconds + 86_399)
    // Local time is less than 26 hours ahead of UTC; the moment itself is compared where zones are known.
    case .untilUTC(let moment): last = min(last, moment.milliseconds / 1000 + 26 * 3600)
    case .count(let count): last = lastTime(ofCount: count * (choosesDays ? clockTimes.count : 1))
    }
    lastPeriod = period(of: last)
  }

  private static func clockTimes(_ schedule: CalendarSchedule, _ rule: RecurrenceRule) -> [Int32] {
    let start = schedule.start
    if !schedule.times.isEmpty {
      return Set(schedule.times).sorted().map { Int32($0.hour * 3600 + $0.minute * 60) }
    }
    let minutes = rule.byMinute.isEmpty ? [start.minute] : rule.byMinute
    let hourly = minutes.map { Int32($0 * 60 + start.second) }
    if rule.frequency == .hourly { return hourly }
    let hours = rule.byHour.isEmpty ? [start.hour] : rule.byHour
    return hours.flatMap { hour in hourly.map { $0 + Int32(hour * 3600) } }
  }

  private static func origin(_ rule: RecurrenceRule, _ start: CivilDateTime) -> Int64 {
    let day = start.daysSinceEpoch
    switch rule.frequency {
    case .hourly: return day * 24 + Int64(start.hour)
    case .daily: return day
    case .weekly: return day - Int64(rule.weekStart.days(until: start.weekday))
    case .monthly: return Int64(start.year * 12 + start.month - 1)
    case .yearly: return Int64(start.year)
    }
  }
}

// MARK: Periods

extension RuleExpander {
  /// The times of one period, ascending.
  struct Times {
    /// Days since 1970-01-01; of hourly rules hours.
    var days: [Int64] = []
    /// Indices of the chosen days or times; nil for all.
    var chosen: [Int]?
  }

  /// The number of the period that holds a local time, or of the one before it; at least 0.
  func period(of wall: Int64) -> Int64 {
    let day = wall.flooredQuotient(by: 86_400)
    let unit: Int64
    switch frequency {
    case .hourly: unit = wall.flooredQuotient(by: 3600)
    case .daily: unit = day
    case .weekly: return max(0, (day - origin).flooredQuotient(by: 7 * interval))
    case .monthly, .yearly:
      let date = CivilDateTime(day: day)
      unit = frequency == .yearly ? Int64(date.year) : Int64(date.year * 12 + date.month - 1)
    }
    return max(0, (unit - origin).flooredQuotient(by: interval))
  }

  /// The times of a period, those beyond the rule's bounds included; `next` is the nearest other period in the
  /// direction of `step` that may have some.
  func times(ofPeriod period: Int64, step: Int64) -> (times: Times, next: Int64) {
    let unit = origin + period * (frequency == .weekly ? 7 * interval : interval)
    switch frequency {
    case .hourly: return timesOfHour(unit, period, step)
    case .daily:
      if pattern.includes(day: unit) { return (chosen(from: [unit]), period + step) }
      return (Times(), skip(fromDay: unit, period, step))
    case .weekly:
      let days = (unit..<unit + 7).filter { pattern.includes(day: $0) }
      return (chosen(from: days), period + step)
    case .monthly:
      let year = unit.flooredQuotient(by: 12)
      let month = Int(unit - year * 12) + 1
      let found = days(ofMonth: month, year: Int(year), yearDays: [])
      return (chosen(from: found), period + step)
    case .yearly:
      let yearDays = pattern.yearOrdinals(year: Int(unit))
      let all = (1...12).flatMap { days(ofMonth: $0, year: Int(unit), yearDays: yearDays) }
      return (chosen(from: all), period + step)
    }
  }

  private func timesOfHour(
    _ hour: Int64, _ period: Int64, _ step: Int64
  ) -> (times: Times, next: Int64) {
    let day = hour.flooredQuotient(by: 24)
    guard pattern.includes(day: day) else { return (Times(), skip(fromDay: day, period, step)) }
    let isMeant = hours == 0 || hours & (1 << UInt32(hour - day * 24)) != 0
    return (isMeant ? chosen(from: [hour]) : Times(), period + step)
  }

  private func days(ofMonth month: Int, year: Int, yearDays: [Int64]) -> [Int64] {
    guard pattern.includes(month: month) else { return [] }
    let firstDay = CivilDateTime(year: year, month: month, day: 1).daysSinceEpoch
    let length = CivilDateTime.daysInMonth(month, year: year)
    var bits = pattern.days(firstDay: firstDay, length: length, yearDays: yearDays)
    var days: [Int64] = []
    while bits != 0 {
      days.append(firstDay + Int64(bits.trailingZeroBitCount) - 1)
      bits &= bits - 1
    }
    return days
  }

  /// The nearest period in a direction that is not on a day which does not fit, or in a month which does not.
  private func skip(fromDay day: Int64, _ period: Int64, _ step: Int64) -> Int64 {
    var target = day + step
    let date = CivilDateTime(day: day)
    if !pattern.includes(month: date.month) {
      let length = CivilDateTime.daysInMonth(date.month, year: date.year)
      target = step > 0 ? day + Int64(length - date.day + 1) : day - Int64(date.day)
    }
    let isHourly = frequency == .hourly
    if step > 0 {
      let distance = (isHourly ? target * 24 : target) - origin
      return max(period + 1, -(-distance).flooredQuotient(by: interval))
    }
    let distance = (isHourly ? target * 24 + 23 : target) - origin
    return min(period - 1, distance.flooredQuotient(by: interval))
  }

  private func chosen(from days: [Int64]) -> Times {
    guard !positions.isEmpty else { return Times(days: days, chosen: nil) }
    let count = choosesDays ? days.count : days.count * clockTimes.count
    let indices = positions.compactMap { position in
      let index = position > 0 ? position - 1 : count + position
      return (0..<count).contains(index) ? index : nil
    }
    return Times(days: days, chosen: Set(indices).sorted())
  }

  /// How many times a period has.
  func count(_ times: Times) -> Int {
    let entries = times.chosen?.count ?? times.days.count
    return choosesDays || times.chosen == nil ? entries * clockTimes.count : entries
  }

  /// One of a period's times; `index` is within its count.
  func wall(_ times: Times, at index: Int) -> Int64 {
    var place = index
    if let chosen = times.chosen {
      place =
        choosesDays
        ? chosen[index / clockTimes.count] * clockTimes.count + index % clockTimes.count
        : chosen[index]
    }
    let day = times.days[place / clockTimes.count]
    return day * (frequency == .hourly ? 3600 : 86_400)
      + Int64(clockTimes[place % clockTimes.count])
  }
}

// MARK: Counts

extension RuleExpander {
  /// The local time at which a rule ends that gives so many.
  private func lastTime(ofCount count: Int) -> Int64 {
    if let regular = lastTimeOfRegular(count: count) { return min(last, regular) }
    var walk = RuleWalk(self, from: first, step: 1)
    var remaining = count
    while remaining > 0, let times = walk.nextPeriod() {
      let size = self.count(times)
      var index = 0
      while index < size, wall(times, at: index) < first { index += 1 }
      if size - index >= remaining { return min(last, wall(times, at: index + remaining - 1)) }
      remaining -= size - index
    }
    return last
  }

  /// As ``lastTime(ofCount:)`` by division, where every period has as many times as any other; nil elsewhere.
  private func lastTimeOfRegular(count: Int) -> Int64? {
    let isRegular =
      frequency == .weekly
      ? pattern.months == 0
      : frequency != .monthly && frequency != .yearly && pattern.isEveryDay && hours == 0
    guard isRegular else { return nil }
    let times = times(ofPeriod: 0, step: 1).times
    let size = self.count(times)
    guard size > 0 else { return nil }
    var skipped = 0
    while skipped < size, wall(times, at: skipped) < first { skipped += 1 }
    let index = Int64(skipped + count - 1)
    let period = index / Int64(size)
    let length = frequency == .weekly ? 7 * 86_400 : frequency == .daily ? 86_400 : 3600
    return wall(times, at: Int(index % Int64(size))) + period * interval * Int64(length)
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity; the divisor is positive.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
