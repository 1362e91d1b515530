import Care
import JSON

/// `homeward fake-call …` and `homeward say`.
enum RoomCommands {
  static let all = [start, answer, end, say]

  /// When a fake call may ring, as words and in seconds.
  private static let delays: KeyValuePairs = ["now": 0, "10s": 10, "30s": 30, "1m": 60, "5m": 300]

  private static let start: CommandSpecification = .init(
    path: ["fake-call", "start"],
    summary: gettext("Rings as if somebody called, now or in a while"),
    discussion: gettext(
      """
      A way out of unpleasant company: it rings as telephones of the country do, a press answers, one side of a talk is
      heard, a press hangs up. Nobody is alerted, and a real alarm always wins.
      """),
    options: [
      Session.residentOption,
      .option("in", "TIME", gettext("When: now, 10s, 30s, 1m or 5m; now unless set")),
    ],
    examples: [Example("homeward fake-call start --in 30s", gettext("Rings in half a minute."))]
  ) { session throws(CommandFailure) in
    let word = session.arguments.option("in") ?? "now"
    guard let delay = delays.first(where: { $0.key == word }) else {
      throw .usage(
        gettext("--in must be now, 10s, 30s, 1m or 5m, not \"{word}\".", ["word": word]), start)
    }
    let resident = try session.resident()
    let answer = try session.perform(
      .room(.startFakeCall(resident: resident.id, afterSeconds: Int64(delay.value))))
    session.tell(
      answer,
      delay.value == 0 ? gettext("It rings.") : gettext("It will ring in {word}.", ["word": word]))
  }

  private static let answer: CommandSpecification = .init(
    path: ["fake-call", "answer"], summary: gettext("Answers the fake call that rings"),
    examples: [Example("homeward fake-call answer", gettext("The talk begins, as with a press."))]
  ) { session throws(CommandFailure) in
    session.tell(try session.perform(.room(.answerFakeCall)), gettext("Answered."))
  }

  private static let end: CommandSpecification = .init(
    path: ["fake-call", "end"],
    summary: gettext("Hangs up the fake call, or drops the planned one"),
    examples: [Example("homeward fake-call end", gettext("Silence."))]
  ) { session throws(CommandFailure) in
    session.tell(try session.perform(.room(.endFakeCall)), gettext("The call is over."))
  }

  private static let say: CommandSpecification = .init(
    path: ["say"], summary: gettext("Speaks a text in the room"),
    operands: [
      OperandSpecification(
        name: "TEXT", isRepeatable: true, help: gettext("What to say, up to 500 letters"))
    ],
    options: [languageOption],
    examples: [
      Example("homeward say \"Lunch is ready.\"", gettext("In English.")),
      Example("homeward say --language zh 午饭好了。", gettext("In Chinese.")),
    ]
  ) { session throws(CommandFailure) in
    let text = NumberText.trimmed(session.arguments.operands.joined(separator: " "))
    guard (1...500).contains(text.count) else {
      throw .usage(gettext("a text of 1 through 500 letters can be said."), say)
    }
    let language = try language(session, say)
    let answer = try session.perform(.room(.say(text: text, language: language)))
    session.tell(answer, whatIsHeard(answer) ?? gettext("It is being said."))
  }

  /// What is heard in the place of the words; nil when they are spoken.
  static func whatIsHeard(_ answer: JSONValue) -> String? {
    guard answer["isSpoken"]?.boolContent == false else { return nil }
    return TextWidth.printable(answer["explanation"]?.stringContent ?? "")
  }

  static let languageOption = OptionSpecification.option(
    "language", "en|zh", gettext("English or Chinese; English unless set"))

  static func language(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    let language = session.arguments.option("language") ?? "en"
    guard ResidentGuide.languages.contains(language) else {
      throw .usage(
        gettext("--language must be en or zh, not \"{language}\".", ["language": language]), command
      )
    }
    return language
  }
}

/// `homeward photo take`.
enum PhotoCommands {
  static let take: CommandSpecification = .init(
    path: ["photo", "take"],
    summary: gettext("Takes a photograph for the guardians of an open SOS"),
    discussion: gettext(
      "It needs the plugin camera, and goes to guardians with an e-mail or push address."),
    options: [Session.residentOption],
    examples: [
      Example("homeward photo take", gettext("See it come: homeward watch --type alarm.photo"))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(.alarm(.photograph(resident: resident.id)))
    session.tell(
      answer, gettext("Asked for a photograph. See it come: homeward watch --type alarm.photo"))
  }
}
