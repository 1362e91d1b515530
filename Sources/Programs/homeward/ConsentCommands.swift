import Bytes
import Care
import ControlSocket
import Door
import JSON
import Texts

/// `homeward consent …`.
enum ConsentCommands {
  static let all = [list, grant, refuse]

  private static let list: CommandSpecification = .init(
    path: ["consent", "list"],
    summary: gettext("What residents consented to, refused, or were not asked"),
    options: [Session.residentOption],
    examples: [Example("homeward consent list", gettext("Who said what, when, and what to ask."))]
  ) { session throws(CommandFailure) in
    let residents =
      session.arguments.has("resident") ? [try session.resident()] : try session.residents()
    let params = JSONValue.object([
      "resident": try session.optionalResidentID().map { .string($0.rawValue) }
    ])
    try session.show(try session.call(.consentsList, params)) { answer throws(DecodeError) in
      let consents: [Consent] = try session.decoded(answer)
      var table = Table([
        gettext("RESIDENT"), gettext("WHAT"), gettext("ANSWER"), gettext("GIVEN BY"),
        gettext("WHEN"),
        gettext("HOW"),
      ])
      for resident in residents {
        for kind in ConsentKind.allCases {
          let found = consents.first { $0.resident == resident.id && $0.kind == kind }
          table.add([
            resident.id.rawValue, kind.rawValue,
            found.map {
              $0.isGranted ? gettext("granted") : Message("REFUSED", context: "answer").spoken
            }
              ?? gettext("not asked"),
            found?.by ?? "-", found.map { session.times.text($0.at) } ?? "-",
            found?.principal ?? "-",
          ])
        }
      }
      return table.text
        + gettext("Ask, then write the answer down: homeward consent grant --help\n")
    }
  }

  /// What people call a kind of consent.
  static func word(of kind: String) -> String {
    switch ConsentKind(rawValue: kind) {
    case .location: gettext("location")
    case .camera: gettext("camera")
    case .microphone: gettext("microphone")
    case .notifications: gettext("notifications")
    case .calls: gettext("calls")
    case .reports: gettext("reports for others")
    case nil: TextWidth.printable(kind)
    }
  }

  private static let operand = OperandSpecification(
    name: "WHAT", help: gettext("location, camera, microphone, notifications, calls or reports"))

  private static let options: [OptionSpecification] = [
    Session.residentOption,
    .option(
      "by", "NAME", gettext("Who answered, the resident or whoever decides for them; the resident")),
  ]

  private static let grant: CommandSpecification = .init(
    path: ["consent", "grant"], summary: gettext("Writes down that a resident consented"),
    discussion: gettext("Ask first, in plain words. It can be taken back at any time."),
    operands: [operand], options: options,
    examples: [
      Example("homeward consent grant camera --by Anna", gettext("Anna decides for her mother."))
    ]
  ) { session throws(CommandFailure) in
    try put(isGranted: true, session, grant)
  }

  private static let refuse: CommandSpecification = .init(
    path: ["consent", "refuse"],
    summary: gettext("Writes down that a resident refused, and switches it off"),
    discussion: gettext(
      """
      location switches tracking off; camera takes no photographs, also in an SOS; microphone stops the plugin keyword;
      notifications sends guardians no news of everyday life; calls has the emergency services not called by voice;
      reports has none go out by e-mail, as long as nobody agreed, too, and no doctor see anything. Alarms go out all the same, by calls to the guardians as well.
      """),
    operands: [operand], options: options,
    examples: [Example("homeward consent refuse microphone", gettext("Nothing listens any more."))]
  ) { session throws(CommandFailure) in
    try put(isGranted: false, session, refuse)
  }

  private static func put(
    isGranted: Bool, _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) {
    let word = session.arguments.operands[0]
    guard let kind = ConsentKind(rawValue: word) else {
      let known = ConsentKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(
        gettext("say one of {known}, not \"{word}\".", ["known": known, "word": word]), command)
    }
    let resident = try session.resident()
    let answer = try session.perform(
      .putConsent(
        resident: resident.id, kind: kind, isGranted: isGranted,
        by: session.arguments.option("by") ?? resident.name))
    var next: [String] = []
    if kind == .location {
      next =
        isGranted
        ? [gettext("Tracking can be switched on: homeward tracking on")]
        : [gettext("Tracking is switched off.")]
    }
    let sentence =
      isGranted
      ? gettext("{kind} is granted for {name}.", ["kind": kind.rawValue, "name": resident.name])
      : gettext("{kind} is refused for {name}.", ["kind": kind.rawValue, "name": resident.name])
    session.tell(answer, ([sentence] + next).joined(separator: " "))
  }
}
