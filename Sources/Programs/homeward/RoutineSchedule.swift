import Care
import CivilTime
import Moments
import Recurrence
import Texts

/// Reads when an item is due from the options of `homeward routine add` and `edit`.
struct RoutineSchedule {
  static let options: [OptionSpecification] = [
    .flag("daily", gettext("Every day")),
    .option("weekly", "DAYS", gettext("On these days of the week: mon,thu")),
    .option("monthly", "DAY", gettext("On a day of the month: 15, last, or \"third tue\"")),
    .flag("hourly", gettext("Every hour")),
    .flag("once", gettext("Once, at --start and --at")),
    .flag("never", gettext("Written down only, never due")),
    .option("every", "SPAN", gettext("So long after it was last done: 8h, 90m, 2d")),
    .flag("as-needed", gettext("Whenever it is needed; see --gap and --most")),
    .option(
      "gap", "SPAN", gettext("With --as-needed: so long between two at least; 0m unless set")),
    .option("most", "N", gettext("With --as-needed: at most so often a day; 1 unless set")),
    .option("rule", "RRULE", gettext("A rule of iCalendar: \"FREQ=WEEKLY;BYDAY=MO,TH\"")),
    .repeatable("at", "HH:MM", gettext("At this time of day; may be given several times")),
    .option("start", "DATE", gettext("From this day on; today unless set")),
    .option("zone", "NAME", gettext("The time zone of the home; the resident's unless set")),
  ]

  private static let kinds = [
    "daily", "weekly", "monthly", "hourly", "once", "never", "every", "as-needed", "rule",
  ]

  /// What says a part of a schedule, and can be changed alone.
  private static let parts = ["at", "start", "zone", "gap", "most"]

  let session: Session
  let command: CommandSpecification
  let resident: Resident
  /// The schedule that is changed; nil for a new one.
  var current: Schedule?

  /// The schedule that the options say; nil when they say none.
  func read() throws(CommandFailure) -> Schedule? {
    let given = Self.kinds.filter { session.arguments.has($0) }
    guard let kind = given.first else {
      let lone = Self.parts.first { session.arguments.has($0) }
      guard let lone else { return nil }
      if let changed = try changedParts() { return changed }
      throw usage(
        gettext(
          "--{option} does not say how often. Say it with --daily, --weekly, --monthly or another.",
          ["option": lone]))
    }
    guard given.count == 1 else {
      throw usage(
        gettext("--{one} and --{other} do not go together.", ["one": given[0], "other": given[1]]))
    }
    switch kind {
    case "never": return .never
    case "as-needed": return try asNeeded()
    case "every": return try elapsed()
    default: return .calendar(try calendar(kind))
    }
  }

  // MARK: Changing a part

  /// The schedule with the parts that are given; nil where it has no such part.
  private func changedParts() throws(CommandFailure) -> Schedule? {
    let arguments = session.arguments
    switch current {
    case .calendar(var calendar) where !arguments.has("gap") && !arguments.has("most"):
      if arguments.has("zone") { calendar.timeZone = try zone().name }
      try change(&calendar)
      let zone = try loadedZone(calendar.timeZone)
      if let problem = Schedule.calendar(calendar).problem(in: zone) {
        throw usage(problem.message.spoken)
      }
      return .calendar(calendar)
    case .asNeeded(let held) where !["at", "start", "zone"].contains(where: arguments.has):
      guard case .asNeeded(var changed) = try asNeeded() else { return nil }
      if !arguments.has("gap") { changed.minimumGapMinutes = held.minimumGapMinutes }
      if !arguments.has("most") { changed.dailyMaximum = held.dailyMaximum }
      return .asNeeded(changed)
    case .calendar, .asNeeded, .elapsed, .never, nil: return nil
    }
  }

