public import Bytes
public import JSON
import Moments

extension StateChange {
  /// The change as an object, for digests and readable differences of a replay.
  public var json: JSONValue {
    switch self {
    case .putResident(let resident): ["put": "resident", "content": resident.json]
    case .eraseResident(let id): ["erase": "resident", "id": .string(id.rawValue)]
    case .putZone(let zone): ["put": "zone", "content": zone.json]
    case .removeZone(let id): ["remove": "zone", "id": .string(id.rawValue)]
    case .putBookmark(let bookmark): ["put": "bookmark", "content": bookmark.json]
    case .removeBookmark(let id): ["remove": "bookmark", "id": .string(id.rawValue)]
    case .putGuardian(let guardian): ["put": "guardian", "content": guardian.json]
    case .removeGuardian(let id): ["remove": "guardian", "id": .string(id.rawValue)]
    case .putRoutineItem(let item): ["put": "routine-item", "content": item.json]
    case .removeRoutineItem(let id): ["remove": "routine-item", "id": .string(id.rawValue)]
    case .putOccurrence(let occurrence): ["put": "occurrence", "content": occurrence.json]
    case .putNote(let note): ["put": "note", "content": note.json]
    case .removeNote(let id): ["remove": "note", "id": .string(id.rawValue)]
    case .putMessage(let message): ["put": "message", "content": message.json]
    case .putPicture(let picture): ["put": "picture", "content": picture.json]
    case .removePicture(let id): ["remove": "picture", "id": .string(id.rawValue)]
    case .putGlucoseReading(let reading): ["put": "glucose-reading", "content": reading.json]
    case .removeGlucoseReading(let id):
      ["remove": "glucose-reading", "id": .string(id.rawValue)]
    case .putSetting(let resident, let name, let content):
      [
        "put": "setting", "resident": .string(resident.rawValue), "name": .string(name),
        "content": content,
      ]
    case .removeSetting(let resident, let name):
      ["remove": "setting", "resident": .string(resident.rawValue), "name": .string(name)]
    case .putEngineRow(let row): ["put": "engine-row", "content": row.json]
    case .removeEngineRow(let engine, let subject, let name):
      [
        "remove": "engine-row", "engine": .string(engine), "subject": .string(subject),
        "name": .string(name),
      ]
    case .addLocationRecord(let record): ["add": "location-record", "content": record.json]
    case .addLocationSample(let record): ["add": "location-sample", "content": record.json]
    case .addAudit(let entry): ["add": "audit", "content": entry.json]
    }
  }
}

extension EngineRow: JSONCodable {
  /// Reads a row.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      engine: try reader.string("engine"), subject: try reader.string("subject"),
      name: try reader.string("name"), content: reader.optional("content") ?? .null)
  }

  /// The row as an object.
  public var json: JSONValue {
    [
      "engine": .string(engine), "subject": .string(subject), "name": .string(name),
      "content": content,
    ]
  }
}

extension AuditEntry {
  /// The entry as an object.
  public var json: JSONValue {
    [
      "time": .string(time.iso8601), "principal": .string(principal),
      "command": .string(command), "action": .string(action), "target": .string(target),
      "outcome": .string(outcome),
    ]
  }
}

extension Action {
  /// The action as an object, for digests and readable differences of a replay.
  public var json: JSONValue {
    switch self {
    case .sampleBurst(let source, let until):
      [
        "action": "sample-burst", "source": .string(source.rawValue),
        "until": .integer(until.nanoseconds),
      ]
    case .play(let request): request.json.setting("action", to: "play")
    case .stopSound(let id): ["action": "stop-sound", "sound": .string(id.rawValue)]
    case .notify(let notification): notification.json.setting("action", to: "notify")
    case .photograph(let alarm, let resident):
      [
        "action": "photograph", "alarm": .string(alarm.rawValue),
        "resident": .string(resident.rawValue),
      ]
    case .contactEmergency(let contact): contact.json.setting("action", to: "contact-emergency")
    case .light(let signal): ["action": "light", "signal": .string(signal.rawValue)]
    }
  }
}
