public import Bytes
public import JSON
import Moments

extension StateChange {
  /// The change as an object, for digests and readable differences of a replay.
  public var json: JSONValue {
    switch self {
    case .put(let row):
      .object(
        [JSONMember(key: row.table.verb, value: .string(row.table.word))]
          + row.content.changeMembers)
    case .remove(let key):
      .object([JSONMember(key: "remove", value: .string(key.table.word))] + key.members)
    case .eraseResident(let id): ["erase": "resident", "id": .string(id.rawValue)]
    case .putEngineRow(let row): ["put": "engine-row", "content": row.json]
    case .removeEngineRow(let engine, let subject, let name):
      [
        "remove": "engine-row", "engine": .string(engine), "subject": .string(subject),
        "name": .string(name),
      ]
    case .addAudit(let entry): ["add": "audit", "content": entry.json]
    }
  }
}

extension Table {
  /// What a change does that writes a row.
  fileprivate var verb: String { keyColumns == 0 ? "add" : "put" }
}

extension TableKey {
  /// The values by the names of their columns.
  fileprivate var members: [JSONMember] {
    zip(table.columns, values).map { JSONMember(key: $0.name, value: .string($1)) }
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
    case .askMap(let query): query.json.setting("action", to: "ask-map")
    case .light(let signal): ["action": "light", "signal": .string(signal.rawValue)]
    }
  }
}

extension MapQuery {
  fileprivate var json: JSONValue {
    let query: JSONValue = ["query": .string(id), "resident": .string(resident.rawValue)]
    switch subject {
    case .way(let from, let to):
      return query.setting("from", to: from.json).setting("to", to: to.json)
    case .address(let place): return query.setting("at", to: place.json)
    }
  }
}
