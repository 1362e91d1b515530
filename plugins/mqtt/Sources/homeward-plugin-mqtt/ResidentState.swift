import Care
import JSON
import Moments

/// What is known of one resident, from the events that passed.
struct ResidentState: Hashable, Sendable {
  /// Where the resident was last, with the time of the event.
  struct Position: Hashable, Sendable {
    var latitudeDegrees: Double
    var longitudeDegrees: Double
    /// Radius of doubt in metres; nil when the receiver did not say.
    var accuracyMeters: Double?
    var time: Timestamp
  }

  /// Reasons for the alarm that stay until their end is reported.
  enum AlarmReason: String, Hashable, Sendable, CaseIterable {
    /// The resident is outside of all safe zones.
    case outside = "left-home"
    /// The resident is outside and cannot be located.
    case positionUnknown = "position-unknown"
  }

  /// Where the resident is expected to be, and until when.
  struct PlannedAbsence: Hashable, Sendable {
    var id: String
    var name: String
    /// ISO 8601.
    var until: String

    /// Nil for facts of another shape.
    init?(_ facts: JSONValue) {
      guard let id = facts["absence"]?.stringContent,
        let name = facts["absenceName"]?.stringContent, let until = facts["until"]?.stringContent
      else { return nil }
      (self.id, self.name, self.until) = (id, name, until)
    }
  }

  /// The longest state that Home Assistant takes, in characters.
  static let stateCharacters = 255

  var id: ResidentID
  /// The name as people write it; nil until an event brings it.
  var name: String?
  var position: Position?
  /// Zones that the resident is in, by id.
  var zones: [ZoneID: String] = [:]
  /// Zones of which it cannot be said.
  var uncertainZones: Set<ZoneID> = []
  /// Whether anything has been heard of zones.
  var isZoneKnown = false
  /// Whether there is no safe zone any more.
  var hasNoZone = false
  var alarms: Set<AlarmReason> = []
  /// What explains that the resident is out; nil where nothing does.
  var absence: PlannedAbsence?
  /// Charge of the resident's device, 0 through 100 percent; nil when no event had it.
  var batteryPercent: Double?
  /// The resident's alarms in the narrow sense: help was asked for, or an engine did so.
  var raised = ResidentAlarms()
  /// What the resident does, takes and is expected at.
  var routine = ResidentRoutine()
  /// The last message to or from the resident; nil before the first.
  var message: LastMessage?
  /// The Bluetooth tags of the resident's things, home and company.
  var tags = ResidentTags()
  /// The last glucose readings.
  var glucose = ResidentGlucose()
  /// Whether the resident refused to be located: then nobody is shown where they were.
  var isLocationRefused = false
  /// The newest event that was taken.
  var newest = Timestamp(milliseconds: .min)
  /// The newest event about zones or alarms that was taken.
  var zoneTime = Timestamp(milliseconds: .min)

  init(id: ResidentID) { self.id = id }

  /// What to call the resident.
  var displayName: String { name ?? id.rawValue }

  /// Names of the zones that the resident is in, or `uncertain`, `outside` or, without any zone, `no zone`; nil before
  /// anything is known.
  var zoneText: String? {
    guard isZoneKnown, !isLocationRefused else { return nil }
    let names = zones.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
    if !names.isEmpty { return String(names.prefix(Self.stateCharacters)) }
    if hasNoZone { return "no zone" }
    return uncertainZones.isEmpty ? "outside" : "uncertain"
  }

  /// The position as Home Assistant's tracker wants it.
  var positionJSON: JSONValue? {
    guard !isLocationRefused else { return nil }
    return position.map { position in
      .object([
        "latitude": .number(position.latitudeDegrees),
        "longitude": .number(position.longitudeDegrees),
        "gps_accuracy": position.accuracyMeters.map { .number($0) },
        "time": .string(position.time.iso8601),
        "expected_at": absence.map { .string($0.name) },
        "expected_until": absence.map { .string($0.until) },
      ])
    }
  }
}

extension ResidentState {
  /// Takes one event about this resident; facts that are missing or of another shape are passed over.
  mutating func take(type: EventType, at time: Timestamp, facts: JSONValue) {
    newest = max(newest, time)
    if type == .consentChanged, facts["kind"]?.stringContent == ConsentKind.location.rawValue {
      isLocationRefused = facts["isGranted"]?.boolContent == false
    }
    takeName(facts)
    if type != .positionUnknown { takePosition(facts, at: time) }
    takeBattery(facts)
    if type == .recordChanged { takeChange(facts) }
    raised.take(type, facts)
    routine.take(type, at: time, facts)
    tags.take(type, at: time, facts)
    glucose.take(type, at: time, facts)
    takeMessage(type, facts)
    guard time >= zoneTime else { return }
    switch type {
    case .zoneEntered, .zoneLeft, .zoneUncertain, "zone.certain": takeZone(type, facts)
    case .positionUnknown:
      if facts["severity"]?.stringContent == "alarm" { alarms.insert(.positionUnknown) }
    case .positionRegained: alarms.remove(.positionUnknown)
    case .locationRecorded: takeZoneList(facts)
    case .zoneChanged: takeZoneChange(facts)
    case .absenceBegan, .absenceEnded: takeAbsence(type, facts)
    default: return
    }
    zoneTime = time
  }

