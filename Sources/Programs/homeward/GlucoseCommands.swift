import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import Glucose
import GlucoseFigures
import GlucoseValues
import JSON
import Texts

/// `homeward glucose …`.
enum GlucoseCommands {
  static let all = [
    list, add, edit, remove, GlucoseImportCommand.specification, report,
    GlucoseAnalyseCommand.specification,
  ]

  // MARK: Looking

  private static let list: CommandSpecification = .init(
    path: ["glucose", "list"], summary: gettext("The glucose readings, newest first"),
    options: [
      Session.residentOption,
      .option("tag", "TAG", gettext("Only those with this tag")),
      .option("sort", "time|level|tag", gettext("What to sort by; time unless set")),
      .flag("ascending", gettext("Earliest, lowest or first tag on top")),
      .option(
        "since", "TIME", gettext("From this time on: 2026-11-20, \"2026-11-20 15:30\", today, 7d")
      ),
      .option("until", "TIME", gettext("Before this time")),
      .option("limit", "COUNT", gettext("At most so many, the newest of them; 50 unless set")),
      GlucoseArguments.unitOption,
    ],
    examples: [
      Example("homeward glucose list --since 7d", gettext("A week.")),
      Example(
        "homeward glucose list --tag before-lunch --sort level", gettext("The highest on top.")),
    ]
  ) { session throws(CommandFailure) in
    let (since, until) = (try session.time("since"), try session.time("until"))
    let tag = try GlucoseArguments.tag(session, list)
    let asked = try GlucoseArguments.unit(session, list)
    let key = try sortKey(session)
    let limit = try session.limit(default: 50)
    let resident = try session.resident()
    let unit = try GlucoseArguments.unit(asked, of: resident, session)
    let all = try GlucoseReadings(session, of: resident.id).newest(
      since: since, until: until, atMost: Int(clamping: limit),
      where: tag.map { tag in { $0.tag == tag } })
    let readings = GlucoseSorting.table(
      all, by: key, isAscending: session.arguments.has("ascending"))
    try session.show(.array(readings.map(\.json))) { _ throws(DecodeError) in
      if readings.isEmpty {
        return gettext("No readings here. Add one: homeward glucose add --help\n")
      }
      return GlucoseTableText(times: session.times, unit: unit).text(readings)
    }
  }

  private static func sortKey(_ session: Session) throws(CommandFailure) -> GlucoseSorting.Key {
    guard let text = session.arguments.option("sort") else { return .time }
    guard let key = GlucoseSorting.Key(rawValue: text) else {
      throw .usage(
        gettext("--sort \"{value}\" must be time, level or tag.", ["value": text]), list)
    }
    return key
  }

  private static let report: CommandSpecification = .init(
    path: ["glucose", "report"],
    summary: gettext("What the readings of a month say: means, ranges, outliers"),
    discussion: gettext(
      """
      Without --month it is the current one, up to now; --since reports on a longer time. What there are too few readings
      for is left out, and said. Readings of doubtful time are not counted. This is no medical advice: show it to the
      doctor.
      """),
    options: [
      Session.residentOption,
      .option("month", "YYYY-MM", gettext("A month of the calendar: 2026-11")),
      .option("since", "TIME", gettext("All from this time on: 2026-01-01, 90d")),
      GlucoseArguments.unitOption,
    ],
    examples: [
      Example("homeward glucose report --month 2026-10", gettext("October.")),
      Example("homeward glucose report --since 90d --json", gettext("90 days, for programs.")),
    ], run: runReport)

