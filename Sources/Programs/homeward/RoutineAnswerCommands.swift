import Bytes
import Care
import ControlSocket
import Door
import JSON
import Moments
import Recurrence
import Reminders
import Texts

/// `homeward routine on|off|done|not-now|skip|snooze` and `homeward adherence`.
enum RoutineAnswerCommands {
  static let all = [on, off, done, notNow, skip, snooze, undo]

  private static let slotOption = OptionSpecification.option(
    "slot", "SLOT",
    gettext("A certain due time, as 2026-03-29T08:00; the one that is due unless set"))

  private static let on: CommandSpecification = .init(
    path: ["routine", "on"], summary: gettext("Switches the reminding of an item on"),
    operands: [RoutineCommands.operand],
    examples: [Example("homeward routine on walk", gettext("From now on."))]
  ) { session throws(CommandFailure) in
    let id = try RoutineCommands.item(session).id
    session.tell(
      try session.perform(.routine(.setOn(id, true))), gettext("{id} is on.", ["id": id]))
  }

  private static let off: CommandSpecification = .init(
    path: ["routine", "off"], summary: gettext("Switches the reminding of an item off"),
    operands: [RoutineCommands.operand],
    examples: [Example("homeward routine off walk", gettext("What is due is cancelled."))]
  ) { session throws(CommandFailure) in
    let id = try RoutineCommands.item(session).id
    session.tell(
      try session.perform(.routine(.setOn(id, false))), gettext("{id} is off.", ["id": id]))
  }

  private static let done: CommandSpecification = .init(
    path: ["routine", "done"], summary: gettext("Says that something was done"),
    discussion: gettext(
      "Done up to two hours before it is due, it counts for that time; see --early of \"routine edit\"."
    ),
    operands: [RoutineCommands.operand], options: [slotOption],
    examples: [Example("homeward routine done pill", gettext("It is not asked for any more."))]
  ) { session throws(CommandFailure) in
    try answer(.done, session)
  }

  private static let notNow: CommandSpecification = .init(
    path: ["routine", "not-now"], summary: gettext("Says that the resident does not want to"),
    discussion: gettext("Something critical is put off instead."),
    operands: [RoutineCommands.operand], options: [slotOption],
    examples: [Example("homeward routine not-now walk", gettext("Not today."))]
  ) { session throws(CommandFailure) in
    try answer(.notNow, session)
  }

  private static let skip: CommandSpecification = .init(
    path: ["routine", "skip"], summary: gettext("Leaves something out, for a reason"),
    discussion: gettext(
      "Also in advance: the next due time, where it is within a day, or the one that --slot names."),
    operands: [RoutineCommands.operand],
    options: [slotOption, .option("reason", "WORDS", gettext("Why"))],
    examples: [
      Example(
        "homeward routine skip pill --reason \"the doctor said so\"",
        gettext("Ends the alarm about it as well."))
    ]
  ) { session throws(CommandFailure) in
    guard let reason = session.arguments.option("reason") else {
      throw .usage(gettext("say why: --reason WORDS"), skip)
    }
    try answer(.skip(reason: reason), session)
  }

  private static let snooze: CommandSpecification = .init(
    path: ["routine", "snooze"], summary: gettext("Asks again a little later"),
    operands: [RoutineCommands.operand],
    options: [slotOption, .option("minutes", "N", gettext("In so many minutes, 1 to 240"))],
    examples: [Example("homeward routine snooze pill --minutes 20", gettext("In 20 minutes."))]
  ) { session throws(CommandFailure) in
    let text = session.arguments.option("minutes")
    let minutes = text.flatMap { Int64($0) }
    if let text, minutes == nil {
      throw .usage(gettext("\"{text}\" is no whole number.", ["text": text]), snooze)
    }
    try answer(.snooze(minutes: minutes), session)
  }

  private static let undo: CommandSpecification = .init(
    path: ["routine", "undo"],
    summary: gettext("Takes back what was said of something before it was due"),
    operands: [RoutineCommands.operand], options: [slotOption],
    examples: [
      Example("homeward routine undo pill", gettext("It was not taken after all: she is asked."))
    ]
  ) { session throws(CommandFailure) in
    let id = try RoutineCommands.item(session).id
    let slot = session.arguments.option("slot")
    let reply = try session.perform(.routine(.answer(id, slot: slot, .undo)))
    let next = reply["nextDue"]?.stringContent.map {
      gettext("Next due: {time}", ["time": session.times.text($0)])
    }
    session.tell(
      reply,
      lines: [gettext("Taken back: it is asked for at its time."), next].compactMap { $0 })
  }

