import CivilTime
import Moments

/// Which days of a month, and which months, a rule means; sets of small numbers as bits.
struct DayPattern: Hashable, Sendable {
  /// Bit 1 is January; 0 for every month.
  var months: UInt16 = 0
  /// Bit 1 is the first day.
  var daysFromStart: UInt32 = 0
  /// Bit 1 is the last day.
  var daysFromEnd: UInt32 = 0
  /// Bit 1 is Monday.
  var weekdays: UInt8 = 0
  /// The n-th weekdays of the month, or of the year.
  var ordinals: [RecurrenceRule.DayOfWeek] = []
  /// Whether ordinals count within the year.
  var countsInYear = false
  /// Whether a day that the month lacks means its last day.
  var usesLastDay = false

  /// The pattern of a rule, completed by the start's own day where the rule names none.
  init(_ rule: RecurrenceRule, start: CivilDateTime, usesLastDay: Bool) {
    self.usesLastDay = usesLastDay
    for month in rule.byMonth { months |= 1 << UInt16(month) }
    for day in rule.byMonthDay {
      if day > 0 { daysFromStart |= 1 << UInt32(day) } else { daysFromEnd |= 1 << UInt32(-day) }
    }
    for day in rule.byDay where day.ordinal == nil { weekdays |= day.weekday.bit }
    ordinals = rule.byDay.filter { $0.ordinal != nil }
    countsInYear = rule.frequency == .yearly && rule.byMonth.isEmpty
    guard rule.byDay.isEmpty, rule.byMonthDay.isEmpty else { return }
    switch rule.frequency {
    case .hourly, .daily: break
    case .weekly: weekdays = start.weekday.bit
    case .monthly: daysFromStart = 1 << UInt32(start.day)
    case .yearly:
      daysFromStart = 1 << UInt32(start.day)
      if rule.byMonth.isEmpty { months = 1 << UInt16(start.month) }
    }
  }

  /// Whether every day fits.
  var isEveryDay: Bool {
    months == 0 && daysFromStart == 0 && daysFromEnd == 0 && weekdays == 0 && ordinals.isEmpty
  }

  /// Whether a month is meant.
  func includes(month: Int) -> Bool { months == 0 || months & (1 << UInt16(month)) != 0 }

  /// Whether a day is meant, for rules without ordinals.
  func includes(day: Int64) -> Bool {
    if weekdays != 0, weekdays & Weekday(daysSinceEpoch: day).bit == 0 { return false }
    if months == 0, daysFromStart == 0, daysFromEnd == 0 { return true }
    let date = CivilDateTime(day: day)
    let length = CivilDateTime.daysInMonth(date.month, year: date.year)
    return includes(month: date.month)
      && monthDays(length: length) & (1 << UInt32(date.day)) != 0
  }

  /// The meant days of a month, as bits; bit 1 is the first day.
  ///
  /// - Parameters:
  ///   - firstDay: days since 1970-01-01 of the month's first day.
  ///   - yearDays: the days of ``yearOrdinals(year:)``, for rules that count within the year.
  func days(firstDay: Int64, length: Int, yearDays: [Int64]) -> UInt32 {
    let inMonth = monthDays(length: length)
    guard weekdays != 0 || !ordinals.isEmpty else { return inMonth }
    let first = Weekday(daysSinceEpoch: firstDay)
    var chosen: UInt32 = 0
    for weekday in Weekday.allCases where weekdays & weekday.bit != 0 {
      chosen |= Self.everySeventh(from: first.days(until: weekday) + 1)
    }
    if countsInYear {
      for day in yearDays where day >= firstDay && day < firstDay + Int64(length) {
        chosen |= 1 << UInt32(day - firstDay + 1)
      }
    } else {
      for ordinal in ordinals {
        let day = ordinal.day(after: first, length: length)
        if let day { chosen |= 1 << UInt32(day + 1) }
      }
    }
    return inMonth & chosen
  }

  /// The n-th weekdays of a year, as days since 1970-01-01.
  func yearOrdinals(year: Int) -> [Int64] {
    guard countsInYear, !ordinals.isEmpty else { return [] }
    let newYear = CivilDateTime(year: year, month: 1, day: 1).daysSinceEpoch
    let length = CivilDateTime.isLeapYear(year) ? 366 : 365
    let first = Weekday(daysSinceEpoch: newYear)
    return ordinals.compactMap { $0.day(after: first, length: length).map { newYear + Int64($0) } }
  }

  /// The days of a month that fit by their number, as bits.
  private func monthDays(length: Int) -> UInt32 {
    let all = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length + 1)) - 2)
    guard daysFromStart != 0 || daysFromEnd != 0 else { return all }
    var days = daysFromStart & all
    if usesLastDay, daysFromStart & ~all & ~1 != 0 { days |= 1 << UInt32(length) }
    var fromEnd = daysFromEnd & all
    while fromEnd != 0 {
      let number = fromEnd.trailingZeroBitCount
      days |= 1 << UInt32(length + 1 - number)
      fromEnd &= fromEnd - 1
    }
    return days
  }

  /// Days 1 through 7 and every seventh behind it, as bits.
  private static func everySeventh(from day: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(0x1020_4081) << UInt64(day))
  }
}

extension RecurrenceRule.DayOfWeek {
  /// Days from the first day of a span to the n-th such weekday in it; nil where the span has fewer.
  fileprivate func day(after first: Weekday, length: Int) -> Int? {
    guard let ordinal else { return nil }
    let earliest = first.days(until: weekday)
    let day: Int
    if ordinal > 0 {
      day = earliest + 7 * (ordinal - 1)
    } else {
      let latest = earliest + (length - 1 - earliest) / 7 * 7
      day = latest + 7 * (ordinal + 1)
    }
    return (0..<length).contains(day) ? day : nil
  }
}

extension Weekday {
  /// Bit 1 is Monday.
  var bit: UInt8 { 1 << UInt8(rawValue) }

  /// Days from this weekday to the next `other`, 0 through 6.
  func days(until other: Weekday) -> Int { (other.rawValue - rawValue + 7) % 7 }
}

extension CivilDateTime {
  /// Midnight of a day, counted from 1970-01-01.
  init(day: Int64) { self.init(utc: Timestamp(milliseconds: day * 86_400_000)) }

  /// A local time in seconds since 1970-01-01T00:00:00, as if it were UTC.
  init(wallSeconds: Int64) { self.init(utc: .seconds(wallSeconds)) }

  /// Seconds since 1970-01-01T00:00:00, as if it were UTC.
  var wallSeconds: Int64 {
    daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }
}
