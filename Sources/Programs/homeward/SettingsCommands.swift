import Bytes
import Care
import Configuration
import ControlSocket
import Door
import JSON
import Texts

/// `homeward settings …`.
enum SettingsCommands {
  static let all = [list, show, set, reset]

  private static let list: CommandSpecification = .init(
    path: ["settings"],
    summary: gettext("How tracking, alarms, reminders, glucose and tags of a resident are tuned"),
    discussion: gettext(
      "Groups: {groups}.\nDefaults of tracking for everybody: tracking.defaults in the configuration file.",
      ["groups": Setting.Group.allCases.map(\.rawValue).joined(separator: ", ")]),
    options: [
      Session.residentOption,
      .option("group", "GROUP", gettext("Only the settings of one group")),
      .flag("changed", gettext("Only those that are not the default")),
    ],
    examples: [
      Example(
        "homeward settings --resident mary",
        gettext("What holds for Mary, with * where it is not the default.")),
      Example("homeward settings --group glucose", gettext("The limits of glucose readings.")),
      Example("homeward settings show tierSeconds", gettext("What one setting does and may be.")),
    ]
  ) { session throws(CommandFailure) in
    let group = try group(session)
    let all = try described(session)
    let shown = all.filter {
      (group == nil || $0.group == group) && (!session.arguments.has("changed") || $0.isChanged)
    }
    if session.wantsJSON { return session.terminal.write(.array(shown.map(\.json))) }
    guard !shown.isEmpty else {
      return session.terminal.writeLine(gettext("Every setting has its default."))
    }
    session.terminal.write(text(of: shown))
  }

  private static let show: CommandSpecification = .init(
    path: ["settings", "show"], summary: gettext("What one setting does, is and may be"),
    operands: [setting], options: [Session.residentOption],
    examples: [
      Example("homeward settings show glucoseLow", gettext("Below which level a reading is low."))
    ]
  ) { session throws(CommandFailure) in
    let setting = try known(session)
    if session.wantsJSON { return session.terminal.write(setting.json) }
    session.terminal.writeLine(
      gettext(
        """
        {name}: {words}
          It is {value}{mark}; the default is {standard}.
          It may be {expectation}{unit}.
        """,
        [
          "name": setting.name, "words": setting.words,
          "value": setting.withUnit(setting.value),
          "mark": setting.isChanged ? gettext(" (changed)") : "",
          "standard": setting.withUnit(setting.standard),
          "expectation": setting.expectation, "unit": setting.unit.map { " \($0)" } ?? "",
        ]))
  }

