import Configuration

/// The arguments of one call, checked against the command's specification.
struct ParsedArguments: Sendable {
  var operands: [String] = []
  fileprivate var options: [String: [String]] = [:]

  init(operands: [String] = [], options: [String: [String]] = [:]) {
    self.operands = operands
    self.options = options
  }

  /// Whether a switch was given.
  func has(_ name: String) -> Bool { options[name] != nil }

  /// The value of an option; the last one when it was given twice.
  func option(_ name: String) -> String? { options[name]?.last }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { options[name] ?? [] }
}

/// Reads words into options and operands.
enum ArgumentParser {
  static func parse(
    _ words: [String], for command: CommandSpecification
  ) throws(CommandFailure) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = words[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("--") || word.count < 3 {
        if word == "--", !onlyOperands { onlyOperands = true } else { parsed.operands.append(word) }
      } else {
        try take(word, &rest, into: &parsed, command)
      }
    }
    try checkCount(of: parsed.operands, command)
    return parsed
  }

  private static func take(
    _ word: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments,
    _ command: CommandSpecification
  ) throws(CommandFailure) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(parts.first ?? "")
    let known = command.options + CommandSpecification.common
    let name = known.first { $0.formerName == written }?.name ?? written
    guard let option = known.first(where: { $0.name == name }) else {
      let hint = NearestWord.find(name, among: known.map(\.name))
      let meant = hint.map { gettext(" Did you mean --{option}?", ["option": $0]) } ?? ""
      throw .usage(
        gettext("there is no option --{name}.{meant}", ["name": name, "meant": meant]), command)
    }
    guard let value = option.value else {
      if parts.count > 1 {
        throw .usage(gettext("--{name} takes no value.", ["name": name]), command)
      }
      return parsed.options[name, default: []].append("")
    }
    if parsed.options[name] != nil, !option.isRepeatable {
      throw .usage(gettext("--{name} was given twice.", ["name": name]), command)
    }
    guard let text = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
      throw .usage(
        gettext("--{name} needs a value: --{name} {value}", ["name": name, "value": value]), command
      )
    }
    parsed.options[name, default: []].append(text)
  }

  private static func checkCount(
    of operands: [String], _ command: CommandSpecification
  ) throws(CommandFailure) {
    let required = command.operands.filter { !$0.isOptional }
    if operands.count < required.count {
      throw .usage(gettext("{name} is missing.", ["name": required[operands.count].name]), command)
    }
    let takesMore = command.operands.last?.isRepeatable ?? false
    if operands.count > command.operands.count, !takesMore {
      throw .usage(
        gettext(
          "\"{word}\" is one word too many.", ["word": operands[command.operands.count]]),
        command)
    }
  }
}
