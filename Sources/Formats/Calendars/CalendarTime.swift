import CivilTime
import Moments
import Recurrence

/// A `DATE` or `DATE-TIME` value as it stands in a file.
///
/// - Source: RFC 5545, sections 3.3.4 and 3.3.5.
enum CalendarTime: Hashable, Sendable {
  /// A day; the time of day is midnight.
  case day(CivilDateTime)
  /// A time in UTC.
  case utc(CivilDateTime)
  /// A time on the wall of a zone by the file's name for it; nil for wherever one is.
  case local(CivilDateTime, zone: String?)

  /// Reads one value; of a period its start. Nil when it is none.
  init?(_ text: some StringProtocol, zone: String?) {
    let start = text.prefix { $0 != "/" }.drop { $0 == " " }.prefix { $0 != " " }
    guard start.utf8.count <= 16 else { return nil }
    let upper = start.uppercased()
    let isUTC = upper.hasSuffix("Z")
    guard let civil = try? CivilDateTime(iCalendarText: isUTC ? String(upper.dropLast()) : upper),
      CalendarSchedule.years.contains(civil.year)
    else { return nil }
    if !upper.contains("T") {
      if isUTC { return nil }
      self = .day(civil)
    } else {
      self = isUTC ? .utc(civil) : .local(civil, zone: zone)
    }
  }

  /// The values of a line; nil when one cannot be read.
  static func all(_ line: ContentLine) -> [CalendarTime]? {
    var times: [CalendarTime] = []
    for word in line.value.split(separator: ",") {
      guard let time = CalendarTime(word, zone: line.parameters["TZID"]) else { return nil }
      times.append(time)
    }
    return times
  }

  /// The value of a line that has one; nil when it cannot be read.
  static func one(_ line: ContentLine) -> CalendarTime? {
    CalendarTime(line.value, zone: line.parameters["TZID"])
  }
}

/// Finds what a file's names of zones mean, and brings times into a zone.
struct CalendarZones {
  private let context: CalendarImport.Context
  private let locations: [String: String]
  private var known: [String: CivilTimeZone?] = [:]
  /// The resident's zone.
  let home: CivilTimeZone

  init(_ context: CalendarImport.Context, locations: [String: String]) throws(CalendarFault) {
    guard let home = context.zone(context.timeZone) else { throw .zone(context.timeZone) }
    self.context = context
    self.locations = locations
    self.home = home
  }

  /// The zone that a file calls so; the resident's for nil.
  mutating func zone(_ name: String?) throws(EventFault) -> CivilTimeZone {
    guard let name else { return home }
    for candidate in candidates(for: name) {
      if let zone = load(candidate) { return zone }
    }
    throw .zone(name)
  }

  /// Names to try: the file's own, where it says that this is, the end of a path, Windows' name.
  private func candidates(for name: String) -> [String] {
    let words = name.split(separator: "/").suffix(3).map(String.init)
    let ends = words.indices.map { words[$0...].joined(separator: "/") }
    return [name, locations[name]].compactMap { $0 } + ends
      + [WindowsTimeZones.places[name]].compactMap { $0 }
  }

  private mutating func load(_ name: String) -> CivilTimeZone? {
    if let zone = known[name] { return zone }
    let zone = context.zone(name)
    if known.count < 1000 { known[name] = .some(zone) }
    return zone
  }

  /// A time in its own zone: where a series of it lives. UTC stays UTC.
  mutating func own(
    _ time: CalendarTime
  ) throws(EventFault) -> (local: CivilDateTime, zone: CivilTimeZone) {
    switch time {
    case .day(let day): return (atAllDayTime(day), home)
    case .utc(let civil): return (civil, try zone("Etc/UTC"))
    case .local(let civil, let name): return (civil, try zone(name))
    }
  }

  /// The moment of a time.
  mutating func instant(_ time: CalendarTime) throws(EventFault) -> Timestamp {
    let (local, zone) = try own(time)
    return zone.instant(of: local)
  }

  /// A time on the wall of a zone.
  mutating func local(
    _ time: CalendarTime, in zone: CivilTimeZone
  ) throws(EventFault) -> CivilDateTime {
    let (local, own) = try own(time)
    if own.name == zone.name { return local }
    return zone.local(at: own.instant(of: local)).civil
  }

  private func atAllDayTime(_ day: CivilDateTime) -> CivilDateTime {
    CivilDateTime(
      year: day.year, month: day.month, day: day.day, hour: context.allDayTime?.hour ?? 9,
      minute: context.allDayTime?.minute ?? 0)
  }
}

/// A span of time as alarms write it.
///
/// - Source: RFC 5545, section 3.3.6.
enum CalendarDuration {
  /// Seconds of `-PT15M` and the like; nil when it is none, or longer than a year.
  static func seconds(_ text: String) -> Int64? {
    var rest = text.uppercased()[...]
    var sign: Int64 = 1
    if rest.first == "-" || rest.first == "+" { sign = rest.removeFirst() == "-" ? -1 : 1 }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var (seconds, isTime) = (Int64(0), false)
    while !rest.isEmpty {
      if rest.first == "T" {
        isTime = true
        rest.removeFirst()
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 8, let number = Int64(digits),
        let unit = unit(rest.popFirst(), isTime: isTime)
      else { return nil }
      seconds += number * unit
    }
    return seconds <= 366 * 86_400 ? sign * seconds : nil
  }

  private static func unit(_ letter: Character?, isTime: Bool) -> Int64? {
    switch (letter, isTime) {
    case ("W", false): 604_800
    case ("D", false): 86_400
    case ("H", true): 3600
    case ("M", true): 60
    case ("S", true): 1
    default: nil
    }
  }
}
