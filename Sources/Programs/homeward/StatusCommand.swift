import Bytes
import Care
import ControlSocket
import Door
import JSON
import Texts

/// `homeward status`.
enum StatusCommand {
  static let specification: CommandSpecification = .init(
    path: ["status"], summary: gettext("How everybody and everything does, at a glance"),
    discussion: gettext("Stale is not fine: each part is shown with its last sign of life."),
    examples: [
      Example("homeward status", gettext("People, parts, store and plugins.")),
      Example("homeward status --json", gettext("The same for programs.")),
    ]
  ) { session throws(CommandFailure) in
    try session.show(try session.call(.status)) { status throws(DecodeError) in
      try text(status, times: session.times)
    }
  }

  static func text(_ status: JSONValue, times: TimeDisplay) throws(DecodeError) -> String {
    let reader = try JSONReader(status)
    let name = try reader.string("gateway")
    let up = TimeDisplay.span(seconds: try reader.integer("uptimeSeconds"))
    var text = gettext(
      "Gateway {name}, version {version}, up {up}\n",
      ["name": name, "version": try reader.optionalString("version") ?? "?", "up": up])
    text += try clock(reader, times)
    text += try alarms(reader.array("alarms"), times)
    let now = try reader.object("clock").string("utc")
    text += "\n" + (try people(reader.array("residents"), times, now: now))
    let reach = ReachText.table(try reader.array("reach"), times)
    text += reach.isEmpty ? "" : "\n" + reach
    text += "\n" + (try parts(reader.array("components")))
    text += "\n" + (try store(reader, times))
    let plugins = try PluginCommands.table(.array(reader.array("plugins")))
    return text + "\n" + plugins
  }

  private static func clock(
    _ reader: JSONReader, _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    let clock = try reader.object("clock")
    let quality = try clock.string("quality")
    let isTrusted = try clock.bool("isTrusted")
    let warning = isTrusted ? "" : gettext(": NOTHING SCHEDULED IS JUDGED until the time is known")
    return gettext(
      "Clock   {time} ({quality}){warning}\n",
      [
        "time": times.text(try clock.string("utc")), "quality": StateWords.quality(quality),
        "warning": warning,
      ])
  }

  /// What is going on, before everything else; nothing when no alarm is open.
  private static func alarms(
    _ alarms: [JSONValue], _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    if alarms.isEmpty { return "" }
    var table = Table([
      gettext("ALARM"), gettext("KIND"), gettext("STAGE"), gettext("WHO"), gettext("SINCE"),
      gettext("TAKEN BY"), gettext("WHAT"),
    ])
    for alarm in alarms {
      let reader = try JSONReader(alarm)
      let helpers = try reader.array("acknowledgedByNames").compactMap(\.stringContent)
      table.add([
        try reader.string("tag"), StateWords.kind(try reader.string("kind")),
        StateWords.stage(try reader.string("stage"), isOpen: true),
        try reader.string("residentName"),
        times.text(try reader.string("raisedAt")),
        helpers.isEmpty ? gettext("NOBODY YET") : helpers.joined(separator: ", "),
        try reader.string("explanation"),
      ])
    }
    return "\n" + table.text
  }

  private static func people(
    _ residents: [JSONValue], _ times: TimeDisplay, now: String
  ) throws(DecodeError) -> String {
    if residents.isEmpty {
      return gettext("Nobody is looked after yet: homeward residents add --help\n")
    }
    var table = Table([
      gettext("RESIDENT"), gettext("WHERE"), gettext("POSITION"), gettext("SEEN"),
      gettext("AWAY SINCE"),
    ])
    for resident in residents {
      let tracking = resident["tracking"] ?? .null
      table.add([
        resident["name"]?.stringContent ?? "-", whereabouts(resident, now: now),
        position(tracking["position"]),
        times.text(tracking["position"]?["time"]?.stringContent),
        times.text(tracking["leftHomeAt"]?.stringContent),
      ])
    }
    return table.text + missingReceivers(residents) + consents(residents)
  }

  /// Who is followed by a receiver that is not configured.
  private static func missingReceivers(_ residents: [JSONValue]) -> String {
    residents.filter { $0["isReceiverMissing"]?.boolContent == true }.map { resident in
      gettext(
        "{name} is NOT FOLLOWED: no receiver named \"{source}\" is configured (see: homeward residents change --help)\n",
        [
          "name": TextWidth.printable(resident["name"]?.stringContent ?? "-"),
          "source": TextWidth.printable(resident["gpsSource"]?.stringContent ?? "-"),
        ])
    }.joined()
  }

