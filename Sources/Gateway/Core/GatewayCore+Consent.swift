import Alarms
public import Care
import JSON
import Moments
import Texts
import Tracking

extension GatewayCore {
  /// Writes down what a resident answered, and does what follows.
  mutating func putConsent(
    _ consent: Consent, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try directory.requireResident(consent.resident)
    try Validation.name(consent.by)
    step.changes.append(consents.put(consent))
    let explanation =
      consent.isGranted
      ? Message(
        "{who} consented to the use of {what}.",
        ["who": consent.by, "what": consent.kind.words])
      : Message(
        "{who} refused the use of {what}.", ["who": consent.by, "what": consent.kind.words])
    step.drafts.append(
      EventDraft(
        type: .consentChanged, lane: .record, resident: consent.resident,
        facts: consent.json.setting(
          "explanation",
          to: .string(explanation.text(in: language(of: consent.resident))))))
    if consent.kind == .location, !consent.isGranted {
      advance(consent.resident, .switched(isOn: false), at: now, in: &step)
      advanceAlarms(.locationRefused(consent.resident), at: now, in: &step)
    }
    return ["kind": .string(consent.kind.rawValue), "isGranted": .bool(consent.isGranted)]
  }

  /// Refuses what the resident refused, and says how to change it.
  func requireConsent(
    _ kind: ConsentKind, of resident: ResidentID
  ) throws(CommandReply.Refusal) {
    guard let consent = consents.answer(kind, of: resident), !consent.isGranted else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "{who} refused the use of {what} on {date}. Ask again; when the answer is yes: homeward consent grant {kind}",
        [
          "who": consent.by, "what": kind.words, "date": consent.at.iso8601.prefix(10),
          "kind": kind.rawValue,
        ]))
  }

  /// Takes out what a resident refused; an alarm that wanted a photograph hears that there is none.
  mutating func withholdRefused(_ step: inout Step, at now: Moment) {
    let refused = step.actions.compactMap { action -> (alarm: AlarmID, resident: ResidentID)? in
      guard case .photograph(let alarm, let resident) = action,
        consents.isRefused(.camera, by: resident)
      else { return nil }
      return (alarm, resident)
    }
    guard !refused.isEmpty else { return }
    step.actions.removeAll { action in
      if case .photograph(let alarm, _) = action {
        refused.contains { $0.alarm == alarm }
      } else {
        false
      }
    }
    for (alarm, resident) in refused {
      let detail = gettext(
        "the resident refused the camera.", in: language(of: resident))
      advanceAlarms(
        .photo(PhotoReport(alarm: alarm, path: nil, detail: detail)), at: now, in: &step)
    }
  }

  // MARK: Views

  /// What residents answered, by resident and kind; of one, or of all when nil.
  public func consents(of resident: ResidentID?) -> [Consent] {
    consents.all.filter { resident == nil || $0.resident == resident }
  }

  /// What tracking knows of a resident; of one who refused it nothing about where they are or were.
  func trackingSummary(of resident: ResidentID) -> JSONValue {
    let summary = trackers[resident]?.summary ?? .null
    guard consents.isRefused(.location, by: resident), let members = summary.objectContent else {
      return summary
    }
    return .object(members.filter { Self.membersWithoutPlace.contains($0.key) })
  }

  private static let membersWithoutPlace = ["resident", "name", "isOn", "receiver"]

  /// What was answered to each kind, in a word: `granted`, `refused` or `not-asked`.
  func consentSummary(of resident: ResidentID) -> JSONValue {
    .object(
      ConsentKind.allCases.map { kind in
        let answer = consents.answer(kind, of: resident)
        let word = answer.map { $0.isGranted ? "granted" : "refused" } ?? "not-asked"
        return JSONMember(key: kind.rawValue, value: .string(word))
      })
  }
}

extension ConsentKind {
  /// What is used, in a sentence.
  fileprivate var words: Message {
    switch self {
    case .location: Message("the position")
    case .camera: Message("the camera")
    case .microphone: Message("the microphone")
    case .notifications: Message("news to guardians")
    }
  }
}
