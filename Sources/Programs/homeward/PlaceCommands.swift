import Care
import Configuration
import Gazetteer
import Guidance
import JSON
import Moments
import Texts
import WalkingRoutes

/// `homeward places …`: addresses, map and walking routes of a region, all on this computer.
enum PlaceCommands {
  static let all = [status, PlaceImportCommand.specification, search, reverse, route, remove]

  static let folderOption = OptionSpecification.option(
    "in", "DIR", gettext("The folder of an import, without asking the gateway"))

  private static let languageOption = OptionSpecification.option(
    "language", "en|zh", gettext("In which language the way is told"))

  /// Where the plugin that answers from it looks: its own state.
  static func folder(_ session: Session) -> String {
    session.arguments.option("in") ?? session.arguments.option("to")
      ?? "\(session.configuration.gateway.state)/plugins/places"
  }

  /// What was imported.
  ///
  /// - Throws: A failure that says how to import something.
  static func places(_ session: Session) throws(CommandFailure) -> PlaceFolder {
    let folder = folder(session)
    do throws(PlaceIndex.Fault) {
      if let places = try PlaceFolder(in: folder) { return places }
    } catch {
      throw CommandFailure(.failed, error.message.spoken)
    }
    throw CommandFailure(
      .failed,
      gettext(
        "Nothing has been imported to {path} yet. Download an extract of your region and import it: homeward places import --help",
        ["path": folder]))
  }

  private static let status: CommandSpecification = .init(
    path: ["places", "status"],
    summary: gettext("Which region has addresses, a map and walking routes"),
    options: [folderOption],
    examples: [Example("homeward places status", gettext("What was imported, and when."))]
  ) { session throws(CommandFailure) in
    let about = try places(session).about
    try session.show(about.json) { _ in
      let (houses, streets) = (about.counts["address"] ?? 0, about.counts["street"] ?? 0)
      return gettext(
        """
        {extract}, imported {time}, {size}
        {houses} addresses, {streets} streets, {others} other places
        {attribution}

        """,
        [
          "extract": about.extract, "size": NumberText.bytes(about.bytes),
          "time": session.times.text(Timestamp(milliseconds: 1000 * about.importedSeconds)),
          "houses": "\(houses)", "streets": "\(streets)",
          "others": "\(about.counts.values.reduce(0, +) - houses - streets)",
          "attribution": about.attribution,
        ])
    }
  }

  private static let search: CommandSpecification = .init(
    path: ["places", "search"], summary: gettext("Finds an address, a street or a name"),
    discussion: gettext(
      """
      Words in any order and script, also abbreviated. What is mistyped gets suggestions. A house number that is not on
      the map is put between its neighbours, and said to be approximate. Nobody outside is asked.
      """),
    operands: [
      OperandSpecification(name: "WORDS", isRepeatable: true, help: gettext("What to find"))
    ],
    options: [
      folderOption, .option("near", "LAT,LON", gettext("The nearer of equals come first")),
      .option("limit", "N", gettext("At most so many; 10 unless set")),
    ],
    examples: [
      Example("homeward places search Untere Landstr 12", gettext("A house in a street."))
    ]
  ) { session throws(CommandFailure) in
    let near = try session.arguments.option("near").map { text throws(CommandFailure) in
      try NumberText.coordinate(text, option: "near")
    }
    let limit = try session.optionalNumber("limit") ?? 10
    guard limit >= 1, limit <= 100, let count = Int(exactly: limit) else {
      throw .usage(gettext("--limit is a whole number from 1 through 100."), search)
    }
    let words = session.arguments.operands.joined(separator: " ")
    let (found, attribution) = try find(words, near: near, limit: count, session)
    try show(found, attribution, session)
    if found.isEmpty {
      throw CommandFailure(
        .failed,
        gettext(
          "Nothing on the map is called \"{words}\". Try fewer words, or a street without its number.",
          ["words": words.count > 60 ? words.prefix(59) + "…" : words]))
    }
  }

  private static let reverse: CommandSpecification = .init(
    path: ["places", "reverse"], summary: gettext("Tells which address a position has"),
    operands: [
      OperandSpecification(name: "LAT,LON", help: gettext("Degrees north and east, with a comma"))
    ],
    options: [folderOption],
    examples: [Example("homeward places reverse 48.4102,15.6003", gettext("What stands there."))]
  ) { session throws(CommandFailure) in
    let place = try NumberText.coordinate(operand: session.arguments.operands[0])
    let (found, attribution) = try reverse(place, session)
    if session.wantsJSON {
      session.terminal.write(found?.json ?? .null)
    } else if let found {
      try show([found], attribution, session)
    }
    if found == nil {
      throw CommandFailure(
        .failed,
        gettext("Nothing on the map is near {place}.", ["place": NumberText.place(place)]))
    }
  }

