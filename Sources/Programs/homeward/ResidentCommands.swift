import Bytes
import Care
import CivilTime
import Configuration
import ControlSocket
import Door
import JSON

/// `homeward residents …`.
enum ResidentCommands {
  static let all = [list, add, change, erase]

  private static let list: CommandSpecification = .init(
    path: ["residents"], summary: gettext("The people looked after"),
    examples: [Example("homeward residents", gettext("Names, ids, time zones and receivers."))]
  ) { session throws(CommandFailure) in
    try session.show(try session.call(.residentsList)) { answer throws(DecodeError) in
      let residents: [Resident] = try session.decoded(answer)
      if residents.isEmpty {
        return gettext("Nobody yet. Add somebody: homeward residents add --help\n")
      }
      var table = Table([
        gettext("ID"), gettext("NAME"), gettext("TIME ZONE"), gettext("GPS"), gettext("TRACKING"),
      ])
      for (resident, json) in zip(residents, answer.arrayContent ?? []) {
        let isOn = json["tracking"]?["isOn"]?.boolContent
        table.add([
          resident.id.rawValue, resident.name, resident.timeZone,
          resident.gpsSource?.rawValue ?? "-",
          isOn.map { $0 ? gettext("on") : gettext("off") } ?? "-",
        ])
      }
      return table.text
    }
  }

  private static let options: [OptionSpecification] = [
    .option("name", "NAME", gettext("The name as people write it, in any script")),
    .option(
      "time-zone", "ZONE", gettext("Time zone that the resident lives by, such as Europe/Oslo")),
    .option(
      "gps", "SOURCE",
      gettext("Name of the GPS receiver that moves with the resident (gps in the configuration)")),
  ]

  private static let add: CommandSpecification = .init(
    path: ["residents", "add"], summary: gettext("Adds a person to look after"),
    discussion: gettext(
      "The id is made from the name. Add the home next: homeward zones add --home."),
    options: options + [
      .option(
        "id", "ID",
        gettext("Lower-case letters, digits and hyphens, instead of one made from the name"))
    ],
    examples: [
      Example(
        "homeward residents add --name Mary --time-zone Europe/Oslo --gps gps",
        gettext("Adds Mary, who carries the receiver \"gps\"."))
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name") else {
      throw .usage(gettext("say the name: --name NAME"), add)
    }
    let known = try session.residents()
    let taken = known.map(\.id.rawValue)
    let id = session.arguments.option("id") ?? Slug.make(from: name, besides: taken)
    if taken.contains(id) {
      throw CommandFailure(
        .refused, gettext("there is a resident \"{id}\" already.", ["id": id]),
        hint: gettext("Change them: homeward residents change {id} --help", ["id": id]))
    }
    let resident = Resident(
      id: ResidentID(id), name: name,
      timeZone: try timeZone(session, add) ?? session.times.zone.name,
      gpsSource: session.arguments.option("gps").map { SourceID($0) })
    var lines = [gettext("Added {name} as {id}.", ["name": name, "id": id])]
    let namesakes = known.filter { $0.name.lowercased() == name.lowercased() }
    if !namesakes.isEmpty {
      lines.append(
        gettext(
          "There is another {name}: {ids}. Where one is meant, say the id, not the name.",
          ["name": name, "ids": namesakes.map(\.id.rawValue).joined(separator: ", ")]))
    }
    try session.put(.putResident(resident), id: id, lines.joined(separator: "\n"))
  }

  private static let change: CommandSpecification = .init(
    path: ["residents", "change"], summary: gettext("Changes name, time zone or receiver"),
    operands: [OperandSpecification(name: "WHO", help: gettext("Id or name of the resident"))],
    options: options,
    examples: [
      Example(
        "homeward residents change mary --gps belt",
        gettext("From now on the receiver \"belt\" moves with Mary.")),
      Example(
        "homeward residents change mary --gps \"\"",
        gettext("No receiver moves with Mary any more.")),
    ]
  ) { session throws(CommandFailure) in
    var resident = try session.choose(session.arguments.operands[0], among: session.residents())
    if let name = session.arguments.option("name") { resident.name = name }
    if let zone = try timeZone(session, change) { resident.timeZone = zone }
    if let gps = session.arguments.option("gps") {
      resident.gpsSource = gps.isEmpty ? nil : SourceID(gps)
    }
    try session.put(
      .putResident(resident), id: resident.id.rawValue,
      gettext("Changed {name}.", ["name": resident.name]))
  }

  /// The time zone of `--time-zone`; nil without it.
  private static func timeZone(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String? {
    guard let text = session.arguments.option("time-zone") else { return nil }
    if let fault = TimeZoneText.fault(text) { throw .usage(fault, command) }
    return text
  }

  private static let erase: CommandSpecification = .init(
    path: ["residents", "erase"],
    summary: gettext("Erases a person with everything known about them"),
    discussion:
      gettext(
        "Zones, bookmarks, settings, locations, events and raw traces go for ever; backups made before keep them."
      ),
    operands: [OperandSpecification(name: "WHO", help: gettext("Id or name of the resident"))],
    options: [.flag("yes", gettext("Do not ask"))],
    examples: [Example("homeward residents erase mary", gettext("Asks, then erases."))]
  ) { session throws(CommandFailure) in
    let resident = try session.choose(session.arguments.operands[0], among: session.residents())
    if !session.arguments.has("yes") {
      guard session.terminal.isInteractive else {
        throw .usage(gettext("this cannot be undone: add --yes."), erase)
      }
      let typed = session.terminal.ask(
        gettext(
          "Erase {name} and everything known? Type the id {id}: ",
          ["name": resident.name, "id": resident.id]))
      guard typed == resident.id.rawValue else {
        throw CommandFailure(.failed, gettext("nothing was erased."))
      }
    }
    try session.put(
      .eraseResident(resident.id), id: resident.id.rawValue,
      gettext("Erased {name}.", ["name": resident.name]))
  }
}

extension Session {
  /// Has a change carried out and says so; prints the id as JSON with `--json`.
  func put(_ request: Command.Request, id: String, _ sentence: String) throws(CommandFailure) {
    let answer = try perform(request)
    if wantsJSON { return terminal.write(answer["id"] == nil ? ["id": .string(id)] : answer) }
    for line in sentence.split(separator: "\n") {
      terminal.writeLine(TextWidth.printable(String(line)))
    }
  }
}