  private static func answer(
    _ answer: RoutineRequest.Answer, _ session: Session
  ) throws(CommandFailure) {
    let id = try RoutineCommands.item(session).id
    let slot = session.arguments.option("slot")
    let reply = try session.perform(.routine(.answer(id, slot: slot, answer)))
    let next = reply["nextDue"]?.stringContent.map {
      gettext("Next due: {time}", ["time": session.times.text($0)])
    }
    session.tell(reply, lines: [noted(reply, session.times), next].compactMap { $0 })
  }

  /// What it was noted for, where that is a due time that lies ahead.
  private static func noted(_ reply: JSONValue, _ times: TimeDisplay) -> String {
    guard reply["isEarly"]?.boolContent == true, let due = reply["due"]?.stringContent else {
      return gettext("Noted.")
    }
    return gettext(
      "Noted: it counts for {time}, and is not asked for then.", ["time": times.text(due)])
  }

  // MARK: Adherence

  static let adherence: CommandSpecification = .init(
    path: ["adherence"], summary: gettext("How regularly what is due was done, over 7 and 30 days"),
    discussion: gettext(
      "Done among done and missed; late ones count as done. What is taken when needed is left out."),
    options: [Session.residentOption],
    examples: [Example("homeward adherence --resident mary", gettext("Item by item, and in all."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let items = try session.list(
      session.call(.routineList, ["resident": .string(resident.id.rawValue)]),
      of: RoutineItem.self)
    let now = TimeDisplay.now
    let since = now.advanced(byMilliseconds: -30 * 86_400_000)
    let occurrences = try session.list(
      session.call(
        .occurrencesQuery,
        [
          "resident": .string(resident.id.rawValue), "since": .string(since.iso8601),
          "limit": 100_000,
        ]), of: Occurrence.self)
    let report = AdherenceReport(items: items, occurrences: occurrences, now: now)
    try session.show(report.json) { _ throws(DecodeError) in report.text }
  }
}

/// The figures of each item, and of all.
struct AdherenceReport {
  private struct Line {
    var item: RoutineItem?
    var week: Adherence
    var month: Adherence

    /// Whether nothing was due.
    var isEmpty: Bool { month.done + month.missed + month.declined == 0 }
  }

  private var lines: [Line] = []

  init(items: [RoutineItem], occurrences: [Occurrence], now: Timestamp) {
    var asNeeded: Set<RoutineItemID> = []
    for item in items {
      if case .asNeeded = item.schedule { asNeeded.insert(item.id) }
    }
    func line(_ item: RoutineItem?, _ chosen: [Occurrence]) -> Line {
      Line(
        item: item, week: Adherence(chosen, days: 7, before: now, asNeeded: asNeeded),
        month: Adherence(chosen, days: 30, before: now, asNeeded: asNeeded))
    }
    let byItem = Dictionary(grouping: occurrences, by: \.item)
    for item in items.sorted(by: { $0.id < $1.id }) where !asNeeded.contains(item.id) {
      let line = line(item, byItem[item.id] ?? [])
      // Of what was never due there is nothing to say.
      if line.isEmpty { continue }
      lines.append(line)
    }
    lines.append(line(nil, occurrences))
  }

  var json: JSONValue {
    .array(
      lines.map { line in
        .object([
          "item": line.item.map { .string($0.id.rawValue) },
          "title": line.item.map { .string($0.title) }, "days7": line.week.json,
          "days30": line.month.json,
        ])
      })
  }

  var text: String {
    if lines.allSatisfy(\.isEmpty) {
      return gettext("Nothing was due in the last 30 days.\n")
    }
    var table = Table([
      gettext("ITEM"), gettext("7 DAYS"), gettext("30 DAYS"), gettext("DONE"), gettext("LATE"),
      gettext("MISSED"), gettext("WHAT"),
    ])
    for line in lines {
      table.add([
        line.item?.id.rawValue ?? gettext("all"), percent(line.week), percent(line.month),
        "\(line.month.done)", "\(line.month.late)", "\(line.month.missed)",
        line.item?.title ?? "",
      ])
    }
    return table.text
  }

  private func percent(_ adherence: Adherence) -> String {
    adherence.share.map { "\(Int(($0 * 100).rounded()))%" } ?? "-"
  }
}
