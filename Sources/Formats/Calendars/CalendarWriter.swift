public import Care
public import CivilTime
public import Moments
import Recurrence
public import Texts

/// Items of routines as an iCalendar file that other calendars read to the same due times.
///
/// Each time of day of an item is an event of its own, named by the item and the time, so that an export that is taken in
/// again replaces the last one. An event begins at its first due time: calendars count the beginning whatever the rule says.
///
/// - Source: RFC 5545; RFC 7986 for the calendar's name.
public struct CalendarExport: Hashable, Sendable {
  /// An item that a calendar cannot hold.
  public struct LeftOut: Hashable, Sendable {
    /// The item.
    public var item: RoutineItemID
    /// Its title.
    public var title: String
    /// Why, in one sentence.
    public var reason: Message
  }

  /// The file.
  public private(set) var text: String
  /// Items that are not in it, in order.
  public private(set) var leftOut: [LeftOut] = []
  /// How many events and tasks are in it.
  public private(set) var componentCount = 0

  /// Writes items in their order.
  ///
  /// - Parameters:
  ///   - items: The items; those that are switched off are left out.
  ///   - name: What the calendar is to be called.
  ///   - now: When the file is written; it stands in each event.
  ///   - zone: A zone by its name; nil when there is no such zone.
  public init(
    _ items: [RoutineItem], name: String, now: Timestamp, zone: (String) -> CivilTimeZone?
  ) {
    text = ""
    var writer = EventWriter(now: now)
    var spans: [String: CivilDateTime] = [:]
    var zones: [String: CivilTimeZone] = [:]
    for item in items {
      guard let reason = writer.write(item, zone: zone, zones: &zones, spans: &spans) else {
        continue
      }
      leftOut.append(LeftOut(item: item.id, title: item.title, reason: reason))
    }
    componentCount = writer.count
    let zoneLines = spans.sorted { $0.key < $1.key }.flatMap { name, first in
      zones[name].map { TimeZoneComponent($0, from: first, now: now).lines } ?? []
    }
    let head = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Homeward//Homeward//EN", "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH", "NAME:\(CalendarText.escaped(name))",
      "X-WR-CALNAME:\(CalendarText.escaped(name))",
    ]
    text = (head + zoneLines + writer.lines + ["END:VCALENDAR"]).map(CalendarText.folded).joined()
  }
}

/// Writes events and tasks.
private struct EventWriter {
  let stamp: String
  var lines: [String] = []
  var count = 0

  init(now: Timestamp) {
    var civil = CivilDateTime(utc: now)
    civil.millisecond = 0
    stamp = civil.iCalendarText + "Z"
  }

  /// Writes an item; answers why it cannot be written.
  mutating func write(
    _ item: RoutineItem, zone: (String) -> CivilTimeZone?, zones: inout [String: CivilTimeZone],
    spans: inout [String: CivilDateTime]
  ) -> Message? {
    if !item.isOn { return Message("It is switched off.") }
    switch item.schedule {
    case .never:
      component("VTODO", item, uid: item.id.rawValue, [])
      return nil
    case .elapsed:
      return Message("It is due so long after it was last done; a calendar cannot say that.")
    case .asNeeded: return Message("It is taken as needed and never due.")
    case .calendar(let calendar):
      guard let found = zones[calendar.timeZone] ?? zone(calendar.timeZone) else {
        return Message(
          "Its time zone {zone} is unknown on this machine.", ["zone": calendar.timeZone])
      }
      zones[calendar.timeZone] = found
      return write(item, calendar, in: found, spans: &spans)
    }
  }

  private mutating func write(
    _ item: RoutineItem, _ calendar: CalendarSchedule, in zone: CivilTimeZone,
    spans: inout [String: CivilDateTime]
  ) -> Message? {
    if calendar.rule != nil, calendar.exchangeRule == nil {
      return Message("Its days at the end of months cannot be said by one rule of a calendar.")
    }
    let starts = calendar.starts
    var isWritten = false
    for (index, start) in starts.enumerated() {
      // Dates that were added belong to no time of day; they stand with the first.
      let added = index == 0 ? calendar.added : []
      let series = CalendarSeries(calendar, from: start, isOnly: starts.count == 1, added: added)
      guard let first = series.first(in: zone) else { continue }
      let uid = item.id.rawValue + (calendar.times.isEmpty ? "" : "-" + Self.digits(start))
      component("VEVENT", item, uid: uid, series.lines(from: first, zone: zone))
      if !zone.isUTC {
        spans[zone.name] = min(spans[zone.name] ?? first.local, first.local)
      }
      isWritten = true
    }
    return isWritten ? nil : Message("It is never due.")
  }