  private mutating func takeChange(_ facts: JSONValue) {
    guard let target = facts["target"]?.stringContent else { return }
    switch facts["action"]?.stringContent {
    case "resident.put": name = facts["content"]?["name"]?.stringContent ?? name
    case "zone.remove":
      zones[ZoneID(target)] = nil
      uncertainZones.remove(ZoneID(target))
    default: return
    }
  }

  /// Takes the newest message; what becomes of an older one is in its events.
  private mutating func takeMessage(_ type: EventType, _ facts: JSONValue) {
    guard type == .messageSent || type == .messageSpoken || type == .messageRead,
      let told = LastMessage(facts)
    else { return }
    if let message, told.sentAt < message.sentAt { return }
    message = told
  }

  private mutating func takeName(_ facts: JSONValue) {
    if let given = facts["residentName"]?.stringContent, !given.isEmpty { name = given }
  }

  /// Takes the position with the time of its fix, so that a backlog never moves anybody back.
  private mutating func takePosition(_ facts: JSONValue, at eventTime: Timestamp) {
    let text = facts["fixTime"]?.stringContent ?? facts["time"]?.stringContent
    let time = text.flatMap { try? Timestamp(iso8601: $0) } ?? eventTime
    guard let latitude = facts["latitude"]?.doubleContent,
      let longitude = facts["longitude"]?.doubleContent,
      (-90...90).contains(latitude), (-180...180).contains(longitude),
      position.map({ $0.time <= time }) ?? true
    else { return }
    position = Position(
      latitudeDegrees: latitude, longitudeDegrees: longitude,
      accuracyMeters: facts["accuracyMeters"]?.doubleContent, time: time)
  }

  private mutating func takeBattery(_ facts: JSONValue) {
    guard let percent = facts["batteryPercent"]?.doubleContent, (0...100).contains(percent) else {
      return
    }
    batteryPercent = percent
  }

  private mutating func takeZone(_ type: EventType, _ facts: JSONValue) {
    guard let id = facts["zone"]?.stringContent else { return }
    let zone = ZoneID(id)
    let isInside = type == .zoneEntered || facts["presence"]?.stringContent == "inside"
    isZoneKnown = true
    zones[zone] = isInside ? facts["zoneName"]?.stringContent ?? id : nil
    if type == .zoneUncertain { uncertainZones.insert(zone) } else { uncertainZones.remove(zone) }
    hasNoZone = false
    // Leaving one safe zone for another is no alarm, and being in any of them ends it.
    let isOutside = !isInside && facts["isOutside"]?.boolContent ?? zones.isEmpty
    if !isOutside {
      alarms.remove(.outside)
    } else if type == .zoneLeft, facts["isExpected"]?.boolContent != true {
      alarms.insert(.outside)
    }
  }

  /// Takes that a planned absence began or counts no longer; whoever is out then is missed.
  private mutating func takeAbsence(_ type: EventType, _ facts: JSONValue) {
    let isOutside = facts["isOutside"]?.boolContent ?? false
    let told = PlannedAbsence(facts)
    if type == .absenceBegan {
      absence = told ?? absence
      if facts["isAsked"]?.boolContent == true { alarms.remove(.outside) }
    } else {
      if told?.id == absence?.id { absence = nil }
      if isOutside { alarms.insert(.outside) }
    }
  }

  /// Takes that a zone was removed or drawn anew; where the resident is now comes in events of its own.
  private mutating func takeZoneChange(_ facts: JSONValue) {
    guard let id = facts["zone"]?.stringContent else { return }
    if facts["change"]?.stringContent == "removed" {
      zones[ZoneID(id)] = nil
      uncertainZones.remove(ZoneID(id))
    }
    hasNoZone = facts["zonesLeft"]?.integerContent == 0
    switch facts["isOutside"]?.boolContent {
    case true?: isZoneKnown = true
    case false?: alarms.remove(.outside)
    case nil: break
    }
  }

  /// Takes the list of a location record: names in `zones`, their ids in `zoneIds` at the same places.
  private mutating func takeZoneList(_ facts: JSONValue) {
    guard let names = facts["zones"]?.arrayContent?.compactMap(\.stringContent) else { return }
    let ids = facts["zoneIds"]?.arrayContent?.compactMap(\.stringContent) ?? names
    isZoneKnown = true
    zones = [:]
    if !names.isEmpty {
      hasNoZone = false
      alarms.remove(.outside)
    }
    for (id, name) in zip(ids, names) {
      zones[ZoneID(id)] = name
      uncertainZones.remove(ZoneID(id))
    }
  }
}
