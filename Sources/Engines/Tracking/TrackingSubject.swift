import Care
import JSON
import Texts

/// Whom something is told about, and in which language and units.
struct TrackingSubject {
  let resident: Resident
  let settings: TrackingSettings

  /// A sentence as a fact, in the resident's language.
  func explain(_ sentence: Message) -> JSONValue {
    .string(sentence.text(in: settings.language))
  }

  func draft(
    _ type: EventType, _ lane: Lane, _ facts: KeyValuePairs<String, JSONValue?>,
    means signal: Signal? = nil
  ) -> EventDraft {
    EventDraft(
      type: type, lane: lane, resident: resident.id, facts: .object(facts), signal: signal)
  }

  /// That tracking was switched on or off.
  func switched(_ isOn: Bool) -> EventDraft {
    let name = resident.name
    let sentence =
      isOn
      ? Message("Tracking of {name} was switched on.", ["name": name])
      : Message("Tracking of {name} was switched off.", ["name": name])
    return draft(
      .trackingChanged, .record,
      [
        "isOn": .bool(isOn),
        "explanation": explain(sentence),
      ])
  }
}
