import CareModel
import CivilTime
import Glucose
import Texts

/// `homeward glucose analyse`.
enum GlucoseAnalyseCommand {
  static let specification: CommandSpecification = .init(
    path: ["glucose", "analyse"],
    summary: gettext("Says what a table of glucose readings says, without a daemon"),
    discussion: gettext(
      """
      The first line of the table names its columns: time,mg/dL,tag or time,mmol/L,tag. A time without a zone is local.
      Tags such as before-lunch or after-dinner tell which side of a meal a reading is on; others are kept as they are.
      Means are of the calendar month. What there are too few readings for is left out, and said. Lines that are no
      reading are listed with the reason; the other lines count. This is no medical advice: show it to the doctor.
      """),
    operands: [
      OperandSpecification(name: "FILE", help: gettext("The table (CSV); - for standard input"))
    ],
    options: [
      .option("zone", "NAME", gettext("The time zone of the home: Europe/Madrid")),
      GlucoseArguments.unitOption,
      .option(
        "sensor", "finger-stick|cgm",
        gettext("What measured, where the table does not say; finger-stick unless set")),
    ],
    examples: [
      Example("homeward glucose analyse readings.csv", gettext("Means, ranges and outliers.")),
      Example(
        "homeward glucose analyse sensor.csv --sensor cgm --zone Europe/Oslo --json",
        gettext("A sensor's time in range and profile, for a program.")),
    ], run: run)

  private static func run(_ session: Session) throws(CommandFailure) {
    let path = session.arguments.operands[0]
    let zone = try zone(session)
    let sensor = try sensor(session.arguments.option("sensor"))
    let unit = try GlucoseArguments.unit(session, specification)
    let table = try table(path, zone)
    let now = TimeDisplay.now
    let report = GlucoseReport(
      table.readings(of: "resident", sensor: sensor, at: now), in: zone, at: now)
    if session.wantsJSON {
      session.terminal.write(json(table, report, zone))
    } else {
      let listing = GlucoseListing(
        report: report, unit: unit ?? GlucoseArguments.usualUnit(table.rows.map(\.level)))
      session.terminal.write(listing.text(rowCount: table.rows.count))
      tell(table.faults, session)
    }
    guard table.rows.isEmpty else { return }
    throw CommandFailure(
      .failed, gettext("{path} has no line that is a reading.", ["path": path]),
      hint: gettext("Lines look like this: 2026-11-20 07:30,101,before-breakfast"))
  }

  private static func json(
    _ table: GlucoseTable, _ report: GlucoseReport, _ zone: CivilTimeZone
  ) -> JSONValue {
    let faults: [JSONValue] = table.faults.map { fault in
      [
        "line": .integer(Int64(fault.line)), "text": .string(fault.text),
        "reason": .string(fault.reason.message.text(in: .en)),
      ]
    }
    return .object(
      [
        JSONMember(key: "zone", value: .string(zone.name)),
        JSONMember(key: "readings", value: .integer(Int64(table.rows.count))),
        JSONMember(key: "faults", value: .array(faults)),
      ] + (report.json.objectContent ?? []))
  }

  /// Lines that are no readings, on standard error.
  private static func tell(_ faults: [GlucoseTable.Fault], _ session: Session) {
    let shown = 50
    for fault in faults.prefix(shown) {
      session.terminal.writeError(
        gettext(
          "Line {line}: {reason} {text}",
          [
            "line": fault.line, "reason": fault.reason.message,
            "text": TextWidth.printable(fault.text),
          ]))
    }
    guard faults.count > shown else { return }
    session.terminal.writeError(
      gettext(
        "… and {count} more; --json lists them all.", ["count": faults.count - shown]))
  }

  // MARK: Reading what was given

  private static func table(
    _ path: String, _ zone: CivilTimeZone
  ) throws(CommandFailure) -> GlucoseTable {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileText.bytes(path, limit: GlucoseTable.maximumBytes + 1)
    } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
    do throws(GlucoseTable.Failure) { return try GlucoseTable(bytes, in: zone) } catch {
      throw CommandFailure(.failed, "\(path): \(error.message.spoken)")
    }
  }

  private static func zone(_ session: Session) throws(CommandFailure) -> CivilTimeZone {
    guard let name = session.arguments.option("zone") else { return session.times.zone }
    do throws(TimeZoneFileError) { return try TimeZoneFile.load(name: name) } catch {
      throw .usage(error.message.spoken, specification)
    }
  }

  private static func sensor(
    _ text: String?
  ) throws(CommandFailure) -> GlucoseReading.Sensor {
    guard let text else { return .fingerStick }
    guard let sensor = GlucoseReading.Sensor(rawValue: text) else {
      throw .usage(
        gettext("--sensor \"{value}\" must be finger-stick or cgm.", ["value": text]), specification
      )
    }
    return sensor
  }
}
