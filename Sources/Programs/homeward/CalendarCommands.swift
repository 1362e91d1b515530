import Calendars
import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Moments
import Recurrence
import Texts

/// `homeward routine import` and `export`.
enum CalendarCommands {
  static let all = [read, write]

  private static let read: CommandSpecification = .init(
    path: ["routine", "import"],
    summary: gettext("Takes a calendar file (.ics) into a resident's routine"),
    discussion: gettext(
      """
      Each event and task becomes an item; what is over for more than a day is left out. Events that cannot become
      items are named with the reason, and nothing else is lost. The next import of the same source replaces what the
      last one brought, all or nothing; other items are never touched.
      """),
    operands: [
      OperandSpecification(name: "FILE", help: gettext("The calendar; - for standard input"))
    ],
    options: [
      Session.residentOption,
      .option(
        "source", "NAME", gettext("What the calendar is called here; the file's name unless set")),
      .option("all-day", "HH:MM", gettext("When an all-day event is due; 09:00 unless set")),
      .flag("dry-run", gettext("Say what would be done, and change nothing")),
    ],
    examples: [
      Example(
        "homeward routine import family.ics --resident mary --dry-run",
        gettext("What Mary's routine would get from the family's calendar.")),
      Example(
        "homeward routine import export.ics --resident mary --source family",
        gettext("The same for real, in the place of the last import called \"family\".")),
    ], run: runImport)

  private static let write: CommandSpecification = .init(
    path: ["routine", "export"], summary: gettext("Writes a routine as a calendar file (.ics)"),
    discussion: gettext(
      """
      Other calendars read the same due times from it; each time of day is an event of its own. Items that a calendar
      cannot hold (as needed, so long after the last time, switched off) are named on standard error.
      """),
    options: [
      Session.residentOption,
      .file(gettext("Where to; standard output unless set"), value: "FILE.ics"),
    ],
    examples: [
      Example(
        "homeward routine export --resident mary --to mary.ics",
        gettext("Mary's routine as a file."))
    ], run: runExport)

  // MARK: Import

  private static func runImport(_ session: Session) throws(CommandFailure) {
    let path = session.arguments.operands[0]
    let bytes: [UInt8]
    // One byte more than is taken, so that a larger file is told.
    do throws(FileFailure) { bytes = try FileText.bytes(path, limit: (32 << 20) + 1) } catch {
      throw CommandFailure(.failed, "\(path): \(error.reason).")
    }
    let source = try source(session, path)
    let allDay = try allDayTime(session)
    let resident = try session.resident()
    let context = CalendarImport.Context(
      resident: resident.id, source: source, timeZone: resident.timeZone, now: TimeDisplay.now,
      allDayTime: allDay, language: try language(of: resident, session),
      zone: { try? TimeZoneFile.load(name: $0) })
    let found: CalendarImport
    do throws(CalendarFault) { found = try CalendarImport(bytes, context) } catch {
      throw CommandFailure(.failed, "\(path): \(error.message.spoken)")
    }
    let isDry = session.arguments.has("dry-run")
    let others = try alreadyThere(found, of: resident, source, session)
    if !isDry { try replace(found, of: resident, source, session) }
    if session.wantsJSON {
      return session.terminal.write(
        report(found, isDry: isDry).setting("alreadyThere", to: .array(others.map(\.json))))
    }
    session.terminal.write(
      text(found, of: resident, source, besides: others.reduce(0) { $0 + $1.count }, isDry: isDry))
    session.terminal.write(others.map { TextWidth.printable($0.sentence) + "\n" }.joined())
    guard !isDry, !found.items.isEmpty else { return }
    session.terminal.writeLine(
      gettext(
        "To take it back: homeward routine remove --source \"{source}\"",
        ["source": TextWidth.printable(source)]))
  }

  /// Events that another calendar has brought already, and how many of them.
  private struct AlreadyThere {
    var source: String
    var count: Int

