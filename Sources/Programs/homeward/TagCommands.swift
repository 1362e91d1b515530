import Bytes
import Care
import ControlSocket
import Door
import JSON
import Moments
import Proximity

/// `homeward tags …`.
enum TagCommands {
  static let all = [list, add, change, remove, calibrate, contacts]

  private static let list: CommandSpecification = .init(
    path: ["tags"], summary: gettext("Bluetooth tags, and whether they are near"),
    discussion: gettext(
      "PRESENCE is near, room, away or unknown: signal strength tells no metres. unknown means that nothing listens."
    ),
    options: [Session.residentOption],
    examples: [Example("homeward tags --resident mary", gettext("Mary's tags."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let answer = try session.call(
      .tagsList, .object(["resident": id.map { .string($0.rawValue) }]))
    try session.show(answer) { answer throws(DecodeError) in
      let tags = answer.arrayContent ?? []
      if tags.isEmpty { return gettext("No tags yet. Add one: homeward tags add --help\n") }
      var table = Table([
        gettext("ID"), gettext("NAME"), gettext("RESIDENT"), gettext("KIND"),
        gettext("PRESENCE"), gettext("LAST HEARD"), gettext("BATTERY"),
      ])
      for tag in tags {
        func text(_ member: String) -> String { tag[member]?.stringContent ?? "" }
        let battery = tag["batteryPercent"]?.integerContent.map { "\($0) %" }
        table.add([
          text("tag"), text("tagName"), text("resident"), text("kind"), text("presence"),
          tag["lastHeardAt"] == nil ? "-" : session.times.text(text("lastHeardAt")),
          battery ?? "-",
        ])
      }
      return table.text
    }
  }

  private static let options: [OptionSpecification] = [
    .option("name", "NAME", gettext("The name as people write it, in any script")),
    .option(
      "kind", "KIND",
      gettext("home, room, keys, wallet, companion, caregiver, person or thing")),
    .repeatable(
      "identity", "IDENTITY",
      gettext("What it is known by, as \"homeward bluetooth scan\" shows it")),
    .option("zone", "ZONE", gettext("The zone that a home tag stands in; the home unless set")),
    .option("room", "ROOM", gettext("The room that a tag of kind room stands in")),
    .option("away", "SECONDS", gettext("Silence after which it is away, 10 to 3600")),
    .option("silent", "HOURS", gettext("Silence after which somebody is told, 1 to 8760")),
    .option("along", "yes|no", gettext("Whether the resident should have it along outside")),
  ]

  private static let add: CommandSpecification = .init(
    path: ["tags", "add"], summary: gettext("Adds a tag: for the home, a thing or a person"),
    discussion: gettext(
      """
      A tag of kind home stays at home: while it is heard, positions that drift up to 150 m away take nobody out. Who goes
      out without keys, wallet or companion is said to be without them. Tags are easily imitated or carried off: they prove
      nothing.
      """),
    options: [Session.residentOption] + options,
    examples: [
      Example(
        "homeward tags add --name Keys --kind keys --identity address:A4:C1:38:8D:18:B2",
        gettext("The keys of the only resident.")),
      Example(
        "homeward tags add --name Hall --kind home --identity ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:2",
        gettext("A beacon that stays at home.")),
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name"),
      let kind = session.arguments.option("kind"), session.arguments.has("identity")
    else {
      throw .usage(gettext("a tag needs --name NAME, --kind KIND and --identity IDENTITY."), add)
    }
    let resident = try session.resident()
    let id = Slug.make(from: name, besides: try tagIDs(session))
    let tag = try changed(
      Tag(
        id: TagID(id), resident: resident.id, name: name, kind: try readKind(kind, add)),
      session, add)
    try session.put(
      .bluetooth(.putTag(tag, identities: try identities(session, add))), id: id,
      gettext(
        "Added the tag {name} of {resident} as {id}.",
        ["name": name, "resident": resident.name, "id": id]))
  }

  private static let change: CommandSpecification = .init(
    path: ["tags", "change"], summary: gettext("Changes a tag; what is not named stays"),
    operands: [OperandSpecification(name: "TAG", help: gettext("Name or id of the tag"))],
    options: options,
    examples: [
      Example("homeward tags change keys --away 300", gettext("More patience with its silence."))
    ]
  ) { session throws(CommandFailure) in
    var tag = try find(id(session.arguments.operands[0], session), session)
    if let name = session.arguments.option("name") { tag.name = name }
    if let kind = session.arguments.option("kind") { tag.kind = try readKind(kind, change) }
    tag = try changed(tag, session, change)
    let known =
      session.arguments.has("identity") ? try identities(session, change) : nil
    try session.put(
      .bluetooth(.putTag(tag, identities: known)), id: tag.id.rawValue,
      gettext("Changed the tag {name}.", ["name": tag.name]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["tags", "remove"], summary: gettext("Removes a tag"),
    operands: [OperandSpecification(name: "TAG", help: gettext("Name or id of the tag"))],
    examples: [Example("homeward tags remove keys", gettext("Nobody listens for it any more."))]
  ) { session throws(CommandFailure) in
    let id = try id(session.arguments.operands[0], session)
    try session.put(
      .bluetooth(.removeTag(TagID(id))), id: id, gettext("Removed the tag {id}.", ["id": id]))
  }

  private static let calibrate: CommandSpecification = .init(
    path: ["tags", "calibrate"],
    summary: gettext("Finds out at which signal strength a tag is near, step by step"),
    discussion: gettext(
      "Lay the tag where it counts as near; when asked, carry it to the far end of the room. It takes about a minute."
    ),
    operands: [OperandSpecification(name: "TAG", help: gettext("Name or id of the tag"))],
    examples: [Example("homeward tags calibrate keys", gettext("Then follow what it says."))]
  ) { session throws(CommandFailure) in
    let id = try id(session.arguments.operands[0], session)
    session.terminal.writeError(
      gettext("Lay the tag where it should count as near, and keep two steps away from it …"))
    var progress = try step("begin", id, session)
    while true {
      switch progress["phase"]?.stringContent {
      case "move-away":
        let question = gettext(
          "Now carry the tag to the far end of the room, then press Return: ")
        guard session.terminal.ask(question) != nil else {
          _ = try step("cancel", id, session)
          throw CommandFailure(.failed, gettext("The calibration was ended; nothing was changed."))
        }
        progress = try step("proceed", id, session)
      case "done":
        return try session.show(progress) { _ throws(DecodeError) in
          gettext("The tag {id} is calibrated.\n", ["id": id])
        }
      case "failed":
        throw CommandFailure(.failed, progress["why"]?.stringContent ?? "")
      default:
        Pause.seconds(1)
        progress = try step("look", id, session)
      }
    }
  }

  private static func step(
    _ step: String, _ id: String, _ session: Session
  ) throws(CommandFailure) -> JSONValue {
    try session.call(.tagCalibrate, ["id": .string(id), "step": .string(step)])
  }

  // MARK: Company

  private static let contacts: CommandSpecification = .init(
    path: ["tags", "contacts"],
    summary: gettext("Whom a resident was close to, for telling them of an infection"),
    discussion: gettext(
      """
      Close is within about two metres, as far as signal strength can tell, which errs often: SURELY and AT MOST say between
      what the truth lies. Only people with a tag of their own are in it.
      """),
    options: [
      Session.residentOption,
      .option("since", "TIME", gettext("From this time on: 2026-11-01, 14d; 14d unless set")),
      .option("minutes", "MINUTES", gettext("Company of at least so long in all; 15 unless set")),
    ],
    examples: [
      Example("homeward tags contacts --since 5d", gettext("Everybody to be told after a test."))
    ]
  ) { session throws(CommandFailure) in
    let now = TimeDisplay.now
    let since = try session.time("since") ?? now.advanced(byMilliseconds: -14 * 86_400_000)
    let minutes = try session.limitedNumber("minutes", in: 1...1440) ?? 15
    let resident = try session.resident()
    let events = try session.call(
      .eventsQuery,
      [
        "resident": .string(resident.id.rawValue),
        "types": [.string(EventType.encounterEnded.rawValue)],
        "since": .string(since.iso8601), "limit": 10_000,
      ])
    let data = (events.arrayContent ?? []).compactMap { $0["data"] }
    let met = data.compactMap { try? Encounter(json: $0) }
    var names: [TagID: String] = [:]
    for facts in data {
      guard let tag = facts["tag"]?.stringContent, let name = facts["tagName"]?.stringContent
      else { continue }
      names[TagID(tag)] = names[TagID(tag)] ?? name
    }
    let found = Encounter.contacts(
      among: met, from: since, to: now, minimumSeconds: minutes * 60)
    let json = found.map { contact -> JSONValue in
      [
        "tag": .string(contact.tag.rawValue), "tagName": .string(names[contact.tag] ?? ""),
        "times": .integer(Int64(contact.count)), "last": .string(contact.last.iso8601),
        "surelySeconds": .integer(contact.surelySeconds),
        "likelySeconds": .integer(contact.likelySeconds),
        "possiblySeconds": .integer(contact.possiblySeconds),
      ]
    }
    try session.show(.array(json)) { _ throws(DecodeError) in
      if found.isEmpty { return gettext("Nobody with a tag was close for so long.\n") }
      var table = Table([
        gettext("WHO"), gettext("LAST"), gettext("LIKELY"), gettext("SURELY"),
        gettext("AT MOST"),
      ])
      for contact in found {
        table.add([
          names[contact.tag] ?? contact.tag.rawValue, session.times.text(contact.last),
          TimeDisplay.span(seconds: contact.likelySeconds),
          TimeDisplay.span(seconds: contact.surelySeconds),
          TimeDisplay.span(seconds: contact.possiblySeconds),
        ])
      }
      return table.text
    }
  }

  // MARK: Parts

  private static func tagIDs(_ session: Session) throws(CommandFailure) -> [String] {
    (try session.call(.tagsList).arrayContent ?? []).compactMap { $0["tag"]?.stringContent }
  }

  /// The id of the tag that somebody means.
  private static func id(_ wanted: String, _ session: Session) throws(CommandFailure) -> String {
    let known = try session.call(.tagsList).arrayContent ?? []
    let found = try Lookup(
      among: known, id: { $0["tag"]?.stringContent ?? "" },
      name: { $0["tagName"]?.stringContent ?? "" },
      nothing: { gettext("there is no tag \"{id}\".", ["id": $0]) },
      list: gettext("List them: homeward tags")
    ).find(wanted)
    return found["tag"]?.stringContent ?? wanted
  }

  private static func find(_ id: String, _ session: Session) throws(CommandFailure) -> Tag {
    let answer = try session.call(.tagGet, ["id": .string(id)])
    do throws(DecodeError) { return try Tag(json: answer) } catch {
      throw CommandFailure(error)
    }
  }

  private static func readKind(
    _ word: String, _ command: CommandSpecification
  ) throws(CommandFailure) -> Tag.Kind {
    guard let kind = Tag.Kind(rawValue: word) else {
      let kinds = Tag.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(
        gettext("--kind \"{word}\" must be one of: {kinds}.", ["word": word, "kinds": kinds]),
        command)
    }
    return kind
  }

  private static func identities(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> [TagIdentity] {
    var found: [TagIdentity] = []
    for text in session.arguments.all("identity") {
      do throws(TagIdentityFault) { found.append(try TagIdentity(text)) } catch {
        throw .usage(error.message.spoken, command)
      }
    }
    return found
  }

  private static func changed(
    _ known: Tag, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> Tag {
    var tag = known
    let arguments = session.arguments
    if let zone = arguments.option("zone") { tag.zone = zone.isEmpty ? nil : ZoneID(zone) }
    if let room = arguments.option("room") { tag.room = room.isEmpty ? nil : room }
    if let seconds = try session.limitedNumber("away", in: 10...3600) {
      tag.awaySeconds = seconds
    }
    if let hours = try session.limitedNumber("silent", in: 1...8760) { tag.silentHours = hours }
    switch arguments.option("along") {
    case nil: break
    case "yes": tag.isTakenAlong = true
    case "no": tag.isTakenAlong = false
    case let word?:
      throw .usage(gettext("--along must be yes or no, not \"{word}\".", ["word": word]), command)
    }
    return tag
  }
}
