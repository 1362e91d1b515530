import Alarms
import CareModel
import Configuration
import ControlSocket
import Reminders
import Tracking

/// `homeward settings …`.
enum SettingsCommands {
  static let all = [list, set, reset]

  private static let table: String = {
    var table = Table([gettext("SETTING"), gettext("DEFAULT"), gettext("RANGE")])
    for name in names { table.add([name, shown(standard(name)), range(name)]) }
    return table.text
  }()

  /// Settings of tracking, then those of alarms and of reminders.
  private static let names =
    TrackingSettings.names + AlarmSettings.names + ReminderSettings.names

  private static func standard(_ name: String) -> JSONValue? {
    TrackingSettings().value(name) ?? AlarmSettings().value(name)
      ?? ReminderSettings().value(name)
  }

  /// A value as it is typed; a text without its quotation marks.
  private static func shown(_ value: JSONValue?) -> String {
    guard let value else { return "-" }
    return value.stringContent.map { $0.isEmpty ? "-" : $0 } ?? value.serialized
  }

  private static func range(_ name: String) -> String {
    guard let range = TrackingSettings.range(name) else {
      guard let standard = standard(name) else { return "-" }
      if standard.boolContent != nil { return gettext("true or false") }
      return standard.stringContent == nil ? gettext("a number") : gettext("a text")
    }
    return gettext(
      "{lowest} to {highest}",
      ["lowest": NumberText.short(range.lowerBound), "highest": NumberText.short(range.upperBound)])
  }

  private static let list: CommandSpecification = .init(
    path: ["settings"],
    summary: gettext("How tracking, alarms and reminders of a resident are tuned"),
    discussion: table
      + gettext("\nDefaults for everybody: tracking.defaults in the configuration file."),
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward settings --resident mary",
        gettext("What holds for Mary, with * where it is not the default."))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.call(.settingsList, ["resident": .string(resident.id.rawValue)])
    try session.show(answer) { answer throws(DecodeError) in
      guard let members = answer.objectContent else { throw DecodeError(.wrongType, at: 0) }
      var table = Table([
        gettext("SETTING"), gettext("VALUE"), "", gettext("DEFAULT"), gettext("RANGE"),
      ])
      for member in members {
        let builtIn = standard(member.key)
        table.add([
          member.key, shown(member.value), isChanged(member.value, from: builtIn) ? "*" : "",
          shown(builtIn), range(member.key),
        ])
      }
      return table.text
    }
  }

  /// Numbers are compared by their amount: 3 and 3.0 are one.
  private static func isChanged(_ value: JSONValue, from standard: JSONValue?) -> Bool {
    guard let amount = value.doubleContent else { return value != standard }
    return amount != standard?.doubleContent
  }

  private static let set: CommandSpecification = .init(
    path: ["settings", "set"], summary: gettext("Changes one setting"),
    operands: [
      OperandSpecification(name: "SETTING", help: gettext("Its name, from \"homeward settings\"")),
      OperandSpecification(name: "VALUE", help: gettext("A number, or what its range says")),
    ],
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward settings set unknownAlarmSeconds 1200",
        gettext("Alarm after 20 minutes without a position outside.")),
      Example("homeward settings set country NO", gettext("Numbers without + are Norwegian.")),
    ]
  ) { session throws(CommandFailure) in
    let name = try known(session.arguments.operands[0])
    let text = session.arguments.operands[1]
    let value = try value(text, of: name)
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: name, value: value), id: name,
      gettext(
        "{setting} is {content} for {name} now.",
        ["setting": name, "content": text, "name": resident.name]))
  }

  /// Reads a value as the setting's default suggests, and asks the setting whether it fits.
  private static func value(
    _ text: String, of name: String
  ) throws(CommandFailure) -> JSONValue {
    guard !TrackingSettings.names.contains(name) else {
      guard let number = try? JSONValue(parsing: text), number.doubleContent != nil else {
        throw .usage(gettext("\"{text}\" is no number.", ["text": text]), set)
      }
      return number
    }
    let standard = standard(name)
    var value = JSONValue.string(text)
    if standard?.boolContent != nil {
      value = ["on": true, "yes": true, "off": false, "no": false][text] ?? parsed(text)
    } else if standard?.stringContent == nil {
      value = parsed(text)
    }
    do throws(CommandReply.Refusal) { try check(name, value) } catch {
      throw .usage(error.message.spoken, set)
    }
    return value
  }

  private static func check(
    _ name: String, _ value: JSONValue
  ) throws(CommandReply.Refusal) {
    if ReminderSettings.names.contains(name) {
      var settings = ReminderSettings()
      return try settings.set(name, to: value)
    }
    var settings = AlarmSettings()
    try settings.set(name, to: value)
  }

  private static func parsed(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: text)) ?? .string(text)
  }

  private static let reset: CommandSpecification = .init(
    path: ["settings", "reset"], summary: gettext("Gives one setting its default back"),
    operands: [
      OperandSpecification(name: "SETTING", help: gettext("Its name, from \"homeward settings\""))
    ],
    options: [Session.residentOption],
    examples: [
      Example("homeward settings reset unknownAlarmSeconds", gettext("The default holds again."))
    ]
  ) { session throws(CommandFailure) in
    let name = try known(session.arguments.operands[0])
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: name, value: .null), id: name,
      gettext(
        "{setting} has its default for {name} again.", ["setting": name, "name": resident.name]))
  }

  private static func known(_ name: String) throws(CommandFailure) -> String {
    if names.contains(name) { return name }
    let meant = NearestWord.find(name, among: names).map {
      gettext(" Did you mean {word}?", ["word": $0])
    }
    throw CommandFailure(
      .usage,
      gettext("there is no setting \"{name}\".{meant}", ["name": name, "meant": meant ?? ""]),
      hint: gettext("Try: homeward settings --help"))
  }
}
