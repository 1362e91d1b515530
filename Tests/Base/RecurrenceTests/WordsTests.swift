import Recurrence
import Testing
import Texts

@Suite("Schedules in plain words")
struct WordsTests {
  /// A rule that starts on Friday 27 March 2026 at 08:00, and its words.
  static let rules: [(rule: String, words: String)] = [
    ("FREQ=DAILY", "every day at 08:00"),
    ("FREQ=DAILY;INTERVAL=2", "every second day at 08:00, counted from 27 March 2026"),
    (
      "FREQ=DAILY;INTERVAL=10;COUNT=1",
      "every 10 days at 08:00, counted from 27 March 2026, only once"
    ),
    (
      "FREQ=DAILY;BYMONTH=1,7;BYMONTHDAY=1,-1;BYDAY=MO,TU",
      "every day that is a Monday or Tuesday and the 1st or the last day of the month in January and July at 08:00"
    ),
    (
      "FREQ=DAILY;UNTIL=20261231;BYHOUR=8,20;BYMINUTE=0,30",
      "every day at 08:00, 08:30, 20:00 and 20:30, until 31 December 2026, that day included"
    ),
    ("FREQ=DAILY;UNTIL=20261231T200000", "every day at 08:00, until 31 December 2026 at 20:00"),
    (
      "FREQ=DAILY;UNTIL=20261231T200000Z", "every day at 08:00, until 31 December 2026 at 20:00 UTC"
    ),
    ("FREQ=HOURLY", "every hour, on the hour"),
    (
      "FREQ=HOURLY;INTERVAL=3;BYHOUR=8,11;BYMINUTE=15;BYDAY=SA,SU",
      "every third hour, at 15 minutes past the hour, only in the hours that begin at 08:00 and 11:00, "
        + "on each day that is a Saturday or Sunday, counted from 27 March 2026"
    ),
    ("FREQ=WEEKLY", "every Friday at 08:00"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every Monday to Friday at 08:00"),
    (
      "FREQ=WEEKLY;INTERVAL=2;COUNT=2;BYMONTH=6;BYDAY=MO,TH",
      "every second week on Monday and Thursday in June at 08:00, counted from 27 March 2026, twice"
    ),
    ("FREQ=MONTHLY", "on the 27th of every month at 08:00"),
    ("FREQ=MONTHLY;BYDAY=3TU", "on the third Tuesday of every month at 08:00"),
    (
      "FREQ=MONTHLY;BYDAY=5MO",
      "on the fifth Monday of every month at 08:00; months that have only four of them are skipped"
    ),
    (
      "FREQ=MONTHLY;BYDAY=-2SU,-1FR",
      "on the second to last Sunday and the last Friday of every month at 08:00"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
      "on every Friday that is the 13th of the month at 08:00"
    ),
    (
      "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1,15",
      "on the 1st and the 15th of every third month at 08:00, counted from 27 March 2026"
    ),
    ("FREQ=MONTHLY;BYMONTH=2,4;BYMONTHDAY=-1", "on the last day of February and April at 08:00"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      "on the 31st, else on the last day, of every month at 08:00"
    ),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "on the last day from Monday to Friday of every month at 08:00"
    ),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-2",
      "on every Monday and every Tuesday of every month at 08:00, of these only the first and the second to last in each month"
    ),
    ("FREQ=YEARLY", "every year on 27 March at 08:00"),
    (
      "FREQ=YEARLY;INTERVAL=2;BYMONTH=1,7",
      "on the 27th of January and July, every second year at 08:00, counted from 27 March 2026"
    ),
    ("FREQ=YEARLY;BYDAY=20MO", "on the 20th Monday of every year at 08:00"),
    ("FREQ=YEARLY;BYDAY=MO,TU", "every Monday and Tuesday at 08:00"),
    (
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYMONTHDAY=2,3,4;BYDAY=TU",
      "on every Tuesday that is the 2nd, the 3rd or the 4th of November, every 4 years at 08:00, counted from 27 March 2026"
    ),
    (
      "FREQ=YEARLY;BYMONTHDAY=30",
      "on the 30th of every month at 08:00; months without that day are skipped"
    ),
  ]

  @Test(
    "In Chinese the parts stand in the order of Chinese",
    arguments: [
      ("FREQ=DAILY", "每天08:00"), ("FREQ=WEEKLY", "每周五08:00"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "每周一至周五08:00"),
      (
        "FREQ=WEEKLY;INTERVAL=2;COUNT=2;BYMONTH=6;BYDAY=MO,TH",
        "6月里每两周的周一和周四08:00，从2026年3月27日算起，共两次"
      ),
      ("FREQ=MONTHLY", "每月的27日08:00"), ("FREQ=MONTHLY;BYDAY=3TU", "每月的第三个周二08:00"),
      ("FREQ=MONTHLY;BYDAY=-2SU,-1FR", "每月的倒数第二个周日和最后一个周五08:00"),
      ("FREQ=MONTHLY;BYMONTH=2,4;BYMONTHDAY=-1", "2月和4月的最后一天08:00"),
      ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "每月的每个周五（须是13日）08:00"),
      (
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
        "每月的31日（没有则为最后一天）08:00"
      ),
      ("FREQ=YEARLY", "每年3月27日08:00"), ("FREQ=YEARLY;BYDAY=20MO", "每年的第20个周一08:00"),
      (
        "FREQ=DAILY;UNTIL=20261231;BYHOUR=8,20;BYMINUTE=0,30",
        "每天08:00、08:30、20:00和20:30，到2026年12月31日为止（含当天）"
      ),
      (
        "FREQ=DAILY;BYMONTHDAY=1,-1;BYDAY=MO,TU", "每天（须是周一或周二，且须是当月1日或最后一天）08:00"
      ),
      ("FREQ=HOURLY;INTERVAL=3;BYMINUTE=15,45", "每三小时，逢15和45分，从2026年3月27日算起"),
    ])
  func chinese(rule: String, words: String) throws {
    let schedule = try Samples.schedule("2026-03-27T08:00", rule)
    #expect(ScheduleWords.sentence(for: schedule).text(in: .zh) == words)
  }

  @Test("No part of a sentence in Chinese is left in English", arguments: rules)
  func wholeChinese(rule: String, words: String) throws {
    for monthEnd in [CalendarSchedule.MonthEnd.skip, .lastDay] {
      let schedule = try Samples.schedule("2026-03-27T08:00", rule, monthEnd: monthEnd)
      let text = ScheduleWords.sentence(for: schedule).text(in: .zh)
      let rest = text.replacing("UTC", with: "")
      #expect(!rest.contains { $0.isASCII && $0.isLetter || $0 == "{" }, "\(text)")
    }
  }

  @Test("A list of a thousand times of day is said whole")
  func longList() throws {
    let minutes = (0...59).map(String.init).joined(separator: ",")
    let hours = (0...16).map(String.init).joined(separator: ",")
    let schedule = try Samples.schedule(
      "2026-03-27T00:00", "FREQ=DAILY;BYHOUR=\(hours);BYMINUTE=\(minutes)")
    let text = ScheduleWords.sentence(for: schedule).description
    #expect(text.hasPrefix("every day at 00:00, 00:01, 00:02, "))
    #expect(text.hasSuffix(", 16:57, 16:58 and 16:59"))
    #expect(text.split(separator: ", ").count == 17 * 60 - 1)
  }

  @Test("A rule is said so that a person can check it", arguments: rules)
  func rule(rule: String, words: String) throws {
    let schedule = try Samples.schedule("2026-03-27T08:00", rule)
    #expect(ScheduleWords.sentence(for: schedule).description == words)
    #expect(ScheduleWords.sentence(for: .calendar(schedule)).description == words)
  }

  @Test(
    "What happens at the end of a month is said as it was chosen",
    arguments: [
      (
        "2026-03-31T10:00", "FREQ=MONTHLY",
        "on the 31st of every month at 10:00; months without that day are skipped",
        "on the 31st of every month at 10:00; in shorter months on the last day"
      ),
      (
        "2024-02-29T10:00", "FREQ=YEARLY", "every year on 29 February at 10:00; only in leap years",
        "every year on 29 February at 10:00; in other years on 28 February"
      ),
      (
        "2026-03-28T10:00", "FREQ=MONTHLY", "on the 28th of every month at 10:00",
        "on the 28th of every month at 10:00"
      ),
    ])
  func monthEnd(start: String, rule: String, skipped: String, lastDay: String) throws {
    let strict = try Samples.schedule(start, rule)
    #expect(ScheduleWords.sentence(for: strict).description == skipped)
    let lenient = try Samples.schedule(start, rule, monthEnd: .lastDay)
    #expect(ScheduleWords.sentence(for: lenient).description == lastDay)
  }

  @Test("Times of day, exceptions and what has no rule are said too")
  func otherParts() throws {
    let start = "2026-03-27T08:00:30"
    let full = try Samples.schedule(
      start, "FREQ=DAILY;COUNT=3", times: ["20:00", "08:00"], excluded: ["2026-03-28T08:00"],
      added: ["2026-04-01T09:00", "2026-04-02T09:00"])
    #expect(
      ScheduleWords.sentence(for: full).description
        == "every day at 08:00 and 20:00, 3 times each; once left out; twice besides")
    let once = try Samples.schedule(start, nil)
    #expect(ScheduleWords.sentence(for: once).description == "once, on 27 March 2026 at 08:00:30")
    #expect(ScheduleWords.sentence(for: .never).description == "never; it is written down only")
    let first = once.start
    for (minutes, words) in [
      (480, "8 hours"), (60, "an hour"), (1, "a minute"), (90, "90 minutes"), (2880, "2 days"),
      (1440, "24 hours"),
    ] {
      let elapsed = ElapsedSchedule(everyMinutes: Int64(minutes), first: first, timeZone: "Etc/UTC")
      #expect(
        ScheduleWords.sentence(for: .elapsed(elapsed)).description
          == "\(words) after it was last done, first on 27 March 2026 at 08:00:30")
    }
    let limited = AsNeededSchedule(minimumGapMinutes: 240, dailyMaximum: 4)
    #expect(
      ScheduleWords.sentence(for: .asNeeded(limited)).description
        == "when needed, at least 4 hours apart, at most 4 times a day")
    let free = AsNeededSchedule(minimumGapMinutes: 0, dailyMaximum: 1)
    #expect(
      ScheduleWords.sentence(for: .asNeeded(free)).description == "when needed, at most once a day")
  }
}
