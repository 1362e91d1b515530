import Bytes
import CivilTime
import JSON
import Moments
import Recurrence
import Testing
import Texts

@Suite("Schedules and their JSON")
struct ScheduleTests {
  private static func local(_ text: String) throws -> CivilDateTime {
    try CivilDateTime(localText: text)
  }

  private static func full() throws -> CalendarSchedule {
    CalendarSchedule(
      start: try local("2026-03-27T08:00"), rule: try RecurrenceRule(text: "FREQ=DAILY"),
      times: ["08:00", "20:00"].compactMap { TimeOfDay(text: $0) },
      excluded: [try local("2026-04-01T08:00")], added: [try local("2026-04-02T12:00:30")],
      timeZone: "Europe/Madrid", monthEnd: .lastDay)
  }

  @Test("The JSON of each kind is as documented, and reads back")
  func json() throws {
    let cases: [(Schedule, String)] = [
      (.never, #"{"kind":"never"}"#),
      (
        .calendar(try Self.full()),
        #"{"kind":"calendar","start":"2026-03-27T08:00:00","timeZone":"Europe/Madrid","#
          + #""rrule":"FREQ=DAILY","times":["08:00","20:00"],"excluded":["2026-04-01T08:00:00"],"#
          + #""added":["2026-04-02T12:00:30"],"monthEnd":"last-day"}"#
      ),
      (
        .calendar(CalendarSchedule(start: try Self.local("1900-01-01T00:00"), timeZone: "Etc/UTC")),
        #"{"kind":"calendar","start":"1900-01-01T00:00:00","timeZone":"Etc/UTC"}"#
      ),
      (
        .elapsed(
          ElapsedSchedule(
            everyMinutes: 480, first: try Self.local("2026-03-27 08:00"), timeZone: "Asia/Tokyo")),
        #"{"kind":"elapsed","everyMinutes":480,"first":"2026-03-27T08:00:00","timeZone":"Asia/Tokyo"}"#
      ),
      (
        .asNeeded(AsNeededSchedule(minimumGapMinutes: 240, dailyMaximum: 4)),
        #"{"kind":"as-needed","minimumGapMinutes":240,"dailyMaximum":4}"#
      ),
    ]
    for (schedule, text) in cases {
      #expect(schedule.json.serialized == text)
      #expect(try Schedule(json: try JSONValue(parsing: text)) == schedule)
      #expect(schedule.fault == nil)
    }
  }

  @Test(
    "A member that does not fit is named",
    arguments: [
      ("kind", #"{"kind":"sometimes"}"#), ("kind", "{}"),
      ("start", #"{"kind":"calendar","timeZone":"Etc/UTC"}"#),
      ("start", #"{"kind":"calendar","start":"2026-02-30T08:00","timeZone":"Etc/UTC"}"#),
      ("start", #"{"kind":"calendar","start":"2026-03-27T08:00Z","timeZone":"Etc/UTC"}"#),
      ("start", #"{"kind":"calendar","start":"1899-12-31T08:00","timeZone":"Etc/UTC"}"#),
      ("start", #"{"kind":"calendar","start":"2101-01-01T08:00","timeZone":"Etc/UTC"}"#),
      ("timeZone", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":""}"#),
      (
        "rrule.BYHOUR",
        #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","rrule":"FREQ=DAILY;BYHOUR=25"}"#
      ),
      ("rrule", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","rrule":5}"#),
      ("times", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","times":["8:00"]}"#),
      (
        "times", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","times":["24:00"]}"#
      ),
      (
        "times",
        #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","times":["08:00"],"rrule":"FREQ=HOURLY"}"#
      ),
      (
        "times",
        #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","times":["08:00"],"rrule":"FREQ=DAILY;BYHOUR=9"}"#
      ),
      (
        "excluded", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","excluded":[1]}"#
      ),
      ("exluded", #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","exluded":[]}"#),
      (
        "monthEnd",
        #"{"kind":"calendar","start":"2026-03-27T08:00","timeZone":"Z","monthEnd":"next"}"#
      ),
      (
        "everyMinutes",
        #"{"kind":"elapsed","everyMinutes":0,"first":"2026-03-27T08:00","timeZone":"Z"}"#
      ),
      ("first", #"{"kind":"elapsed","everyMinutes":9,"first":"08:00","timeZone":"Z"}"#),
      ("minimumGapMinutes", #"{"kind":"as-needed","minimumGapMinutes":-1,"dailyMaximum":4}"#),
      (
        "dailyMaximum",
        #"{"kind":"as-needed","minimumGapMinutes":1,"dailyMaximum":9000000000000000000}"#
      ),
      ("start", #"{"kind":"never","start":"2026-03-27T08:00"}"#),
    ])
  func badMembers(field: String, text: String) throws {
    let error = try #require(throws: DecodeError.self) {
      try Schedule(json: try JSONValue(parsing: text))
    }
    #expect(error.field == field, "\(error)")
  }

  @Test("Bounds are said in a sentence, also of values that no JSON made")
  func bounds() throws {
    let calendar = try Self.full()
    func fault(_ change: (inout CalendarSchedule) -> Void) -> String? {
      var changed = calendar
      change(&changed)
      return Schedule.calendar(changed).fault?.description
    }
    #expect(fault { _ in } == nil)
    let date = calendar.start
    #expect(fault { $0.excluded = Array(repeating: date, count: 1000) } == nil)
    #expect(
      fault { $0.excluded = Array(repeating: date, count: 1001) }?.contains("1000 entries") == true)
    #expect(
      fault { $0.added = Array(repeating: date, count: 1001) }?.contains("\"added\"") == true)
    let time = try #require(TimeOfDay(hour: 8, minute: 0))
    #expect(fault { $0.times = Array(repeating: time, count: 49) }?.contains("48") == true)
    #expect(fault { $0.start.year = .max }?.contains("2026-03-27T08:00") == true)
    #expect(fault { $0.start.hour = 24 } != nil)
    #expect(fault { $0.start.millisecond = 1 } != nil)
    #expect(fault { $0.timeZone = String(repeating: "x", count: 129) } != nil)
  }

  @Test(
    "The end of the month goes to calendars as a rule that they know",
    arguments: [
      ("2026-01-31T08:00", "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
      (
        "2026-01-30T08:00", "FREQ=MONTHLY;COUNT=5",
        "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=28,29,30;BYSETPOS=-1"
      ),
      ("2026-01-28T08:00", "FREQ=MONTHLY", "FREQ=MONTHLY"),
      ("2026-01-31T08:00", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
      ("2024-02-29T08:00", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1"),
      (
        "2026-01-31T08:00", "FREQ=YEARLY;BYMONTH=2,4",
        "FREQ=MONTHLY;BYMONTH=2,4;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"
      ),
      (
        "2026-01-01T08:00", "FREQ=MONTHLY;BYMONTHDAY=15,31;BYHOUR=8,20",
        "FREQ=MONTHLY;BYMONTHDAY=15,28,29,30,31;BYHOUR=8,20;BYSETPOS=1,2,-2,-1"
      ),
      ("2026-01-01T08:00", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("2026-01-01T08:00", "FREQ=MONTHLY;BYMONTHDAY=30,31", nil),
      ("2026-01-01T08:00", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2,4;BYMONTHDAY=31", nil),
      ("2026-01-31T08:00", "FREQ=DAILY", "FREQ=DAILY"),
      ("2026-01-31T08:00", "FREQ=DAILY;BYMONTHDAY=31", nil),
    ] as [(String, String, String?)])
  func exchange(start: String, rule: String, exchanged: String?) throws {
    var schedule = CalendarSchedule(
      start: try Self.local(start), rule: try RecurrenceRule(text: rule), timeZone: "Etc/UTC",
      monthEnd: .lastDay)
    #expect(schedule.exchangeRule?.text == exchanged)
    schedule.monthEnd = .skip
    #expect(schedule.exchangeRule?.text == rule)
  }

  @Test("Several times a day begin on the start's date, each once")
  func starts() throws {
    var schedule = try Self.full()
    schedule.times = ["20:00", "07:30", "20:00"].compactMap { TimeOfDay(text: $0) }
    #expect(schedule.starts.map(\.localText) == ["2026-03-27T07:30:00", "2026-03-27T20:00:00"])
    schedule.times = []
    #expect(schedule.starts == [schedule.start])
  }

  @Test("Times of day and weekdays are read as they are written")
  func smallValues() {
    for hour in 0..<24 {
      for minute in 0..<60 {
        let time = TimeOfDay(hour: hour, minute: minute)
        #expect(time != nil && TimeOfDay(text: time?.text ?? "") == time)
      }
    }
    for text in ["", "8:30", "08:60", "24:00", "08:3", "08-30", "08:30:00", "０8:30", "-1:30"] {
      #expect(TimeOfDay(text: text) == nil, "\(text)")
    }
    for weekday in Weekday.allCases {
      #expect(Weekday(iCalendarWord: weekday.iCalendarWord) == weekday)
    }
    #expect(Weekday(iCalendarWord: "mo") == nil)
    // 1970-01-01 was a Thursday, 2000-01-01 a Saturday, 1900-01-01 a Monday.
    #expect(Weekday(daysSinceEpoch: 0) == .thursday)
    #expect(CivilDateTime(year: 2000, month: 1, day: 1).weekday == .saturday)
    #expect(CivilDateTime(year: 1900, month: 1, day: 1).weekday == .monday)
    #expect(CivilDateTime(year: 2026, month: 11, day: 21).weekday == .saturday)
  }
}
