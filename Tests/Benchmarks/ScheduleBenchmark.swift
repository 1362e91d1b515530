import Bytes
import CivilTime
import Foundation
import Moments
import Recurrence

/// The next due time of 10,000 items, beside a plain walk from each item's start, day by day.
enum ScheduleBenchmark {
  private static let items = 10_000
  /// The walk takes so long that it walks for some items only; every one of them has to agree.
  private static let walked = 400

  static var parts: [BenchmarkPart] { [BenchmarkPart(name: "schedules", measure: measure)] }

  private static func measure(_ table: inout Table) throws {
    let zone = try TimeZoneFile.load(name: "Europe/Madrid")
    let now = try Timestamp(iso8601: "2026-11-21T04:00:00Z")
    let routine = try PlainItem.routine(count: items)
    var finders: [OccurrenceFinder] = []
    let before = try residentBytes()
    let making = try seconds {
      for item in routine { finders.append(try OccurrenceFinder(item.schedule, zone: zone)) }
    }
    let bytes = (try residentBytes() - before) / items
    var due: [Timestamp?] = []
    let rounds = (0..<9).map { _ in seconds { due = finders.map { $0.next(after: now)?.instant } } }
    var plain: [Timestamp?] = []
    let walking = seconds {
      plain = routine.prefix(walked).map { $0.next(after: now, in: zone) }
    }
    guard Array(due.prefix(walked)) == plain else {
      throw BenchmarkFailure("the walk by days finds other times")
    }
    let (each, walk) = (median(rounds), walking / Double(walked) * Double(items))
    table.add(
      "next due of 10,000 items",
      "\(decimal(each * 1000)) ms, \(decimal(walk / each, 0)) × as fast as a walk by days",
      budget: "≤ 100 ms", isKept: each <= 0.1)
    table.add(
      "10,000 items made ready to search", "\(decimal(making * 1000)) ms, \(bytes) bytes each")
  }

  /// Resident bytes of this program.
  static func residentBytes() throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/statm"))
    let words = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(
      separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else {
      throw BenchmarkFailure("/proc/self/statm cannot be read")
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}

/// An item of a routine with the plainest rule for its days.
private struct PlainItem {
  var schedule: CalendarSchedule
  /// Whether it is due on a day.
  var isDue: (CivilDateTime) -> Bool
  var hours: [Int]

  /// Items as routines have them, with starts in the last 36 years.
  static func routine(count: Int) throws -> [PlainItem] {
    var numbers = SplitMix64(seed: 1)
    return try (0..<count).map { number in
      let start = CivilDateTime(
        year: Int.random(in: 1990...2026, using: &numbers),
        month: Int.random(in: 1...9, using: &numbers), day: Int.random(in: 1...31, using: &numbers),
        hour: Int.random(in: 0...22, using: &numbers), minute: 30)
      // A day beyond the end of its month begins on the first of the next one.
      let first = CivilDateTime(utc: start.asUTC)
      return try item(number % 5, first)
    }
  }

  private static func item(_ kind: Int, _ start: CivilDateTime) throws -> PlainItem {
    let (text, isDue): (String, (CivilDateTime) -> Bool) =
      switch kind {
      case 0: ("FREQ=DAILY", { _ in true })
      case 1: ("FREQ=WEEKLY;BYDAY=MO,TH", { [.monday, .thursday].contains($0.weekday) })
      case 2: ("FREQ=MONTHLY;BYDAY=3TU", { $0.weekday == .tuesday && (15...21).contains($0.day) })
      case 3: ("FREQ=MONTHLY", { $0.day == start.day })
      default: ("FREQ=YEARLY", { $0.month == start.month && $0.day == start.day })
      }
    let hours = kind == 0 ? [start.hour, start.hour + 1] : [start.hour]
    let times = kind == 0 ? hours.compactMap { TimeOfDay(hour: $0, minute: 30) } : []
    let schedule = CalendarSchedule(
      start: start, rule: try RecurrenceRule(text: text), times: times, timeZone: "Europe/Madrid")
    return PlainItem(schedule: schedule, isDue: isDue, hours: hours)
  }

  /// The first due time after a moment, by looking at each day from the start on.
  func next(after moment: Timestamp, in zone: CivilTimeZone) -> Timestamp? {
    var day = schedule.start.asUTC
    while true {
      let date = CivilDateTime(utc: day)
      if isDue(date) {
        for hour in hours {
          var local = date
          local.hour = hour
          let instant = zone.instant(of: local)
          if instant > moment { return instant }
        }
      }
      day = day.advanced(byMilliseconds: 86_400_000)
    }
  }
}
