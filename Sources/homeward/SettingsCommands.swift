import CareModel
import Configuration
import ControlSocket
import Tracking

/// `homeward settings …`.
enum SettingsCommands {
  static let all = [list, set, reset]

  private static let table: String = {
    var table = Table(["SETTING", "DEFAULT", "RANGE"])
    let defaults = TrackingSettings()
    for name in TrackingSettings.names {
      table.add([name, defaults.value(name)?.serialized ?? "-", range(name)])
    }
    return table.text
  }()

  private static func range(_ name: String) -> String {
    guard let range = TrackingSettings.range(name) else { return "-" }
    return "\(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
  }

  private static let list: CommandSpecification = .init(
    path: ["settings"], summary: "How tracking of a resident is tuned",
    discussion: table + "\nDefaults for everybody: tracking.defaults in the configuration file.",
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward settings --resident mary",
        "What holds for Mary, with * where it is not the default.")
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.call(.settingsList, ["resident": .string(resident.id.rawValue)])
    try session.show(answer) { answer throws(DecodeError) in
      guard let members = answer.objectContent else { throw DecodeError(.wrongType, at: 0) }
      let defaults = TrackingSettings()
      var table = Table(["SETTING", "VALUE", "", "DEFAULT", "RANGE"])
      for member in members {
        let builtIn = defaults.value(member.key)
        let isChanged = builtIn?.doubleContent != member.value.doubleContent
        table.add([
          member.key, member.value.serialized, isChanged ? "*" : "",
          builtIn?.serialized ?? "-", range(member.key),
        ])
      }
      return table.text
    }
  }

  private static let set: CommandSpecification = .init(
    path: ["settings", "set"], summary: "Changes one setting",
    operands: [
      OperandSpecification(name: "SETTING", help: "Its name, from \"homeward settings\""),
      OperandSpecification(name: "VALUE", help: "A number"),
    ],
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward settings set unknownAlarmSeconds 1200",
        "Alarm after 20 minutes without a position outside.")
    ]
  ) { session throws(CommandFailure) in
    let name = try known(session.arguments.operands[0])
    let text = session.arguments.operands[1]
    guard let value = try? JSONValue(parsing: text), value.doubleContent != nil else {
      throw .usage("\"\(text)\" is no number.", set)
    }
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: name, value: value), id: name,
      "\(name) is \(text) for \(resident.name) now.")
  }

  private static let reset: CommandSpecification = .init(
    path: ["settings", "reset"], summary: "Gives one setting its default back",
    operands: [OperandSpecification(name: "SETTING", help: "Its name, from \"homeward settings\"")],
    options: [Session.residentOption],
    examples: [Example("homeward settings reset unknownAlarmSeconds", "The default holds again.")]
  ) { session throws(CommandFailure) in
    let name = try known(session.arguments.operands[0])
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: name, value: .null), id: name,
      "\(name) has its default for \(resident.name) again.")
  }

  private static func known(_ name: String) throws(CommandFailure) -> String {
    if TrackingSettings.names.contains(name) { return name }
    let meant = NearestWord.find(name, among: TrackingSettings.names).map { " Did you mean \($0)?" }
    throw CommandFailure(
      .usage, "there is no setting \"\(name)\".\(meant ?? "")",
      hint: "Try: homeward settings --help")
  }
}