  private static func digits(_ time: CivilDateTime) -> String {
    String(time.iCalendarText.dropFirst(9).prefix(4))
  }

  private mutating func component(
    _ word: String, _ item: RoutineItem, uid: String, _ times: [String]
  ) {
    count += 1
    let words = [item.dose, item.details].filter { !$0.isEmpty }.joined(separator: "\n\n")
    lines += ["BEGIN:\(word)", "UID:\(uid)@homeward", "DTSTAMP:\(stamp)"] + times
    lines += ["SUMMARY:\(CalendarText.escaped(item.title))"]
    if !words.isEmpty { lines.append("DESCRIPTION:\(CalendarText.escaped(words))") }
    if !item.place.isEmpty { lines.append("LOCATION:\(CalendarText.escaped(item.place))") }
    lines += ["CATEGORIES:\(item.kind.rawValue.uppercased())", "SEQUENCE:\(max(0, item.revision))"]
    if word == "VEVENT" {
      lines.append("TRANSP:TRANSPARENT")
      if let minutes = item.timing.noticeMinutes, minutes > 0 {
        lines += [
          "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(CalendarText.escaped(item.title))",
          "TRIGGER:-PT\(minutes)M", "END:VALARM",
        ]
      }
    }
    lines.append("END:\(word)")
  }
}

/// One time of day of a schedule.
private struct CalendarSeries {
  private let schedule: CalendarSchedule
  private let rule: RecurrenceRule?

  init(
    _ whole: CalendarSchedule, from start: CivilDateTime, isOnly: Bool, added: [CivilDateTime]
  ) {
    var schedule = whole
    schedule.start = start
    schedule.times = []
    if !isOnly {
      schedule.excluded = whole.excluded.filter {
        ($0.hour, $0.minute, $0.second) == (start.hour, start.minute, start.second)
      }
    }
    schedule.added = added
    self.schedule = schedule
    rule = whole.exchangeRule
  }

  /// The first time by the rule, those left out included; where the rule has none the first that was added.
  func first(in zone: CivilTimeZone) -> (local: CivilDateTime, isByRule: Bool)? {
    var ruled = schedule
    ruled.excluded = []
    ruled.added = []
    let longAgo = CivilDateTime(year: 1899, month: 1, day: 1).asUTC
    if let slot = (try? OccurrenceFinder(ruled, zone: zone))?.next(after: longAgo) {
      return (slot.local, rule != nil)
    }
    return schedule.added.min().map { ($0, false) }
  }

  func lines(from start: (local: CivilDateTime, isByRule: Bool), zone: CivilTimeZone) -> [String] {
    let first = start.local
    var lines = [time("DTSTART", [first], zone)]
    if let rule, start.isByRule {
      lines.append("RRULE:\(Self.exchanged(rule.end, in: zone, rule).text)")
    }
    let excluded = schedule.excluded.filter { $0 >= first }
    let added = schedule.added.filter { $0 != first }
    if !excluded.isEmpty { lines.append(time("EXDATE", excluded, zone)) }
    if !added.isEmpty { lines.append(time("RDATE", added, zone)) }
    return lines
  }

  /// RFC 5545 wants the end in UTC where the beginning has a zone.
  private static func exchanged(
    _ end: RecurrenceRule.End, in zone: CivilTimeZone, _ rule: RecurrenceRule
  ) -> RecurrenceRule {
    let local: CivilDateTime
    switch end {
    case .forever, .count, .untilUTC: return rule
    case .untilLocal(let time): local = time
    case .untilDate(let day):
      local = CivilDateTime(
        year: day.year, month: day.month, day: day.day, hour: 23, minute: 59, second: 59)
    }
    return (try? rule.ending(.untilUTC(zone.instant(of: local)))) ?? rule
  }

  private func time(_ name: String, _ times: [CivilDateTime], _ zone: CivilTimeZone) -> String {
    if zone.isUTC {
      return "\(name):" + times.map { $0.iCalendarText + "Z" }.joined(separator: ",")
    }
    return "\(name);TZID=\(zone.name):" + times.map(\.iCalendarText).joined(separator: ",")
  }
}

extension CivilTimeZone {
  /// Whether times are written in UTC, which needs no description of a zone.
  fileprivate var isUTC: Bool { name == "Etc/UTC" || name == "UTC" }
}
