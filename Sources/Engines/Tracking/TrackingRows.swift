import Bytes
import Care
import JSON
import Moments

/// The names of the rows of engine state, each with its JSON form and back.
extension TrackingState {
  /// All groups as named contents; a nil content means that there is no such row.
  var contents: [(name: String, content: JSONValue?)] {
    [
      ("session", session.json), ("fix", filter.last?.json), ("filter", filter.waitingJSON),
      ("motion", motion.json), ("receiver", receiver.json), ("record", record?.json),
      ("counters", counters.json), ("home-tags", homeTags.json),
    ]
  }

  /// Takes over one named content; false for names that are not known.
  mutating func take(_ name: String, _ content: JSONValue) throws(DecodeError) -> Bool {
    switch name {
    case "session": session = try Session(json: content)
    case "fix": filter.last = try AcceptedFix(json: content)
    case "filter": try filter.takeWaiting(content)
    case "motion": motion = try Motion(json: content)
    case "receiver": receiver = try Receiver(json: content)
    case "record": record = try LastRecord(json: content)
    case "counters": counters = try Counters(json: content)
    case "home-tags": homeTags = try HomeTags(json: content)
    default: return false
    }
    return true
  }
}

extension Session {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    isOn = try reader.bool("isOn")
    switched = try reader.stamp("switched")
    awaitsFirstRecord = try reader.bool("awaitsFirstRecord")
    lastCheck = try reader.stamp("lastCheck")
    awaitsCheck = try reader.bool("awaitsCheck")
    lastSample = try reader.stamp("lastSample")
    if let found = reader.optional("refresh") { refresh = try Refresh(json: found) }
    leftHome = try reader.optionalStamp("leftHome")
    unknown = try reader.optionalWord("unknown", as: UnknownSeverity.self)
    areZonesSettled = try reader.bool("areZonesSettled")
    if reader.optional("counting") != nil {
      counting = Set(try reader.array("counting").compactMap(\.stringContent).map { ZoneID($0) })
    }
  }

  var json: JSONValue {
    .object([
      "isOn": .bool(isOn), "switched": switched.json,
      "awaitsFirstRecord": .bool(awaitsFirstRecord), "lastCheck": lastCheck.json,
      "awaitsCheck": .bool(awaitsCheck), "lastSample": lastSample.json,
      "refresh": refresh?.json, "leftHome": leftHome?.json,
      "unknown": (unknown?.rawValue).map(JSONValue.string),
      "areZonesSettled": .bool(areZonesSettled),
      "counting": counting.map { .array($0.sorted().map { .string($0.rawValue) }) },
    ])
  }
}

extension Session.Refresh {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    asked = try reader.stamp("asked")
    principals = try reader.array("principals").compactMap(\.stringContent)
    isOverdue = try reader.bool("isOverdue")
  }

  var json: JSONValue {
    [
      "asked": asked.json, "principals": .array(principals.map(JSONValue.string)),
      "isOverdue": .bool(isOverdue),
    ]
  }
}

extension FixFilter {
  /// What waits for the next fix; nil when nothing does.
  var waitingJSON: JSONValue? {
    guard held != nil || newLine != nil else { return nil }
    return .object([
      "held": held?.fix.json,
      "heldSpeedMetersPerSecond": held.map { .number($0.speedMetersPerSecond) },
      "lineTime": newLine.map { .integer($0.receiverTime.milliseconds) },
      "lineStamp": newLine?.stamp.json,
    ])
  }

  mutating func takeWaiting(_ json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if let found = reader.optional("held") {
      held = Held(
        fix: try AcceptedFix(json: found),
        speedMetersPerSecond: try reader.double("heldSpeedMetersPerSecond"))
    }
    if let time = try reader.optionalInteger("lineTime") {
      newLine = LinePoint(
        receiverTime: Timestamp(milliseconds: time), stamp: try reader.stamp("lineStamp"))
    }
  }
}

extension Counters {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    accepted = try reader.integer("accepted")
    for (index, reason) in RejectedFix.Reason.allCases.enumerated() {
      rejected[index] = try reader.optionalInteger(reason.rawValue) ?? 0
    }
  }

  var json: JSONValue? {
    guard self != Counters() else { return nil }
    let counts = rejectedByReason.map {
      JSONMember(key: $0.0.rawValue, value: .integer($0.1))
    }
    return .object([JSONMember(key: "accepted", value: .integer(accepted))] + counts)
  }
}
