import Bytes
import Care
import CivilTime
import Moments
import Recurrence

/// Random items of a routine, the same for one seed.
enum ExportSamples {
  static let zones = [
    "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo",
    "America/Sao_Paulo", "Pacific/Auckland", "Europe/Dublin", "Asia/Jerusalem", "Etc/UTC",
    "Africa/Casablanca", "America/Asuncion",
  ]
  private static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TH",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=3TU",
    "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=15,31",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
    "FREQ=DAILY;BYMONTH=3,4,10,11", "FREQ=HOURLY;INTERVAL=5", "FREQ=DAILY;BYHOUR=2,14;BYMINUTE=30",
  ]

  static func items(_ count: Int, seed: UInt64) throws -> [RoutineItem] {
    var random = SplitMix64(seed: seed)
    func pick(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    var items: [RoutineItem] = []
    for number in 0..<count {
      var schedule = CalendarSchedule(
        start: CivilDateTime(
          year: 2024 + pick(4), month: 1 + pick(12), day: 1 + pick(28),
          hour: pick(3) == 0 ? pick(4) : pick(24), minute: pick(4) * 15),
        timeZone: zones[pick(zones.count)])
      if pick(8) > 0 {
        let rule = try RecurrenceRule(text: rules[pick(rules.count)])
        schedule.rule = try rule.ending(end(pick(5), pick(400) + 1, after: schedule.start))
        if rule.byHour.isEmpty, rule.frequency != .hourly, pick(3) == 0 {
          schedule.times = [pick(24), pick(24), 2].compactMap { TimeOfDay(hour: $0, minute: 30) }
        }
      }
      for _ in 0..<pick(4) {
        let time = schedule.starts[pick(schedule.starts.count)]
        schedule.excluded.append(
          CivilDateTime(
            year: 2027, month: 1 + pick(12), day: 1 + pick(28), hour: time.hour,
            minute: time.minute))
      }
      for _ in 0..<pick(3) {
        schedule.added.append(
          CivilDateTime(
            year: 2027, month: 1 + pick(12), day: 1 + pick(28), hour: 11, minute: 7))
      }
      items.append(
        RoutineItem(
          id: RoutineItemID("item-\(number)"), resident: "ada",
          kind: RoutineItem.Kind.allCases[pick(3)], title: "Item \(number), é; \\ 藥",
          schedule: .calendar(schedule)))
    }
    return items
  }

  /// An end one to four years after a start, so that each rule has a time at least.
  private static func end(
    _ kind: Int, _ number: Int, after start: CivilDateTime
  ) -> RecurrenceRule.End {
    let day = CivilDateTime(
      utc: start.asUTC.advanced(byMilliseconds: (365 + Int64(number) * 3) * 86_400_000))
    switch kind {
    case 0: return .count(number)
    case 1: return .untilLocal(day)
    case 2: return .untilUTC(day.asUTC)
    case 3: return .untilDate(day)
    default: return .forever
    }
  }

  /// Whether no time of an item is at night, when clocks are changed.
  static func isByDay(_ item: RoutineItem) -> Bool {
    guard case .calendar(let schedule) = item.schedule, schedule.rule?.frequency != .hourly else {
      return false
    }
    let hours = schedule.starts.map(\.hour) + (schedule.rule?.byHour ?? [])
    return hours.allSatisfy { $0 >= 4 && $0 < 23 }
  }
}
