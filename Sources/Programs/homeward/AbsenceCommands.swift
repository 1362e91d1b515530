import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Moments
import Recurrence

/// `homeward absence …`.
enum AbsenceCommands {
  static let all = [list, add, until, remove]

  private static let list: CommandSpecification = .init(
    path: ["absence", "list"], summary: gettext("When a resident is expected to be out"),
    options: [Session.residentOption],
    examples: [Example("homeward absence list", gettext("What is on or comes next is first."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    try session.show(try session.call(.absencesList, params)) { answer throws(DecodeError) in
      try table(answer, session)
    }
  }

  private static let options: [OptionSpecification] = [
    Session.residentOption,
    .option(
      "grace", "MINUTES", gettext("So long after the end nobody worries; 0 to 240, 30 unless set")),
    .option("zone", "ZONE", gettext("The safe zone it is in: coming there is no coming home")),
  ]

  private static let add: CommandSpecification = .init(
    path: ["absence", "add"],
    summary: gettext("Plans an absence: being outside is no alarm meanwhile"),
    discussion: gettext(
      """
      From its beginning to its end and the grace, being outside of all safe zones is no alarm. Who
      is outside still after that was expected back, and that is an alarm. Coming home ends it for
      that day: into the home, or into any safe zone where none is the home. An SOS, and zones with
      --leaving alarm, are as always, and reminders go on at home. While the clock is not set,
      nothing is hidden. Times are of the resident's zone.
      """),
    operands: [nameOperand],
    options: [
      .option("from", "HH:MM", gettext("When it begins")),
      .option("until", "HH:MM", gettext("When the resident is expected back, on the same day")),
      .option("days", "DAYS", gettext("On these days of the week: mon,wed,fri")),
      .option("on", "DATE", gettext("Once, on this date: 2026-12-24")),
      .flag("daily", gettext("Every day")),
    ] + options,
    examples: [
      Example(
        "homeward absence add \"Day centre\" --from 09:00 --until 16:00 --days mon,wed,fri",
        gettext("Three days a week; an alarm if she is out still at 16:30.")),
      Example(
        "homeward absence add \"Christmas at Tom's\" --on 2026-12-24 --from 14:00 --until 21:00 --grace 90",
        gettext("Once, and nobody worries until half past ten.")),
    ]
  ) { session throws(CommandFailure) in
    let from = try time(session.arguments.option("from"), "from", add)
    let until = try time(session.arguments.option("until"), "until", add)
    let days = try days(session)
    try put(from, until, days, name: session.arguments.operands[0], session)
  }

  private static let until: CommandSpecification = .init(
    path: ["absence", "until"], summary: gettext("A resident is out now, until a time today"),
    discussion: gettext(
      "From now on, once. An open alarm about being outside ends: somebody knows where the resident is."
    ),
    operands: [
      OperandSpecification(name: "HH:MM", help: gettext("When the resident is expected back")),
      nameOperand,
    ],
    options: options,
    examples: [
      Example(
        "homeward absence until 16:00 \"Day centre\" --resident mary",
        gettext("Mary is at the day centre until four."))
    ]
  ) { session throws(CommandFailure) in
    let end = try time(session.arguments.operands[0], nil, until)
    let resident = try session.resident()
    let now = try TimeDisplay(configuredZone: resident.timeZone).zone
      .local(at: session.gatewayTime()).civil
    guard let start = TimeOfDay(hour: now.hour, minute: now.minute), start < end else {
      throw .usage(
        gettext(
          "{until} is over already today; it is {time} where {name} lives.",
          [
            "until": end.text, "time": String(now.iso8601Time.prefix(5)), "name": resident.name,
          ]), until)
    }
    let today = CivilDateTime(year: now.year, month: now.month, day: now.day)
    try put(start, end, .once(today), name: session.arguments.operands[1], session)
  }

  private static let remove: CommandSpecification = .init(
    path: ["absence", "remove"], summary: gettext("Removes a planned absence"),
    discussion: gettext(
      "Who is outside of all safe zones just now is judged at once, as if nothing had been planned."
    ),
    operands: [
      OperandSpecification(
        name: "ABSENCE", help: gettext("Its name, or its id from \"absence list\""))
    ],
    examples: [
      Example("homeward absence remove day-centre", gettext("Being outside is an alarm again."))
    ]
  ) { session throws(CommandFailure) in
    let found = try Lookup(
      among: absences(session), id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no planned absence \"{id}\".", ["id": $0]) },
      list: gettext("List them: homeward absence list")
    ).find(session.arguments.operands[0])
    session.tell(
      try session.perform(.absence(.remove(found.id))),
      gettext("Removed the planned absence {name}.", ["name": found.name]))
  }

  private static let nameOperand = OperandSpecification(
    name: "NAME", help: gettext("What people call it, up to 100 characters"))

  // MARK: Adding

  private static func put(
    _ from: TimeOfDay, _ until: TimeOfDay, _ days: Absence.Days, name: String, _ session: Session
  ) throws(CommandFailure) {
    let resident = try session.resident()
    let taken = try absences(session).map(\.id.rawValue)
    var absence = Absence(
      id: AbsenceID(Slug.make(from: name, besides: taken)), resident: resident.id, name: name,
      days: days, from: from, until: until)
    absence.graceMinutes = try grace(session) ?? absence.graceMinutes
    absence.zone = try zone(of: resident, session)
    let answer = try session.perform(.absence(.put(absence)))
    session.tell(answer, lines: lines(absence, resident, answer))
  }

  private static func lines(
    _ absence: Absence, _ resident: Resident, _ answer: JSONValue
  ) -> [String] {
    var lines = [
      gettext(
        "{name} is expected to be out: {absence} ({id}), {when}.",
        [
          "name": resident.name, "absence": absence.name, "id": absence.id, "when": when(absence),
        ]),
      gettext(
        "Outside of all safe zones {minutes} minutes after {until} is an alarm.",
        ["minutes": absence.graceMinutes, "until": absence.until.text]),
    ]
    if answer["isClockTrusted"]?.boolContent == false {
      lines.append(
        gettext(
          "The gateway's clock is not set: until it is, this hides nothing, and alarms go on."))
    } else if answer["isOn"]?.boolContent == true {
      lines.append(gettext("It is on now."))
    } else if let next = answer["nextFrom"]?.stringContent {
      let times = TimeDisplay(configuredZone: resident.timeZone)
      lines.append(gettext("Next: {times}", ["times": times.text(next)]))
    }
    let due = (answer["routine"]?.arrayContent ?? []).map { item in
      let times = (item["times"]?.arrayContent ?? []).compactMap(\.stringContent)
      return "\(item["title"]?.stringContent ?? "-") (\(times.joined(separator: ", ")))"
    }
    if !due.isEmpty {
      lines.append(
        gettext(
          "Due meanwhile, and the reminder sounds at home: {items}. Somebody has to think of it.",
          ["items": due.joined(separator: "; ")]))
    }
    return lines
  }

  private static func grace(_ session: Session) throws(CommandFailure) -> Int64? {
    guard let text = session.arguments.option("grace") else { return nil }
    guard let minutes = Int64(text), (0...240).contains(minutes) else {
      throw .usage(
        gettext("--grace \"{text}\" must be a whole number from 0 to 240.", ["text": text]))
    }
    return minutes
  }

  private static func zone(
    of resident: Resident, _ session: Session
  ) throws(CommandFailure) -> ZoneID? {
    guard let wanted = session.arguments.option("zone") else { return nil }
    let zones = try session.list(
      session.call(.zonesList, ["resident": .string(resident.id.rawValue)]), of: SafeZone.self)
    return try Lookup(
      among: zones, id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no zone \"{id}\".", ["id": $0]) },
      list: gettext("List them: homeward zones")
    ).find(wanted).id
  }

  private static func days(_ session: Session) throws(CommandFailure) -> Absence.Days {
    let arguments = session.arguments
    let given = ["days", "on", "daily"].filter(arguments.has)
    guard let kind = given.first, given.count == 1 else {
      throw .usage(
        given.isEmpty
          ? gettext("say on which days: --days mon,wed,fri, --on 2026-12-24 or --daily.")
          : gettext(
            "--{one} and --{other} do not go together.", ["one": given[0], "other": given[1]]),
        add)
    }
    switch kind {
    case "daily": return .weekly(Set(Weekday.allCases))
    case "on":
      let text = arguments.option("on") ?? ""
      guard text.utf8.count == 10, let date = try? CivilDateTime(localText: text + "T00:00") else {
        throw .usage(
          gettext("--on \"{text}\" is no date. Write one as 2026-12-24.", ["text": text]), add)
      }
      return .once(date)
    default:
      var days: Set<Weekday> = []
      for word in (arguments.option("days") ?? "").split(
        separator: ",", omittingEmptySubsequences: false)
      {
        guard let day = RoutineSchedule.weekday(String(word)) else {
          throw .usage(
            gettext(
              "\"{word}\" is no day of the week. Write mon,tue,wed,thu,fri,sat,sun.",
              ["word": word]), add)
        }
        days.insert(day)
      }
      return .weekly(days)
    }
  }

  private static func time(
    _ text: String?, _ option: String?, _ command: CommandSpecification
  ) throws(CommandFailure) -> TimeOfDay {
    guard let text else {
      throw .usage(gettext("say from when until when: --from 09:00 --until 16:00"), command)
    }
    guard let time = RoutineSchedule.time(NumberText.trimmed(text)) else {
      throw .usage(
        gettext(
          "\"{text}\" is no time of day. Write a 24-hour time: 08:00.", ["text": text]), command)
    }
    return time
  }

  // MARK: Showing

  private static func absences(_ session: Session) throws(CommandFailure) -> [Absence] {
    try session.list(session.call(.absencesList), of: Absence.self)
  }

  private static func table(
    _ answer: JSONValue, _ session: Session
  ) throws(DecodeError) -> String {
    let found: [Absence] = try session.decoded(answer)
    if found.isEmpty {
      return gettext("No absence is planned. Plan one: homeward absence add --help\n")
    }
    let short = ShortIDs(found.map(\.id.rawValue))
    var table = Table([
      gettext("ID"), gettext("NAME"), gettext("RESIDENT"), gettext("WHEN"), gettext("STATE"),
    ])
    for (absence, json) in zip(found, answer.arrayContent ?? []) {
      table.add([
        short.text(absence.id.rawValue), absence.name, absence.resident.rawValue, when(absence),
        state(of: absence, json, session.times),
      ])
    }
    return table.text
  }

  private static func state(
    of absence: Absence, _ json: JSONValue, _ times: TimeDisplay
  ) -> String {
    if json["isOn"]?.boolContent == true {
      return gettext("on until {time}", ["time": absence.until.text])
    }
    guard let next = json["nextFrom"]?.stringContent else { return gettext("not judged now") }
    return gettext("next {time}", ["time": String(times.text(next).prefix(16))])
  }

  /// `every day, 09:00 to 16:00`.
  private static func when(_ absence: Absence) -> String {
    let days: String
    switch absence.days {
    case .once(let date): days = String(date.localText.prefix(10))
    case .weekly(let weekdays) where weekdays.count == Weekday.allCases.count:
      days = gettext("every day")
    case .weekly(let weekdays):
      days = weekdays.sorted().map { ScheduleWords.name($0).spoken }.joined(separator: ", ")
    }
    return gettext(
      "{days}, {from} to {until}",
      ["days": days, "from": absence.from.text, "until": absence.until.text])
  }
}

extension Session {
  /// The time by the gateway's clock, where it is trusted; else by this machine's.
  fileprivate func gatewayTime() throws(CommandFailure) -> Timestamp {
    let clock = try call(.status)["clock"]
    guard clock?["isTrusted"]?.boolContent == true, let text = clock?["utc"]?.stringContent,
      let time = try? Timestamp(iso8601: text)
    else { return TimeDisplay.now }
    return time
  }
}
