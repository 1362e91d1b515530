import Bytes
import Care
import Door
import Guidance
import JSON

/// `homeward guide …`.
enum GuidanceCommands {
  static let all = [list, home, place, again, stop, places, keep, forget]

  private static let list: CommandSpecification = .init(
    path: ["guide"], summary: gettext("Who is shown a way, and what was said last"),
    options: [Session.residentOption],
    examples: [Example("homeward guide", gettext("Nobody, most of the time."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    try session.show(try session.call(.guidanceList, params)) { answer throws(DecodeError) in
      let journeys = answer.arrayContent ?? []
      if journeys.isEmpty { return gettext("Nobody is shown a way now.\n") }
      var table = Table([
        gettext("RESIDENT"), gettext("TO"), gettext("STATE"), gettext("LEFT"), gettext("SAID"),
      ])
      for journey in journeys { table.add(row(journey)) }
      return table.text
    }
  }

  private static func row(_ journey: JSONValue) -> [String] {
    let left = journey["metersLeft"]?.integerContent.map { "\($0) m" }
    return [
      journey["resident"]?.stringContent ?? "",
      TextWidth.printable(journey["destination"]?["name"]?.stringContent ?? ""),
      StateWords.guidance(
        journey["stage"]?.stringContent ?? "", journey["trouble"]?.stringContent),
      left ?? "-", TextWidth.printable(journey["words"]?.stringContent ?? ""),
    ]
  }

  private static let askOption = OptionSpecification.flag(
    "ask", gettext("Ask the resident first; one press means yes, two mean no"))

  private static let home: CommandSpecification = .init(
    path: ["guide", "home"], summary: gettext("Shows a resident the way home, by voice"),
    discussion: gettext(
      """
      Home is the bookmark named Home, else the safe zone that is the home. The way comes from the plugin places, without
      any network; without it the direction is told. Who leaves the way is shown a new one. Who stands still, goes back and
      forth or is driven is asked, and guardians are told; they are told, too, when the voice fails for a minute.
      """),
    options: [Session.residentOption, askOption],
    examples: [
      Example(
        "homeward guide home", gettext("As a press on the button does that is set to take-home."))
    ]
  ) { session throws(CommandFailure) in
    try start(.home, session)
  }

  private static let place: CommandSpecification = .init(
    path: ["guide", "to"],
    summary: gettext("Shows a resident the way to a bookmark, or to a place that they keep"),
    operands: [
      OperandSpecification(name: "PLACE", help: gettext("Name or id of the bookmark or the place"))
    ],
    options: [Session.residentOption, askOption],
    examples: [Example("homeward guide to bakery --ask", gettext("Asks first."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let word = session.arguments.operands[0]
    let bookmarks = try session.list(session.call(.bookmarksList), of: Bookmark.self)
      .filter { $0.resident == resident.id }
    if let found = bookmarks.first(where: { $0.id.rawValue == word || $0.name == word }) {
      return try start(.bookmark(found.id), session)
    }
    if let kept = try keptPlaces(of: resident, session).first(where: { $0.isCalled(word) }) {
      return try start(.kept(kept.id), session)
    }
    throw CommandFailure(
      .failed,
      gettext(
        "{name} has no bookmark and no place \"{word}\". See: homeward bookmarks, homeward guide places",
        ["name": resident.name, "word": word]))
  }

  private static func start(
    _ goal: GuidanceRequest.Goal, _ session: Session
  ) throws(CommandFailure) {
    let resident = try session.resident()
    let asks = session.arguments.has("ask")
    let answer = try session.perform(.guidance(.start(resident.id, to: goal, asks: asks)))
    session.tell(answer, TextWidth.printable(answer["guidance"]?["words"]?.stringContent ?? ""))
  }

  private static func keptPlaces(
    of resident: Resident, _ session: Session
  ) throws(CommandFailure) -> [KeptPlace] {
    let params: JSONValue = ["resident": .string(resident.id.rawValue)]
    return try session.list(session.call(.guidancePlaces, params), of: KeptPlace.self)
  }

  private static let places: CommandSpecification = .init(
    path: ["guide", "places"],
    summary: gettext("The address book of a resident's own, apart from the bookmarks"),
    options: [Session.residentOption],
    examples: [Example("homeward guide places", gettext("What was kept, and where it is."))]
  ) { session throws(CommandFailure) in
    let id = try session.optionalResidentID()
    let params = JSONValue.object(["resident": id.map { .string($0.rawValue) }])
    try session.show(try session.call(.guidancePlaces, params)) { answer throws(DecodeError) in
      let places = answer.arrayContent ?? []
      if places.isEmpty { return gettext("No places yet. Keep one: homeward guide keep --help\n") }
      var table = Table([
        gettext("RESIDENT"), gettext("ID"), gettext("NAME"), gettext("PLACE"), gettext("ADDRESS"),
      ])
      for json in places {
        let place = try KeptPlace(json: json)
        table.add([
          json["resident"]?.stringContent ?? "", place.id, TextWidth.printable(place.name),
          NumberText.place(place.coordinate), TextWidth.printable(place.address),
        ])
      }
      return table.text
    }
  }

  private static let keep: CommandSpecification = .init(
    path: ["guide", "keep"],
    summary: gettext("Keeps a place in a resident's own address book: where they are now"),
    operands: [OperandSpecification(name: "NAME", help: gettext("The name, in any script"))],
    options: [
      Session.residentOption,
      .option("at", "LAT,LON", gettext("Another place than where the resident is")),
    ],
    examples: [
      Example("homeward guide keep \"The bench by the river\"", gettext("Finds its address, too."))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let name = session.arguments.operands[0]
    let place = try session.arguments.option("at").map { text throws(CommandFailure) in
      try NumberText.coordinate(text, option: "at")
    }
    session.tell(
      try session.perform(.guidance(.keep(resident.id, name: name, at: place))),
      gettext("Kept {name}.", ["name": name]))
  }

  private static let forget: CommandSpecification = .init(
    path: ["guide", "forget"], summary: gettext("Takes a place out of a resident's address book"),
    operands: [OperandSpecification(name: "PLACE", help: gettext("Name or id of the place"))],
    options: [Session.residentOption],
    examples: [Example("homeward guide forget 3", gettext("Removes it."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let word = session.arguments.operands[0]
    let places = try keptPlaces(of: resident, session)
    guard let place = places.first(where: { $0.isCalled(word) }) else {
      throw CommandFailure(
        .failed,
        gettext("There is no place \"{word}\". List them: homeward guide places", ["word": word]))
    }
    session.tell(
      try session.perform(.guidance(.forget(resident.id, place: place.id))),
      gettext("Removed {name}.", ["name": place.name]))
  }

  private static let again: CommandSpecification = .init(
    path: ["guide", "repeat"], summary: gettext("Says once more what the resident is to do"),
    options: [Session.residentOption],
    examples: [Example("homeward guide repeat", gettext("As a press does."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(.guidance(.repeated(resident.id)))
    session.tell(answer, TextWidth.printable(answer["guidance"]?["words"]?.stringContent ?? ""))
  }

  private static let stop: CommandSpecification = .init(
    path: ["guide", "stop"], summary: gettext("Shows a resident the way no longer"),
    options: [Session.residentOption],
    examples: [Example("homeward guide stop", gettext("As two presses do."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    session.tell(
      try session.perform(.guidance(.cancel(resident.id))), gettext("No way is shown any more."))
  }
}

extension KeptPlace {
  fileprivate func isCalled(_ word: String) -> Bool { id == word || name == word }
}