  private static func runReport(_ session: Session) throws(CommandFailure) {
    let month = try month(session)
    let since = try session.time("since")
    guard month == nil || since == nil else {
      throw .usage(gettext("--month and --since exclude each other."), report)
    }
    let asked = try GlucoseArguments.unit(session, report)
    let resident = try session.resident()
    let unit = try GlucoseArguments.unit(asked, of: resident, session)
    let zone: CivilTimeZone
    do throws(TimeZoneFileError) { zone = try TimeZoneFile.load(name: resident.timeZone) } catch {
      throw CommandFailure(.failed, error.message.spoken)
    }
    let now = TimeDisplay.now
    let wanted = month ?? CalendarMonth(zone.local(at: now).civil)
    let readings = try GlucoseReadings(session, of: resident.id).newest(
      since: since ?? wanted.start(in: zone),
      until: since == nil ? wanted.next.start(in: zone) : nil)
    let report = GlucoseReport(readings, in: zone, at: now)
    try session.show(report.json) { _ throws(DecodeError) in
      if readings.isEmpty { return gettext("There are no readings in this time.\n") }
      let usual = GlucoseArguments.usualUnit(readings.map(\.level))
      return GlucoseListing(report: report, unit: unit ?? usual).text(rowCount: readings.count)
    }
  }

  private static func month(_ session: Session) throws(CommandFailure) -> CalendarMonth? {
    guard let text = session.arguments.option("month") else { return nil }
    guard let month = CalendarMonth(text: text) else {
      throw .usage(
        gettext("--month \"{value}\" must be a month such as 2026-11.", ["value": text]), report)
    }
    return month
  }

  // MARK: Writing

  private static let add: CommandSpecification = .init(
    path: ["glucose", "add"], summary: gettext("Writes down a reading"),
    discussion: gettext(
      """
      The level is what the meter shows, with its unit: 101 mg/dL or 5.6 mmol/L. It is kept exactly so. A reading beyond
      the resident's limits is told as one of a meter would be. HI and LO are no readings, but are told all the same.
      """),
    operands: [
      OperandSpecification(
        name: "LEVEL", isRepeatable: true, help: gettext("The level with its unit"))
    ],
    options: [Session.residentOption] + content + [
      .option("by", "NAME", gettext("Who writes; the name of your account unless set"))
    ],
    examples: [
      Example("homeward glucose add 5.6 mmol/L --tag before-lunch", gettext("Measured just now.")),
      Example(
        "homeward glucose add 101 mg/dL --time \"2026-11-20 07:30\"", gettext("Measured before.")),
      Example("homeward glucose add LO", gettext("The meter shows LO: very low.")),
    ]
  ) { session throws(CommandFailure) in
    if let end = GlucoseArguments.showing(session.arguments.operands) {
      return try tell(end, session)
    }
    let level = try GlucoseArguments.level(session.arguments.operands, add)
    let tag = try GlucoseArguments.tag(session, add)
    let now = TimeDisplay.now
    let time = try session.time("time") ?? now
    let resident = try session.resident()
    let reading = GlucoseReading(
      id: GlucoseReadingID(RandomIdentifier.short), resident: resident.id, level: level, tag: tag,
      time: time, receivedAt: now, source: .hand,
      origin: session.arguments.option("by") ?? NoteCommands.writer)
    let answer = try session.perform(.glucose(.put(reading, revision: 0)))
    session.tell(
      answer,
      gettext(
        "Written as {id}: {level}. See all: homeward glucose list",
        ["id": reading.id, "level": level.text()]))
  }

  /// What the meter showed instead of a number is told at once; there is no reading to keep.
  private static func tell(
    _ end: GlucoseLevelFault.End, _ session: Session
  ) throws(CommandFailure) {
    let time = try session.time("time") ?? TimeDisplay.now
    let resident = try session.resident()
    let answer = try session.perform(
      .glucose(
        .showing(
          end, of: resident.id, time: time,
          by: session.arguments.option("by") ?? NoteCommands.writer)))
    let (name, shown) = (resident.name, end.shown)
    let sentence =
      switch answer["told"]?.stringContent {
      case "alarm":
        gettext(
          "The meter of {name} shows {shown}: the alarm is raised. See: homeward alarm list",
          ["name": name, "shown": shown])
      case "notice":
        gettext(
          "The meter of {name} shows {shown}: noted, no alarm. See: homeward events",
          ["name": name, "shown": shown])
      default:
        gettext(
          "Nothing new: {shown} of {name} is known already, older than a day, or switched off in the settings.",
          ["name": name, "shown": shown])
      }
    session.tell(answer, sentence)
  }

