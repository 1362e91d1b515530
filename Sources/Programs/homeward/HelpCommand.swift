import Care
import JSON

/// `homeward help`: what the commands are, or the manual of the person who is looked after (PR-8).
enum HelpCommand {
  static let specification: CommandSpecification = .init(
    path: ["help"], summary: gettext("This overview, help for a command, or the resident's manual"),
    discussion: gettext("homeward help COMMAND is the same as homeward COMMAND --help."),
    operands: [
      OperandSpecification(
        name: "COMMAND", isOptional: true, isRepeatable: true, help: gettext("What to explain"))
    ],
    options: [
      .option(
        "for", "WHO", gettext("resident: the manual in short sentences, to print in large letters")),
      RoomCommands.languageOption,
      .flag("speak", gettext("With --for resident: also spoken in the room")),
    ],
    examples: [
      Example("homeward help zones add", gettext("What \"zones add\" takes.")),
      Example("homeward help --for resident --language zh", gettext("The manual in Chinese.")),
      Example(
        "homeward help --for resident --speak", gettext("Prints it, and reads it out in the room.")),
    ]
  ) { session throws(CommandFailure) in
    guard let reader = session.arguments.option("for") else {
      if session.arguments.has("speak") {
        throw .usage(
          gettext("--speak reads the resident's manual: add --for resident."), specification)
      }
      return try CommandLineTool.help(session.arguments.operands, session.terminal)
    }
    guard reader == "resident" else {
      throw .usage(
        gettext("--for must be resident, not \"{reader}\".", ["reader": reader]), specification)
    }
    guard session.arguments.operands.isEmpty else {
      throw .usage(gettext("the resident's manual is about no command."), specification)
    }
    try showManual(session)
  }

  private static func showManual(_ session: Session) throws(CommandFailure) {
    let language = try RoomCommands.language(session, specification)
    let sentences = ResidentGuide.text(language: language)
    if session.wantsJSON {
      session.terminal.write([
        "language": .string(language), "title": .string(ResidentGuide.title(language: language)),
        "sentences": .array(sentences.map { .string($0) }),
      ])
    } else {
      session.terminal.writeLine(ResidentGuide.title(language: language) + "\n")
      for sentence in sentences { session.terminal.writeLine(sentence) }
    }
    if session.arguments.has("speak") {
      let answer = try session.perform(.room(.speakHelp(language: language)))
      if let heard = RoomCommands.whatIsHeard(answer) { session.terminal.writeError(heard) }
    }
  }
}