  /// Another beginning or other times of day; how often it comes stays.
  private func change(_ calendar: inout CalendarSchedule) throws(CommandFailure) {
    if session.arguments.has("start") {
      let day = try day(loadedZone(calendar.timeZone))
      (calendar.start.year, calendar.start.month, calendar.start.day) = (
        day.year, day.month, day.day
      )
    }
    let times = try times()
    guard let first = times.first else { return }
    if let rule = calendar.rule, rule.text.contains("BYHOUR") || rule.text.contains("FREQ=HOURLY") {
      throw usage(
        gettext("its rule says the hours itself. Give the rule anew, with --rule or --hourly."))
    }
    (calendar.start.hour, calendar.start.minute) = (first.hour, first.minute)
    calendar.times = times.count > 1 ? times : []
  }

  // MARK: Kinds

  private func asNeeded() throws(CommandFailure) -> Schedule {
    let gap = try session.arguments.option("gap").map { (text) throws(CommandFailure) in
      try minutes(text, "gap")
    }
    let most = session.arguments.option("most") ?? "1"
    guard let count = Int(most), (1...100).contains(count) else {
      throw usage(
        gettext("--most \"{text}\" must be a whole number from 1 to 100.", ["text": most]))
    }
    return .asNeeded(AsNeededSchedule(minimumGapMinutes: gap ?? 0, dailyMaximum: count))
  }

  private func elapsed() throws(CommandFailure) -> Schedule {
    let span = try minutes(session.arguments.option("every") ?? "", "every")
    let times = try times()
    let zone = try zone()
    var first = zone.local(at: TimeDisplay.now).civil
    (first.second, first.millisecond) = (0, 0)
    if let time = times.first {
      first = try day(zone)
      (first.hour, first.minute) = (time.hour, time.minute)
    }
    return .elapsed(ElapsedSchedule(everyMinutes: span, first: first, timeZone: zone.name))
  }

  private func calendar(_ kind: String) throws(CommandFailure) -> CalendarSchedule {
    let zone = try zone()
    var start = try day(zone)
    let times = try times()
    guard let first = times.first else {
      throw usage(gettext("say at what time: --at 08:00"))
    }
    (start.hour, start.minute) = (first.hour, first.minute)
    let isSeveral = times.count > 1
    if kind == "hourly", isSeveral {
      throw usage(gettext("--hourly takes one --at: the minute of each hour."))
    }
    var schedule = CalendarSchedule(
      start: start, rule: try rule(kind), times: isSeveral ? times : [], timeZone: zone.name)
    if kind == "monthly", session.arguments.option("monthly") == "last" {
      schedule.start.day = 31
      schedule.start.month = 1
      schedule.start.year -= 1
      schedule.monthEnd = .lastDay
    }
    if let problem = Schedule.calendar(schedule).problem(in: zone) {
      throw usage(problem.message.spoken)
    }
    return schedule
  }

  private func rule(_ kind: String) throws(CommandFailure) -> RecurrenceRule? {
    let text: String
    switch kind {
    case "once": return nil
    case "daily": text = "FREQ=DAILY"
    case "hourly": text = "FREQ=HOURLY"
    case "weekly":
      text = "FREQ=WEEKLY;BYDAY=\(try weekdays(session.arguments.option("weekly") ?? ""))"
    case "monthly": text = try monthly(session.arguments.option("monthly") ?? "")
    default: text = session.arguments.option("rule") ?? ""
    }
    do throws(RecurrenceFault) { return try RecurrenceRule(text: text) } catch {
      throw usage(error.message.spoken)
    }
  }

  // MARK: Days

