import Bytes
import Care
import ControlSocket
import Door
import JSON

/// `homeward zones …`.
enum ZoneCommands {
  static let all = [list, add, change, remove]

  private static let list: CommandSpecification = .init(
    path: ["zones"], summary: gettext("Safe zones"),
    options: [Session.residentOption],
    examples: [Example("homeward zones --resident mary", gettext("Mary's zones."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    try session.show(try session.call(.zonesList, params)) { answer throws(DecodeError) in
      let zones: [SafeZone] = try session.decoded(answer)
      if zones.isEmpty { return gettext("No zones yet. Add the home: homeward zones add --help\n") }
      var table = Table([
        gettext("ID"), gettext("NAME"), gettext("RESIDENT"), gettext("CENTRE"), gettext("RADIUS"),
        gettext("MARGIN"), "",
      ])
      for zone in zones {
        table.add([
          zone.id.rawValue, zone.name, zone.resident.rawValue, NumberText.place(zone.center),
          NumberText.distance(zone.radiusMeters), NumberText.distance(zone.exitMarginMeters),
          [
            zone.polygon != nil ? gettext("with a border") : nil,
            zone.isHome ? gettext("home") : nil,
            zone.alarmsOnLeaving ? gettext("alarm on leaving") : nil, zone.hours?.text,
          ].compactMap { $0 }.joined(separator: ", "),
        ])
      }
      return table.text
    }
  }

  private static let options: [OptionSpecification] = [
    .option("name", "NAME", gettext("The name as people write it, in any script")),
    .option("at", "LAT,LON", gettext("Centre in degrees north and east")), Session.addressOption,
    .option("radius", "LENGTH", gettext("Radius, up to 100000 m: 25, 25m or 82ft")),
    .option(
      "border", "FILE",
      gettext(
        "Instead of a circle, a file with a polygon (GeoJSON), which may have holes; - for standard input"
      )),
    .option(
      "margin", "LENGTH",
      gettext("How far beyond the edge before a resident counts as outside; 50 unless set")),
    .option(
      "leaving", "alarm|quiet",
      gettext("alarm: leaving it is an alarm even for another safe zone; quiet unless set")),
    .option(
      "hours", "HH:MM-HH:MM|always",
      gettext("When it counts, by the resident's clock; always unless set")),
  ]

  /// What `--hours` says; nil when it is not given.
  private static func hours(_ session: Session) throws(CommandFailure) -> DailyHours?? {
    guard let text = session.arguments.option("hours") else { return nil }
    if text == "always" { return .some(nil) }
    guard let hours = DailyHours(text) else {
      throw .usage(
        gettext("--hours is such as 20:00-08:00, or always, not \"{text}\".", ["text": text]),
        change)
    }
    return hours
  }

  /// What `--leaving` says; nil when it is not given.
  private static func alarmsOnLeaving(_ session: Session) throws(CommandFailure) -> Bool? {
    switch session.arguments.option("leaving") {
    case nil: return nil
    case "alarm"?: return true
    case "quiet"?: return false
    case let word?:
      throw .usage(gettext("--leaving is alarm or quiet, not \"{word}\".", ["word": word]), change)
    }
  }

  /// Where a zone is by the options; nil where these do not say it, or not all of it.
  private static func area(
    _ session: Session, of zone: SafeZone? = nil, command: CommandSpecification
  ) throws(CommandFailure) -> SafeZone.Area? {
    let center = try session.givenPlace()?.coordinate
    let radius = try session.optionalLength("radius")
    if let file = session.arguments.option("border") {
      guard center == nil, radius == nil else {
        throw .usage(
          gettext(
            "a zone has a circle (--at or --address, and --radius) or a --border, not both."),
          command)
      }
      return .polygon(try border(file))
    }
    guard center != nil || radius != nil,
      let center = center ?? (zone?.polygon == nil ? zone?.center : nil),
      let radius = radius ?? (zone?.polygon == nil ? zone?.radiusMeters : nil)
    else { return nil }
    return .circle(center: center, radiusMeters: radius)
  }

  private static func border(_ file: String) throws(CommandFailure) -> Polygon {
    let text: String
    do throws(FileFailure) { text = try FileText.read(file) } catch {
      throw CommandFailure(.failed, "\(file): \(error.reason).")
    }
    do throws(DecodeError) {
      return try Polygon(json: JSONValue(parsing: text))
    } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "{file} holds no polygon ({error}). Draw one at geojson.io, for example, and save it.",
          ["file": file, "error": error]))
    }
  }

