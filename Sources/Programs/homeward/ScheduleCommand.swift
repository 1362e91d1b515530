import Care
import CivilTime
import Configuration
import Moments
import Recurrence
import Reminders

/// `homeward schedule`.
enum ScheduleCommand {
  private static let ruleWords = [
    "never", "once", "hourly", "daily", "weekly", "monthly", "yearly",
  ]
  private static let counts = 1...10_000

  static let specification: CommandSpecification = .init(
    path: ["schedule"], summary: gettext("When a schedule is due, without a daemon"),
    discussion: gettext(
      """
      Prints the first due times, counted from the start, with what summer time does to them. A rule is never, once,
      hourly, daily, weekly, monthly, yearly, or an iCalendar RRULE with FREQ, INTERVAL, COUNT, UNTIL, BYMONTH,
      BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSETPOS and WKST. With --json the times are ISO 8601 with their offset.
      """),
    options: [
      .option("start", "LOCAL", gettext("Local date and time of the beginning: 2026-03-27T08:00")),
      .option("zone", "NAME", gettext("The time zone of the home: Europe/Madrid")),
      .option(
        "rule", "RULE", gettext("A word from above, or an RRULE: \"FREQ=WEEKLY;BYDAY=MO,TH\"")),
      .option("count", "N", gettext("How many times, 1 to 10000; 10 unless set")),
      .option("times", "HH:MM,HH:MM", gettext("Several times a day, instead of the start's own")),
      .option("until", "LOCAL", gettext("The last date, or date and time")),
      .option(
        "quiet-hours", "HH:MM-HH:MM",
        gettext("Says which times lie in these hours; 22:00-07:00 unless set, or none")),
      .option(
        "month-end", "skip|last-day", gettext("What months do that lack day 29, 30 or 31; skip")),
    ],
    examples: [
      Example(
        "homeward schedule --start 2026-03-27T02:30 --zone Europe/Madrid --rule daily --count 5",
        gettext("What the clock change of 29 March does to a reminder at 02:30.")),
      Example(
        "homeward schedule --start 2026-01-31T08:00 --zone Europe/Oslo --rule monthly --month-end last-day",
        gettext("The last day of shorter months counts.")),
    ], run: run)

  private static func run(_ session: Session) throws(CommandFailure) {
    let arguments = session.arguments
    let count = try count(arguments.option("count"))
    let monthEnd = try monthEnd(arguments.option("month-end"))
    if arguments.option("rule") == "never" { return ScheduleListing.showNever(session) }
    guard let start = arguments.option("start"), let zoneName = arguments.option("zone"),
      let ruleText = arguments.option("rule")
    else {
      throw .usage(
        gettext("a schedule needs --start LOCAL, --zone NAME and --rule RULE."), specification)
    }
    let quietHours = try quietHours(arguments.option("quiet-hours"))
    let zone = try zone(zoneName)
    let schedule = CalendarSchedule(
      start: try local(start, option: "start"),
      rule: try ended(try rule(ruleText), until: arguments.option("until")),
      times: try times(arguments.option("times")), timeZone: zoneName, monthEnd: monthEnd)
    if let problem = schedule.problem(in: zone) {
      throw .usage(problem.message.spoken, specification)
    }
    do throws(ScheduleFault) {
      let finder = try OccurrenceFinder(schedule, zone: zone)
      // One more tells whether the schedule goes on.
      let slots = Array(finder.localTimes.prefix(count + 1))
      ScheduleListing(
        schedule: schedule, zone: zone, slots: Array(slots.prefix(count)),
        goesOn: slots.count > count, quietHours: quietHours
      ).show(session)
    } catch { throw .usage(error.message.spoken, specification) }
  }
}

// MARK: Reading what was given

extension ScheduleCommand {
  private static func quietHours(_ text: String?) throws(CommandFailure) -> DailyHours? {
    let wanted = text ?? ReminderSettings().quietHours
    if wanted == "none" { return nil }
    guard let hours = DailyHours(wanted) else {
      throw .usage(
        gettext(
          "--quiet-hours \"{text}\" must be hours as 22:00-07:00, or none.", ["text": wanted]),
        specification)
    }
    return hours
  }

