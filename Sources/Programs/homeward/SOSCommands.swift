import Care
import JSON

/// `homeward sos …`.
enum SOSCommands {
  static let all = [raise, cancel, acknowledge, resolve]

  private static let alarmOperand = OperandSpecification(
    name: "ALARM", isOptional: true,
    help: gettext(
      "Tag or id of the alarm, from \"homeward alarm list\"; not needed where one is open"))

  private static let byOption = OptionSpecification.option(
    "by", "GUARDIAN", gettext("Who does it: id, name or telephone number of a guardian"))

  private static let raise: CommandSpecification = .init(
    path: ["sos", "raise"], summary: gettext("Calls help for a resident, as the button does"),
    discussion: gettext(
      """
      The room is loud first, and the resident can still cancel; then guardians are told until one takes charge.
      This is the real thing. To try the way to the guardians: homeward alarm test
      """),
    options: [
      Session.residentOption, .option("why", "TEXT", gettext("What happened, for the guardians")),
    ],
    examples: [
      Example("homeward sos raise", gettext("Help for the only resident.")),
      Example(
        "homeward sos raise --resident mary --why \"fell in the bath\"", gettext("Says why.")),
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let why = session.arguments.option("why") ?? ""
    let answer = try session.perform(
      .alarm(.raise(resident: resident.id, kind: .sos, trigger: .commandLine, text: why)))
    let tag = answer["tag"]?.stringContent
    let alarm = tag.map { gettext(" Alarm {tag}.", ["tag": $0]) } ?? ""
    let reach = answer["reach"]?.stringContent ?? ""
    session.tell(
      answer,
      answer["isReachable"]?.boolContent == false
        ? gettext(
          "NOBODY IS BEING CALLED: call somebody yourself, now.{alarm} {reach}",
          ["alarm": alarm, "reach": reach])
        : gettext(
          "Help for {name} is being called.{alarm}", ["name": resident.name, "alarm": alarm])
          + (reach.isEmpty ? "" : " \(reach)"),
      gettext("Follow it: homeward alarm show {tag}", ["tag": tag ?? "1"]))
  }

  private static let cancel: CommandSpecification = .init(
    path: ["sos", "cancel"], summary: gettext("\"I'm OK\": ends a resident's SOS"),
    discussion: gettext(
      """
      While the room is loud and nobody has been told yet, no PIN is needed. Later --pin asks for the resident's; it is
      not shown while it is typed, and without a terminal it is read from standard input. Whoever was told of the
      alarm is told of its end.
      """),
    options: [
      Session.residentOption, .flag("pin", gettext("Ask for the resident's PIN")),
      .option("message", "TEXT", gettext("What guardians are told, instead of the usual words")),
    ],
    examples: [
      Example("homeward sos cancel", gettext("Within the first seconds.")),
      Example(
        "homeward sos cancel --pin --message \"I only slipped, all is well\"",
        gettext("Asks for the PIN.")),
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let pin = session.arguments.has("pin") ? try SecretEntry.pin.once(session, cancel) : nil
    let answer = try session.perform(
      .alarm(
        .cancel(
          resident: resident.id, pin: pin, message: session.arguments.option("message"))))
    session.tell(answer, gettext("The SOS of {name} is cancelled.", ["name": resident.name]))
  }

  private static let acknowledge: CommandSpecification = .init(
    path: ["sos", "acknowledge"],
    summary: gettext("A guardian takes charge; the others may stand back"),
    discussion: gettext("Guardians can answer 1 to the text message instead."),
    operands: [alarmOperand], options: [byOption],
    examples: [Example("homeward sos acknowledge A7K2 --by anna", gettext("Anna is going."))]
  ) { session throws(CommandFailure) in
    guard let by = session.arguments.option("by") else {
      throw .usage(gettext("say who takes charge: --by GUARDIAN."), acknowledge)
    }
    let guardian = try session.chooseGuardian(by, among: session.guardians())
    let answer = try session.perform(
      .alarm(
        .acknowledge(alarm: session.arguments.operands.first, by: guardian.id.rawValue)))
    session.tell(
      answer,
      gettext(
        "{name} has taken charge. The alarm stays open until it is resolved:",
        ["name": guardian.name]),
      "homeward sos resolve --by \(guardian.id) --reason TEXT")
  }

  private static let resolve: CommandSpecification = .init(
    path: ["sos", "resolve"],
    summary: gettext("A caregiver closes an alarm, of any kind, with a reason"),
    operands: [alarmOperand],
    options: [byOption, .option("reason", "TEXT", gettext("What it was; kept with the alarm"))],
    examples: [
      Example(
        "homeward sos resolve A7K2 --by anna --reason \"Mary fell, is unhurt, I am with her\"",
        gettext("Closes it and tells everybody who was told."))
    ]
  ) { session throws(CommandFailure) in
    guard let by = session.arguments.option("by"), let reason = session.arguments.option("reason"),
      !NumberText.trimmed(reason).isEmpty
    else {
      throw .usage(gettext("closing an alarm needs --by GUARDIAN and --reason TEXT."), resolve)
    }
    let guardian = try session.chooseGuardian(by, among: session.guardians())
    let answer = try session.perform(
      .alarm(
        .resolve(
          alarm: session.arguments.operands.first, by: guardian.id.rawValue, reason: reason)))
    session.tell(answer, gettext("The alarm is resolved."))
  }
}

extension Session {
  /// What was done: the answer with `--json`, else sentences, each on its line.
  func tell(_ answer: JSONValue, _ sentences: String...) { tell(answer, lines: sentences) }

  /// As ``tell(_:_:)``, with as many sentences as there are.
  func tell(_ answer: JSONValue, lines sentences: [String]) {
    if wantsJSON { return terminal.write(answer) }
    for sentence in sentences { terminal.writeLine(TextWidth.printable(sentence)) }
  }
}
