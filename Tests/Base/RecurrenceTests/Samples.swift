import CivilTime
import Moments
import Recurrence

/// Schedules and finders in few words.
enum Samples {
  /// A schedule that starts at a local time such as `2026-03-27T02:30`.
  static func schedule(
    _ start: String, _ rule: String?, zone: String = "Europe/Madrid", times: [String] = [],
    excluded: [String] = [], added: [String] = [],
    monthEnd: CalendarSchedule.MonthEnd = .skip
  ) throws -> CalendarSchedule {
    CalendarSchedule(
      start: try CivilDateTime(localText: start),
      rule: try rule.map { try RecurrenceRule(text: $0) },
      times: times.compactMap { TimeOfDay(text: $0) },
      excluded: try excluded.map { try CivilDateTime(localText: $0) },
      added: try added.map { try CivilDateTime(localText: $0) }, timeZone: zone, monthEnd: monthEnd)
  }

  /// The finder of a schedule in its own zone.
  static func finder(_ schedule: CalendarSchedule) throws -> OccurrenceFinder {
    try OccurrenceFinder(schedule, zone: try TimeZoneFile.load(name: schedule.timeZone))
  }

  /// The keys of the first slots of a schedule.
  static func keys(_ schedule: CalendarSchedule, _ count: Int) throws -> [String] {
    try finder(schedule).slots.prefix(count).map(\.key)
  }

  /// A moment in UTC.
  static func moment(_ text: String) throws -> Timestamp { try Timestamp(iso8601: text) }
}
