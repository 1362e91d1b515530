import Moments
public import Texts

/// Why a schedule cannot be used.
public struct ScheduleFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of fault.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A date or time does not exist in the calendar, or lies outside of the years 1900 through 2100.
    case dateInvalid = "date-invalid"
    /// A number is out of its range.
    case numberOutOfRange = "number-out-of-range"
    /// A list is too long.
    case listTooLong = "list-too-long"
    /// The zone has no name.
    case zoneMissing = "zone-missing"
    /// Parts that do not go together.
    case combination
    /// It would never be due.
    case noOccurrence = "no-occurrence"
  }

  /// The kind of fault.
  public var code: Code
  /// The member of the JSON form concerned, such as `start`.
  public var field: String
  /// One or two plain sentences: what is wrong, and what to do.
  public var message: Message

  /// The message.
  public var description: String { message.description }

  init(_ code: Code, _ field: String, _ message: Message) {
    self.code = code
    self.field = field
    self.message = message
  }
}

extension ScheduleFault {
  static func date(_ field: String) -> ScheduleFault {
    ScheduleFault(
      .dateInvalid, field,
      Message(
        "\"{field}\" has a date that does not exist or lies outside of 1900 to 2100. "
          + "Write one such as 2026-03-27T08:00.", ["field": field]))
  }

  static func tooMany(_ field: String, _ limit: Int) -> ScheduleFault {
    ScheduleFault(
      .listTooLong, field,
      Message(
        "\"{field}\" has more than {limit} entries. Make several schedules of it.",
        ["field": field, "limit": limit]))
  }

  static let zone = ScheduleFault(
    .zoneMissing, "timeZone", Message("The time zone is missing. Write one such as Europe/Madrid."))

  static let timesTwice = ScheduleFault(
    .combination, "times",
    Message(
      "Times of day are in the rule and beside it. Say them once: leave BYHOUR and BYMINUTE out, or \"times\"."
    ))

  static let timesInHours = ScheduleFault(
    .combination, "times",
    Message(
      "A rule that counts hours takes no times of day. Use FREQ=DAILY with times, or leave the times out."
    ))

  static func number(_ field: String, _ allowed: Message) -> ScheduleFault {
    ScheduleFault(
      .numberOutOfRange, field,
      Message("\"{field}\" must be {allowed}.", ["field": field, "allowed": allowed]))
  }

  /// It ends before it begins.
  public static let endsBeforeStart = ScheduleFault(
    .noOccurrence, "rrule",
    Message(
      "The schedule ends before it is due for the first time. Choose a later end (UNTIL) or an earlier start."
    ))

  /// Its days never come.
  public static let neverDue = ScheduleFault(
    .noOccurrence, "rrule",
    Message(
      "No day fits this rule, so it would never be due. Check its days, months and hours; 30 February, for example, "
        + "does not exist."))

  /// All that the rule gives is left out.
  public static let allExcluded = ScheduleFault(
    .noOccurrence, "excluded",
    Message(
      "All times of this schedule are left out, so it would never be due. Leave out fewer times, or choose \"never\"."
    ))
}

extension Schedule {
  /// What is wrong with the numbers, dates and lists; nil when nothing is.
  ///
  /// Whether it is ever due, and whether its zone exists, is not asked here.
  public var fault: ScheduleFault? {
    switch self {
    case .never: nil
    case .calendar(let calendar): calendar.fault
    case .elapsed(let elapsed): elapsed.fault
    case .asNeeded(let asNeeded): asNeeded.fault
    }
  }
}

extension CalendarSchedule {
  /// What is wrong with the dates and lists; nil when nothing is.
  public var fault: ScheduleFault? {
    if times.count > Self.maximumTimes { return .tooMany("times", Self.maximumTimes) }
    if excluded.count > Self.maximumDates { return .tooMany("excluded", Self.maximumDates) }
    if added.count > Self.maximumDates { return .tooMany("added", Self.maximumDates) }
    if !start.isSchedulable { return .date("start") }
    if !excluded.allSatisfy(\.isSchedulable) { return .date("excluded") }
    if !added.allSatisfy(\.isSchedulable) { return .date("added") }
    if let fault = zoneFault(timeZone) { return fault }
    guard let rule, !times.isEmpty else { return nil }
    if rule.frequency == .hourly { return .timesInHours }
    return rule.byHour.isEmpty && rule.byMinute.isEmpty ? nil : .timesTwice
  }
}

extension ElapsedSchedule {
  fileprivate var fault: ScheduleFault? {
    guard (1...525_600).contains(everyMinutes) else {
      return .number("everyMinutes", Message("from 1 to 525600 minutes (a year)"))
    }
    return first.isSchedulable ? zoneFault(timeZone) : .date("first")
  }
}

extension AsNeededSchedule {
  fileprivate var fault: ScheduleFault? {
    guard (0...525_600).contains(minimumGapMinutes) else {
      return .number("minimumGapMinutes", Message("from 0 to 525600 minutes (a year)"))
    }
    guard (1...100).contains(dailyMaximum) else {
      return .number("dailyMaximum", Message("from 1 to 100 times a day"))
    }
    return nil
  }
}

/// A name of 1 through 128 bytes may be a zone; whether it exists is for who has the database.
private func zoneFault(_ name: String) -> ScheduleFault? {
  (1...128).contains(name.utf8.count) ? nil : .zone
}

extension CivilDateTime {
  fileprivate var isSchedulable: Bool {
    isOnTheCalendar && CalendarSchedule.years.contains(year)
  }
}