  private static let add: CommandSpecification = .init(
    path: ["zones", "add"], summary: gettext("Adds a safe zone"),
    discussion: gettext(
      """
      Leaving counts from the margin beyond the edge, after two fixes outside; entering has no margin.
      Being outside of all safe zones is an alarm, and being in any of them ends it. With --leaving alarm each
      leaving of this zone is one as well, until it is entered again, say of a day centre that nobody leaves alone.
      The zone marked --home is the one that time away is counted from.
      With --hours it counts as safe only then: a park by day, or the home alone at night. Whoever is outside of all
      zones that count when the hours of one begin or are over is an alarm, too.
      """),
    options: [Session.residentOption] + options + [
      .flag("home", gettext("This is the resident's home"))
    ],
    examples: [
      Example(
        "homeward zones add --name Home --at 59.9139,10.7522 --radius 25 --home",
        gettext("The home of the only resident.")),
      Example(
        "homeward zones add --resident mary --name Sister --at=-33.86,151.2 --radius 80",
        gettext("A second place where Mary is safe.")),
      Example(
        "homeward zones add --name Library --address \"Mill Lane 4\" --radius 60",
        gettext("A place by its address, found on the gateway's own map.")),
      Example(
        "homeward zones add --name Park --border park.geojson",
        gettext("A park with the border that a map shows.")),
      Example(
        "homeward zones add --name \"Day centre\" --at 59.92,10.76 --radius 60 --leaving alarm",
        gettext("A place that she must not leave unseen, not even for home.")),
      Example(
        "homeward zones add --name Garden --at 59.9142,10.7525 --radius 40 --hours 08:00-20:00",
        gettext("A place that is safe by day.")),
    ]
  ) { session throws(CommandFailure) in
    let arguments = session.arguments
    guard let name = arguments.option("name"), let area = try area(session, command: add) else {
      throw .usage(
        gettext(
          "a zone needs --name NAME, and either --at LAT,LON or --address ADDRESS with --radius LENGTH, or --border FILE."
        ),
        add)
    }
    let margin = try session.optionalLength("margin") ?? 50
    let isAlarm = try alarmsOnLeaving(session) ?? false
    let counted = try hours(session) ?? nil
    let resident = try session.resident()
    let taken = try session.list(session.call(.zonesList), of: SafeZone.self).map(\.id.rawValue)
    let id = Slug.make(from: name, besides: taken)
    let zone = SafeZone(
      id: ZoneID(id), resident: resident.id, name: name, area: area, exitMarginMeters: margin,
      isHome: arguments.has("home"), alarmsOnLeaving: isAlarm,
      hours: counted)
    try session.put(
      .putZone(zone), id: id,
      gettext(
        "Added the zone {name} of {resident} as {id}.",
        ["name": name, "resident": resident.name, "id": id]))
  }

  private static let change: CommandSpecification = .init(
    path: ["zones", "change"], summary: gettext("Moves, resizes or renames a zone"),
    discussion: gettext(
      "Changing or removing a zone is told to the other caregivers, and holds at once for whoever is there now."
    ),
    operands: [OperandSpecification(name: "ZONE", help: gettext("Name or id of the zone"))],
    options: options + [
      .flag("home", gettext("This is the resident's home now")),
      .flag("no-home", gettext("This is not the home any more")),
    ],
    examples: [
      Example(
        "homeward zones change home --radius 40", gettext("Widens the zone \"home\" to 40 m."))
    ]
  ) { session throws(CommandFailure) in
    let arguments = session.arguments
    var zone = try find(arguments.operands[0], session)
    if let name = arguments.option("name") { zone.name = name }
    if let area = try area(session, of: zone, command: change) { zone.area = area }
    if let margin = try session.optionalLength("margin") { zone.exitMarginMeters = margin }
    if arguments.has("home") { zone.isHome = true }
    if arguments.has("no-home") { zone.isHome = false }
    if let isAlarm = try alarmsOnLeaving(session) { zone.alarmsOnLeaving = isAlarm }
    if let counted = try hours(session) { zone.hours = counted }
    try session.put(
      .putZone(zone), id: zone.id.rawValue, gettext("Changed the zone {name}.", ["name": zone.name])
    )
  }

  private static let remove: CommandSpecification = .init(
    path: ["zones", "remove"], summary: gettext("Removes a zone"),
    operands: [OperandSpecification(name: "ZONE", help: gettext("Name or id of the zone"))],
    examples: [
      Example(
        "homeward zones remove day-centre",
        gettext("Nobody is told any more who leaves it; the other caregivers learn of it."))
    ]
  ) { session throws(CommandFailure) in
    let zone = try find(session.arguments.operands[0], session)
    try session.put(
      .removeZone(zone.id), id: zone.id.rawValue,
      gettext("Removed the zone {id}.", ["id": zone.id]))
  }

  private static func find(_ id: String, _ session: Session) throws(CommandFailure) -> SafeZone {
    let zones = try session.list(session.call(.zonesList), of: SafeZone.self)
    return try Lookup(
      among: zones, id: \.id.rawValue, name: \.name,
      nothing: { gettext("there is no zone \"{id}\".", ["id": $0]) },
      list: gettext("List them: homeward zones")
    ).find(id)
  }
}

extension Session {
  /// A length that an option says, in metres.
  func optionalLength(_ name: String) throws(CommandFailure) -> Double? {
    guard let text = arguments.option(name) else { return nil }
    return try NumberText.length(text, option: name)
  }

  func optionalNumber(_ name: String) throws(CommandFailure) -> Double? {
    guard let text = arguments.option(name) else { return nil }
    return try NumberText.number(text, option: name)
  }
}
