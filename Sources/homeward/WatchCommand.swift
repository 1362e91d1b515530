import CareModel
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

/// Events as people read them.
enum EventText {
  /// Time, type, subject and explanation on one line.
  static func line(_ event: JSONValue, _ times: TimeDisplay) -> String {
    cells(event, times).joined(separator: "  ")
  }

  static func cells(_ event: JSONValue, _ times: TimeDisplay) -> [String] {
    let subject = event["subject"]?.stringContent ?? "-"
    let who = subject.hasPrefix("resident/") ? String(subject.dropFirst(9)) : subject
    return [
      times.text(event["time"]?.stringContent), event["type"]?.stringContent ?? "-", who,
      TextWidth.printable(sentence(event)),
    ]
  }

  static func sentence(_ event: JSONValue) -> String {
    let facts = event["data"] ?? .null
    if let explanation = facts["explanation"]?.stringContent { return explanation }
    let scalars = (facts.objectContent ?? []).filter {
      $0.value.arrayContent == nil && $0.value.objectContent == nil
    }
    return scalars.map { "\($0.key) \($0.value.stringContent ?? $0.value.serialized)" }
      .joined(separator: ", ")
  }
}
