import Care
import Configuration
import Door
import JSON

/// `homeward command`: whatever the gateway can be told, from what each feature declares of its commands.
enum AnyCommand {
  static let specification: CommandSpecification = .init(
    path: ["command"], summary: gettext("Has the gateway do anything that it can be told"),
    discussion: gettext(
      "For programs, and for what has no command of its own here. Without an action it lists all of them, with what each takes. What others must not see, such as a password, is NAME=- and comes on standard input; records are JSON."
    ),
    operands: [
      OperandSpecification(
        name: "ACTION", isOptional: true, help: gettext("What to do, such as tag.remove")),
      OperandSpecification(
        name: "NAME=VALUE", isOptional: true, isRepeatable: true,
        help: gettext("What it takes; lists with commas, records as JSON, - for standard input")),
    ],
    examples: [
      Example("homeward command", gettext("Every action, and what it takes.")),
      Example("homeward command tag.remove target=keys", gettext("The same as: tags remove keys.")),
      Example(
        "homeward command device.search target=mary seconds=20 --json",
        gettext("The answer for a program.")),
    ]
  ) { session throws(CommandFailure) in
    guard let action = session.arguments.operands.first else { return list(session) }
    let rule = try rule(of: action)
    let request = try request(rule, session.arguments.operands.dropFirst(), session)
    try session.show(try session.perform(request)) { answer in
      guard case .object(let members) = answer else { return "\(text(of: answer))\n" }
      let told = members.filter { $0.key != "durable" }
      if told.isEmpty { return gettext("Done.") + "\n" }
      return told.map { "\($0.key): \(text(of: $0.value))\n" }.joined()
    }
  }

  private static func text(of value: JSONValue) -> String {
    value.stringContent ?? value.serialized
  }

  // MARK: What there is

  private static var rules: [CommandRule] { CommandRule.all.sorted { $0.action < $1.action } }

  private static func list(_ session: Session) {
    if session.wantsJSON {
      let rules = rules.map { rule -> JSONValue in
        ["action": .string(rule.action), "takes": JSONShape.object(rule.takes).schema]
      }
      return session.terminal.write(.array(rules))
    }
    var table = Table([gettext("ACTION"), gettext("TAKES")])
    for rule in rules { table.add([rule.action, takes(rule)]) }
    session.terminal.write(table.text)
  }

  private static func takes(_ rule: CommandRule) -> String {
    ContractPages.listed(rule.takes).filter { $0 != "`" }
  }

  private static func rule(of action: String) throws(CommandFailure) -> CommandRule {
    if let rule = CommandRule.of(action) { return rule }
    let meant = NearestWord.find(action, among: rules.map(\.action)).map {
      gettext(" Did you mean \"{word}\"?", ["word": $0])
    }
    throw CommandFailure(
      .usage,
      gettext(
        "there is no action \"{word}\".{meant}", ["word": action, "meant": meant ?? ""]),
      hint: gettext("Try: homeward command"))
  }

  // MARK: What is told

  private static func request(
    _ rule: CommandRule, _ words: ArraySlice<String>, _ session: Session
  ) throws(CommandFailure) -> JSONValue {
    var request: JSONValue = ["action": .string(rule.action)]
    for word in words {
      guard let equals = word.firstIndex(of: "=") else {
        throw failure(
          gettext("\"{word}\" is not NAME=VALUE.", ["word": word]), rule)
      }
      let name = String(word[..<equals])
      guard let member = rule.takes.first(where: { $0.name == name }) else {
        throw failure(
          gettext(
            "{action} takes no \"{name}\".", ["action": rule.action, "name": name]), rule)
      }
      guard request[name] == nil else {
        throw failure(gettext("\"{name}\" stands there twice.", ["name": name]), rule)
      }
      var written = String(word[word.index(after: equals)...])
      if written == "-" {
        written = session.terminal.askSecret("\(name): ") ?? ""
      } else if member.isSecret {
        // Others read it in the list of processes and in the shell's history.
        throw failure(
          gettext(
            "\"{name}\" is a secret, and others can read a command line: write {name}=- and type it.",
            ["name": name]), rule)
      }
      request = request.setting(name, to: try value(written, member, rule))
    }
    if let missing = rule.takes.first(where: { !$0.isOptional && request[$0.name] == nil }) {
      throw failure(gettext("{name} is missing.", ["name": missing.name]), rule)
    }
    return request
  }

  private static func value(
    _ written: String, _ member: JSONShape.Member, _ rule: CommandRule
  ) throws(CommandFailure) -> JSONValue {
    if let value = Self.value(written, member.shape) { return value }
    let looks = ContractPages.looks(member.shape).filter { $0 != "`" }
    throw failure(
      gettext(
        "\"{name}\" is wanted as: {looks}.", ["name": member.name, "looks": looks]), rule)
  }

  /// What was written, as a shape has it; nil where it is none.
  private static func value(_ written: String, _ shape: JSONShape) -> JSONValue? {
    switch shape {
    case .text: return .string(written)
    case .words(let words): return words.contains(written) ? .string(written) : nil
    case .whole(let range):
      return Int64(written).flatMap { range?.contains($0) == false ? nil : .integer($0) }
    case .number(let range):
      return Double(written).flatMap { range?.contains($0) == false ? nil : .number($0) }
    case .flag: return written == "true" ? true : written == "false" ? false : nil
    case .null: return written == "null" ? .null : nil
    case .list(let element) where !written.hasPrefix("["):
      let parts = written.split(separator: ",").map { value(String($0), element) }
      return parts.contains(nil) ? nil : .array(parts.compactMap { $0 })
    case .either(let shapes): return shapes.lazy.compactMap { value(written, $0) }.first
    case .list, .object, .anything: return try? JSONValue(parsing: written)
    }
  }

  private static func failure(_ message: String, _ rule: CommandRule) -> CommandFailure {
    CommandFailure(
      .usage, message,
      hint: rule.takes.isEmpty
        ? gettext("It takes nothing.") : gettext("It takes: {takes}", ["takes": takes(rule)]))
  }
}
