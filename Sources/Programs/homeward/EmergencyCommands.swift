import Bytes
import Care
import JSON
import Moments

/// `homeward emergency …`.
enum EmergencyCommands {
  static let all = [prepare, confirm, disable, text, call]

  private static let prepare: CommandSpecification = .init(
    path: ["emergency", "prepare"],
    summary: gettext("First step to let the gateway contact 112, 999 …"),
    discussion: gettext(
      """
      Off unless both steps are done. Emergency services want real people and real danger: some countries ask for
      registration of the number before a text is taken, and a delivered text is no proof that anybody read it. Nothing
      is ever sent as a test. Guardians are told at the same time, always.
      """),
    options: [
      Session.residentOption,
      .option(
        "country", "CODE", gettext("Whose emergency services: two letters, such as NO, GB, IE")),
      .option(
        "registered", "DATE",
        gettext("When the number was registered, where the country asks for it")),
      .option("text", "TEXT", gettext("What they should know about the resident; approved by you")),
    ],
    examples: [
      Example(
        "homeward emergency prepare --country GB --registered 2026-11-02 --text \"Mary, 81, dementia\"",
        gettext("Prints a code and what it means; type the code into emergency confirm."))
    ]
  ) { session throws(CommandFailure) in
    guard let country = session.arguments.option("country"),
      let words = session.arguments.option("text"), !NumberText.trimmed(words).isEmpty
    else { throw .usage(gettext("this needs --country CODE and --text TEXT."), prepare) }
    let registered = session.arguments.option("registered")
    if let registered, (try? Timestamp(iso8601: "\(registered)T00:00:00Z")) == nil {
      throw .usage(
        gettext(
          "--registered must be a date such as 2026-11-02, not \"{registered}\".",
          ["registered": registered]), prepare)
    }
    let resident = try session.resident()
    let answer = try session.perform(
      .alarm(
        .prepareEmergency(
          resident: resident.id, profile: country.uppercased(), registered: registered,
          text: words)))
    try session.show(answer) { answer throws(DecodeError) in
      let code = try JSONReader(answer).string("code")
      let meaning = answer["explanation"] ?? answer["meaning"] ?? answer["text"]
      let read = meaning?.stringContent.map { TextWidth.printable($0) + "\n\n" } ?? ""
      return read
        + gettext(
          "To switch it on: homeward emergency confirm {code} " + "--resident {id}\n",
          ["code": TextWidth.printable(code), "id": resident.id])
    }
  }

  private static let confirm: CommandSpecification = .init(
    path: ["emergency", "confirm"], summary: gettext("Second step: the code that prepare printed"),
    operands: [OperandSpecification(name: "CODE", help: gettext("The code, within ten minutes"))],
    options: [Session.residentOption],
    examples: [
      Example("homeward emergency confirm K7Q2ZD", gettext("From now on it can be contacted."))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let code = NumberText.trimmed(session.arguments.operands[0]).uppercased()
    let answer = try session.perform(
      .alarm(.confirmEmergency(resident: resident.id, code: code)))
    session.tell(
      answer,
      gettext(
        "The emergency services can be contacted for {name} from now on.", ["name": resident.name]),
      gettext("Switch it off: homeward emergency disable --resident {id}", ["id": resident.id]))
  }

  private static let disable: CommandSpecification = .init(
    path: ["emergency", "disable"],
    summary: gettext("The gateway contacts no emergency services any more"),
    options: [Session.residentOption],
    examples: [Example("homeward emergency disable --resident mary", gettext("Off for Mary."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(.alarm(.disableEmergency(resident: resident.id)))
    session.tell(
      answer,
      gettext(
        "The emergency services are not contacted for {name} any more.", ["name": resident.name]))
  }

  private static let options = [
    Session.residentOption, OptionSpecification.flag("yes", gettext("It is real; do not ask")),
  ]

  private static let text: CommandSpecification = .init(
    path: ["emergency", "text"],
    summary: gettext("Texts the emergency services now: for real danger only"),
    discussion: gettext(
      "Somebody must answer what they ask; a call is better where one can speak."),
    options: options,
    examples: [
      Example("homeward emergency text", gettext("Asks, then sends with the exact position."))
    ]
  ) { session throws(CommandFailure) in try contact(.text, session, text) }

  private static let call: CommandSpecification = .init(
    path: ["emergency", "call"],
    summary: gettext("Calls the emergency services now: for real danger only"),
    discussion:
      gettext(
        "The gateway's modem speaks what was approved. Call by your own telephone if you can."),
    options: options,
    examples: [Example("homeward emergency call", gettext("Asks, then calls."))]
  ) { session throws(CommandFailure) in try contact(.call, session, call) }

  private static func contact(
    _ mode: EmergencyContact.Mode, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) {
    let resident = try session.resident()
    if !session.arguments.has("yes") {
      guard session.terminal.isInteractive else {
        throw .usage(gettext("this reaches the real emergency services: add --yes."), command)
      }
      let typed = session.terminal.ask(
        gettext(
          "This reaches the real emergency services. Is {name} in danger? Type yes: ",
          ["name": resident.name]))
      guard typed.map({ NumberText.trimmed($0).lowercased() }) == "yes" else {
        throw CommandFailure(.failed, gettext("nobody was contacted."))
      }
    }
    let answer = try session.perform(
      .alarm(.contactEmergency(resident: resident.id, mode: mode)))
    session.tell(
      answer,
      gettext("The emergency services are being contacted for {name}.", ["name": resident.name]),
      gettext("See what becomes of it: homeward watch --type emergency --type alarm"))
  }
}
