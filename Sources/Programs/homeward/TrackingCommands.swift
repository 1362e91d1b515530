import Care

/// `homeward locate`.
enum LocateCommand {
  static let specification: CommandSpecification = .init(
    path: ["locate"], summary: gettext("Takes and forwards a position now"),
    discussion: gettext(
      "The position comes as event location.recorded with reason refresh; watch for it."),
    operands: [
      OperandSpecification(
        name: "WHO", isOptional: true,
        help: gettext("Id or name of the resident; not needed where there is only one"))
    ],
    examples: [Example("homeward locate mary", gettext("Asks Mary's receiver."))]
  ) { session throws(CommandFailure) in
    let resident = try session.choose(session.arguments.operands.first, among: session.residents())
    let answer = try session.perform(.locate(resident: resident.id))
    if session.wantsJSON { return session.terminal.write(answer) }
    session.terminal.writeLine(
      gettext(
        "Asked for a position of {name}. See it come: homeward watch",
        ["name": TextWidth.printable(resident.name)]))
  }
}

/// `homeward tracking on|off`.
enum TrackingCommand {
  static let specification: CommandSpecification = .init(
    path: ["tracking"], summary: gettext("Switches tracking of a resident on or off"),
    discussion:
      gettext(
        "While it is off, nobody is told when the resident leaves. Switching it is told to the caregivers."
      ),
    operands: [OperandSpecification(name: "on|off", help: gettext("What it shall be"))],
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward tracking off --resident mary", gettext("Mary is in hospital, her belt at home."))
    ]
  ) { session throws(CommandFailure) in
    let word = session.arguments.operands[0]
    guard ["on", "off"].contains(word) else {
      throw .usage(gettext("say on or off, not \"{word}\".", ["word": word]), specification)
    }
    let resident = try session.resident()
    let answer = try session.perform(.setTracking(resident: resident.id, isOn: word == "on"))
    if session.wantsJSON { return session.terminal.write(answer) }
    session.terminal.writeLine(
      word == "on"
        ? gettext("Tracking of {name} is on.", ["name": TextWidth.printable(resident.name)])
        : gettext("Tracking of {name} is off.", ["name": TextWidth.printable(resident.name)])
    )
  }
}
