import ControlSocket

/// `homeward watch`.
enum WatchCommand {
  static let specification: CommandSpecification = .init(
    path: ["watch"], summary: gettext("Shows events as they happen, until Ctrl-C"),
    discussion:
      gettext(
        "Without --type: the alarm and record lanes. Raw fixes are type fix, of the trace lane."),
    options: [
      .repeatable(
        "type", "TYPE", gettext("Only this type, or everything below a word: zone, zone.left, fix"))
    ],
    examples: [
      Example("homeward watch", gettext("One line an event.")),
      Example(
        "homeward watch --type zone --json", gettext("Zone events as CloudEvents, one a line.")),
    ]
  ) { session throws(CommandFailure) in
    let client = try session.connect()
    do throws(ControlError) {
      try client.watch(types: session.arguments.all("type"))
      if session.terminal.isInteractive, !session.wantsJSON {
        session.terminal.writeError(gettext("Watching; Ctrl-C ends."))
      }
      while let event = try client.nextEvent() {
        if session.wantsJSON {
          session.terminal.write(event)
        } else {
          session.terminal.writeLine(EventText.line(event, session.times))
        }
      }
    } catch { throw CommandFailure(error) }
  }
}
