/// The texts of `--help`.
enum HelpText {
  static var overview: String {
    var text = gettext(
      """
      homeward - keep a person with dementia, diabetes or a dangerous walk home safe

      Usage: homeward COMMAND [ARGUMENT]... [OPTION]...
             homeward COMMAND --help


      """)
    for section in CommandTable.sections {
      text += "\(section.title)\n"
      text += columns(section.commands.map { (synopsisName($0), $0.summary) })
      text += "\n"
    }
    text += gettext(
      """
      Every command takes --json, --socket PATH, --config PATH and --help.
      Exit codes: 0 done, 1 failed, 2 arguments not understood, 3 homewardd not running, 4 refused.

      """)
    return text
  }

  static func ofGroup(_ path: [String]) -> String {
    let commands = CommandTable.all.filter { $0.path.starts(with: path) }
    return gettext(
      "Usage: homeward {path} COMMAND [OPTION]...\n\n", ["path": path.joined(separator: " ")])
      + columns(commands.map { (synopsisName($0), $0.summary) })
      + gettext("\nMore: homeward {path} COMMAND --help\n", ["path": path.joined(separator: " ")])
  }

  static func of(_ command: CommandSpecification) -> String {
    var text = "homeward \(command.path.joined(separator: " ")) - \(command.summary)\n\n"
    text += gettext("Usage: homeward {synopsis}\n", ["synopsis": synopsis(command)])
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    if !command.operands.isEmpty {
      text += gettext("\nArguments:\n") + columns(command.operands.map { ($0.name, $0.help) })
    }
    let below = CommandTable.all.filter {
      $0.path.count > command.path.count && $0.path.starts(with: command.path)
    }
    if !below.isEmpty {
      text += gettext("\nCommands:\n") + columns(below.map { (synopsisName($0), $0.summary) })
    }
    let options = command.options + CommandSpecification.common
    text += gettext("\nOptions:\n") + columns(options.map { (written($0), $0.help) })
    if !command.examples.isEmpty {
      text += gettext("\nExamples:\n")
      text += command.examples.map { "  \($0.line)\n      \($0.meaning)\n" }.joined()
    }
    return text
  }

  private static func synopsis(_ command: CommandSpecification) -> String {
    let operands = command.operands.map { operand in
      let dots = operand.isRepeatable ? "..." : ""
      return operand.isOptional ? "[\(operand.name)]\(dots)" : "\(operand.name)\(dots)"
    }
    return (command.path + operands + ["[OPTION]..."]).joined(separator: " ")
  }

  private static func synopsisName(_ command: CommandSpecification) -> String {
    (command.path + command.operands.filter { !$0.isOptional }.map(\.name)).joined(separator: " ")
  }

  private static func written(_ option: OptionSpecification) -> String {
    let dots = option.isRepeatable ? "..." : ""
    return "--\(option.name)" + (option.value.map { " \($0)" } ?? "") + dots
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = min(34, rows.map { TextWidth.of($0.0) }.max() ?? 0)
    return rows.map { name, help in
      let gap = TextWidth.of(name) > width ? "\n" + String(repeating: " ", count: width + 4) : ""
      let padding = max(2, width + 2 - TextWidth.of(name))
      let space = gap.isEmpty ? String(repeating: " ", count: padding) : gap
      return "  \(name)\(space)\(help)\n"
    }.joined()
  }
}
