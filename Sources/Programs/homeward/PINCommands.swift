import Care

/// `homeward pin …`.
enum PINCommands {
  static let all = [set, remove]

  private static let discussion = gettext(
    """
    With a PIN the resident ends an SOS ("I'm OK"). The duress PIN looks as if it did, and tells the guardians silently
    that the resident was forced. A person who cannot remember a PIN needs none: a caregiver ends the SOS then.
    A PIN has 4 to 12 digits. It is asked for twice and not shown; without a terminal it is one line of standard input.
    """)

  private static let duress = OptionSpecification.flag(
    "duress", gettext("The PIN that only looks as if it ended an SOS"))

  private static let set: CommandSpecification = .init(
    path: ["pin", "set"], summary: gettext("Sets a resident's PIN, or the duress PIN"),
    discussion: discussion, options: [Session.residentOption, duress],
    examples: [
      Example("homeward pin set --resident mary", gettext("Asks twice.")),
      Example("homeward pin set --duress < pin.txt", gettext("From a file.")),
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let pin = try SecretEntry.pin.twice(session, set)
    let answer = try session.perform(
      .alarm(.setPIN(resident: resident.id, kind: kind(session), pin: pin)))
    session.tell(
      answer, gettext("The {pin} of {name} is set.", ["pin": name(session), "name": resident.name]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["pin", "remove"], summary: gettext("Removes a resident's PIN, or the duress PIN"),
    options: [Session.residentOption, duress],
    examples: [Example("homeward pin remove --duress", gettext("There is no duress PIN any more."))]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(
      .alarm(.setPIN(resident: resident.id, kind: kind(session), pin: nil)))
    session.tell(
      answer,
      gettext("The {pin} of {name} is removed.", ["pin": name(session), "name": resident.name]))
  }

  private static func kind(_ session: Session) -> PINKind {
    session.arguments.has("duress") ? .duress : .okay
  }

  private static func name(_ session: Session) -> String {
    session.arguments.has("duress") ? gettext("duress PIN") : "PIN"
  }
}