  private static let edit: CommandSpecification = .init(
    path: ["glucose", "edit"], summary: gettext("Changes a reading"),
    discussion: gettext(
      """
      What is not named stays. What a meter measured keeps its level: change its tag or its time, or remove it. Somebody
      else's change in the same moment is never overwritten: you are told, and see both.
      """),
    operands: [operand],
    options: [
      .option("level", "LEVEL", gettext("Another level with its unit: \"101 mg/dL\"")),
      .flag("no-tag", gettext("Without a tag")),
    ] + content,
    examples: [
      Example("homeward glucose edit k3x9qa --tag after-dinner", gettext("Another tag.")),
      Example("homeward glucose edit k3x9qa --level \"5.6 mmol/L\"", gettext("A slip put right.")),
    ]
  ) { session throws(CommandFailure) in
    let arguments = session.arguments
    guard !arguments.has("tag") || !arguments.has("no-tag") else {
      throw .usage(gettext("--tag and --no-tag exclude each other."), edit)
    }
    let tag = try GlucoseArguments.tag(session, edit)
    let time = try session.time("time")
    let level = try arguments.option("level").map { text throws(CommandFailure) in
      try GlucoseArguments.level([text], edit)
    }
    var reading = try reading(session)
    let seen = reading.revision
    if let level { reading.level = level }
    if let tag { reading.tag = tag }
    if arguments.has("no-tag") { reading.tag = nil }
    if let time {
      reading.time = time
      // Whoever says when it was has looked.
      reading.timeDoubts = []
    }
    let answer = try session.perform(.glucose(.put(reading, revision: seen)))
    session.tell(answer, gettext("Changed {id}.", ["id": reading.id]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["glucose", "remove"],
    summary: gettext("Removes a reading, or all that an import brought"),
    operands: [
      OperandSpecification(
        name: "ID", isOptional: true, help: gettext("Its id, from the list"))
    ],
    options: [
      .option("file", "NAME", gettext("All readings that the import of this file brought")),
      Session.residentOption, .flag("yes", gettext("Do not ask")),
    ],
    examples: [
      Example("homeward glucose remove k3x9qa", gettext("It is gone for good.")),
      Example(
        "homeward glucose remove --file meter.csv --resident mary",
        gettext("Takes an import back.")),
    ]
  ) { session throws(CommandFailure) in
    let file = session.arguments.option("file")
    guard (file == nil) != session.arguments.operands.isEmpty else {
      throw .usage(gettext("say one reading, or --file NAME."), remove)
    }
    if let file { return try GlucoseImportCommand.takeBack(file, session, remove) }
    let reading = try reading(session)
    let answer = try session.perform(.glucose(.remove(reading.id, revision: reading.revision)))
    session.tell(answer, gettext("Removed {id}.", ["id": reading.id]))
  }

  // MARK: Parts

  private static let operand = OperandSpecification(
    name: "ID", help: gettext("Its id, from the list"))

  private static let content: [OptionSpecification] = [
    .option(
      "tag", "TAG",
      gettext("What it is about: before-lunch, after-dinner, fasting …, or words of your own")),
    .option("time", "TIME", gettext("When it was measured; now unless set")),
  ]

  /// The reading that the first operand names.
  private static func reading(_ session: Session) throws(CommandFailure) -> GlucoseReading {
    let answer = try session.call(.glucoseGet, ["id": .string(session.arguments.operands[0])])
    do throws(DecodeError) { return try GlucoseReading(json: answer) } catch {
      throw CommandFailure(error)
    }
  }
}
