import Care
import JSON
import Moments
import Texts

/// Tells what the tags around one resident mean, in their language.
struct TagEvents {
  let resident: Resident
  let settings: ProximitySettings

  // MARK: Presence

  func changed(
    _ tag: Tag, from before: TagPresence, to presence: TagPresence,
    withResident: TagPresence, heard: Stamp?, at now: Moment
  ) -> EventDraft {
    let sentence =
      switch presence {
      case .near: Message("{tag} is near.", ["tag": tag.name])
      case .room: Message("{tag} is in the room or next door.", ["tag": tag.name])
      case .away:
        Message("{tag} is away: it is not heard any more, or only faintly.", ["tag": tag.name])
      case .unknown:
        Message(
          "It cannot be said whether {tag} is there, because nothing listens. "
            + "Check that Bluetooth is on.", ["tag": tag.name])
      }
    let isTurn = presence.isHeard != before.isHeard
    return draft(
      .tagChanged, isTurn ? .record : .trace, about: tag,
      [
        "presence": .string(presence.rawValue), "before": .string(before.rawValue),
        "withResident": .string(withResident.rawValue),
        "lastHeardAt": heard.map { .string($0.utc.iso8601) },
        "lastHeardSeconds": heard.map { .integer($0.age(at: now) / 1000) },
        "explanation": explain(sentence),
      ])
  }

  func caregiver(_ tag: Tag, _ presence: TagPresence) -> EventDraft {
    let sentence =
      switch presence {
      case .near, .room:
        Message("{tag} is with {name}.", ["tag": tag.name, "name": resident.name])
      case .away:
        Message("{tag} is not with {name} any more.", ["tag": tag.name, "name": resident.name])
      case .unknown:
        Message(
          "It cannot be said whether {tag} is with {name}, because nothing listens. "
            + "Check that Bluetooth is on.", ["tag": tag.name, "name": resident.name])
      }
    return draft(
      .caregiverChanged, .record, about: tag,
      [
        "isPresent": presence == .unknown ? nil : .bool(presence.isHeard),
        "explanation": explain(sentence),
      ])
  }

  func roomChanged(_ tag: Tag, from before: String?, to room: String?) -> EventDraft {
    let sentence =
      room.map { Message("{tag} is in: {room}.", ["tag": tag.name, "room": $0]) }
      ?? Message("{tag} is in no room that is listened to.", ["tag": tag.name])
    return draft(
      .tagRoomChanged, .trace, about: tag,
      [
        "room": room.map(JSONValue.string), "before": before.map(JSONValue.string),
        "explanation": explain(sentence),
      ])
  }

  // MARK: Battery and silence

  func heardAgain(_ tag: Tag) -> EventDraft {
    draft(
      .tagHeardAgain, .record, about: tag,
      [
        "explanation": explain(Message("{tag} is heard again.", ["tag": tag.name]))
      ])
  }

  func batteryLow(_ tag: Tag, _ percent: Int, limit: Int) -> EventDraft {
    draft(
      .tagBatteryLow, .record, about: tag,
      [
        "batteryPercent": .integer(Int64(percent)), "limitPercent": .integer(Int64(limit)),
        "explanation": explain(
          Message(
            "The battery of {tag} is nearly empty: {percent} % are left. Put in a new one soon.",
            ["tag": tag.name, "percent": percent])),
      ], isNews: true)
  }

  func silent(_ tag: Tag, _ record: TagRecord) -> EventDraft {
    let hours = (tag.silentMilliseconds ?? 0) / 3_600_000
    let sentence =
      record.heard == nil
      ? Message(
        "{tag} has not been heard yet, for {hours} h. Check its battery, and that it is the right "
          + "one: homeward bluetooth scan", ["tag": tag.name, "hours": hours])
      : Message(
        "{tag} has not been heard for {hours} h. Look where it is and whether its battery is empty.",
        ["tag": tag.name, "hours": hours])
    return draft(
      .tagSilent, .record, about: tag,
      [
        "silentHours": .integer(hours),
        "lastHeardAt": record.heard.map { .string($0.utc.iso8601) },
        "batteryPercent": record.batteryPercent.map { .integer(Int64($0)) },
        "explanation": explain(sentence),
      ], isNews: true)
  }

  // MARK: Company

