import Bytes
import Care
import ControlSocket
import JSON

/// `homeward alarm …`.
enum AlarmCommands {
  static let all = [list, show, silence, test]

  private static let list: CommandSpecification = .init(
    path: ["alarm", "list"], summary: gettext("Alarms that are open, the most urgent first"),
    options: [
      .flag("all", gettext("Also those that are over, the newest first")),
      .option(
        "limit", "COUNT", gettext("With --all: at most so many that are over; 20 unless set")),
    ],
    examples: [
      Example("homeward alarm list", gettext("What is going on.")),
      Example(
        "homeward alarm list --all", gettext("And what was; each has a number for alarm show.")),
    ]
  ) { session throws(CommandFailure) in
    var lives = try AlarmJournal.open(session)
    if session.arguments.has("all") {
      let limit = Int(clamping: try session.limit(default: 20))
      lives += try AlarmJournal.past(session, limit: limit, besides: lives)
    }
    try session.show(.array(lives.map(\.json))) { _ throws(DecodeError) in
      if lives.isEmpty {
        return session.arguments.has("all")
          ? gettext("There was no alarm yet.\n") : gettext("No alarm is open.\n")
      }
      var table = Table([
        gettext("NO"), gettext("TAG"), gettext("KIND"), gettext("STAGE"), gettext("WHO"),
        gettext("RAISED"), gettext("TAKEN BY"), gettext("WHAT"),
      ])
      for (index, life) in lives.enumerated() {
        table.add([
          String(index + 1), life.tag, StateWords.kind(life.kind),
          StateWords.stage(life.stage, isOpen: life.isOpen),
          life.residentName, session.times.text(life.raisedAt), life.acknowledgedBy ?? "-",
          life.explanation,
        ])
      }
      return table.text
    }
  }

  private static let show: CommandSpecification = .init(
    path: ["alarm", "show"], summary: gettext("The whole life of one alarm, with times"),
    operands: [
      OperandSpecification(
        name: "ALARM",
        help: gettext("Its tag, its id, or its number in \"homeward alarm list --all\""))
    ],
    options: [
      .flag("positions", gettext("Every position; else only the first and the last of many"))
    ],
    examples: [
      Example(
        "homeward alarm show A7K2",
        gettext("From the press to its end: who was told when, and how.")),
      Example(
        "homeward alarm show 1", gettext("The most urgent one, or the last one when none is open.")),
    ]
  ) { session throws(CommandFailure) in
    let alarm = try AlarmJournal.find(session.arguments.operands[0], session)
    let events = try AlarmJournal.events(of: alarm, session)
    try session.show(.array(events)) { _ throws(DecodeError) in
      AlarmStory(
        events: events, times: session.times, allPositions: session.arguments.has("positions")
      ).text
    }
  }

  private static let silence: CommandSpecification = .init(
    path: ["alarm", "silence"], summary: gettext("Silences the room; guardians go on being told"),
    discussion: gettext("As a press of the button: it acknowledges nothing and ends nothing."),
    examples: [Example("homeward alarm silence", gettext("Quiet in the room."))]
  ) { session throws(CommandFailure) in
    let answer = try session.perform(.alarm(.silence))
    let isNothing = answer["silenced"]?.arrayContent?.isEmpty ?? false
    session.tell(
      answer,
      isNothing
        ? gettext("No alarm sounds in the room; there was nothing to silence.")
        : gettext("The room is silent. The alarm goes on until somebody takes charge."))
  }

  private static let test: CommandSpecification = .init(
    path: ["alarm", "test"],
    summary: gettext("Tells all guardians of a test, which nobody can mistake"),
    discussion:
      gettext(
        "Shows whether texts, calls, e-mails and pushes arrive; the emergency services never "
          + "hear of it."),
    options: [Session.residentOption],
    examples: [
      Example("homeward alarm test --resident mary", gettext("Ask the guardians what they got."))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(.alarm(.test(resident: resident.id)))
    let tag = answer["tag"]?.stringContent
    session.tell(
      answer, gettext("The guardians of {name} are being told of a test.", ["name": resident.name]),
      gettext("See what arrives: homeward alarm show {tag}", ["tag": tag ?? "1"]))
  }
}
