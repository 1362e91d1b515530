import Care
public import JSON
import Moments

/// What `homeward tags` and `homeward status` show about one resident's tags.
extension TagWatch {
  /// The present state for people and programs to look at; times are labels, ages are for the caller to count.
  public var summary: JSONValue {
    .object([
      "resident": .string(resident.id.rawValue), "isOut": .bool(session.wentOut != nil),
      "caregiverPresent": isCaregiverPresent.map(JSONValue.bool),
      "tags": .array(tags.values.sorted { $0.id < $1.id }.map(summary)),
      "hearers": .array(hearers.all.map(summary)),
    ])
  }

  private func summary(_ tag: Tag) -> JSONValue {
    let record = records[tag.id]
    return .object([
      "tag": .string(tag.id.rawValue), "tagName": .string(tag.name),
      "kind": .string(tag.kind.rawValue), "presence": .string(presence(of: tag.id).rawValue),
      "withResident": .string(presenceWithResident(of: tag.id).rawValue),
      "room": record?.rooms.room.map(JSONValue.string),
      "lastHeardAt": record?.heard.map { .string($0.utc.iso8601) },
      "lastHeardTick": record?.heard.map { .integer($0.tick.nanoseconds) },
      "batteryPercent": record?.batteryPercent.map { .integer(Int64($0)) },
      "isBatteryLow": .bool(record?.isBatteryLow ?? false),
      "isSilent": .bool(record?.isSilent ?? false),
      "isCalibrated": .bool(tag.calibration != nil),
      "outing": record?.outing.map { .string($0.rawValue) },
      "inCompanySince": record?.encounter.map { .string($0.began.utc.iso8601) },
    ])
  }

  private func summary(_ hearer: TagHearer) -> JSONValue {
    hearer.json.setting("isListening", to: .bool(hearers.listens(hearer.id) != nil))
  }
}
