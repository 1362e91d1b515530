import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Moments

/// `homeward history`.
enum HistoryCommand {
  static let specification: CommandSpecification = .init(
    path: ["history"], summary: gettext("Where a resident has been"),
    discussion: gettext(
      """
      Location records (written when the resident moved, or an hour passed), newest first.
      --series takes the five-minute series instead. --tsv prints all of either, oldest first, as tab-delimited
      columns: user id, date, time, latitude, longitude, minutes at the location; in the resident's own time zone.
      """),
    options: [
      Session.residentOption, .flag("series", gettext("The five-minute series")),
      .flag("tsv", gettext("Tab-delimited export of every record")),
      .option(
        "since", "TIME",
        gettext("From this time on: 2026-11-20, \"2026-11-20 15:30\", today, 2h, 7d")),
      .option("until", "TIME", gettext("Before this time")),
      .option("limit", "COUNT", gettext("At most so many; 50 unless set; without effect on --tsv")),
      Session.cursorOption,
    ],
    examples: [
      Example("homeward history --resident mary --since today", gettext("Mary's day so far.")),
      Example(
        "homeward history --series --tsv --since 30d > mary.tsv",
        gettext("A month for a spreadsheet.")),
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    if session.arguments.has("tsv") { return try export(of: resident, session) }
    let limit = try session.limit(default: 50)
    let params = try query(session, resident, limit: limit)
    try session.showPart(of: .locationsQuery, params) { answer throws(DecodeError) in
      let records: [LocationRecord] = try session.decoded(answer)
      if records.isEmpty { return gettext("No records in this time.\n") }
      return table(records, session.times)
    }
  }

  private static func table(_ records: [LocationRecord], _ times: TimeDisplay) -> String {
    var table = Table([
      gettext("TIME"), gettext("PLACE"), gettext("ACCURACY"), gettext("MINUTES THERE"),
      gettext("WHY"),
    ])
    for record in records {
      let doubt = record.timeQuality.isTrusted ? "" : gettext(" (clock not trusted)")
      table.add([
        times.text(record.time) + doubt, NumberText.place(record.coordinate),
        record.accuracyMeters.map { "± \(NumberText.distance($0))" } ?? gettext("unknown"),
        String(record.minutesAtLocation), record.reason.rawValue,
      ])
    }
    return table.text
  }

  private static func query(
    _ session: Session, _ resident: Resident, limit: Int64
  ) throws(CommandFailure) -> JSONValue {
    let (since, until) = (try session.time("since"), try session.time("until"))
    return .object([
      "resident": .string(resident.id.rawValue), "series": .bool(session.arguments.has("series")),
      "since": since.map { .string($0.iso8601) }, "until": until.map { .string($0.iso8601) },
      "limit": .integer(limit),
    ])
  }

  /// Every record, part by part: ten years have a million.
  private static func export(of resident: Resident, _ session: Session) throws(CommandFailure) {
    var records: [LocationRecord] = []
    let params = try query(session, resident, limit: 10_000)
    try session.walk(.locationsQuery, params) { part throws(CommandFailure) in
      records += try session.list(part, of: LocationRecord.self)
      return true
    }
    let zone = (try? TimeZoneFile.load(name: resident.timeZone)) ?? session.times.zone
    write(records.reversed(), TimeDisplay(zone: zone), to: session)
  }

  private static func write(
    _ records: ReversedCollection<[LocationRecord]>, _ times: TimeDisplay, to session: Session
  ) {
    var text = ""
    for record in records {
      let civil = times.zone.local(at: record.time).civil
      let cells = [
        record.resident.rawValue, times.date(civil), times.time(civil),
        NumberText.fixed(record.coordinate.latitudeDegrees, 4),
        NumberText.fixed(record.coordinate.longitudeDegrees, 4), String(record.minutesAtLocation),
      ]
      text += cells.joined(separator: "\t") + "\n"
      if text.utf8.count > 1 << 16 {
        session.terminal.write(text)
        text = ""
      }
    }
    session.terminal.write(text)
  }
}

extension Session {
  func time(_ name: String) throws(CommandFailure) -> Timestamp? {
    guard let text = arguments.option(name) else { return nil }
    return try times.read(text, option: name)
  }

  func limit(default limit: Int64) throws(CommandFailure) -> Int64 {
    guard let text = arguments.option("limit") else { return limit }
    guard let count = Int64(text), (1...10_000).contains(count) else {
      throw .usage(
        gettext("--limit must be a whole number from 1 to 10000, not \"{text}\".", ["text": text]))
    }
    return count
  }
}
