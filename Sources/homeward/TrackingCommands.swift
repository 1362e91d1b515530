import CareModel

/// `homeward locate`.
enum LocateCommand {
  static let specification: CommandSpecification = .init(
    path: ["locate"], summary: "Takes and forwards a position now",
    discussion: "The position comes as event location.recorded with reason refresh; watch for it.",
    operands: [
      OperandSpecification(
        name: "WHO", isOptional: true,
        help: "Id or name of the resident; not needed where there is only one")
    ],
    examples: [Example("homeward locate mary", "Asks Mary's receiver.")]
  ) { session throws(CommandFailure) in
    let resident = try session.choose(session.arguments.operands.first, among: session.residents())
    let answer = try session.perform(.locate(resident: resident.id))
    if session.wantsJSON { return session.terminal.write(answer) }
    session.terminal.writeLine(
      "Asked for a position of \(TextWidth.printable(resident.name)). See it come: homeward watch")
  }
}

/// `homeward tracking on|off`.
enum TrackingCommand {
  static let specification: CommandSpecification = .init(
    path: ["tracking"], summary: "Switches tracking of a resident on or off",
    discussion:
      "While it is off, nobody is told when the resident leaves. Switching it is told to the caregivers.",
    operands: [OperandSpecification(name: "on|off", help: "What it shall be")],
    options: [Session.residentOption],
    examples: [
      Example("homeward tracking off --resident mary", "Mary is in hospital, her belt at home.")
    ]
  ) { session throws(CommandFailure) in
    let word = session.arguments.operands[0]
    guard ["on", "off"].contains(word) else {
      throw .usage("say on or off, not \"\(word)\".", specification)
    }
    let resident = try session.resident()
    let answer = try session.perform(.setTracking(resident: resident.id, isOn: word == "on"))
    if session.wantsJSON { return session.terminal.write(answer) }
    session.terminal.writeLine("Tracking of \(TextWidth.printable(resident.name)) is \(word).")
  }
}