  private static let set: CommandSpecification = .init(
    path: ["settings", "set"], summary: gettext("Changes one setting"),
    operands: [
      setting,
      OperandSpecification(name: "VALUE", help: gettext("A number, or what its range says")),
    ],
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward settings set unknownAlarmSeconds 1200",
        gettext("Alarm after 20 minutes without a position outside.")),
      Example("homeward settings set country NO", gettext("Numbers without + are Norwegian.")),
      Example(
        "homeward settings set glucoseLow \"4.0 mmol/L\"", gettext("Low begins below 4.0 mmol/L.")
      ),
    ]
  ) { session throws(CommandFailure) in
    let setting = try known(session)
    let text = session.arguments.operands[1]
    let content = try content(text, of: setting)
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: setting.name, value: content), id: setting.name,
      gettext(
        "{setting} is {content} for {name} now.",
        ["setting": setting.name, "content": text, "name": resident.name]))
  }

  private static let reset: CommandSpecification = .init(
    path: ["settings", "reset"], summary: gettext("Gives one setting its default back"),
    operands: [setting], options: [Session.residentOption],
    examples: [
      Example("homeward settings reset unknownAlarmSeconds", gettext("The default holds again."))
    ]
  ) { session throws(CommandFailure) in
    let name = try known(session).name
    let resident = try session.resident()
    try session.put(
      .putSetting(resident: resident.id, name: name, value: .null), id: name,
      gettext(
        "{setting} has its default for {name} again.", ["setting": name, "name": resident.name]))
  }

  private static let setting = OperandSpecification(
    name: "SETTING", help: gettext("Its name, from \"homeward settings\""))

  // MARK: What the daemon offers

  private static func described(_ session: Session) throws(CommandFailure) -> [SettingLine] {
    let resident = try session.resident()
    let answer = try session.call(
      .settingsDescribe,
      [
        "resident": .string(resident.id.rawValue),
        "language": .string(SpokenLanguage.current.rawValue),
      ])
    do throws(DecodeError) {
      guard let lines = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
      return try lines.map { line throws(DecodeError) in try SettingLine(json: line) }
    } catch { throw CommandFailure(error) }
  }

  private static func known(_ session: Session) throws(CommandFailure) -> SettingLine {
    let name = session.arguments.operands[0]
    let all = try described(session)
    if let setting = all.first(where: { $0.name == name }) { return setting }
    let meant = NearestWord.find(name, among: all.map(\.name)).map {
      gettext(" Did you mean {word}?", ["word": $0])
    }
    throw CommandFailure(
      .usage,
      gettext("there is no setting \"{name}\".{meant}", ["name": name, "meant": meant ?? ""]),
      hint: gettext("Try: homeward settings"))
  }

  private static func group(_ session: Session) throws(CommandFailure) -> String? {
    guard let word = session.arguments.option("group") else { return nil }
    let groups = Setting.Group.allCases.map(\.rawValue)
    guard groups.contains(word) else {
      throw .usage(
        gettext(
          "there is no group \"{word}\" of settings. There are: {groups}.",
          ["word": word, "groups": groups.joined(separator: ", ")]), list)
    }
    return word
  }

  private static func text(of settings: [SettingLine]) -> String {
    var text = ""
    for group in Setting.Group.allCases {
      let lines = settings.filter { $0.group == group.rawValue }
      guard !lines.isEmpty else { continue }
      var table = Table([
        gettext("SETTING"), gettext("VALUE"), "", gettext("DEFAULT"), gettext("WHAT IT DOES"),
      ])
      for line in lines {
        table.add([
          line.name, line.withUnit(line.value), line.isChanged ? "*" : "",
          line.withUnit(line.standard), line.words,
        ])
      }
      text += (text.isEmpty ? "" : "\n") + "\(group.title):\n" + table.text
    }
    return text
  }

  /// Reads a value as the setting's kind suggests; whether it fits is for the gateway to say.
  private static func content(
    _ text: String, of setting: SettingLine
  ) throws(CommandFailure) -> JSONValue {
    switch setting.kind {
    case "whole", "number":
      guard let number = try? JSONValue(parsing: text), number.doubleContent != nil else {
        throw .usage(
          gettext(
            "\"{text}\" is no number. {name} must be {expectation}.",
            ["text": text, "name": setting.name, "expectation": setting.expectation]), set)
      }
      return number
    case "flag":
      let words = [
        "true": true, "on": true, "yes": true, "false": false, "off": false, "no": false,
      ]
      return words[text].map { .bool($0) } ?? .string(text)
    default: return .string(text)
    }
  }
}

/// A setting as the gateway describes it.
private struct SettingLine {
  var name: String
  var group: String
  var kind: String
  var unit: String?
  var expectation: String
  var words: String
  var value: JSONValue
  var standard: JSONValue
  var json: JSONValue

  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    name = try reader.string("name")
    group = try reader.string("group")
    kind = try reader.string("kind")
    unit = try reader.optionalString("unit")
    expectation = try reader.string("expectation")
    words = try reader.string("words")
    value = try reader.required("value")
    standard = try reader.required("default")
    self.json = json
  }

  /// Numbers are compared by their amount: 3 and 3.0 are one.
  var isChanged: Bool {
    guard let amount = value.doubleContent else { return value != standard }
    return amount != standard.doubleContent
  }

  /// A content as it is typed, with the unit behind a number; a text without its quotation marks.
  func withUnit(_ content: JSONValue) -> String {
    if let text = content.stringContent { return text.isEmpty ? "-" : text }
    return content.serialized + (unit.map { " \($0)" } ?? "")
  }
}

extension Setting.Group {
  /// What stands above the group's settings.
  var title: String {
    switch self {
    case .resident: gettext("The resident")
    case .tracking: gettext("Tracking")
    case .alarms: gettext("Alarms")
    case .kinds: gettext("Kinds of alarms")
    case .reminders: gettext("Reminders")
    case .glucose: gettext("Glucose")
    case .tags: gettext("Tags")
    case .guidance: gettext("The way home")
    }
  }
}
