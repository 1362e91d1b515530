import Configuration

/// All commands, in the order of the overview.
enum CommandTable {
  struct Section: Sendable {
    /// What stands above the commands in the overview, looked up when it is asked for.
    var title: String { makeTitle() }
    var commands: [CommandSpecification]
    private let makeTitle: @Sendable () -> String

    init(
      title: @escaping @autoclosure @Sendable () -> String, commands: [CommandSpecification]
    ) {
      makeTitle = title
      self.commands = commands
    }
  }

  static let sections: [Section] = [
    Section(
      title: gettext("First steps:"),
      commands: [
        SetupCommand.specification, DemoCommand.specification, DoctorCommand.specification,
      ]),
    Section(
      title: gettext("Now:"),
      commands: [
        TodayCommand.specification, StatusCommand.specification, WatchCommand.specification,
        LocateCommand.specification,
        TrackingCommand.specification,
      ]),
    Section(
      title: gettext("Help for a resident:"),
      commands: SOSCommands.all + AlarmCommands.all + [PhotoCommands.take] + EmergencyCommands.all
        + RoomCommands.all + GuidanceCommands.all),
    Section(
      title: gettext("People and places:"),
      commands: ResidentCommands.all + GuardianCommands.all + PINCommands.all + ZoneCommands.all
        + AbsenceCommands.all + BookmarkCommands.all + ConsentCommands.all + SettingsCommands.all
        + AccountCommands.all + [KioskCommand.specification]),
    Section(title: gettext("Addresses, map and ways on foot:"), commands: PlaceCommands.all),
    Section(
      title: gettext("Routine:"),
      commands: RoutineCommands.all + CalendarCommands.all
        + [RoutineAnswerCommands.adherence, ScheduleCommand.specification]),
    Section(
      title: gettext("Notes and messages:"), commands: MessageCommands.all + NoteCommands.all),
    Section(
      title: gettext("Glucose, and reports:"),
      commands: GlucoseCommands.all + [ReportCommand.specification] + ReportMailCommands.all),
    Section(
      title: gettext("Tags, buttons and meters over Bluetooth:"),
      commands: TagCommands.all + BluetoothCommands.all),
    Section(
      title: gettext("What happened:"),
      commands: [
        HistoryCommand.specification, EventsCommand.specification, ExplainCommand.specification,
      ]),
    Section(title: gettext("Sound in the room:"), commands: SoundCommands.all),
    Section(
      title: gettext("Plugins:"),
      commands: PluginCommands.all + [PluginCheckCommand.specification]
        + PluginContractCommands.all),
    Section(
      title: gettext("Care of the gateway:"),
      commands: CertificateCommands.all + BackupCommands.all + ReplayCommands.all
        + DecodeCommands.all
        + [
          VersionCommand.specification, MetricsCommand.specification,
          InterfaceCommand.specification, AnyCommand.specification,
          CompletionCommand.specification, HelpCommand.specification,
        ]),
  ]

  static let all: [CommandSpecification] = sections.flatMap(\.commands)

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
      gettext(" Did you mean \"homeward{place} {word}\"?", ["place": place, "word": $0])
    }
    throw CommandFailure(
      .usage,
      gettext(
        "there is no command \"homeward{place} {word}\".{meant}",
        ["place": place, "word": word, "meant": meant ?? ""]),
      hint: gettext("Try: homeward{place} --help", ["place": place]))
  }
}
