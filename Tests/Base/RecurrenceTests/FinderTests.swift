import Bytes
import CivilTime
import Moments
import Recurrence
import Testing
import Texts

@Suite("Finding what is due")
struct FinderTests {
  @Test("Several times a day are a series each, with an end each")
  func timesOfDay() throws {
    let schedule = try Samples.schedule(
      "2026-03-27T12:00", "FREQ=DAILY;COUNT=2", times: ["20:00", "08:00"])
    #expect(
      try Samples.keys(schedule, 9) == [
        "2026-03-27T08:00", "2026-03-27T20:00", "2026-03-28T08:00", "2026-03-28T20:00",
      ])
    let chosen = try Samples.schedule(
      "2026-03-27T12:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      times: ["08:00", "20:00"])
    #expect(
      try Samples.keys(chosen, 4) == [
        "2026-03-31T08:00", "2026-03-31T20:00", "2026-04-30T08:00", "2026-04-30T20:00",
      ])
  }

  @Test("Times that are left out count towards the end, added ones do not; once means once")
  func exceptions() throws {
    let schedule = try Samples.schedule(
      "2026-03-27T08:00", "FREQ=DAILY;COUNT=3", excluded: ["2026-03-28T08:00", "2026-05-01T09:00"],
      added: ["2026-03-27T08:00", "2026-05-01T09:00", "2026-03-26T07:00", "2026-05-02T09:00"])
    #expect(
      try Samples.keys(schedule, 9) == [
        "2026-03-26T07:00", "2026-03-27T08:00", "2026-03-29T08:00", "2026-05-02T09:00",
      ])
    #expect(
      try Samples.keys(try Samples.schedule("2026-03-27T08:00", nil), 9) == ["2026-03-27T08:00"])
    #expect(
      try Samples.keys(try Samples.schedule("2026-03-27T08:00", nil, times: ["09:00", "10:00"]), 9)
        == ["2026-03-27T09:00", "2026-03-27T10:00"])
  }

  @Test("Two local times that a jump puts on one moment are due once, under the earlier name")
  func oneMomentTwice() throws {
    let schedule = try Samples.schedule("2026-03-29T01:30", "FREQ=HOURLY;COUNT=4")
    let slots = Array(try Samples.finder(schedule).slots)
    #expect(slots.map(\.key) == ["2026-03-29T01:30", "2026-03-29T02:30", "2026-03-29T04:30"])
    #expect(slots.map(\.resolution) == [.unique, .gap, .unique])
    #expect(slots[1].instant == (try Samples.moment("2026-03-29T01:30:00Z")))
    let finder = try Samples.finder(schedule)
    #expect(finder.latest(atOrBefore: slots[1].instant)?.key == "2026-03-29T02:30")
    #expect(finder.latest(atOrBefore: slots[2].instant.advanced(byMilliseconds: -1)) == slots[1])
    // Where the earlier one is left out, the later one is due.
    let without = try Samples.schedule(
      "2026-03-29T01:30", "FREQ=HOURLY;COUNT=4", excluded: ["2026-03-29T02:30"])
    #expect(
      try Samples.keys(without, 9) == ["2026-03-29T01:30", "2026-03-29T03:30", "2026-03-29T04:30"])
  }

  @Test("Slots come in the order of their moments, also where a jump turns local times round")
  func order() throws {
    let schedule = try Samples.schedule(
      "2026-03-28T12:00", "FREQ=DAILY", times: ["02:30", "03:00"])
    let finder = try Samples.finder(schedule)
    let slots = finder.slots(
      from: try Samples.moment("2026-03-29T00:00:00Z"),
      to: try Samples.moment("2026-03-30T00:30:00Z"), limit: 10)
    #expect(slots.map(\.key) == ["2026-03-29T03:00", "2026-03-29T02:30"])
    var moment = try Samples.moment("2026-03-30T00:00:00Z")
    var backwards: [String] = []
    while backwards.count < 4, let slot = finder.latest(atOrBefore: moment) {
      backwards.append(slot.key)
      moment = slot.instant.advanced(byMilliseconds: -1)
    }
    #expect(
      backwards == ["2026-03-29T02:30", "2026-03-29T03:00", "2026-03-28T03:00", "2026-03-28T02:30"])
  }

  @Test("A doubled time is due at its first, once")
  func doubled() throws {
    let schedule = try Samples.schedule("2026-10-24T02:30", "FREQ=DAILY;COUNT=3")
    let slots = Array(try Samples.finder(schedule).slots)
    #expect(slots.map(\.resolution) == [.unique, .ambiguous, .unique])
    #expect(slots[1].instant == (try Samples.moment("2026-10-25T00:30:00Z")))
    #expect(slots[2].instant == (try Samples.moment("2026-10-26T01:30:00Z")))
  }

  @Test("The next is after the moment, the latest at or before it, to the millisecond")
  func edges() throws {
    let finder = try Samples.finder(try Samples.schedule("2026-07-01T08:00", "FREQ=DAILY;COUNT=2"))
    let first = try Samples.moment("2026-07-01T06:00:00Z")
    let second = try Samples.moment("2026-07-02T06:00:00Z")
    #expect(finder.next(after: first.advanced(byMilliseconds: -1))?.instant == first)
    #expect(finder.next(after: first)?.instant == second)
    #expect(finder.next(after: second) == nil)
    #expect(finder.latest(atOrBefore: first.advanced(byMilliseconds: -1)) == nil)
    #expect(finder.latest(atOrBefore: first)?.instant == first)
    #expect(finder.latest(atOrBefore: first.advanced(byMilliseconds: 1))?.instant == first)
    #expect(finder.latest(atOrBefore: Timestamp(milliseconds: .max))?.instant == second)
    #expect(finder.next(after: Timestamp(milliseconds: .min))?.instant == first)
    #expect(finder.next(after: Timestamp(milliseconds: .max)) == nil)
    #expect(finder.latest(atOrBefore: Timestamp(milliseconds: .min)) == nil)
    #expect(finder.slots(from: first, to: second, limit: 9).map(\.instant) == [first])
    #expect(finder.slots(from: first, to: second.advanced(byMilliseconds: 1), limit: 9).count == 2)
    #expect(finder.slots(from: first, to: Timestamp(milliseconds: .max), limit: 1).count == 1)
    #expect(finder.slots(from: first, to: second, limit: 0).isEmpty)
  }

  @Test("Nothing is due after 2100, and everything up to its last hour is")
  func horizon() throws {
    let finder = try Samples.finder(try Samples.schedule("1900-01-01T00:00", "FREQ=HOURLY"))
    let last = finder.latest(atOrBefore: Timestamp(milliseconds: .max))
    #expect(last?.key == "2100-12-31T23:00")
    #expect(finder.next(after: try #require(last).instant) == nil)
    #expect(finder.next(after: Timestamp(milliseconds: .min))?.key == "1900-01-01T00:00")
  }

  @Test("The end of a month is skipped or moved, as it was chosen; and moved as calendars are told")
  func monthEnd() throws {
    for (start, rule, keys) in [
      (
        "2026-01-31T08:00", "FREQ=MONTHLY",
        ["2026-01-31T08:00", "2026-02-28T08:00", "2026-03-31T08:00"]
      ),
      (
        "2024-02-29T08:00", "FREQ=YEARLY",
        ["2024-02-29T08:00", "2025-02-28T08:00", "2026-02-28T08:00"]
      ),
      (
        "2026-01-30T08:00", "FREQ=MONTHLY;BYMONTHDAY=29,30",
        ["2026-01-30T08:00", "2026-02-28T08:00", "2026-03-29T08:00"]
      ),
      (
        "2026-04-01T08:00", "FREQ=DAILY;BYMONTHDAY=31",
        ["2026-04-30T08:00", "2026-05-31T08:00", "2026-06-30T08:00"]
      ),
    ] {
      let schedule = try Samples.schedule(start, rule, monthEnd: .lastDay)
      #expect(try Samples.keys(schedule, 3) == keys, "\(rule)")
    }
    for (start, rule) in [
      ("2026-01-31T08:00", "FREQ=MONTHLY;INTERVAL=5"), ("2023-01-29T08:00", "FREQ=MONTHLY"),
      ("2026-01-31T08:00", "FREQ=YEARLY;BYMONTH=2,6"), ("2096-02-29T08:00", "FREQ=YEARLY"),
      ("2026-01-01T08:00", "FREQ=MONTHLY;BYMONTHDAY=3,15,30;BYHOUR=8,20;BYMINUTE=0,5;COUNT=50"),
      ("2026-01-01T08:00", "FREQ=MONTHLY;BYMONTHDAY=28,31"),
    ] {
      let schedule = try Samples.schedule(start, rule, monthEnd: .lastDay)
      var exchanged = schedule
      exchanged.rule = schedule.exchangeRule
      exchanged.monthEnd = .skip
      #expect(exchanged.rule != nil && exchanged.rule != schedule.rule)
      #expect(try Samples.keys(exchanged, 200) == Samples.keys(schedule, 200), "\(rule)")
    }
  }

  @Test(
    "A slot's name is its local time, with seconds where there are some, whatever the zone does")
  func keys() throws {
    let local = try CivilDateTime(localText: "2026-03-29T02:30:05")
    let one = Slot(local: local, instant: .seconds(1), resolution: .gap)
    let other = Slot(local: local, instant: .seconds(2), resolution: .unique)
    #expect(one.key == "2026-03-29T02:30:05" && one.key == other.key)
    for zone in ["Europe/Madrid", "America/New_York", "Etc/UTC"] {
      let schedule = try Samples.schedule("2026-03-29T02:30", "FREQ=DAILY", zone: zone)
      #expect(try Samples.keys(schedule, 2) == ["2026-03-29T02:30", "2026-03-30T02:30"])
    }
  }

  @Test("Next and latest agree with the whole list, in zones with all kinds of changes")
  func agreement() throws {
    var numbers = SplitMix64(seed: 11)
    let rules = [
      "FREQ=HOURLY;INTERVAL=5", "FREQ=DAILY;BYHOUR=0,2,3;BYMINUTE=0,30,59",
      "FREQ=WEEKLY;BYDAY=SA,SU",
      "FREQ=DAILY;COUNT=500", "FREQ=HOURLY;BYMINUTE=0,20,40;COUNT=900",
    ]
    for zone in ["Europe/Madrid", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Casablanca"] {
      for rule in rules {
        let schedule = try Samples.schedule("2011-11-20T02:30", rule, zone: zone)
        let finder = try Samples.finder(schedule)
        let all = Array(finder.slots.prefix(700))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.instant < $1.instant })
        #expect(Set(all.map(\.key)).count == all.count)
        for _ in 0..<60 {
          let index = Int.random(in: 0..<all.count - 1, using: &numbers)
          let gap = all[index + 1].instant.milliseconds(since: all[index].instant)
          let moment = all[index].instant.advanced(
            byMilliseconds: Int64.random(in: 0..<gap, using: &numbers))
          #expect(finder.latest(atOrBefore: moment) == all[index], "\(zone) \(rule)")
          #expect(finder.next(after: moment) == all[index + 1], "\(zone) \(rule)")
        }
      }
    }
  }
}