    var json: JSONValue { ["source": .string(source), "count": .integer(Int64(count))] }

    var sentence: String {
      ngettext(
        "{n} event is in the routine already, from \"{source}\", and stays there. To change it, import it as that: --source \"{source}\"",
        "{n} events are in the routine already, from \"{source}\", and stay there. To change them, import them as that: --source \"{source}\"",
        count, ["source": source])
    }
  }

  private static func alreadyThere(
    _ found: CalendarImport, of resident: Resident, _ source: String, _ session: Session
  ) throws(CommandFailure) -> [AlreadyThere] {
    let held = try session.list(
      session.call(.routineList, ["resident": .string(resident.id.rawValue)]),
      of: RoutineItem.self)
    let events = Set(found.items.map(\.event)).subtracting([""])
    let others = held.filter { $0.source != source && events.contains($0.event) }
    return Dictionary(grouping: others, by: \.source).sorted { $0.key < $1.key }
      .map { AlreadyThere(source: $0.key, count: $0.value.count) }
  }

  /// The language that the resident hears.
  private static func language(
    of resident: Resident, _ session: Session
  ) throws(CommandFailure) -> Language {
    let settings = try session.call(.settingsList, ["resident": .string(resident.id.rawValue)])
    return Language(settings["language"]?.stringContent ?? "")
  }

  private static func replace(
    _ found: CalendarImport, of resident: Resident, _ source: String, _ session: Session
  ) throws(CommandFailure) {
    if found.componentCount == 0 {
      throw CommandFailure(
        .failed, gettext("the calendar has no events, so nothing was changed."),
        hint: gettext(
          "To remove what an earlier import brought: homeward routine remove --source NAME"))
    }
    let request = RoutineRequest.replace(resident: resident.id, source: source, items: found.items)
    let size = Command.Request.routine(request).json.serializedBytes.count
    guard size < 1_000_000 else {
      throw CommandFailure(
        .failed,
        gettext(
          "the events are too large together ({size} KiB of 976); nothing was changed.",
          ["size": size >> 10]),
        hint: gettext("Export a shorter span of the calendar, or without long descriptions."))
    }
    try session.perform(.routine(request))
  }

  private static func source(
    _ session: Session, _ path: String
  ) throws(CommandFailure) -> String {
    if let given = session.arguments.option("source") {
      guard (1...100).contains(given.unicodeScalars.count) else {
        throw .usage(gettext("--source must have 1 through 100 characters."), read)
      }
      return given
    }
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    let name = file.lowercased().hasSuffix(".ics") ? String(file.dropLast(4)) : file
    guard path != "-", (1...100).contains(name.unicodeScalars.count) else {
      throw .usage(gettext("say what the calendar is called: --source NAME"), read)
    }
    return name
  }

  private static func allDayTime(_ session: Session) throws(CommandFailure) -> TimeOfDay? {
    guard let text = session.arguments.option("all-day") else { return nil }
    guard let time = TimeOfDay(text: text) else {
      throw .usage(
        gettext(
          "--all-day \"{text}\" is no time of day. Write one such as 09:00.", ["text": text]), read)
    }
    return time
  }

  private static func text(
    _ found: CalendarImport, of resident: Resident, _ source: String, besides others: Int,
    isDry: Bool
  ) -> String {
    var lines =
      [outcome(max(0, found.items.count - others), resident.name, source, isDry: isDry)]
      + counts(found)
    if isDry { lines += found.items.prefix(20).map { "  \($0.title): \(when($0.schedule))" } }
    if isDry, found.items.count > 20 { lines.append(more(found.items.count - 20)) }
    if found.leftOutCount > 0 {
      lines.append(gettext("{count} cannot be in the routine:", ["count": found.leftOutCount]))
      lines += found.leftOut.map { "  \($0.title): \($0.reason.spoken)" }
      let rest = found.leftOutCount - found.leftOut.count
      if rest > 0 { lines.append(more(rest)) }
    }
    return lines.map(TextWidth.printable).joined(separator: "\n") + "\n"
  }

