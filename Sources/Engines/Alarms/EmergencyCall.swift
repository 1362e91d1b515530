import Care
import JSON
import Moments
import Texts

/// A contact with the emergency services.
struct EmergencyCall: Hashable, Sendable {
  /// Whoever was asked has so long to say what became of it.
  private static let answerSeconds: Int64 = 60

  let id: String
  let mode: EmergencyContact.Mode
  let number: String
  /// When it was asked for, or when something was last heard of it.
  var since: Stamp
  /// What is known of it; nil while nothing was heard.
  var outcome: DeliveryReport.Outcome?
  /// Who was asked to do it.
  var asked = Asked.whoever

  /// When nothing was heard for too long; nil where something was.
  var deadline: Tick? { outcome == nil ? since.tick(after: Self.answerSeconds) : nil }

  /// Whether it would be too early to contact them again.
  func isUnderWay(at now: Moment) -> Bool {
    outcome != .failed && since.age(at: now) < Self.answerSeconds * 1000
  }

  /// Whether such an outcome can still follow.
  func expects(_ next: DeliveryReport.Outcome) -> Bool {
    outcome != next && outcome != .delivered
  }

  /// What is said of it now that something was heard.
  func words(_ outcome: DeliveryReport.Outcome, detail: String) -> Message {
    switch outcome {
    // A receipt says that a machine has it, not that somebody reads it.
    case .sent, .delivered:
      Message(
        "{number} was contacted; it is not known whether anybody read it.", ["number": number])
    case .failed:
      Message(
        "{number} could not be contacted: {detail} Call it yourself.",
        ["number": number, "detail": detail])
    }
  }
}

extension EmergencyCall {
  /// As the facts of an event that tells what became of it.
  fileprivate func facts(_ outcome: String) -> KeyValuePairs<String, JSONValue?> {
    [
      "contact": .string(id), "mode": .string(mode.rawValue), "number": .string(number),
      "outcome": .string(outcome),
    ]
  }
}

extension LiveAlarm {
  /// The emergency services are asked; guardians are told of it at the same time.
  ///
  /// - Parameter contact: what they are told.
  mutating func begin(_ call: EmergencyCall, saying contact: EmergencyContact, _ step: inout Step) {
    self.contact = call
    step.act(.contactEmergency(contact))
    tellContact(
      call, "asked",
      Message(
        "{number} is being contacted by {mode}.",
        ["number": call.number, "mode": call.mode.rawValue]),
      &step)
    let notice = self.notice
    messages.renew(at: step.now) { $0.notice == notice }
  }

  /// Takes what became of it.
  mutating func noteContact(
    _ outcome: DeliveryReport.Outcome, _ detail: String, _ step: inout Step
  ) {
    guard var call = contact, call.outcome != outcome else { return }
    call.outcome = outcome
    call.since = Stamp(step.now)
    contact = call
    tellContact(call, outcome.rawValue, call.words(outcome, detail: detail), &step)
  }

  private func tellContact(
    _ call: EmergencyCall, _ outcome: String, _ words: Message, _ step: inout Step
  ) {
    step.tell(.emergencyContacted, self, words, call.facts(outcome))
  }
}
