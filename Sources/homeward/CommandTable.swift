import Configuration

/// All commands, in the order of the overview.
enum CommandTable {
  struct Section: Sendable {
    var title: String
    var commands: [CommandSpecification]
  }

  static let sections: [Section] = [
    Section(
      title: "First steps:",
      commands: [
        SetupCommand.specification, DemoCommand.specification, DoctorCommand.specification,
      ]),
    Section(
      title: "Now:",
      commands: [
        StatusCommand.specification, WatchCommand.specification, LocateCommand.specification,
        TrackingCommand.specification,
      ]),
    Section(
      title: "People and places:",
      commands: ResidentCommands.all + ZoneCommands.all + BookmarkCommands.all
        + SettingsCommands.all),
    Section(
      title: "What happened:",
      commands: [
        HistoryCommand.specification, EventsCommand.specification, ExplainCommand.specification,
      ]),
    Section(title: "Plugins:", commands: PluginCommands.all + [PluginCheckCommand.specification]),
    Section(
      title: "Care of the gateway:",
      commands: BackupCommands.all + ReplayCommands.all + [VersionCommand.specification]),
  ]

  static var all: [CommandSpecification] { sections.flatMap(\.commands) }

  static func find(_ path: [String]) -> CommandSpecification? { all.first { $0.path == path } }

  /// The words at the start of `words` that name a command, or a group of commands.
  static func path(in words: [String]) throws(CommandFailure) -> [String] {
    var path: [String] = []
    for word in words {
      let next = path + [word]
      guard all.contains(where: { $0.path.starts(with: next) }) else { break }
      path = next
    }
    let following = words.dropFirst(path.count).first
    if let following, !following.hasPrefix("-") { try check(following, after: path) }
    return path
  }

  /// Refuses a word where only a command may stand.
  private static func check(_ word: String, after path: [String]) throws(CommandFailure) {
    if let command = find(path), !command.operands.isEmpty { return }
    let known = all.compactMap { command in
      command.path.count > path.count && command.path.starts(with: path)
        ? command.path[path.count] : nil
    }
    if known.isEmpty { return }
    let place = path.isEmpty ? "" : " \(path.joined(separator: " "))"
    let meant = NearestWord.find(word, among: known).map {
      " Did you mean \"homeward\(place) \($0)\"?"
    }
    throw CommandFailure(
      .usage, "there is no command \"homeward\(place) \(word)\".\(meant ?? "")",
      hint: "Try: homeward\(place) --help")
  }
}
