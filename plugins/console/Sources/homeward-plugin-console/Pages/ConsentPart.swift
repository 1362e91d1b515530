import Care
import JSON
import Texts

/// What somebody consented to: all of it on one card, and asked again where it is needed.
enum ConsentPart {
  // MARK: Everything on a card

  /// Each kind with what was answered, and what writes another answer down.
  static func card(of resident: JSONValue?, _ visit: Visit) -> HTML {
    let lines = ConsentKind.allCases.map { kind -> HTML in
      let (state, shape): (String, Part.State) =
        switch answer(kind, of: resident) {
        case .granted: (visit.gettext("Consented"), .safe)
        case .refused: (visit.gettext("Refused"), .attention)
        case .notAsked: (visit.gettext("Not asked yet"), .unknown)
        }
      return Part.line(
        Icon.check, HTML(name(of: kind, visit)), Part.pill(state, shape),
        aside: buttons(kind, of: resident, visit))
    }
    return Part.card(visit.gettext("What they consented to"), Part.list(lines))
  }

  /// What a kind is about, for a list.
  private static func name(of kind: ConsentKind, _ visit: Visit) -> String {
    switch kind {
    case .location: visit.gettext("To be located")
    case .camera: visit.gettext("To be photographed in an emergency")
    case .microphone: visit.gettext("To be listened to for calls for help")
    case .notifications: visit.gettext("That guardians hear of everyday life")
    case .calls: visit.gettext("That the gateway phones the emergency services for them")
    case .reports:
      visit.gettext("That others get reports about their health, and doctors see it here")
    }
  }

  // MARK: Asked where it is needed

  /// Says that something is off because it was refused, or that nobody has asked yet, with what writes the answer down;
  /// nothing where the answer was yes.
  static func asked(_ kind: ConsentKind, of resident: JSONValue?, _ visit: Visit) -> HTML {
    let name = resident?["name"]?.stringContent ?? "–"
    let words: String
    switch answer(kind, of: resident) {
    case .granted: return .nothing
    case .refused: words = refusal(of: kind, by: name, visit)
    case .notAsked:
      let question = question(kind, to: name, visit)
      words =
        visit.isCaregiver
        ? visit.gettext(
          "Please ask {name}, and write the answer down: {question}",
          ["name": name, "question": question])
        : question
    }
    return """
      <p>\(words)</p><p class="actions">\(buttons(kind, of: resident, visit))</p>
      """
  }

  /// The same of those residents who refused something; nobody is asked anew.
  static func refused(_ kind: ConsentKind, by resident: JSONValue?, _ visit: Visit) -> HTML {
    isRefused(kind, by: resident) ? asked(kind, of: resident, visit) : .nothing
  }

  /// Whether something is off because a resident, or whoever decides for them, said no.
  static func isRefused(_ kind: ConsentKind, by resident: JSONValue?) -> Bool {
    answer(kind, of: resident) == .refused
  }

  /// What asks where a resident is now; nothing where they refused to be located.
  static func locate(_ resident: JSONValue, _ words: String, tells: String) -> HTML {
    isRefused(.location, by: resident)
      ? .nothing : Part.button(words, "locate", ["target": resident["id"] ?? .null], tells: tells)
  }

  private static func refusal(
    of kind: ConsentKind, by name: String, _ visit: Visit
  ) -> String {
    let values: Message.Values = ["name": name]
    return switch kind {
    case .location:
      visit.gettext(
        "{name} does not agree to be located: it is not known where {name} is, and nobody is told when {name} leaves.",
        values)
    case .camera:
      visit.gettext(
        "{name} does not agree to be photographed: no photograph is taken, not even when {name} calls for help.",
        values)
    case .microphone:
      visit.gettext(
        "{name} does not agree to be listened to: a spoken call for help is not heard.", values)
    case .notifications:
      visit.gettext(
        "{name} does not agree that guardians hear of everyday life. They are told of alarms all the same.",
        values)
    case .calls:
      visit.gettext(
        "{name} does not agree to calls: the gateway does not phone the emergency services. Guardians are phoned in an alarm all the same.",
        values)
    case .reports:
      visit.gettext(
        "{name} does not agree that others get reports or see how they are: none is sent, and no doctor sees anything.",
        values)
    }
  }

  private static func question(
    _ kind: ConsentKind, to name: String, _ visit: Visit
  ) -> String {
    let values: Message.Values = ["name": name]
    return switch kind {
    case .location: visit.gettext("May those who care know where {name} is?", values)
    case .camera:
      visit.gettext("May the camera take a photograph when {name} calls for help?", values)
    case .microphone:
      visit.gettext("May a microphone listen for {name} calling for help?", values)
    case .notifications:
      visit.gettext("May guardians hear of the everyday life of {name}?", values)
    case .calls:
      visit.gettext("May the gateway phone the emergency services for {name}?", values)
    case .reports:
      visit.gettext(
        "May reports about the health of {name} go to the addresses that you name, and doctors whom you let in see it here?",
        values)
    }
  }

  // MARK: Answers

  private enum Answer: String {
    case granted, refused
    case notAsked = "not-asked"
  }

  /// What was answered, as `residents.list` tells it.
  private static func answer(_ kind: ConsentKind, of resident: JSONValue?) -> Answer {
    resident?["consent"]?[kind.rawValue]?.stringContent.flatMap(Answer.init) ?? .notAsked
  }

  /// What can be answered that was not.
  private static func buttons(
    _ kind: ConsentKind, of resident: JSONValue?, _ visit: Visit
  ) -> HTML {
    let known = answer(kind, of: resident)
    let by = visit.account["profile"]?["name"] ?? ""
    func button(_ words: String, isGranted: Bool, id: String? = nil) -> HTML {
      Part.button(
        words, "consent.put",
        [
          "target": resident?["id"] ?? .null, "kind": .string(kind.rawValue),
          "isGranted": .bool(isGranted), "by": by,
        ], id: id)
    }
    let yes = button(visit.gettext("They consent"), isGranted: true)
    return switch known {
    case .granted: button(visit.gettext("Withdraw"), isGranted: false)
    case .refused: yes
    case .notAsked:
      yes
        + button(
          visit.gettext("They refuse"), isGranted: false,
          id: "refuse-\(kind.rawValue)-\(resident?["id"]?.stringContent ?? "")")
    }
  }
}
