import Care
import Moments

/// Faults of the receiver, as they are told.
extension Tracker {
  private var receiverEvents: ReceiverEvents { ReceiverEvents(subject: subject, source: source) }

  /// When silence becomes a fault; nil when nothing is expected or it has been told.
  var silenceDeadline: Tick? {
    guard source != nil else { return nil }
    return state.receiver.silenceDeadline(switched: state.session.switched, by: settings)
  }

  mutating func tellSilence(until limit: Tick, _ outcome: inout Outcome) {
    guard let deadline = silenceDeadline, deadline <= limit else { return }
    let silent = state.receiver.fallSilent(receiverEvents.silence)
    tell(silent, &outcome)
  }

  func tell(_ changes: [ReceiverFault.Change], _ outcome: inout Outcome) {
    guard !changes.isEmpty else { return }
    outcome.events += changes.map(receiverEvents.told)
  }
}
