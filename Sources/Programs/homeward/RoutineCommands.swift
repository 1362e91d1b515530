import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Recurrence
import Texts

/// `homeward routine …`.
enum RoutineCommands {
  static let all =
    [list, RoutineListing.show, add, edit, remove] + RoutineAnswerCommands.all + [restock, zone]

  private static let list: CommandSpecification = .init(
    path: ["routine", "list"],
    summary: gettext("What a resident does and takes, where it stands, and when it is due next"),
    options: [Session.residentOption],
    examples: [Example("homeward routine list", gettext("What is due comes first."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let answer = try session.call(
      .routineList, .object(["resident": id.map { .string($0.rawValue) }]))
    try session.show(answer) { answer throws(DecodeError) in
      try RoutineListing(answer, times: session.times).text
    }
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
      .option(
        "picture", "FILE",
        gettext("What a screen shows with it: a JPEG or PNG file of at most 10 MB")),
      .option("notice", "MINUTES", gettext("Said so long before it is due")),
      .option(
        "early", "MINUTES",
        gettext("Done so long before it is due it counts, 0 to 240; 120 unless set")),
      .option(
        "in-quiet-hours", "RULE",
        gettext(
          "What is due then: ask, before, after, nearest or silent; medicine asks unless set")),
      .option(
        "units-per-dose", "UNITS",
        gettext("How many units each dose takes from the stock; what --dose says unless set")),
    ] + RoutineSchedule.options

  private static let add: CommandSpecification = .init(
    path: ["routine", "add"], summary: gettext("Adds something to a resident's routine"),
    discussion: gettext("Says in words what was understood, with the next three due times."),
    options: [
      Session.residentOption, .option("title", "TITLE", gettext("What people call it; spoken")),
      // Later a restock tells it: between looking and changing, doses are taken.
      .option("stock", "UNITS", gettext("How many units are left")),
      .flag("again", gettext("Although something of that title is there already")),
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
    let known = try session.list(session.call(.routineList), of: RoutineItem.self)
    try refuseTwin(of: title, of: resident, among: known, session)
    let id = Slug.make(from: title, besides: known.map(\.id.rawValue))
    var item = RoutineItem(
      id: RoutineItemID(id), resident: resident.id, title: title, schedule: schedule)
    try PictureTransfer.check(session.arguments.all("picture"), besides: 0, add)
    try change(&item, session, add)
    item.stock = try units("stock", session, add).map {
      Stock(units: $0, unitsPerDose: DoseText.units(in: item.dose) ?? 1)
    }
    try takeUnitsPerDose(&item, session, add)
    item.picture = try PictureTransfer.bring(for: resident.id, session).first
    try put(item, revision: nil, session)
  }

  /// The same title once more is most often a mistake, and would remind twice.
  private static func refuseTwin(
    of title: String, of resident: Resident, among items: [RoutineItem], _ session: Session
  ) throws(CommandFailure) {
    let twin = items.first {
      $0.resident == resident.id && $0.title.lowercased() == title.lowercased()
    }
    guard let twin, !session.arguments.has("again") else { return }
    throw CommandFailure(
      .refused,
      gettext(
        "{title} ({id}) is in the routine of {name} already, due {when}.",
        [
          "title": twin.title, "id": twin.id, "name": resident.name,
          "when": ScheduleSummary.words(twin.schedule),
        ]),
      hint: gettext(
        "Change it: homeward routine edit {id}. To be reminded twice add --again.",
        ["id": twin.id]))
  }

  private static let edit: CommandSpecification = .init(
    path: ["routine", "edit"], summary: gettext("Changes what is given, and leaves the rest"),
    operands: [operand],
    options: [
      .option("title", "TITLE", gettext("What people call it; spoken")),
      .flag("no-picture", gettext("Without a picture")),
    ] + itemOptions,
    examples: [
      Example(
        "homeward routine edit walk --weekly tue --at 14:00", gettext("Another day and time.")),
      Example(
        "homeward routine edit pill --picture box.jpg",
        gettext("The reminder shows the box of the medicine.")),
    ]
  ) { session throws(CommandFailure) in
    var item = try Self.item(session)
    let revision = item.revision
    item.title = session.arguments.option("title") ?? item.title
    guard !session.arguments.has("no-picture") || !session.arguments.has("picture") else {
      throw .usage(gettext("say either --picture FILE or --no-picture."), edit)
    }
    try PictureTransfer.check(session.arguments.all("picture"), besides: 0, edit)
    try change(&item, session, edit)
    if session.arguments.has("dose"), let units = DoseText.units(in: item.dose) {
      item.stock?.unitsPerDose = units
    }
    try takeUnitsPerDose(&item, session, edit)
    let residents = try session.residents()
    if let resident = residents.first(where: { $0.id == item.resident }),
      let schedule = try RoutineSchedule(
        session: session, command: edit, resident: resident, current: item.schedule
      ).read()
    {
      item.schedule = schedule
    }
    if session.arguments.has("no-picture") { item.picture = nil }
    item.picture = try PictureTransfer.bring(for: item.resident, session).first ?? item.picture
    try put(item, revision: revision, session)
  }

  static let operand = OperandSpecification(
    name: "ITEM", help: gettext("Its title, or its id from \"homeward routine list\""))

  /// The item that the operand names, as it is now.
  static func item(_ session: Session) throws(CommandFailure) -> RoutineItem {
    let known = try session.list(session.call(.routineList), of: RoutineItem.self)
    return try Lookup(
      among: known, id: \.id.rawValue, name: \.title,
      nothing: { gettext("there is no item \"{id}\".", ["id": $0]) },
      list: gettext("List them with: homeward routine list")
    ).find(session.arguments.operands[0])
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
    if let minutes = try number("early", session, command) { item.timing.earlyMinutes = minutes }
    if let word = arguments.option("in-quiet-hours") {
      guard let policy = QuietPolicy(rawValue: word) else {
        throw .usage(
          gettext(
            "--in-quiet-hours \"{text}\" must be {words}.",
            ["text": word, "words": QuietWords.all]), command)
      }
      item.timing.inQuietHours = policy
    }
  }

  /// What a dose takes from the stock, where somebody says it; without a stock nothing is counted.
  private static func takeUnitsPerDose(
    _ item: inout RoutineItem, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) {
    guard let units = try units("units-per-dose", session, command) else { return }
    guard item.stock != nil else {
      throw .usage(
        gettext("--units-per-dose needs a stock to take from. Say how many units are left first."),
        command)
    }
    item.stock?.unitsPerDose = units
  }

  private static func units(
    _ option: String, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> UnitCount? {
    guard let text = session.arguments.option(option) else { return nil }
    guard let units = UnitCount(text: text) else {
      throw .usage(
        gettext(
          "--{option} \"{text}\" is no number of units. Write 30, 0.5 or 1 1/2.",
          ["option": option, "text": text]), command)
    }
    return units
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
    let next = nextTimes(answer, item)
    if !next.isEmpty {
      lines.append(gettext("Next: {times}", ["times": next.joined(separator: ", ")]))
    } else if case .calendar = item.schedule {
      lines.append(gettext("All its times are past: nothing will be due."))
    }
    lines += QuietWords(answer, item).lines
    if let stock = item.stock {
      lines.append(
        gettext(
          "Each dose takes {units} of the stock. To change that: homeward routine edit {id} --units-per-dose UNITS",
          ["units": stock.unitsPerDose, "id": item.id]))
    }
    session.tell(answer, lines: lines)
  }

  /// The next due times as the gateway asks for them, where its answer tells.
  private static func nextTimes(_ answer: JSONValue, _ item: RoutineItem) -> [String] {
    let coming = (answer["next"]?.arrayContent ?? []).compactMap { $0["due"]?.stringContent }
    let zone = item.schedule.timeZone.flatMap { try? TimeZoneFile.load(name: $0) }
    guard !coming.isEmpty, let zone else {
      return ScheduleSummary.next(item.schedule, count: 3, after: TimeDisplay.now)
    }
    return coming.map { TimeDisplay(zone: zone).text($0) }
  }

  private static let remove: CommandSpecification = .init(
    path: ["routine", "remove"], summary: gettext("Removes something from a routine"),
    discussion: gettext(
      "With --source everything that a calendar brought. What a plugin reads again comes back: end that in its settings."
    ),
    operands: [OperandSpecification(name: operand.name, isOptional: true, help: operand.help)],
    options: [
      Session.residentOption,
      .option(
        "source", "NAME", gettext("All items of this calendar, as \"routine show\" names it")),
    ],
    examples: [
      Example("homeward routine remove walk", gettext("What was done stays on record.")),
      Example(
        "homeward routine remove --source family", gettext("Takes back an import, in one step.")),
    ]
  ) { session throws(CommandFailure) in
    switch (session.arguments.operands.first, session.arguments.option("source")) {
    case (nil, let source?): try removeAll(of: source, session)
    case (.some, nil):
      let item = try Self.item(session)
      session.tell(
        try session.perform(.routine(.remove(item.id, revision: item.revision))),
        gettext("Removed {title}.", ["title": item.title]))
    case (nil, nil), (.some, .some):
      throw .usage(gettext("say either an item or --source NAME."), remove)
    }
  }

  private static func removeAll(
    of source: String, _ session: Session
  ) throws(CommandFailure) {
    let resident = try session.resident()
    let items = try session.list(
      session.call(.routineList, ["resident": .string(resident.id.rawValue)]),
      of: RoutineItem.self)
    let count = items.count { $0.source == source }
    guard count > 0 else {
      let known = Set(items.map(\.source)).subtracting([""]).sorted()
      throw CommandFailure(
        .refused,
        gettext(
          "nothing in the routine of {name} is from \"{source}\".",
          ["name": resident.name, "source": source]),
        hint: known.isEmpty
          ? nil : gettext("There are: {known}", ["known": known.joined(separator: ", ")]))
    }
    session.tell(
      try session.perform(
        .routine(.replace(resident: resident.id, source: source, items: []))),
      ngettext(
        "Removed {n} item of \"{source}\" from the routine of {name}.",
        "Removed {n} items of \"{source}\" from the routine of {name}.", count,
        ["source": source, "name": resident.name]))
  }

  private static let restock: CommandSpecification = .init(
    path: ["routine", "restock"], summary: gettext("Says how many units of a medicine are left"),
    operands: [
      operand, OperandSpecification(name: "UNITS", help: gettext("How many units are left")),
    ],
    examples: [Example("homeward routine restock pill 60", gettext("A new box."))]
  ) { session throws(CommandFailure) in
    guard let units = UnitCount(text: session.arguments.operands[1]) else {
      throw .usage(
        gettext(
          "\"{text}\" is no number of units. Write 30, 0.5 or 1 1/2.",
          ["text": session.arguments.operands[1]]), restock)
    }
    let id = try item(session).id
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
