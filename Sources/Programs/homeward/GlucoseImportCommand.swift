import Care
import CivilTime
import ControlSocket
import Door
import Glucose
import GlucoseValues
import JSON
import Moments
import Texts

/// `homeward glucose import`.
enum GlucoseImportCommand {
  static let specification: CommandSpecification = .init(
    path: ["glucose", "import"],
    summary: gettext("Takes readings from the file of a meter or a sensor into the journal"),
    discussion: gettext(
      """
      Reads exports (CSV) of LibreView and of most meters' programs; times are of the resident's time zone. First it shows
      what it found: how many readings are new and how many known, from when to when, and which lines are left out and
      why. Only then it asks. A reading that is there already is not added again, so a newer export of the same meter adds
      what is new. What is older than a day tells nobody; a fresh reading beyond the resident's limits is told as one of a
      meter would be.
      """),
    operands: [
      OperandSpecification(name: "FILE", help: gettext("The export (CSV); - for standard input"))
    ],
    options: [
      Session.residentOption, GlucoseFile.datesOption, GlucoseFile.unitOption,
      GlucoseFile.sensorOption, .flag("preview", gettext("Only show what would be added")),
      .flag("yes", gettext("Do not ask")),
    ],
    examples: [
      Example(
        "homeward glucose import LibreView.csv --resident mary --preview",
        gettext("What Mary's journal would get.")),
      Example(
        "homeward glucose import meter.csv --resident mary --dates dmy --yes",
        gettext("Without questions; 03/04/2026 is the third of April.")),
    ], run: run)

  private static func run(_ session: Session) throws(CommandFailure) {
    let file = GlucoseFile(session: session, command: specification)
    let sensor = try file.sensor()
    let unit = try GlucoseArguments.unit(session, specification)
    let isPreview = session.arguments.has("preview")
    let resident = try session.resident()
    let zone: CivilTimeZone
    do throws(TimeZoneFileError) { zone = try TimeZoneFile.load(name: resident.timeZone) } catch {
      throw CommandFailure(.failed, error.message.spoken)
    }
    let table = try file.table(in: zone, unit: unit)
    let name = origin(session.arguments.operands[0])
    let found = GlucoseImport(
      table, of: resident.id, sensor: sensor, origin: name,
      known: try known(table, of: resident.id, session), at: TimeDisplay.now)
    let preview = GlucosePreview(
      table: table, found: found, resident: resident, zone: zone, unit: unit)
    if !session.wantsJSON {
      session.terminal.write(preview.text)
      file.tell(table.faults)
    }
    if !isPreview, !table.rows.isEmpty, !found.fresh.isEmpty {
      try confirm(found.fresh.count, resident, session)
      try add(found.fresh, to: resident.id, session)
    }
    if session.wantsJSON {
      session.terminal.write(preview.json.setting("isPreview", to: .bool(isPreview)))
    } else if !table.rows.isEmpty {
      session.terminal.write(outcome(found.fresh.count, name, isPreview: isPreview))
    }
    try file.require(table)
  }

  /// What the file is called, as the list of readings shows it.
  private static func origin(_ path: String) -> String {
    guard path != "-" else { return "" }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return String(TextWidth.printable(name).unicodeScalars.prefix(100).map { Character($0) })
  }

  /// The readings of the minutes between the first and the last of the table.
  private static func known(
    _ table: GlucoseTable, of resident: ResidentID, _ session: Session
  ) throws(CommandFailure) -> [GlucoseReading] {
    let times = table.rows.map(\.time)
    guard let first = times.min(), let last = times.max() else { return [] }
    return try GlucoseReadings(session, of: resident).newest(
      since: first.advanced(byMilliseconds: -60_000),
      until: last.advanced(byMilliseconds: 60_000))
  }

