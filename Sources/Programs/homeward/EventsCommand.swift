import Bytes
import Care
import ControlSocket
import Door
import JSON
import Moments

/// `homeward events`.
enum EventsCommand {
  static let specification: CommandSpecification = .init(
    path: ["events"], summary: gettext("What the journal holds, newest first"),
    discussion: gettext(
      """
      --dead lists the events that plugins refused for ever; --redrive hands those to their plugin again, all of them
      or those of --plugin or --event.
      """),
    options: [
      Session.residentOption,
      .repeatable(
        "type", "TYPE", gettext("Only this type, or everything below a word: zone, zone.left")),
      .repeatable("lane", "LANE", gettext("alarm, record or trace; alarm and record unless set")),
      .option(
        "since", "TIME",
        gettext("From this time on: 2026-11-20, \"2026-11-20 15:30\", today, 2h, 7d")),
      .option("until", "TIME", gettext("Before this time")),
      .option("limit", "COUNT", gettext("At most so many; 50 unless set")), Session.cursorOption,
      .flag("dead", gettext("Events that plugins refused for ever")),
      .flag("redrive", gettext("Hand refused events to their plugin again")),
      .option("plugin", "NAME", gettext("With --dead and --redrive: only of this plugin")),
      .option("event", "ID", gettext("With --redrive: only this event")),
    ],
    examples: [
      Example(
        "homeward events --type zone --since yesterday",
        gettext("Who left and came since yesterday.")),
      Example("homeward events --dead", gettext("What plugins refused, and why.")),
      Example(
        "homeward events --redrive --plugin webhook",
        gettext("Tries the refused ones again, the receiver being repaired.")),
    ]
  ) { session throws(CommandFailure) in
    if session.arguments.has("redrive") { return try redrive(session) }
    if session.arguments.has("dead") { return try deadLetters(session) }
    try list(session)
  }

  private static func list(_ session: Session) throws(CommandFailure) {
    let arguments = session.arguments
    let lanes = arguments.all("lane")
    if let unknown = lanes.first(where: { Lane(rawValue: $0) == nil }) {
      throw .usage(
        gettext("--lane must be alarm, record or trace, not \"{unknown}\".", ["unknown": unknown]),
        specification)
    }
    let (since, until) = (try session.time("since"), try session.time("until"))
    let resident = try session.optionalResidentID()
    let params = JSONValue.object([
      "resident": resident.map { .string($0.rawValue) },
      "types": .array(arguments.all("type").map { .string($0) }),
      "lanes": .array(lanes.map { .string($0) }), "since": since.map { .string($0.iso8601) },
      "until": until.map { .string($0.iso8601) }, "limit": .integer(try session.limit(default: 50)),
    ])
    try session.showPart(of: .eventsQuery, params) { answer throws(DecodeError) in
      guard let rows = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
      if rows.isEmpty { return gettext("No events match.\n") }
      return EventText.list(rows, session.times, columns: Terminal.columns)
    }
  }

  private static func deadLetters(_ session: Session) throws(CommandFailure) {
    let params = JSONValue.object(["plugin": session.arguments.option("plugin").map { .string($0) }]
    )
    try session.show(try session.call(.deadLettersList, params)) { answer throws(DecodeError) in
      guard let letters = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
      if letters.isEmpty { return gettext("No plugin has refused anything.\n") }
      var table = Table([
        gettext("REFUSED"), gettext("PLUGIN"), gettext("LANE"), gettext("EVENT"), gettext("WHY"),
      ])
      for letter in letters {
        let reader = try JSONReader(letter)
        table.add([
          session.times.text(try reader.string("time")), try reader.string("plugin"),
          try reader.string("lane"), try reader.string("event"), try reader.string("reason"),
        ])
      }
      return table.text + gettext("Try again: homeward events --redrive\n")
    }
  }

  private static func redrive(_ session: Session) throws(CommandFailure) {
    let params = JSONValue.object([
      "plugin": session.arguments.option("plugin").map { .string($0) },
      "event": session.arguments.option("event").map { .string($0) },
    ])
    try session.show(try session.call(.deadLettersRedrive, params)) { answer throws(DecodeError) in
      let count = try JSONReader(answer).integer("redriven")
      return count == 0
        ? gettext("Nothing to drive again.\n")
        : gettext("Driving {count} again.\n", ["count": count])
    }
  }
}
