import Care
import JSON

/// What other engines tell, written as the facts of the events that they tell it with.
extension Signal {
  /// Nil where an event means nothing to alarms.
  init?(_ type: EventType, _ facts: JSONValue, of resident: ResidentID? = "mary") {
    func text(_ name: String) -> String { facts[name]?.stringContent ?? "" }
    let isWorse = text("severity") == "alarm"
    switch type {
    case .fixAccepted: self = Self.located(facts)
    case .zoneLeft, .zoneEntered, .zoneCertain, .zoneChanged, .locationRecorded:
      self = .zone(ZoneNews(type, facts), of: resident ?? "")
    case .absenceBegan, .absenceEnded: self = .absence(AbsenceNews(type, facts), of: resident ?? "")
    case .positionUnknown where isWorse:
      self = Self.found(.position, "position", "", facts, resident)
    case .positionRegained: self = Self.settled(.position, ["position"], .located, resident)
    case .faultRaised where text("state") == "failed":
      let part = text("component")
      self = Self.found(Self.kind(of: part), "part:\(part)", part, facts, resident)
    case .faultCleared:
      let reason: Settlement.Reason = text("state") == "unused" ? .unused : .works
      let part = text("component")
      self = Self.settled(Self.kind(of: part), ["part:\(part)"], reason, resident)
    case .glucoseLow where isWorse, .glucoseVeryLow where isWorse, .glucoseHigh where isWorse:
      self = Self.found(.glucose, type.rawValue, text("label"), facts, resident)
    case .glucoseSettled:
      let causes = [EventType.glucoseLow, .glucoseVeryLow, .glucoseHigh].map(\.rawValue)
      self = Self.settled(.glucose, causes, .withinRange, resident)
    case .medicineMissed where isWorse:
      self = Self.found(.medicine, "medicine:\(text("item"))", text("label"), facts, resident)
    case .medicineSettled:
      self = Self.settled(.medicine, ["medicine:\(text("item"))"], .done, resident)
    default: return nil
    }
  }

  private static func kind(of part: String) -> AlarmKind {
    part.hasPrefix("power/") ? .battery : .fault
  }

  private static func located(_ facts: JSONValue) -> Signal {
    let coordinate = Coordinate(
      latitudeDegrees: facts["latitude"]?.doubleContent ?? 0,
      longitudeDegrees: facts["longitude"]?.doubleContent ?? 0)
    let location = coordinate.map {
      Location(
        coordinate: $0, accuracyMeters: facts["accuracyMeters"]?.doubleContent,
        batteryPercent: facts["batteryPercent"]?.integerContent)
    }
    return location.map { .located($0, of: "mary") } ?? .alarmBegan
  }

  private static func found(
    _ kind: AlarmKind, _ cause: String, _ label: String, _ facts: JSONValue,
    _ resident: ResidentID?
  ) -> Signal {
    .found(
      Finding(
        resident: resident, kind: kind, cause: cause, label: label,
        explanation: facts["explanation"]?.stringContent ?? ""))
  }

  private static func settled(
    _ kind: AlarmKind, _ causes: [String], _ reason: Settlement.Reason, _ resident: ResidentID?
  ) -> Signal {
    .settled(Settlement(resident: resident, kind: kind, causes: causes, reason: reason))
  }
}

extension Coordinate {
  /// Where every zone of these stories lies; alarms do not care.
  fileprivate static let middle: Coordinate = {
    guard let found = Coordinate(latitudeDegrees: 52.09, longitudeDegrees: 5.12) else {
      fatalError("It is on the earth.")
    }
    return found
  }()
}

extension ZoneNews {
  fileprivate init(_ type: EventType, _ facts: JSONValue) {
    var zone = SafeZone(
      id: ZoneID(facts["zone"]?.stringContent ?? ""), resident: "mary",
      name: facts["zoneName"]?.stringContent ?? "",
      center: .middle, radiusMeters: 100)
    zone.alarmsOnLeaving = facts["alarmOnLeaving"]?.boolContent ?? (type == .zoneChanged)
    let seen = Zone(zone)
    let change: Change =
      switch type {
      case .zoneLeft: .left(seen, isExpected: facts["isExpected"]?.boolContent ?? false)
      case .zoneEntered: .entered(seen)
      case .zoneCertain: .certain(seen, isInside: facts["presence"] == "inside")
      case .zoneChanged:
        .changed(
          seen, isRemoved: facts["change"] == "removed",
          zonesLeft: Int(facts["zonesLeft"]?.integerContent ?? 1))
      default:
        .recorded(inside: (facts["zones"]?.arrayContent ?? []).compactMap(\.stringContent))
      }
    self.init(
      change, isOutside: facts["isOutside"]?.boolContent ?? true,
      explanation: facts["explanation"]?.stringContent ?? "")
  }
}

extension AbsenceNews {
  fileprivate init(_ type: EventType, _ facts: JSONValue) {
    self.init(
      type == .absenceBegan
        ? .began(isAsked: facts["isAsked"]?.boolContent ?? false)
        : .ended(isOverdue: facts["reason"] == "overdue"),
      absence: AbsenceID(facts["absence"]?.stringContent ?? ""),
      name: facts["absenceName"]?.stringContent ?? "",
      untilLocal: facts["untilLocal"]?.stringContent ?? "",
      isOutside: facts["isOutside"]?.boolContent ?? false,
      explanation: facts["explanation"]?.stringContent ?? "")
  }
}
