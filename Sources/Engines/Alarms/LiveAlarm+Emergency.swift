import Care
import Texts

/// How the emergency services are contacted about an alarm.
extension LiveAlarm {
  /// The emergency services are asked; guardians are told of it at the same time.
  ///
  /// - Parameter contact: what they are told.
  mutating func begin(_ call: EmergencyCall, saying contact: EmergencyContact, _ step: inout Step) {
    self.contact = call
    step.act(.contactEmergency(contact))
    step.tell(.emergencyContacted, self, call.words, call.facts("asked"))
    let notice = self.notice
    messages.renew(at: step.now) { $0.notice == notice }
  }

  /// Takes what became of it.
  mutating func noteContact(
    _ outcome: DeliveryReport.Outcome, _ detail: String, _ step: inout Step
  ) {
    guard var call = contact, call.note(outcome, at: step.now) else { return }
    contact = call
    step.tell(
      .emergencyContacted, self, call.words(outcome, detail: detail), call.facts(outcome.rawValue))
  }
}