  private static func confirm(
    _ count: Int, _ resident: Resident, _ session: Session
  ) throws(CommandFailure) {
    guard !session.arguments.has("yes") else { return }
    guard session.arguments.operands[0] != "-", mayAsk(session) else {
      throw .usage(
        gettext("this adds readings: add --yes, or look first with --preview."), specification)
    }
    try ask(
      ngettext(
        "Add {n} reading to the journal of {name}? [y/N] ",
        "Add {n} readings to the journal of {name}? [y/N] ", count, ["name": resident.name]),
      session)
  }

  /// Whether somebody is there to be asked.
  private static func mayAsk(_ session: Session) -> Bool {
    session.terminal.isInteractive && !session.wantsJSON
  }

  /// Asks, and ends the command unless the answer is yes.
  private static func ask(_ question: String, _ session: Session) throws(CommandFailure) {
    let answer = session.terminal.ask(question) ?? ""
    guard ["y", "yes"].contains(NumberText.trimmed(answer).lowercased()) else {
      throw CommandFailure(.failed, gettext("nothing was changed."))
    }
  }

  /// Adds them in parts, the newest first: it alone is judged against the limits.
  private static func add(
    _ readings: [GlucoseReading], to resident: ResidentID, _ session: Session
  ) throws(CommandFailure) {
    let client = try session.connect()
    var done = 0
    for start in stride(from: 0, to: readings.count, by: GlucoseRequest.importedAtOnce) {
      let part = readings[start...].prefix(GlucoseRequest.importedAtOnce)
      do throws(ControlError) {
        try client.perform(.glucose(.add(Array(part), to: resident)))
      } catch {
        let failure = CommandFailure(error)
        guard done > 0 else { throw failure }
        throw CommandFailure(
          failure.exitCode,
          gettext(
            "{count} readings were added, then: {reason}",
            ["count": done, "reason": failure.message]),
          hint: gettext("Do the same again: what is there already is not added twice."))
      }
      done += part.count
    }
  }

  private static func outcome(_ count: Int, _ name: String, isPreview: Bool) -> String {
    if count == 0 { return gettext("Nothing is new; nothing was changed.\n") }
    if isPreview { return gettext("Nothing was changed.\n") }
    let added = ngettext("Added {n} reading.\n", "Added {n} readings.\n", count, [:])
    guard !name.isEmpty else { return added }
    return added
      + gettext("To take it back: homeward glucose remove --file \"{name}\"\n", ["name": name])
  }

  // MARK: Back again

  /// Removes what the import of a file brought.
  static func takeBack(
    _ name: String, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) {
    let resident = try session.resident()
    let readings = try GlucoseReadings(session, of: resident.id).newest(since: nil, until: nil) {
      $0.source == .file && $0.origin == name
    }
    guard !readings.isEmpty else {
      throw CommandFailure(
        .failed,
        gettext(
          "{resident} has no readings of a file \"{name}\".",
          ["resident": resident.name, "name": TextWidth.printable(name)]))
    }
    if !session.arguments.has("yes") {
      guard mayAsk(session) else {
        throw .usage(gettext("this removes readings: add --yes."), command)
      }
      try ask(
        ngettext(
          "Remove {n} reading of \"{name}\" for good? [y/N] ",
          "Remove {n} readings of \"{name}\" for good? [y/N] ", readings.count, ["name": name]),
        session)
    }
    let client = try session.connect()
    do throws(ControlError) {
      // The oldest first: none of them becomes the newest, to be judged, before it goes as well.
      for reading in readings.reversed() {
        try client.perform(.glucose(.remove(reading.id, revision: reading.revision)))
      }
    } catch { throw CommandFailure(error) }
    session.tell(
      ["removed": .integer(Int64(readings.count))],
      ngettext("Removed {n} reading.", "Removed {n} readings.", readings.count, [:]))
  }
}

extension ControlClient {
  /// Has the daemon carry a command out.
  fileprivate func perform(_ request: Command.Request) throws(ControlError) {
    _ = try call(
      .command,
      params: ["command": ["id": .string(RandomIdentifier.uuid), "request": request.json]],
      timeoutMilliseconds: 30_000)
  }
}
