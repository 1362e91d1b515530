import CareModel
import ControlSocket

/// `homeward status`.
enum StatusCommand {
  static let specification: CommandSpecification = .init(
    path: ["status"], summary: "How everybody and everything does, at a glance",
    discussion: "Stale is not fine: each part is shown with its last sign of life.",
    examples: [
      Example("homeward status", "People, parts, store and plugins."),
      Example("homeward status --json", "The same for programs."),
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
    var text = "Gateway \(name), version \(try reader.optionalString("version") ?? "?"), up \(up)\n"
    text += try clock(reader, times)
    text += "\n" + (try people(reader.array("residents"), times))
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
    let warning = isTrusted ? "" : ": NOTHING SCHEDULED IS JUDGED until the time is known"
    return "Clock   \(times.text(try clock.string("utc"))) (\(quality))\(warning)\n"
  }

  private static func people(
    _ residents: [JSONValue], _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    if residents.isEmpty { return "Nobody is looked after yet: homeward residents add --help\n" }
    var table = Table(["RESIDENT", "WHERE", "POSITION", "SEEN", "AWAY SINCE"])
    for resident in residents {
      let tracking = resident["tracking"] ?? .null
      table.add([
        resident["name"]?.stringContent ?? "-", presence(tracking), position(tracking["position"]),
        times.text(tracking["position"]?["time"]?.stringContent),
        times.text(tracking["leftHomeAt"]?.stringContent),
      ])
    }
    return table.text
  }

  private static func presence(_ tracking: JSONValue) -> String {
    if tracking["isOn"]?.boolContent == false { return "tracking is off" }
    if let unknown = tracking["positionUnknown"]?.stringContent { return "UNKNOWN (\(unknown))" }
    let zones = tracking["zones"]?.arrayContent ?? []
    func names(_ presence: String) -> [String] {
      zones.filter { $0["presence"]?.stringContent == presence }.compactMap {
        $0["zoneName"]?.stringContent
      }
    }
    let inside = names("inside")
    if !inside.isEmpty { return "in " + inside.joined(separator: ", ") }
    let uncertain = names("uncertain")
    if !uncertain.isEmpty { return "perhaps in " + uncertain.joined(separator: ", ") }
    if tracking["outside"]?.boolContent == true { return "OUTSIDE" }
    return tracking["position"] == nil ? "not located yet" : "located, no zones"
  }

  private static func position(_ position: JSONValue?) -> String {
    guard let position, let coordinate = try? Coordinate(json: position) else { return "-" }
    let accuracy = position["accuracyMeters"]?.doubleContent.map { " ± \(NumberText.distance($0))" }
    return NumberText.place(coordinate) + (accuracy ?? "")
  }

  private static func parts(_ components: [JSONValue]) throws(DecodeError) -> String {
    var table = Table(["PART", "STATE", "LAST SIGN", "WHAT TO DO"])
    for component in components {
      let reader = try JSONReader(component)
      let state = try reader.string("state")
      let age = try reader.optionalInteger("secondsSinceSign").map { TimeDisplay.span(seconds: $0) }
      let isWell = ["working", "unused", "starting"].contains(state)
      table.add([
        try reader.string("component"), isWell ? state : state.uppercased(),
        age.map { $0 + " ago" } ?? "-",
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
    let backup = try store.optionalString("lastBackup").map { times.text($0) } ?? "none yet"
    return
      "Store   \(used) used, \(free) free, \(waiting) waiting for the disk; last backup: \(backup)\n"
  }
}