  private static func outcome(
    _ count: Int, _ name: String, _ source: String, isDry: Bool
  ) -> String {
    isDry
      ? ngettext(
        "{n} item would be in the routine of {name}, as \"{source}\". Nothing was changed.",
        "{n} items would be in the routine of {name}, as \"{source}\". Nothing was changed.", count,
        ["name": name, "source": source])
      : ngettext(
        "{n} item of \"{source}\" is in the routine of {name} now.",
        "{n} items of \"{source}\" are in the routine of {name} now.", count,
        ["name": name, "source": source])
  }

  /// What became of the rest, in a line each.
  private static func counts(_ found: CalendarImport) -> [String] {
    let lines = [
      (
        found.pastCount,
        Message("{count} over for more than a day and left out.", ["count": found.pastCount])
      ),
      (
        found.cancelledCount,
        Message("{count} cancelled or done already and left out.", ["count": found.cancelledCount])
      ),
      (
        found.laterCount,
        Message(
          "{count} further ahead than there is room for; import again later.",
          ["count": found.laterCount])
      ),
      (
        found.shortenedCount,
        Message("{count} taken with a text that was shortened.", ["count": found.shortenedCount])
      ),
    ]
    return lines.filter { $0.0 > 0 }.map(\.1.spoken)
  }

  private static func more(_ count: Int) -> String {
    gettext("  and {count} more", ["count": count])
  }

  private static func when(_ schedule: Schedule) -> String {
    guard case .calendar(let calendar) = schedule else { return gettext("without a time") }
    let start = calendar.start.localText.replacing("T", with: " ").dropLast(3)
    let rule = calendar.rule.map { ", \($0.text)" } ?? ""
    return "\(start) \(calendar.timeZone)\(rule)"
  }

  private static func report(_ found: CalendarImport, isDry: Bool) -> JSONValue {
    [
      "isDryRun": .bool(isDry), "items": .array(found.items.map(\.json)),
      "leftOut": .array(
        found.leftOut.map {
          [
            "title": .string($0.title), "code": .string($0.code.rawValue),
            "reason": .string($0.reason.spoken),
          ]
        }),
      "leftOutCount": .integer(Int64(found.leftOutCount)),
      "pastCount": .integer(Int64(found.pastCount)),
      "cancelledCount": .integer(Int64(found.cancelledCount)),
      "laterCount": .integer(Int64(found.laterCount)),
      "shortenedCount": .integer(Int64(found.shortenedCount)),
    ]
  }

  // MARK: Export

  private static func runExport(_ session: Session) throws(CommandFailure) {
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    let items = try session.list(session.call(.routineList, params), of: RoutineItem.self)
      .sorted { ($0.resident, $0.id) < ($1.resident, $1.id) }
    let names = try session.residents().filter { id == nil || $0.id == id }.map(\.name)
    let export = CalendarExport(
      items, name: "Homeward: \(names.joined(separator: ", "))", now: TimeDisplay.now,
      zone: { try? TimeZoneFile.load(name: $0) })
    let path = session.arguments.option("to") ?? "-"
    if path == "-" {
      session.terminal.write(export.text)
    } else {
      do throws(FileFailure) { try FileText.write(export.text, to: path) } catch {
        throw CommandFailure(.failed, "\(path): \(error.reason).")
      }
      session.terminal.write(
        ngettext(
          "Wrote {n} event to {path}.\n", "Wrote {n} events to {path}.\n", export.componentCount,
          ["path": path]))
    }
    for item in export.leftOut {
      session.terminal.writeError(
        gettext(
          "left out: {title}: {reason}",
          ["title": TextWidth.printable(item.title), "reason": item.reason]))
    }
  }
}
