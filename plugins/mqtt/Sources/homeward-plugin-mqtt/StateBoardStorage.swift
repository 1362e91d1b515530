import Care
import JSON
import Moments

/// The board as it is kept over restarts: what the next event does not bring back by itself.
///
/// Positions are left out: they change every second, and the broker keeps the last one.
extension StateBoard {
  /// The board as JSON.
  var json: JSONValue {
    .object([
      "heartbeatSeconds": heartbeatSeconds.map { .integer($0) },
      "raised": gatewayAlarms == ResidentAlarms() ? nil : gatewayAlarms.storage,
      "residents": .array(residents.values.sorted { $0.id < $1.id }.map(\.json)),
      "faults": .array(faults.sorted { $0.key < $1.key }.map(\.value.json)),
      "knowsResidents": .bool(knowsResidents),
      "guardians": .object(
        guardians.sorted { $0.key < $1.key }.map {
          JSONMember(key: $0.key, value: .string($0.value))
        }),
      "gone": .array(gone.sorted().map { .string($0) }),
    ])
  }

  /// A board from what was kept; parts that do not fit are left out.
  init(json: JSONValue, topics: Topics) {
    self.init(topics: topics)
    let guardians = (json["guardians"]?.objectContent ?? []).prefix(Self.maximumGuardians)
    restore(
      residents: (json["residents"]?.arrayContent ?? []).compactMap(ResidentState.init),
      faults: (json["faults"]?.arrayContent ?? []).compactMap(Fault.init),
      gatewayAlarms: ResidentAlarms(storage: json["raised"] ?? .null),
      heartbeatSeconds: json["heartbeatSeconds"]?.integerContent,
      knowsResidents: json["knowsResidents"]?.boolContent ?? false,
      guardians: Dictionary(
        guardians.map { ($0.key, $0.value.stringContent ?? $0.key) },
        uniquingKeysWith: { first, _ in first }),
      gone: (json["gone"]?.arrayContent ?? []).compactMap(\.stringContent))
  }
}

extension StateBoard.Fault {
  fileprivate var json: JSONValue {
    [
      "component": .string(component), "code": .string(code), "detail": .string(detail),
      "state": .string(state),
    ]
  }

  fileprivate init?(json: JSONValue) {
    guard let component = json["component"]?.stringContent else { return nil }
    self.init(
      component: component, code: json["code"]?.stringContent ?? "",
      detail: json["detail"]?.stringContent ?? "", state: json["state"]?.stringContent ?? "failed")
  }
}

extension ResidentState {
  fileprivate var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "name": name.map { .string($0) },
      "zones": .array(
        zones.sorted { $0.key < $1.key }.map {
          ["id": .string($0.key.rawValue), "name": .string($0.value)]
        }),
      "uncertain": .array(uncertainZones.sorted().map { .string($0.rawValue) }),
      "isZoneKnown": .bool(isZoneKnown), "hasNoZone": hasNoZone ? true : nil,
      "isLocationRefused": isLocationRefused ? true : nil,
      "newest": .integer(newest.milliseconds),
      "alarms": .array(alarms.map(\.rawValue).sorted().map { .string($0) }),
      "batteryPercent": batteryPercent.map { .number($0) },
      "raised": raised == ResidentAlarms() ? nil : raised.storage,
      "routine": routine == ResidentRoutine() ? nil : routine.storage,
      "message": message?.json,
      "tags": tags == ResidentTags() ? nil : tags.storage,
      "glucose": glucose == ResidentGlucose() ? nil : glucose.storage,
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let id = json["id"]?.stringContent else { return nil }
    self.init(id: ResidentID(id))
    name = json["name"]?.stringContent
    for zone in json["zones"]?.arrayContent ?? [] {
      guard let id = zone["id"]?.stringContent else { continue }
      zones[ZoneID(id)] = zone["name"]?.stringContent ?? id
    }
    let uncertain = json["uncertain"]?.arrayContent ?? []
    uncertainZones = Set(uncertain.compactMap { $0.stringContent.map { ZoneID($0) } })
    isZoneKnown = json["isZoneKnown"]?.boolContent ?? false
    hasNoZone = json["hasNoZone"]?.boolContent ?? false
    isLocationRefused = json["isLocationRefused"]?.boolContent ?? false
    newest = Timestamp(milliseconds: json["newest"]?.integerContent ?? .min)
    let reasons = json["alarms"]?.arrayContent ?? []
    alarms = Set(reasons.compactMap { $0.stringContent.flatMap(AlarmReason.init) })
    batteryPercent = json["batteryPercent"]?.doubleContent
    raised = ResidentAlarms(storage: json["raised"] ?? .null)
    routine = ResidentRoutine(storage: json["routine"] ?? .null)
    message = json["message"].flatMap(LastMessage.init)
    tags = ResidentTags(storage: json["tags"] ?? .null)
    glucose = ResidentGlucose(storage: json["glucose"] ?? .null)
  }
}