  private func weekdays(_ text: String) throws(CommandFailure) -> String {
    var codes: [String] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      codes.append(try weekday(String(word)))
    }
    return codes.joined(separator: ",")
  }

  private func weekday(_ word: String) throws(CommandFailure) -> String {
    guard let day = Self.weekday(word) else {
      throw usage(
        gettext(
          "\"{word}\" is no day of the week. Write mon,tue,wed,thu,fri,sat,sun.", ["word": word]))
    }
    return day.iCalendarWord
  }

  /// A day of the week by its name or the beginning of it, `mo` at least.
  static func weekday(_ word: String) -> Weekday? {
    Weekday(iCalendarWord: String(NumberText.trimmed(word).uppercased().prefix(2)))
  }

  private func monthly(_ text: String) throws(CommandFailure) -> String {
    if text == "last" { return "FREQ=MONTHLY;BYMONTHDAY=31" }
    if let day = Int(text), (1...31).contains(day) { return "FREQ=MONTHLY;BYMONTHDAY=\(day)" }
    let words = text.lowercased().split(separator: " ").map(String.init)
    let ordinals = ["first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1]
    guard words.count == 2, let ordinal = ordinals[words[0]] else {
      throw usage(
        gettext(
          "--monthly \"{text}\" is no day of a month. Write 15, last, or \"third tue\".",
          ["text": text]))
    }
    return "FREQ=MONTHLY;BYDAY=\(ordinal)\(try weekday(words[1]))"
  }

  // MARK: Times

  private func times() throws(CommandFailure) -> [TimeOfDay] {
    var times: [TimeOfDay] = []
    for text in session.arguments.all("at").flatMap({ $0.split(separator: ",") }) {
      guard let time = Self.time(NumberText.trimmed(String(text))) else {
        throw usage(
          gettext("--at \"{text}\" is no time of day. Write a 24-hour time: 08:00.", ["text": text])
        )
      }
      times.append(time)
    }
    return times
  }

  /// A time of day, also as `7:00`.
  static func time(_ text: String) -> TimeOfDay? {
    TimeOfDay(text: text) ?? TimeOfDay(text: "0" + text)
  }

  private func zone() throws(CommandFailure) -> CivilTimeZone {
    try loadedZone(session.arguments.option("zone") ?? resident.timeZone)
  }

  private func loadedZone(_ name: String) throws(CommandFailure) -> CivilTimeZone {
    do throws(TimeZoneFileError) { return try TimeZoneFile.load(name: name) } catch {
      throw usage(error.message.spoken)
    }
  }

  private func day(_ zone: CivilTimeZone) throws(CommandFailure) -> CivilDateTime {
    guard let text = session.arguments.option("start") else {
      let today = zone.local(at: TimeDisplay.now).civil
      return CivilDateTime(year: today.year, month: today.month, day: today.day)
    }
    guard text.utf8.count == 10, let day = try? CivilDateTime(localText: "\(text)T00:00") else {
      throw usage(
        gettext("--start \"{text}\" is no date. Write one as 2026-03-27.", ["text": text]))
    }
    return day
  }

  private func minutes(_ text: String, _ option: String) throws(CommandFailure) -> Int64 {
    let units: [Character: Int64] = ["m": 1, "h": 60, "d": 1440]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      (0...525_600).contains(count), count * unit <= 525_600
    else {
      throw usage(
        gettext(
          "--{option} \"{text}\" is no span of time. Write 90m, 8h or 2d.",
          ["option": option, "text": text]))
    }
    return count * unit
  }

  private func usage(_ sentence: String) -> CommandFailure { .usage(sentence, command) }
}

/// A schedule in words, with its next due times.
enum ScheduleSummary {
  static func words(_ schedule: Schedule) -> String {
    let words = ScheduleWords.sentence(for: schedule).spoken
    guard let zone = schedule.timeZone else { return words }
    return "\(words) (\(zone))"
  }

  /// The next due times after now, at most `count`; empty where none can be said.
  static func next(_ schedule: Schedule, count: Int, after now: Timestamp) -> [String] {
    guard case .calendar(let calendar) = schedule,
      let zone = try? TimeZoneFile.load(name: calendar.timeZone),
      let finder = try? OccurrenceFinder(calendar, zone: zone)
    else { return [] }
    let times = TimeDisplay(zone: zone)
    let end = now.advanced(byMilliseconds: 200 * 366 * 86_400_000)
    return finder.slots(from: now, to: end, limit: count).map { times.text($0.instant) }
  }
}