  private static let route: CommandSpecification = .init(
    path: ["places", "route"], summary: gettext("Tells the way on foot from one place to another"),
    operands: [
      OperandSpecification(name: "FROM", help: gettext("LAT,LON where the way begins")),
      OperandSpecification(name: "TO", help: gettext("LAT,LON where it ends")),
    ],
    options: [folderOption, languageOption],
    examples: [
      Example(
        "homeward places route 48.4102,15.6003 48.4081,15.5935",
        gettext("The way as a resident would hear it."))
    ]
  ) { session throws(CommandFailure) in
    let from = try NumberText.coordinate(operand: session.arguments.operands[0])
    let to = try NumberText.coordinate(operand: session.arguments.operands[1])
    let word = session.arguments.option("language")
    guard let language = word.map({ Language(rawValue: $0) }) ?? SpokenLanguage.current else {
      throw .usage(gettext("--language is one of {words}.", ["words": languages]), route)
    }
    let places = try places(session)
    let router = WalkingRouter(places, tools: folder(session))
    let way: WalkingRoute
    do throws(WalkingRouter.Failure) {
      way = try router.route(from: from, to: to)
    } catch {
      throw CommandFailure(.failed, words(for: error))
    }
    let marked = try asking { () throws(PlaceIndex.Fault) in try places.index().marked(way) }
    session.tell(marked, in: language)
  }

  private static var languages: String {
    Language.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func words(for failure: WalkingRouter.Failure) -> String {
    switch failure {
    case .noWay: gettext("Nothing leads there on foot.")
    case .noStreets:
      gettext("One of the places has no street near it, or lies outside of what was imported.")
    case .failed(let reason):
      gettext("The way cannot be found ({reason}).", ["reason": reason])
    }
  }

  private static let remove: CommandSpecification = .init(
    path: ["places", "remove"],
    summary: gettext("Removes addresses, map and walking routes from this computer"),
    options: [folderOption],
    examples: [
      Example("homeward places remove", gettext("Ways are then told as a direction only."))
    ]
  ) { session throws(CommandFailure) in
    let places = try places(session)
    guard PlaceFolder.remove(in: folder(session)) else {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be removed; try it with sudo.", ["path": folder(session)]))
    }
    session.terminal.write(
      gettext("Removed the places of {extract}.\n", ["extract": places.about.extract]))
  }

  // MARK: Parts

  /// Looks in a folder where one is named, and else asks the gateway.
  private static func find(
    _ words: String, near: Coordinate?, limit: Int, _ session: Session
  ) throws(CommandFailure) -> (places: [FoundPlace], attribution: String) {
    guard session.arguments.option("in") != nil else {
      return try session.find(words, near: near, limit: min(limit, 50))
    }
    let places = try places(session)
    let found = try asking { () throws(PlaceIndex.Fault) in
      try places.index().search(words, near: near, limit: limit)
    }
    return (found, places.about.attribution)
  }

  private static func reverse(
    _ place: Coordinate, _ session: Session
  ) throws(CommandFailure) -> (place: FoundPlace?, attribution: String) {
    guard session.arguments.option("in") != nil else {
      return try session.place(at: place)
    }
    let places = try places(session)
    let found = try asking { () throws(PlaceIndex.Fault) in
      try places.index().reverse(place)
    }
    return (found, places.about.attribution)
  }

  private static func asking<Answer>(
    _ body: () throws(PlaceIndex.Fault) -> Answer
  ) throws(CommandFailure) -> Answer {
    do throws(PlaceIndex.Fault) { return try body() } catch {
      throw CommandFailure(.failed, error.message.spoken)
    }
  }

  private static func show(
    _ found: [FoundPlace], _ attribution: String, _ session: Session
  ) throws(CommandFailure) {
    try session.show(.array(found.map(\.json))) { _ in
      if found.isEmpty { return "" }
      var table = Table([gettext("NAME"), gettext("ADDRESS"), gettext("KIND"), gettext("PLACE")])
      for place in found {
        let kind = place.detail.isEmpty ? place.kind : place.detail
        table.add([
          TextWidth.printable(place.title), TextWidth.printable(place.address),
          [kind, place.isApproximate ? gettext("approximate") : nil].compactMap { $0 }.joined(
            separator: ", "), NumberText.place(place.coordinate),
        ])
      }
      let isGuess = found.allSatisfy(\.isSuggestion)
      return (isGuess ? gettext("Did you mean:") + "\n" : "") + table.text
        + attribution + "\n"
    }
  }
}

extension Session {
  /// A way as a list of what to do, or as JSON.
  fileprivate func tell(_ way: WalkingRoute, in language: Language) {
    let sentences = GuidanceSentences(language: language)
    let steps = way.maneuvers.indices.map { index -> JSONValue in
      let maneuver = way.maneuvers[index]
      let place = way.line[maneuver.point]
      return .object([
        "sentence": .string(sentences.step(way, index)),
        "street": maneuver.street.map { .string($0) },
        "lengthMeters": .number(way.metersAfter(index).rounded()),
        "latitude": .number(place.latitudeDegrees), "longitude": .number(place.longitudeDegrees),
      ])
    }
    guard !wantsJSON else {
      return terminal.write([
        "lengthMeters": .number(way.lengthMeters.rounded()), "seconds": .number(way.seconds),
        "steps": .array(steps),
        "line": .array(
          way.line.map { [.number($0.latitudeDegrees), .number($0.longitudeDegrees)] }),
      ])
    }
    let minutes = Int((way.seconds / 60).rounded(.up))
    terminal.write(
      gettext(
        "{distance}, about {minutes} min\n",
        ["distance": NumberText.distance(way.lengthMeters), "minutes": minutes]))
    for (index, step) in steps.enumerated() {
      let length = way.metersAfter(index)
      let told = length > 0 ? "  (\(NumberText.distance(length)))" : ""
      terminal.write("\(index + 1). \(step["sentence"]?.stringContent ?? "")\(told)\n")
    }
  }
}
