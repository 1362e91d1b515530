import Care
import Ports
import Texts

/// What the component `speech` says of itself.
struct SpeechHealth: Hashable, Sendable {
  /// Kept sentences that are not there in the present voice.
  var lacking: Int
  /// Those of them that are not there in any voice: they cannot be spoken now.
  var unspeakable: Int
  /// What went wrong last, until something goes right.
  var failure: ServiceFailure?

  var report: HealthReport {
    let component = ComponentID("speech")
    guard lacking > 0 else { return HealthReport(component: component, state: .working) }
    guard let failure else {
      return HealthReport(
        component: component, state: .starting, code: "preparing",
        detail: Message(
          "{n} sentence is being prepared.", plural: "{n} sentences are being prepared.", lacking))
    }
    let advice =
      failure.isMissing
      ? Message("Enable the plugin speech.")
      : Message("See what the plugin speech reports; it is tried again.")
    let held =
      unspeakable == 0
      ? Message("They sound in the voice of before.")
      : Message("Alarm sounds are not affected.")
    return HealthReport(
      component: component, state: .degraded, code: "sentences-missing",
      detail: Message(
        "{n} sentence is not ready: {reason}. {held} {advice}",
        plural: "{n} sentences are not ready: {reason}. {held} {advice}", lacking,
        ["reason": failure.message, "held": held, "advice": advice]))
  }
}