  private static func count(_ text: String?) throws(CommandFailure) -> Int {
    guard let text else { return 10 }
    guard let count = Int(text), counts.contains(count) else {
      throw .usage(
        gettext("--count \"{value}\" must be a whole number from 1 to 10000.", ["value": text]),
        specification)
    }
    return count
  }

  private static func monthEnd(
    _ text: String?
  ) throws(CommandFailure) -> CalendarSchedule.MonthEnd {
    guard let text else { return .skip }
    guard let monthEnd = CalendarSchedule.MonthEnd(rawValue: text) else {
      throw .usage(
        gettext("--month-end \"{value}\" must be skip or last-day.", ["value": text]), specification
      )
    }
    return monthEnd
  }

  private static func zone(_ name: String) throws(CommandFailure) -> CivilTimeZone {
    do throws(TimeZoneFileError) { return try TimeZoneFile.load(name: name) } catch {
      switch error.code {
      case .invalidName, .missing, .leapSeconds: throw .usage(error.message.spoken, specification)
      case .unreadable, .damaged: throw CommandFailure(.failed, error.message.spoken)
      }
    }
  }

  /// A local time as people or calendars write it.
  private static func local(_ text: String, option: String) throws(CommandFailure) -> CivilDateTime
  {
    if let local = try? CivilDateTime(localText: text) { return local }
    let isWhole = text.utf8.count == 15
    if isWhole, let local = try? CivilDateTime(iCalendarText: text) { return local }
    throw .usage(
      gettext(
        "--{option} \"{value}\" is no local date and time. "
          + "Write one that exists, without a zone: 2026-03-27T08:00.",
        ["option": option, "value": text]),
      specification)
  }

  private static func rule(_ text: String) throws(CommandFailure) -> RecurrenceRule? {
    if text == "once" { return nil }
    let frequency = RecurrenceRule.Frequency.allCases.first { $0.rawValue.lowercased() == text }
    if let frequency { return .every(frequency) }
    if !text.contains("=") {
      let meant = NearestWord.find(text, among: ruleWords).map {
        gettext(" Did you mean {word}?", ["word": $0])
      }
      throw .usage(
        gettext(
          "--rule \"{value}\" is no rule.{meant} Write {words}, or an RRULE such as "
            + "FREQ=WEEKLY;BYDAY=MO,TH.",
          ["value": text, "meant": meant ?? "", "words": ruleWords.joined(separator: ", ")]),
        specification)
    }
    do throws(RecurrenceFault) { return try RecurrenceRule(text: text) } catch {
      throw .usage(
        error.offset > 0
          ? gettext(
            "--rule (from character {number} on): {fault}",
            ["number": error.offset + 1, "fault": error.message])
          : "--rule: \(error.message.spoken)", specification)
    }
  }

  private static func ended(
    _ rule: RecurrenceRule?, until text: String?
  ) throws(CommandFailure) -> RecurrenceRule? {
    guard let text else { return rule }
    guard let rule, rule.end == .forever else {
      throw .usage(
        gettext(
          "--until does not go with a rule that ends by itself. "
            + "Leave out --until, or COUNT and UNTIL of the rule."),
        specification)
    }
    let end: RecurrenceRule.End
    if text.utf8.count == 10, let day = try? CivilDateTime(localText: "\(text)T00:00") {
      end = .untilDate(day)
    } else {
      end = .untilLocal(try local(text, option: "until"))
    }
    do throws(RecurrenceFault) { return try rule.ending(end) } catch {
      throw .usage("--until: \(error.message.spoken)", specification)
    }
  }

  private static func times(_ text: String?) throws(CommandFailure) -> [TimeOfDay] {
    guard let text else { return [] }
    var times: [TimeOfDay] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let time = RoutineSchedule.time(NumberText.trimmed(String(word))) else {
        throw .usage(
          gettext(
            "--times \"{value}\" is no time of day. "
              + "Write 24-hour times with commas between: 08:00,20:00.", ["value": word]),
          specification)
      }
      times.append(time)
    }
    return times
  }
}
