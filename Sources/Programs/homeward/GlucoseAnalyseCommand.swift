import Care
import CivilTime
import Glucose
import GlucoseFigures
import JSON
import Texts

/// `homeward glucose analyse`.
enum GlucoseAnalyseCommand {
  static let specification: CommandSpecification = .init(
    path: ["glucose", "analyse"],
    summary: gettext("Says what a table of glucose readings says, without a daemon"),
    discussion: gettext(
      """
      The first line of the table names its columns: time,mg/dL,tag or time,mmol/L,tag. Exports of LibreView and of most
      meters' programs are read as they are. A time without a zone is local.
      Tags such as before-lunch or after-dinner tell which side of a meal a reading is on; others are kept as they are.
      Means are of the calendar month. What there are too few readings for is left out, and said. Lines that are no
      reading are listed with the reason; the other lines count. This is no medical advice: show it to the doctor.
      """),
    operands: [
      OperandSpecification(name: "FILE", help: gettext("The table (CSV); - for standard input"))
    ],
    options: [
      .option("zone", "NAME", gettext("The time zone of the home: Europe/Madrid")),
      .option(
        "unit", "mg/dL|mmol/L",
        gettext("The unit to show, and of levels that the file gives without one")),
      GlucoseFile.sensorOption, GlucoseFile.datesOption,
    ],
    examples: [
      Example("homeward glucose analyse readings.csv", gettext("Means, ranges and outliers.")),
      Example(
        "homeward glucose analyse sensor.csv --sensor cgm --zone Europe/Oslo --json",
        gettext("A sensor's time in range and profile, for a program.")),
    ], run: run)

  private static func run(_ session: Session) throws(CommandFailure) {
    let file = GlucoseFile(session: session, command: specification)
    let zone = try zone(session)
    let sensor = try file.sensor()
    let unit = try GlucoseArguments.unit(session, specification)
    let table = try file.table(in: zone, unit: unit)
    let now = TimeDisplay.now
    let report = GlucoseReport(
      table.readings(of: "resident", sensor: sensor, at: now), in: zone, at: now)
    if session.wantsJSON {
      session.terminal.write(json(table, report, zone))
    } else {
      let listing = GlucoseListing(
        report: report, unit: unit ?? GlucoseArguments.usualUnit(table.rows.map(\.level)))
      session.terminal.write(listing.text(rowCount: table.rows.count))
      file.tell(table.faults)
    }
    try file.require(table)
  }

  private static func json(
    _ table: GlucoseTable, _ report: GlucoseReport, _ zone: CivilTimeZone
  ) -> JSONValue {
    .object(
      [
        JSONMember(key: "zone", value: .string(zone.name)),
        JSONMember(key: "readings", value: .integer(Int64(table.rows.count))),
        JSONMember(key: "faults", value: GlucoseFile.json(table.faults)),
      ] + (report.json.objectContent ?? []))
  }

  private static func zone(_ session: Session) throws(CommandFailure) -> CivilTimeZone {
    guard let name = session.arguments.option("zone") else { return session.times.zone }
    do throws(TimeZoneFileError) { return try TimeZoneFile.load(name: name) } catch {
      throw .usage(error.message.spoken, specification)
    }
  }
}
