import Care
import JSON
import Moments
import Texts

/// Tells what a tag at home says about the zone in which it stands.
struct HomeTagEvents {
  let tag: HomeTag
  let zone: SafeZone
  /// What else is told about zones in this step.
  let events: ZoneEvents

  private var subject: TrackingSubject { events.subject }
  private var resident: Resident { subject.resident }

  func entered(_ before: ZoneState, at now: Moment) -> EventDraft {
    let away = zone.isHome ? events.awaySeconds(at: now) : nil
    let values: Message.Values = [
      "name": resident.name, "zone": quoted(zone.name), "tag": tag.name,
      "away": away.map { duration(seconds: $0) } ?? Message(verbatim: ""),
    ]
    let sentence =
      away == nil
      ? Message("{name} came into {zone}: {tag} is heard there.", values)
      : Message("{name} came into {zone} after {away} away: {tag} is heard there.", values)
    return events.draft(
      .zoneEntered, zone, .inside, nil,
      [
        "basis": "home-tag", "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
        "outsideSeconds": before.since.map { .integer(wholeSeconds($0.age(at: now))) },
        "awaySeconds": away.map(JSONValue.integer), "explanation": subject.explain(sentence),
      ])
  }

  func certain() -> EventDraft {
    events.draft(
      .zoneCertain, zone, .inside, nil,
      [
        "basis": "home-tag", "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
        "explanation": subject.explain(
          Message(
            "It is certain that {name} is in {zone}: {tag} is heard there.",
            ["name": resident.name, "zone": quoted(zone.name), "tag": tag.name])),
      ], means: .certain(ZoneNews.Zone(zone), isInside: true))
  }

  /// That the position is known again.
  func regained(from severity: UnknownSeverity) -> EventDraft {
    subject.draft(
      .positionRegained, .alarm,
      [
        "severity": .string(severity.rawValue), "basis": "home-tag",
        "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
        "explanation": subject.explain(
          Message(
            "{name} has been located again: {tag} is heard in {zone}.",
            ["name": resident.name, "tag": tag.name, "zone": quoted(zone.name)])),
      ], means: PositionEvents.regained(resident.id))
  }

  /// That positions contradict the tag.
  func doubted(at now: Moment) -> EventDraft {
    let sentence = Message(
      "{tag} is heard, although {name} is far from {zone}. Positions alone count now. Look whether "
        + "somebody carried it along, and put it back.",
      ["tag": tag.name, "name": resident.name, "zone": quoted(zone.name)])
    return subject.draft(
      .tagDoubted, .record,
      [
        "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
        "zone": .string(zone.id.rawValue), "zoneName": .string(zone.name),
        "heardSeconds": tag.heard.map { .integer(wholeSeconds($0.age(at: now))) },
        "explanation": subject.explain(sentence),
      ])
  }
}