  /// What somebody refused, and what nobody asked yet.
  private static func consents(_ residents: [JSONValue]) -> String {
    residents.map { resident in
      func kinds(_ word: String) -> String {
        (resident["consent"]?.objectContent ?? []).filter { $0.value.stringContent == word }
          .map { ConsentCommands.word(of: $0.key) }.joined(separator: ", ")
      }
      let name = TextWidth.printable(resident["name"]?.stringContent ?? "-")
      let (refused, open) = (kinds("refused"), kinds("not-asked"))
      return
        (refused.isEmpty
        ? "" : gettext("{name} refused: {kinds}\n", ["name": name, "kinds": refused]))
        + (open.isEmpty
          ? ""
          : gettext(
            "{name} was not asked yet: {kinds} (see: homeward consent list)\n",
            ["name": name, "kinds": open]))
    }.joined()
  }

  /// Where a resident is, in words, and where they are expected to be.
  ///
  /// - Parameter now: the time by the gateway's clock, in ISO 8601; nil where nobody knows.
  static func whereabouts(_ resident: JSONValue, now: String?) -> String {
    let tracking = resident["tracking"] ?? .null
    let here = presence(tracking)
    guard let absence = resident["absence"], let name = absence["name"]?.stringContent,
      let until = absence["until"]?.stringContent, let time = absence["untilLocal"]?.stringContent
    else { return here }
    let isOutside = here == gettext("OUTSIDE")
    let values: Message.Values = [
      "place": isOutside ? gettext("outside") : here, "absence": name, "time": time,
    ]
    // Both are written in the same way, so that their order is that of time.
    if let now, now >= until {
      return gettext("{place}, expected back from {absence} since {time}", values)
    }
    if absence["isAway"]?.boolContent == false {
      return gettext("{place}, expected at {absence} until {time}", values)
    }
    if here == gettext("in {zones}", ["zones": name]) {
      return gettext("{place} until {time}", values)
    }
    return gettext("{place}, at {absence} until {time}", values)
  }

  /// Where somebody is, in words, from the `tracking` of a resident.
  static func presence(_ tracking: JSONValue) -> String {
    if tracking["isOn"]?.boolContent == false { return gettext("tracking is off") }
    if let unknown = tracking["positionUnknown"]?.stringContent {
      return gettext("UNKNOWN ({unknown})", ["unknown": unknown])
    }
    let all = tracking["zones"]?.arrayContent ?? []
    let zones = all.filter { $0["counts"]?.boolContent != false }
    func names(_ presence: String) -> [String] {
      zones.filter { $0["presence"]?.stringContent == presence }.compactMap {
        $0["zoneName"]?.stringContent
      }
    }
    let inside = names("inside")
    if !inside.isEmpty { return gettext("in {zones}", ["zones": inside.joined(separator: ", ")]) }
    let uncertain = names("uncertain")
    if !uncertain.isEmpty {
      return gettext("perhaps in {zones}", ["zones": uncertain.joined(separator: ", ")])
    }
    if tracking["outside"]?.boolContent == true { return gettext("OUTSIDE") }
    guard tracking["position"] != nil else { return gettext("not located yet") }
    return all.isEmpty ? gettext("located, no zones") : gettext("located, no zone counts now")
  }

  private static func position(_ position: JSONValue?) -> String {
    guard let position, let coordinate = try? Coordinate(json: position) else { return "-" }
    let accuracy = position["accuracyMeters"]?.doubleContent.map { " ± \(NumberText.distance($0))" }
    return NumberText.place(coordinate) + (accuracy ?? "")
  }

  private static func parts(_ components: [JSONValue]) throws(DecodeError) -> String {
    var table = Table([
      gettext("PART"), gettext("STATE"), gettext("LAST SIGN"), gettext("WHAT TO DO"),
    ])
    for component in components {
      let reader = try JSONReader(component)
      let state = try reader.string("state")
      let age = try reader.optionalInteger("secondsSinceSign").map { TimeDisplay.span(seconds: $0) }
      table.add([
        try reader.string("component"), StateWords.of(state),
        age.map { gettext("{age} ago", ["age": $0]) } ?? "-",
        try reader.optionalString("detail") ?? "",
      ])
    }
    return table.text
  }

  private static func store(
    _ reader: JSONReader, _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    let store = try reader.object("store")
    let waiting = try store.optionalInteger("waitingRecords") ?? 0
    let free = NumberText.bytes(try store.optionalInteger("freeBytes") ?? 0)
    let used = NumberText.bytes(try store.optionalInteger("usedBytes") ?? 0)
    let backup =
      try store.optionalString("lastBackup").map { times.text($0) } ?? gettext("none yet")
    return
      gettext(
        "Store   {used} used, {free} free, {waiting} waiting for the disk; last backup: {backup}\n",
        ["used": used, "free": free, "waiting": waiting, "backup": backup])
  }
}
