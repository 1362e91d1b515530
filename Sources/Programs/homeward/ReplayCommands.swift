import Bytes
import Care
import Core
import Glibc
import JSON
import Ports
import Store
import TrackFiles
import Tracking

/// `homeward replay …`.
enum ReplayCommands {
  static let all = [track, journal]

  private static let track: CommandSpecification = .init(
    path: ["replay", "track"],
    summary: gettext("Runs the tracking engine over a recorded track, without a daemon"),
    discussion: gettext(
      """
      Prints what the gateway would have found: zones entered, left, crossed or in doubt, positions lost, records
      written. One JSON object a line (type, time, data) with --json or when the output is no terminal.
      GPX, NMEA 0183 and gpsd's JSON are told apart by their content. The first zone counts as the home.
      """),
    operands: [
      OperandSpecification(name: "FILE", help: gettext("The track; - for standard input"))
    ],
    options: [
      .repeatable("zone", "NAME,LAT,LON,RADIUS_M", gettext("A safe zone")),
      .option(
        "margin", "LENGTH",
        gettext("How far beyond an edge before somebody counts as outside; 50 unless set")),
      .repeatable(
        "set", "SETTING=NUMBER", gettext("A tracking setting, from \"homeward settings --help\"")),
      .flag("all", gettext("Every event, accepted and rejected fixes too")),
    ],
    examples: [
      Example(
        "homeward replay track walk.gpx --zone Home,59.9139,10.7522,25",
        gettext("Who would have been told what on this walk.")),
      Example(
        "homeward replay track walk.nmea --zone Home,59.9,10.7,25 --set exitFixCount=3 --json",
        gettext("The same with three fixes needed to leave.")),
    ], run: runTrack)

  private static func runTrack(_ session: Session) throws(CommandFailure) {
    let path = session.arguments.operands[0]
    let (zones, settings) = (try zones(session), try settings(session))
    let contents = try read(path)
    let replay = TrackReplay(
      resident: Resident(id: "resident", name: "resident", timeZone: "Etc/UTC", gpsSource: "track"),
      zones: zones, settings: settings)
    let fixes = contents.fixes.map { (time: $0.time, report: $0.report) }
    let entries = session.arguments.has("all") ? replay.run(fixes) : replay.findings(fixes)
    let isJSON = session.wantsJSON || isatty(1) == 0
    for entry in entries {
      if isJSON {
        session.terminal.write(entry.json)
      } else {
        session.terminal.writeLine(
          "\(session.times.text(entry.time))  \(entry.draft.type.rawValue)  "
            + TextWidth.printable(EventText.sentence(entry.json, session.times)))
      }
    }
    if !isJSON || contents.skippedCount > 0 {
      session.terminal.writeError(
        gettext(
          "{fixes} fixes ({format}), {skipped} " + "damaged parts left out, {entries} events.",
          [
            "fixes": contents.fixes.count, "format": contents.format.rawValue,
            "skipped": contents.skippedCount, "entries": entries.count,
          ]))
    }
  }

  private static func read(_ path: String) throws(CommandFailure) -> TrackFile.Contents {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileText.bytes(path, limit: TrackFile.maximumBytes + 1)
    } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
    do throws(DecodeError) { return try TrackFile.contents(of: bytes) } catch {
      throw CommandFailure(
        .failed, gettext("{path} is no track ({error}).", ["path": path, "error": error]),
        hint: gettext("GPX, NMEA 0183 and gpsd's JSON are understood."))
    }
  }

  private static func zones(_ session: Session) throws(CommandFailure) -> [SafeZone] {
    let margin = try session.optionalLength("margin") ?? 50
    var zones: [SafeZone] = []
    for text in session.arguments.all("zone") {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count >= 4 else {
        throw .usage(
          gettext(
            "--zone \"{text}\" must be NAME,LAT,LON,RADIUS_M, such as Home,59.9139,10.7522,25",
            ["text": text]), track
        )
      }
      let name = parts.dropLast(3).joined(separator: ",")
      let center = try NumberText.coordinate(
        "\(parts[parts.count - 3]),\(parts[parts.count - 2])", option: "zone")
      let radius = try NumberText.number(parts[parts.count - 1], option: "zone")
      guard radius > 0, radius <= 100_000, (0...1000).contains(margin) else {
        throw .usage(gettext("a radius is over 0 and up to 100000 m, a margin 0 to 1000 m."), track)
      }
      let id = Slug.make(from: name, besides: zones.map(\.id.rawValue))
      zones.append(
        SafeZone(
          id: ZoneID(id), resident: "resident", name: name, center: center, radiusMeters: radius,
          exitMarginMeters: margin, isHome: zones.isEmpty))
    }
    return zones
  }

  private static func settings(_ session: Session) throws(CommandFailure) -> TrackingSettings {
    var settings = TrackingSettings()
    for text in session.arguments.all("set") {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let value = try? JSONValue(parsing: parts[1]) else {
        throw .usage(gettext("--set \"{text}\" must be SETTING=NUMBER.", ["text": text]), track)
      }
      do { try settings.set(parts[0], to: value) } catch {
        throw .usage("--set \(text): \(error.message.spoken)", track)
      }
    }
    return settings
  }

  private static let journal: CommandSpecification = .init(
    path: ["replay", "journal"],
    summary: gettext("Runs recorded inputs again and reports the first difference"),
    discussion: gettext(
      """
      The same inputs give the same outcome, bit for bit, on the same version. A copy of a state directory does as well
      as the directory itself; nothing in it is changed. Ends with 1 when something differs.
      """),
    operands: [OperandSpecification(name: "DIR", help: gettext("A state directory, or a copy"))],
    options: [.option("run", "ID", gettext("Only this run; all of them unless set"))],
    examples: [
      Example(
        "homeward replay journal /var/lib/homeward", gettext("The last seven days, input by input.")
      )
    ],
    run: { session throws(CommandFailure) in try JournalReplay(session).run() })
}