@Suite("Schedules that are never due")
struct ProblemTests {
  @Test(
    "What would never be due is refused with what to do",
    arguments: [
      ("2026-01-01T08:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "No day fits this rule"),
      ("2026-01-01T08:00", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "30 February, for example"),
      ("2026-01-01T08:00", "FREQ=DAILY;BYMONTH=4,6,9,11;BYMONTHDAY=31", "No day fits"),
      ("2026-01-01T08:00", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", "No day fits"),
      // Every day at the start's hour is never at another one.
      ("2026-01-01T08:00", "FREQ=HOURLY;INTERVAL=24;BYHOUR=9", "No day fits"),
      ("2026-01-01T08:00", "FREQ=HOURLY;INTERVAL=2;BYHOUR=9", "No day fits"),
      ("2026-01-05T08:00", "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "No day fits"),
      ("2026-01-01T08:00", "FREQ=DAILY;BYHOUR=8;BYSETPOS=2", "No day fits"),
      ("2026-01-01T08:00", "FREQ=DAILY;UNTIL=20251231", "ends before it is due"),
      ("2026-01-01T08:00", "FREQ=DAILY;UNTIL=20260101T075959", "ends before it is due"),
      ("2026-01-01T08:00", "FREQ=DAILY;UNTIL=20260101T065959Z", "ends before it is due"),
      ("2026-01-01T08:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20271231", "ends before"),
    ])
  func neverDue(start: String, rule: String, sentence: String) throws {
    let schedule = try Samples.schedule(start, rule)
    let zone = try TimeZoneFile.load(name: schedule.timeZone)
    let problem = try #require(Schedule.calendar(schedule).problem(in: zone))
    #expect(problem.code == .noOccurrence)
    #expect(problem.description.contains(sentence), "\(problem)")
    #expect(try Samples.keys(schedule, 1).isEmpty)
  }

  @Test("A schedule that leaves all its times out is refused, one that keeps a time is not")
  func allExcluded() throws {
    let out = ["2026-01-01T08:00", "2026-01-02T08:00"]
    let none = try Samples.schedule("2026-01-01T08:00", "FREQ=DAILY;COUNT=2", excluded: out)
    let zone = try TimeZoneFile.load(name: none.timeZone)
    #expect(none.problem(in: zone) == .allExcluded)
    let one = try Samples.schedule("2026-01-01T08:00", "FREQ=DAILY;COUNT=3", excluded: out)
    #expect(one.problem(in: zone) == nil)
    let once = try Samples.schedule("2026-01-01T08:00", nil, excluded: out)
    #expect(once.problem(in: zone) == .allExcluded)
  }

  @Test("A rule without an end is fine, and so is what is due once in many years")
  func rare() throws {
    for (rule, key) in [
      ("FREQ=HOURLY", "2026-01-01T08:00"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;INTERVAL=2", "2032-02-29T08:00"),
      ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2044-02-29T08:00"),
      ("FREQ=HOURLY;INTERVAL=5;BYMONTH=2;BYMONTHDAY=29;BYDAY=FR;BYHOUR=3", "2092-02-29T03:00"),
    ] {
      let schedule = try Samples.schedule("2026-01-01T08:00", rule)
      #expect(schedule.problem(in: .utc) == nil, "\(rule)")
      #expect(try Samples.keys(schedule, 1) == [key])
    }
    for schedule: Schedule in [
      .never, .asNeeded(AsNeededSchedule(minimumGapMinutes: 0, dailyMaximum: 1)),
    ] {
      #expect(schedule.problem(in: .utc) == nil)
    }
    let bad = Schedule.asNeeded(AsNeededSchedule(minimumGapMinutes: 0, dailyMaximum: 0))
    #expect(
      bad.problem(in: .utc)?.description
        == "\"dailyMaximum\" must be from 1 to 100 times a day.")
  }

  @Test("Dates that do not exist make a fault, not a finder")
  func badDates() throws {
    var schedule = try Samples.schedule("2026-01-01T08:00", "FREQ=DAILY")
    for change in [
      { $0.start.year = .max }, { $0.start.month = 0 }, { $0.start.day = .min },
      { $0.start.hour = 24 }, { $0.added = [CivilDateTime(year: 3000, month: 1, day: 1)] },
    ] as [(inout CalendarSchedule) -> Void] {
      var changed = schedule
      change(&changed)
      #expect(throws: ScheduleFault.self) { try OccurrenceFinder(changed, zone: .utc) }
      #expect(changed.problem(in: .utc)?.code == .dateInvalid)
    }
    schedule.added = []
    #expect(schedule.problem(in: .utc) == nil)
  }
}