  func encounterEnded(_ tag: Tag, _ met: Encounter) -> EventDraft {
    let members = met.json.objectContent ?? []
    let names: JSONValue = [
      "tagName": .string(tag.name), "kind": .string(tag.kind.rawValue),
      "explanation": explain(sentence(on: met, tag)),
    ]
    return EventDraft(
      type: .encounterEnded, lane: .record, resident: resident.id,
      facts: .object(members + (names.objectContent ?? [])))
  }

  private func sentence(on met: Encounter, _ tag: Tag) -> Message {
    let values: Message.Values = [
      "name": resident.name, "tag": tag.name, "likely": duration(met.likelySeconds),
      "surely": duration(met.surelySeconds), "possibly": duration(met.possiblySeconds),
    ]
    return met.isHeardByResident
      ? Message(
        "{name} and {tag} were likely close together for {likely} (surely {surely}, at most "
          + "{possibly}). This is judged by signal strength, which errs often.", values)
      : Message(
        "{tag} was likely close to the device at home for {likely} (surely {surely}, at most "
          + "{possibly}). This is judged by signal strength, which errs often.", values)
  }

  // MARK: Outings

  /// - Parameters:
  ///   - isAtHome: whether a device at home hears it.
  ///   - wentOut: when the resident went out.
  func left(
    _ tag: Tag, _ record: TagRecord, isAtHome: Bool, wentOut: Stamp?, at now: Moment
  ) -> EventDraft {
    let seconds = record.heard.map { $0.age(at: now) / 1000 } ?? 0
    let values: Message.Values = [
      "name": resident.name, "tag": tag.name, "duration": duration(seconds),
    ]
    let sentence =
      switch (tag.kind.isPerson, isAtHome) {
      case (true, true):
        Message(
          "{name} went out and {tag} stayed at home. Ask {tag} whether somebody else is along, "
            + "or go after {name}.", values)
      case (true, false):
        Message(
          "{name} is out and {tag} has not been with them for {duration}. Ask {tag} whether "
            + "somebody else is along, or go after {name}.", values)
      case (false, true):
        Message(
          "{name} went out and left {tag} at home. Bring it after them, or be there when they come "
            + "back.", values)
      case (false, false):
        Message(
          "{name} is out without {tag}, which was last with them {duration} ago. Bring it after "
            + "them, or be there when they come back.", values)
      }
    return draft(
      .leftWithout, .alarm, about: tag,
      [
        "isHeardAtHome": .bool(isAtHome), "room": record.rooms.room.map(JSONValue.string),
        "lastHeardAt": record.heard.map { .string($0.utc.iso8601) },
        "lastHeardSeconds": .integer(seconds),
        "wentOutAt": wentOut.map { .string($0.utc.iso8601) },
        "explanation": explain(sentence),
      ], isNews: true)
  }

  func over(_ tag: Tag, _ reason: String) -> EventDraft {
    let values: Message.Values = ["name": resident.name, "tag": tag.name]
    let sentence =
      reason == "home"
      ? Message("{name} is back home, where {tag} was left.", values)
      : Message("{name} has {tag} along after all.", values)
    return draft(
      .leftWithoutOver, .alarm, about: tag,
      ["reason": .string(reason), "explanation": explain(sentence)])
  }

  // MARK: Parts

  /// An event about a tag: its id, name and kind before all other facts.
  ///
  /// - Parameter isNews: whether guardians may hear its explanation.
  private func draft(
    _ type: EventType, _ lane: Lane, about tag: Tag, _ facts: KeyValuePairs<String, JSONValue?>,
    isNews: Bool = false
  ) -> EventDraft {
    let common: JSONValue = [
      "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
      "kind": .string(tag.kind.rawValue),
    ]
    let members =
      (common.objectContent ?? []) + (JSONValue.object(facts).objectContent ?? [])
    let words = facts.first { $0.key == "explanation" }?.value?.stringContent ?? ""
    return EventDraft(
      type: type, lane: lane, resident: resident.id, facts: .object(members),
      signal: isNews ? .news(.tag(sentence: words), of: resident.id) : nil)
  }

  /// A sentence as a fact, in the resident's language.
  private func explain(_ sentence: Message) -> JSONValue {
    .string(sentence.text(in: settings.language))
  }

  private func duration(_ seconds: Int64) -> Message {
    switch seconds {
    case ..<120: Message("{seconds} s", ["seconds": seconds])
    case ..<7200: Message("{minutes} min", ["minutes": seconds / 60])
    default:
      Message(
        "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds % 3600 / 60])
    }
  }
}
