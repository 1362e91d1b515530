import CareModel
import ControlSocket
import Texts

/// `homeward routine …`.
enum RoutineCommands {
  static let all =
    [list, add, edit, remove] + RoutineAnswerCommands.all + [restock, zone]

  private static let list: CommandSpecification = .init(
    path: ["routine", "list"],
    summary: gettext("What a resident does and takes, where it stands, and when it is due next"),
    options: [Session.residentOption],
    examples: [Example("homeward routine list", gettext("What is due comes first."))]
  ) { session throws(CommandFailure) in
    try session.show(try items(session)) { answer throws(DecodeError) in
      guard let found = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
      if found.isEmpty {
        return gettext("Nothing yet. Add something: homeward routine add --help\n")
      }
      var table = Table([
        gettext("ID"), gettext("WHAT"), gettext("STATE"), gettext("DUE"), gettext("NEXT"),
        gettext("LEFT"), gettext("WHEN"),
      ])
      for json in found {
        let item = try RoutineItem(json: json)
        table.add([
          item.id.rawValue, item.title + (item.isCritical ? " !" : ""), state(of: item, json),
          isNow(json) ? session.times.text(json["due"]?.stringContent) : "-",
          session.times.text(json["nextDue"]?.stringContent),
          json["daysLeft"]?.integerContent.map { gettext("{days} d", ["days": $0]) } ?? "-",
          ScheduleSummary.words(item.schedule),
        ])
      }
      return table.text
    }
  }

  private static func items(_ session: Session) throws(CommandFailure) -> JSONValue {
    let id = try session.optionalResidentID()
    return try session.call(.routineList, .object(["resident": id.map { .string($0.rawValue) }]))
  }

  private static func state(of item: RoutineItem, _ json: JSONValue) -> String {
    switch json["state"]?.stringContent {
    case "done": return gettext("done")
    case "off": return gettext("off")
    default: break
    }
    if case .asNeeded = item.schedule { return gettext("any time") }
    guard json["isDue"]?.boolContent == true else { return gettext("waiting") }
    return isNow(json) ? gettext("DUE") : gettext("soon")
  }

  /// Whether it is due now; what was only announced can be done already, and is not.
  private static func isNow(_ json: JSONValue) -> Bool {
    json["isDue"]?.boolContent == true && json["due"]?.stringContent != nil
  }

  // MARK: Adding and changing

  private static let itemOptions: [OptionSpecification] =
    [
      .flag("medicine", gettext("Something to take or to measure")),
      .flag("appointment", gettext("Somewhere to be, or somebody who comes")),
      .flag("critical", gettext("Leaving it out is dangerous: it becomes an alarm")),
      .flag("not-critical", gettext("Leaving it out is not dangerous")),
      .option("dose", "WORDS", gettext("How much, spoken: \"1 tablet\"")),
      .option("place", "WORDS", gettext("Where")),
      .option("details", "WORDS", gettext("More words, shown and not spoken")),
      .option("recording", "PATH", gettext("A WAV file with the voice of somebody close")),
      .option("notice", "MINUTES", gettext("Said so long before it is due")),
    ] + RoutineSchedule.options

  private static let add: CommandSpecification = .init(
    path: ["routine", "add"], summary: gettext("Adds something to a resident's routine"),
    discussion: gettext("Says in words what was understood, with the next three due times."),
    options: [
      Session.residentOption, .option("title", "TITLE", gettext("What people call it; spoken")),
      // Later a restock tells it: between looking and changing, doses are taken.
      .option("stock", "UNITS", gettext("How many units are left")),
    ] + itemOptions,
    examples: [
      Example(
        "homeward routine add --title \"blood pressure pill\" --medicine --dose \"1 tablet\" --critical --daily --at 08:00 --at 20:00",
        gettext("Twice a day; left out for half an hour it is an alarm.")),
      Example(
        "homeward routine add --title walk --weekly mon,thu --at 15:00",
        gettext("Mondays and Thursdays.")),
      Example(
        "homeward routine add --title \"pain pill\" --medicine --as-needed --gap 4h --most 3",
        gettext("Whenever it hurts, within limits.")),
    ]
  ) { session throws(CommandFailure) in
    guard let title = session.arguments.option("title") else {
      throw .usage(gettext("say what it is: --title TITLE"), add)
    }
    let resident = try session.resident()
    guard
      let schedule = try RoutineSchedule(session: session, command: add, resident: resident).read()
    else {
      throw .usage(
        gettext(
          "say when: --daily, --weekly, --monthly, --hourly, --every, --as-needed or --never."),
        add)
    }
    let known = try session.call(.routineList).arrayContent ?? []
    let id = Slug.make(from: title, besides: known.compactMap { $0["id"]?.stringContent })
    var item = RoutineItem(
      id: RoutineItemID(id), resident: resident.id, title: title, schedule: schedule)
    try change(&item, session, add)
    item.stock = try number("stock", session, add).map { Stock(units: $0) }
    try put(item, revision: nil, session)
  }

