import Bytes
import Care
import ControlSocket
import Door
import JSON

/// `homeward plugins …`.
enum PluginCommands {
  static let all = [list, restart]

  private static let list: CommandSpecification = .init(
    path: ["plugins"], summary: gettext("Plugins and how they do"),
    discussion:
      gettext(
        "WAITING counts events that a plugin has not taken yet, by lane: alarm/record/trace."),
    examples: [Example("homeward plugins", gettext("State, what waits, what was refused."))]
  ) { session throws(CommandFailure) in
    try session.show(try session.call(.pluginsList)) { answer throws(DecodeError) in
      try table(answer)
    }
  }

  private static let restart: CommandSpecification = .init(
    path: ["plugins", "restart"], summary: gettext("Stops a plugin and starts it again"),
    operands: [OperandSpecification(name: "NAME", help: gettext("The plugin"))],
    examples: [
      Example(
        "homeward plugins restart mqtt", gettext("Takes a new password over; nothing is lost."))
    ]
  ) { session throws(CommandFailure) in
    let name = session.arguments.operands[0]
    let answer = try session.call(.pluginsRestart, ["name": .string(name)])
    if session.wantsJSON { return session.terminal.write(answer) }
    session.terminal.writeLine(gettext("Restarting {name}.", ["name": TextWidth.printable(name)]))
  }

  static func table(_ answer: JSONValue) throws(DecodeError) -> String {
    guard let plugins = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
    if plugins.isEmpty {
      return gettext("No plugin is enabled: nobody outside learns of anything.\n")
    }
    var remarks: [String] = []
    var table = Table([
      gettext("PLUGIN"), gettext("STATE"), gettext("WAITING"), gettext("LAST SUCCESS"),
      gettext("REFUSED"),
      gettext("RESTARTS"), gettext("LAST FAULT"),
    ])
    for plugin in plugins {
      let reader = try JSONReader(plugin)
      let state = try reader.string("state")
      let lanes = plugin["lanes"]?.arrayContent ?? []
      table.add([
        try reader.string("name"), StateWords.of(state),
        depths(lanes), lastSuccess(lanes),
        String(try reader.optionalInteger("deadLetters") ?? 0),
        String(try reader.optionalInteger("restarts") ?? 0),
        try reader.optionalString("lastError") ?? "",
      ])
      let lines = [try withheldLine(of: reader, plugin), try readsLine(of: reader, plugin)]
      remarks += lines.compactMap { $0 }
    }
    return table.text + remarks.joined()
  }

  /// What a plugin asks to see and does not, and what to write to show it.
  private static func withheldLine(
    of reader: JSONReader, _ plugin: JSONValue
  ) throws(DecodeError) -> String? {
    let kinds = plugin["withheld"]?.arrayContent?.compactMap(\.stringContent) ?? []
    guard !kinds.isEmpty else { return nil }
    return gettext(
      "{name} does not see: {kinds}. To show it any of these, add it to its grants in the configuration.\n",
      ["name": try reader.string("name"), "kinds": kinds.joined(separator: ", ")])
  }

  /// What a plugin may ask the gateway.
  private static func readsLine(
    of reader: JSONReader, _ plugin: JSONValue
  ) throws(DecodeError) -> String? {
    let grants = plugin["reads"]?.arrayContent?.compactMap(\.stringContent) ?? []
    guard !grants.isEmpty else { return nil }
    return gettext(
      "{name} may ask the gateway: {grants}.\n",
      ["name": try reader.string("name"), "grants": grants.joined(separator: ", ")])
  }

  private static func depths(_ lanes: [JSONValue]) -> String {
    Lane.allCases.map { lane in
      let found = lanes.first { $0["lane"]?.stringContent == lane.rawValue }
      return found?["depth"]?.integerContent.map(String.init) ?? "-"
    }.joined(separator: "/")
  }

  private static func lastSuccess(_ lanes: [JSONValue]) -> String {
    let ages = lanes.compactMap { $0["lastSuccessAgeSeconds"]?.doubleContent }
    guard let youngest = ages.min(), let seconds = Int64(exactly: youngest.rounded()) else {
      return "-"
    }
    return gettext("{age} ago", ["age": TimeDisplay.span(seconds: seconds)])
  }
}
