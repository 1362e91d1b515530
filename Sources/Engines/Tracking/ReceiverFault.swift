import Care
import JSON
import Moments
import Texts

/// A fault of a receiver: silence, no position, or a clock that is not to be believed.
enum ReceiverFault: String {
  case noReport = "no-report"
  case noFix = "no-fix"
  case weekRollover = "week-rollover"
  case clockWrong = "clock-wrong"

  /// That a fault is there from now on, or over.
  struct Change {
    let fault: ReceiverFault
    /// How the receiver does now.
    let health: HealthState
    let detail: Message
  }
}

/// Tells the faults of a receiver.
struct ReceiverEvents {
  let subject: TrackingSubject
  /// The receiver; nil where none is known.
  let source: SourceID?

  /// The part whose faults these are.
  private var component: ComponentID { ComponentID("gps/\(source?.rawValue ?? "receiver")") }

  func told(_ change: ReceiverFault.Change) -> EventDraft {
    let (resident, settings) = (subject.resident, subject.settings)
    let words = Message("{name}: {detail}", ["name": resident.name, "detail": change.detail])
      .text(in: settings.language)
    return subject.draft(
      change.health == .working ? .faultCleared : .faultRaised, .record,
      [
        "component": .string(component.rawValue), "code": .string(change.fault.rawValue),
        "state": .string(change.health.rawValue), "detail": subject.explain(change.detail),
        "explanation": .string(words),
      ], means: .fault(component, change.health, of: resident.id, words))
  }

  /// Why nothing comes from the receiver.
  var silence: Message {
    let (resident, settings) = (subject.resident, subject.settings)
    if let source = resident.gpsSource, let receivers = settings.receivers,
      !receivers.contains(source)
    {
      return Message(
        "No receiver named \"{source}\" is configured, so nobody knows where {name} is. "
          + "Add it to the configuration, or choose another one: homeward residents change {id} --gps NAME",
        ["source": source, "name": resident.name, "id": resident.id])
    }
    return Message(
      "The receiver has not reported anything for {duration}. "
        + "Check its cable or battery, and that gpsd runs.",
      ["duration": duration(seconds: settings.noReportSeconds)])
  }
}
