import Bytes
import Care
import JSON
import Moments

// The rows of engine state, each as a small object and back.

extension LiveAlarm {
  init(id: AlarmID, json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.id = id
    tag = try reader.string("tag")
    kind = try reader.word("kind", as: AlarmKind.self)
    resident = try reader.optionalString("resident").map { ResidentID($0) }
    trigger = try reader.word("trigger", as: AlarmTrigger.self)
    isSilent = try reader.bool("isSilent")
    text = try reader.string("text")
    label = try reader.string("label")
    causes = try reader.array("causes").compactMap(\.stringContent)
    stage = try reader.word("stage", as: AlarmStage.self)
    raised = try reader.stamp("raised")
    raises = try reader.count("raises")
    dispatched = try reader.optionalStamp("dispatched")
    tier = try reader.count("tier")
    tierSince = try reader.optionalStamp("tierSince")
    acknowledgedBy = try reader.array("acknowledgedBy").compactMap(\.stringContent)
      .map { GuardianID($0) }
    ended = try reader.optionalStamp("ended")
    if let found = reader.optional("closing") { closing = try Closing(json: found) }
    isDuress = try reader.bool("isDuress")
    isEndedByResident = try reader.optionalBool("isEndedByResident") ?? false
    wrongPINs = try reader.count("wrongPINs")
    room = try RoomState(reader)
    lastLive = try reader.optionalStamp("lastLive")
    photo = try AlarmPhoto(reader)
    if let found = reader.optional("contact") { contact = try EmergencyCall(json: found) }
  }

  /// All but the messages, which have rows of their own.
  var json: JSONValue {
    .object([
      "tag": .string(tag), "kind": .string(kind.rawValue),
      "resident": resident.map { .string($0.rawValue) }, "trigger": .string(trigger.rawValue),
      "isSilent": .bool(isSilent), "text": .string(text), "label": .string(label),
      "causes": .array(causes.map(JSONValue.string)), "stage": .string(stage.rawValue),
      "raised": raised.json, "raises": .integer(raises), "dispatched": dispatched?.json,
      "tier": .integer(tier), "tierSince": tierSince?.json,
      "acknowledgedBy": .array(acknowledgedBy.map { .string($0.rawValue) }),
      "ended": ended?.json, "closing": closing?.json, "isDuress": .bool(isDuress),
      "isEndedByResident": isEndedByResident ? true : nil,
      "wrongPINs": .integer(wrongPINs), "isSilenced": .bool(room.isSilenced),
      "sound": .string(room.phase.rawValue), "soundSince": room.sirenSince?.json,
      "hasSaidFailed": .bool(room.hasSaidFailed), "lastLive": lastLive?.json,
      "photo": photo.path.map { .string($0) }, "isPhotoTold": .bool(photo.isTold),
      "contact": contact?.json,
    ])
  }
}

extension RoomState {
  /// Reads it from among what is stored of the alarm.
  init(_ reader: JSONReader) throws(DecodeError) {
    self.init(
      phase: try reader.word("sound", as: RoomPhase.self),
      sirenSince: try reader.optionalStamp("soundSince"),
      isSilenced: try reader.bool("isSilenced"),
      hasSaidFailed: try reader.bool("hasSaidFailed"))
  }
}

extension GuardianMessage {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    notice = try reader.word("notice", as: AlarmNotice.self)
    guardian = GuardianID(try reader.string("guardian"))
    channel = try reader.word("channel", as: Guardian.Channel.self)
    created = try reader.stamp("created")
    progress = try reader.word("progress", as: Progress.self)
    since = try reader.stamp("since")
    attempt = try reader.count("attempt")
    failures = try reader.count("failures")
    wasSent = try reader.bool("wasSent")
    wasDelivered = try reader.bool("wasDelivered")
    mayHaveCost = try reader.bool("mayHaveCost")
    detail = try reader.string("detail")
    asked = Asked(stored: try reader.optionalString("asked"))
  }

  var json: JSONValue {
    .object([
      "notice": .string(notice.rawValue), "guardian": .string(guardian.rawValue),
      "channel": .string(channel.rawValue), "created": created.json,
      "progress": .string(progress.rawValue), "since": since.json, "attempt": .integer(attempt),
      "failures": .integer(failures), "wasSent": .bool(wasSent),
      "wasDelivered": .bool(wasDelivered), "mayHaveCost": .bool(mayHaveCost),
      "detail": .string(detail), "asked": asked.stored.map { .string($0) },
    ])
  }
}

extension KnownPosition {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    coordinate = try Coordinate(json: json)
    accuracyMeters = try reader.optionalDouble("accuracyMeters")
    stamp = try reader.stamp("stamp")
    batteryPercent = try reader.optionalInteger("batteryPercent")
  }

  var json: JSONValue {
    .object([
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map { .number($0) }, "stamp": stamp.json,
      "batteryPercent": batteryPercent.map { .integer($0) },
    ])
  }
}
