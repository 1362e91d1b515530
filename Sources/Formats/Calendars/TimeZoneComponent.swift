import CivilTime
import Moments

/// A `VTIMEZONE` for the years that an export needs.
///
/// Changes of the clock that follow one yearly rule from some year on stand as that rule; those before stand one by one.
///
/// - Source: RFC 5545, section 3.6.5.
struct TimeZoneComponent {
  /// One change of the clock.
  private struct Change: Hashable {
    /// Local time by the offset that held before.
    var wall: CivilDateTime
    var from: Int
    var to: Int
    var name: String
    var isDaylightSaving: Bool

    /// What the same change of other years has in common: month, weekday, time and offsets.
    func isLike(_ other: Change) -> Bool {
      wall.month == other.wall.month && wall.weekday == other.wall.weekday
        && (wall.hour, wall.minute, wall.second)
          == (other.wall.hour, other.wall.minute, other.wall.second)
        && (from, to, name, isDaylightSaving)
          == (other.from, other.to, other.name, other.isDaylightSaving)
    }
  }

  private let zone: CivilTimeZone
  private let first: CivilDateTime
  private let years: ClosedRange<Int>

  /// The zone from a local time on, through ten years from now.
  init(_ zone: CivilTimeZone, from first: CivilDateTime, now: Timestamp) {
    self.zone = zone
    self.first = first
    let thisYear = CivilDateTime(utc: now).year
    let start = max(1900, first.year - 1)
    years = start...max(start, min(2110, max(thisYear, first.year) + 10))
  }

  /// The lines of the component.
  var lines: [String] {
    let before = CivilDateTime(year: years.lowerBound, month: 1, day: 1)
    let initial = zone.local(at: before.asUTC)
    let start = Change(
      wall: before, from: initial.offsetSeconds, to: initial.offsetSeconds,
      name: initial.abbreviation, isDaylightSaving: initial.isDaylightSaving)
    let changes = self.changes
    let (single, yearly) = Self.split(changes, lastYear: years.upperBound)
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(zone.name)", "X-LIC-LOCATION:\(zone.name)"]
    for change in [start] + single { lines += Self.lines(change, rule: nil) }
    for (change, rule) in yearly { lines += Self.lines(change, rule: rule) }
    return lines + ["END:VTIMEZONE"]
  }

  private static func lines(_ change: Change, rule: String?) -> [String] {
    let word = change.isDaylightSaving ? "DAYLIGHT" : "STANDARD"
    return [
      "BEGIN:\(word)", "DTSTART:\(change.wall.iCalendarText)",
      "TZOFFSETFROM:\(offset(change.from))", "TZOFFSETTO:\(offset(change.to))",
      "TZNAME:\(CalendarText.escaped(change.name))",
    ] + (rule.map { ["RRULE:\($0)"] } ?? []) + ["END:\(word)"]
  }

  /// `+0100`, with seconds where the offset has them.
  private static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let tail = size % 60 == 0 ? "" : two(size % 60)
    return (seconds < 0 ? "-" : "+") + two(size / 3600) + two(size / 60 % 60) + tail
  }

  /// All changes of the years, ascending, found by looking at each day and halving where it changes.
  private var changes: [Change] {
    let start = CivilDateTime(year: years.lowerBound, month: 1, day: 1).asUTC
    let end = CivilDateTime(year: years.upperBound + 1, month: 1, day: 1).asUTC
    var changes: [Change] = []
    var lower = start
    while lower < end {
      let upper = lower.advanced(byMilliseconds: 86_400_000)
      if let change = change(after: lower, through: upper) { changes.append(change) }
      lower = upper
    }
    return changes
  }

  private func change(after lower: Timestamp, through upper: Timestamp) -> Change? {
    let (old, new) = (zone.local(at: lower), zone.local(at: upper))
    guard !Self.isSame(old, new) else { return nil }
    var (low, high) = (lower.milliseconds / 1000, upper.milliseconds / 1000)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if Self.isSame(zone.local(at: .seconds(middle)), old) { low = middle } else { high = middle }
    }
    let wall = Timestamp.seconds(high + Int64(old.offsetSeconds))
    let after = zone.local(at: .seconds(high))
    return Change(
      wall: CivilDateTime(utc: wall), from: old.offsetSeconds, to: after.offsetSeconds,
      name: after.abbreviation, isDaylightSaving: after.isDaylightSaving)
  }

  private static func isSame(_ one: LocalTime, _ other: LocalTime) -> Bool {
    (one.offsetSeconds, one.abbreviation, one.isDaylightSaving)
      == (other.offsetSeconds, other.abbreviation, other.isDaylightSaving)
  }

  /// The changes that stand one by one, and those that come each year by a rule from their year on.
  private static func split(
    _ changes: [Change], lastYear: Int
  ) -> (single: [Change], yearly: [(Change, String)]) {
    var rest = changes
    var yearly: [(Change, String)] = []
    // The last year's changes are what goes on for ever, where they came in the same way for five years.
    for last in changes.filter({ $0.wall.year == lastYear }) {
      var run: [Change] = []
      for change in rest.reversed() where change.isLike(last) {
        guard change.wall.year == lastYear - run.count,
          rule(for: run + [change]) != nil
        else { break }
        run.append(change)
      }
      guard run.count >= 5, let rule = rule(for: run), let first = run.last else {
        return (changes, [])
      }
      let members = Set(run)
      rest.removeAll { members.contains($0) }
      yearly.append((first, rule))
    }
    return (rest, yearly)
  }

  /// The yearly rule that all of some changes follow: the n-th weekday of the month, or the last.
  private static func rule(for changes: [Change]) -> String? {
    guard let one = changes.first else { return nil }
    let head = "FREQ=YEARLY;BYMONTH=\(one.wall.month);BYDAY="
    let weekday = one.wall.weekday.iCalendarWord
    let isLast = changes.allSatisfy { change in
      change.wall.day + 7
        > CivilDateTime.daysInMonth(change.wall.month, year: change.wall.year)
    }
    if isLast { return "\(head)-1\(weekday)" }
    let ordinals = Set(changes.map { ($0.wall.day - 1) / 7 + 1 })
    if ordinals.count == 1, let ordinal = ordinals.first { return "\(head)\(ordinal)\(weekday)" }
    return nil
  }
}
