/// A date and time of day in the proleptic Gregorian calendar, without a zone.
public struct CivilDateTime: Hashable, Sendable {
  /// Astronomical year (0 is 1 BC).
  public var year: Int
  /// 1 through 12.
  public var month: Int
  /// 1 through 31.
  public var day: Int
  /// 0 through 23.
  public var hour: Int
  /// 0 through 59.
  public var minute: Int
  /// 0 through 59 (a leap second 60 reads as the next minute).
  public var second: Int
  /// 0 through 999.
  public var millisecond: Int

  /// A date and time from its parts; the parts are not checked.
  public init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    millisecond: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
  }

  /// The civil date and time in UTC of a moment.
  ///
  /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  public init(utc timestamp: Timestamp) {
    let (days, milliseconds) = timestamp.milliseconds.flooredDivision(by: 86_400_000)
    let shifted = days + 719_468
    let (era, dayOfEra) = shifted.flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = Int(monthIndex < 10 ? monthIndex + 3 : monthIndex - 9)
    self.init(
      year: Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month: month,
      day: Int(dayOfYear - (153 * monthIndex + 2) / 5 + 1), hour: Int(milliseconds / 3_600_000),
      minute: Int(milliseconds / 60_000 % 60), second: Int(milliseconds / 1000 % 60),
      millisecond: Int(milliseconds % 1000))
  }

  /// Days from 1970-01-01 to this date; negative before it.
  ///
  /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  public var daysSinceEpoch: Int64 {
    let shiftedYear = Int64(year) - (month <= 2 ? 1 : 0)
    let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
    let dayOfYear = (153 * (Int64(month) + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// This date and time read as UTC.
  public var asUTC: Timestamp {
    let seconds = daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    return Timestamp(milliseconds: seconds * 1000 + Int64(millisecond))
  }

  /// Days in a month of a year; 0 for a month outside 1 through 12.
  public static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeapYear(year) ? 29 : 28
    default: 0
    }
  }

  /// Whether a year of the Gregorian calendar has a 29 February.
  public static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

extension CivilDateTime: Comparable {
  /// Earlier dates and times come first.
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    let dates = ((left.year, left.month, left.day), (right.year, right.month, right.day))
    if dates.0 != dates.1 { return dates.0 < dates.1 }
    return (left.hour, left.minute, left.second, left.millisecond)
      < (right.hour, right.minute, right.second, right.millisecond)
  }
}

extension FixedWidthInteger {
  /// Quotient and remainder rounded towards negative infinity, so that the remainder is never negative.
  public func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