  private static let edit: CommandSpecification = .init(
    path: ["routine", "edit"], summary: gettext("Changes what is given, and leaves the rest"),
    operands: [operand],
    options: [.option("title", "TITLE", gettext("What people call it; spoken"))] + itemOptions,
    examples: [
      Example(
        "homeward routine edit walk --weekly tue --at 14:00", gettext("Another day and time."))
    ]
  ) { session throws(CommandFailure) in
    var item = try find(session)
    let revision = item.revision
    item.title = session.arguments.option("title") ?? item.title
    try change(&item, session, edit)
    let residents = try session.residents()
    if let resident = residents.first(where: { $0.id == item.resident }),
      let schedule = try RoutineSchedule(session: session, command: edit, resident: resident).read()
    {
      item.schedule = schedule
    }
    try put(item, revision: revision, session)
  }

  static let operand = OperandSpecification(
    name: "ITEM", help: gettext("Its id, from \"homeward routine list\""))

  /// The item that the operand names, as it is now.
  private static func find(_ session: Session) throws(CommandFailure) -> RoutineItem {
    let id = session.arguments.operands[0]
    let known = try session.list(session.call(.routineList), of: RoutineItem.self)
    if let item = known.first(where: { $0.id.rawValue == id }) { return item }
    throw CommandFailure(
      .refused, gettext("there is no item \"{id}\".", ["id": id]),
      hint: gettext("List them with: homeward routine list"))
  }

  private static func change(
    _ item: inout RoutineItem, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) {
    let arguments = session.arguments
    if arguments.has("medicine") { item.kind = .medicine }
    if arguments.has("appointment") { item.kind = .appointment }
    if arguments.has("critical") { item.isCritical = true }
    if arguments.has("not-critical") { item.isCritical = false }
    item.dose = arguments.option("dose") ?? item.dose
    item.place = arguments.option("place") ?? item.place
    item.details = arguments.option("details") ?? item.details
    item.recording = arguments.option("recording") ?? item.recording
    if let minutes = try number("notice", session, command) { item.timing.noticeMinutes = minutes }
  }

  private static func number(
    _ option: String, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> Int64? {
    guard let text = session.arguments.option(option) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .usage(
        gettext("--{option} \"{text}\" is no whole number.", ["option": option, "text": text]),
        command)
    }
    return number
  }

  private static func put(
    _ item: RoutineItem, revision: Int64?, _ session: Session
  ) throws(CommandFailure) {
    let answer = try session.perform(.routine(.put(item, revision: revision)))
    var lines = [
      gettext(
        "{title} ({id}) is due {when}.",
        ["title": item.title, "id": item.id, "when": ScheduleSummary.words(item.schedule)])
    ]
    let next = ScheduleSummary.next(item.schedule, count: 3, after: TimeDisplay.now)
    if !next.isEmpty {
      lines.append(gettext("Next: {times}", ["times": next.joined(separator: ", ")]))
    } else if case .calendar = item.schedule {
      lines.append(gettext("All its times are past: nothing will be due."))
    }
    session.tell(answer, lines: lines)
  }

  private static let remove: CommandSpecification = .init(
    path: ["routine", "remove"], summary: gettext("Removes something from a routine"),
    operands: [operand],
    examples: [Example("homeward routine remove walk", gettext("What was done stays on record."))]
  ) { session throws(CommandFailure) in
    let item = try find(session)
    session.tell(
      try session.perform(.routine(.remove(item.id, revision: item.revision))),
      gettext("Removed {title}.", ["title": item.title]))
  }

  private static let restock: CommandSpecification = .init(
    path: ["routine", "restock"], summary: gettext("Says how many units of a medicine are left"),
    operands: [
      operand, OperandSpecification(name: "UNITS", help: gettext("How many units are left")),
    ],
    examples: [Example("homeward routine restock pill 60", gettext("A new box."))]
  ) { session throws(CommandFailure) in
    guard let units = Int64(session.arguments.operands[1]) else {
      throw .usage(
        gettext("\"{text}\" is no whole number.", ["text": session.arguments.operands[1]]), restock)
    }
    let id = RoutineItemID(session.arguments.operands[0])
    let answer = try session.perform(.routine(.restock(id, units: units)))
    let days = answer["daysLeft"]?.integerContent.map {
      ngettext("That is {n} day.", "That is {n} days.", Int(clamping: $0))
    }
    let left = gettext("{units} units of {id} are left.", ["units": units, "id": id])
    session.tell(answer, lines: [left, days].compactMap { $0 })
  }

  private static let zone: CommandSpecification = .init(
    path: ["routine", "zone"],
    summary: gettext("Says what becomes of the times after the resident's time zone changed"),
    operands: [
      OperandSpecification(
        name: "ANSWER",
        help: gettext("keep: by the clock of the old zone; move: by that of the new one"))
    ],
    options: [Session.residentOption],
    examples: [Example("homeward routine zone move", gettext("08:00 is 08:00 in the new home."))]
  ) { session throws(CommandFailure) in
    guard let wanted = RoutineRequest.ZoneAnswer(rawValue: session.arguments.operands[0]) else {
      throw .usage(gettext("say keep or move."), zone)
    }
    let resident = try session.resident()
    session.tell(
      try session.perform(.routine(.answerZone(resident: resident.id, wanted))),
      wanted == .keep
        ? gettext("The times go on by the clock of the old zone.")
        : gettext("The times follow the clock of the new zone."))
  }
}
