public import Bytes
public import JSON
import Moments
import Texts

extension Coordinate: JSONCodable {
  /// Reads `{"latitude": …, "longitude": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let latitude = try reader.double("latitude")
    let longitude = try reader.double("longitude")
    guard
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      throw reader.error(
        .outOfRange, (-90.0...90.0).contains(latitude) ? "longitude" : "latitude")
    }
    self = coordinate
  }

  /// `{"latitude": …, "longitude": …}`.
  public var json: JSONValue {
    ["latitude": .number(latitudeDegrees), "longitude": .number(longitudeDegrees)]
  }
}

extension Resident: JSONCodable {
  /// Reads a resident; `id`, `name` and `timeZone` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: ResidentID(try reader.string("id")), name: try reader.string("name"),
      timeZone: try reader.string("timeZone"),
      gpsSource: try reader.optionalString("gpsSource").map { SourceID($0) })
  }

  /// The resident as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "name": .string(name), "timeZone": .string(timeZone),
      "gpsSource": gpsSource.map { .string($0.rawValue) },
    ])
  }
}

extension Bookmark: JSONCodable {
  /// Reads a bookmark; the address is optional.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: BookmarkID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")), name: try reader.string("name"),
      address: try reader.optionalString("address") ?? "",
      coordinate: try Coordinate(json: reader.required("coordinate")))
  }

  /// The bookmark as an object.
  public var json: JSONValue {
    [
      "id": .string(id.rawValue), "resident": .string(resident.rawValue), "name": .string(name),
      "address": .string(address), "coordinate": coordinate.json,
    ]
  }
}

extension FixReport: JSONCodable {
  /// Reads a report; `source` and `mode` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      source: SourceID(try reader.string("source")),
      mode: try reader.word("mode", as: FixMode.self),
      latitudeDegrees: try reader.optionalDouble("latitude"),
      longitudeDegrees: try reader.optionalDouble("longitude"),
      accuracyMeters: try reader.optionalDouble("accuracyMeters"),
      altitudeMeters: try reader.optionalDouble("altitudeMeters"),
      speedMetersPerSecond: try reader.optionalDouble("speedMetersPerSecond"),
      courseDegrees: try reader.optionalDouble("courseDegrees"),
      receiverTime: try reader.optionalTimestamp("receiverTime"),
      satellitesUsed: try reader.optionalInteger("satellitesUsed").map { Int($0) },
      isSimulated: try reader.optionalBool("isSimulated") ?? false)
  }

  /// The report as an object; what was not reported is left out.
  public var json: JSONValue {
    .object([
      "source": .string(source.rawValue), "mode": .string(mode.rawValue),
      "latitude": latitudeDegrees.map { .number($0) },
      "longitude": longitudeDegrees.map { .number($0) },
      "accuracyMeters": accuracyMeters.map { .number($0) },
      "altitudeMeters": altitudeMeters.map { .number($0) },
      "speedMetersPerSecond": speedMetersPerSecond.map { .number($0) },
      "courseDegrees": courseDegrees.map { .number($0) },
      "receiverTime": receiverTime.map { .string($0.iso8601) },
      "satellitesUsed": satellitesUsed.map { .integer(Int64($0)) },
      "isSimulated": isSimulated ? true : nil,
    ])
  }
}

extension LocationRecord: JSONCodable {
  /// Reads a record.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      resident: ResidentID(try reader.string("resident")), time: try reader.timestamp("time"),
      timeQuality: try reader.word("timeQuality", as: TimeQuality.self),
      coordinate: try Coordinate(json: json),
      accuracyMeters: try reader.optionalDouble("accuracyMeters"),
      minutesAtLocation: Int(try reader.integer("minutesAtLocation")),
      reason: try reader.word("reason", as: RecordReason.self))
  }

  /// The record as an object.
  public var json: JSONValue {
    .object([
      "resident": .string(resident.rawValue), "time": .string(time.iso8601),
      "timeQuality": .string(timeQuality.rawValue),
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "accuracyMeters": accuracyMeters.map { .number($0) },
      "minutesAtLocation": .integer(Int64(minutesAtLocation)),
      "reason": .string(reason.rawValue),
    ])
  }
}

extension HeadingReport: JSONCodable {
  /// Reads `{"receiver": …, "degrees": 0 …< 360}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let degrees = try reader.double("degrees")
    guard degrees >= 0, degrees < 360 else { throw reader.error(.outOfRange, "degrees") }
    self.init(receiver: SourceID(try reader.string("receiver")), degrees: degrees)
  }

  /// The report as an object.
  public var json: JSONValue {
    ["receiver": .string(receiver.rawValue), "degrees": .number(degrees)]
  }
}

extension HealthReport: JSONCodable {
  /// Reads a report; code and detail are optional.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      component: ComponentID(try reader.string("component")),
      state: try reader.word("state", as: HealthState.self),
      code: try reader.optionalString("code") ?? "",
      detail: Message(verbatim: try reader.optionalString("detail") ?? ""))
    namesPeople = try reader.optionalBool("namesPeople") ?? false
  }

  /// The report as an object.
  public var json: JSONValue {
    .object([
      "component": .string(component.rawValue), "state": .string(state.rawValue),
      "code": .string(code), "detail": .string(detail.description),
      "namesPeople": namesPeople ? true : nil,
    ])
  }
}

extension DeliveryReport: JSONCodable {
  /// Reads a report; the detail is optional.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      plugin: try reader.string("plugin"), event: EventID(try reader.string("event")),
      recipient: try reader.string("recipient"), channel: try reader.string("channel"),
      outcome: try reader.word("outcome", as: Outcome.self),
      detail: try reader.optionalString("detail") ?? "",
      notice: try reader.optionalWord("notice", as: AlarmNotice.self),
      attempt: try reader.optionalInteger("attempt"))
  }

  /// The report as an object.
  public var json: JSONValue {
    .object([
      "plugin": .string(plugin), "event": .string(event.rawValue),
      "recipient": .string(recipient), "channel": .string(channel),
      "outcome": .string(outcome.rawValue), "detail": .string(detail),
      "notice": notice.map { .string($0.rawValue) }, "attempt": attempt.map { .integer($0) },
    ])
  }
}

extension Observation: JSONCodable {
  /// Reads `{"kind": "fix" | "heading" | "health" | "clock" | "delivery" | "button" | "photo" | "sound" | "sighting" |
  /// "listening" | "meter" | "map" | "ways", …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("kind") {
    case "fix": self = .fix(try FixReport(json: json))
    case "heading": self = .heading(try HeadingReport(json: json))
    case "health": self = .health(try HealthReport(json: json))
    case "clock":
      self = .clock(
        ClockReport(
          quality: try reader.word("quality", as: TimeQuality.self),
          stepMilliseconds: try reader.optionalInteger("stepMilliseconds") ?? 0))
    case "delivery": self = .delivery(try DeliveryReport(json: json))
    case "button": self = .button(try ButtonReport(json: json))
    case "photo": self = .photo(try PhotoReport(json: json))
    case "sound":
      self = .sound(
        SoundReport(
          sound: SoundID(try reader.string("sound")),
          outcome: try reader.word("outcome", as: SoundReport.Outcome.self)))
    case "sighting": self = .sighting(try TagSighting(json: json))
    case "listening":
      self = .listening(
        SourceID(try reader.string("hearer")), isListening: try reader.bool("isListening"))
    case "map":
      let members = json.objectContent?.filter { $0.key != "kind" } ?? []
      self = .map(FeatureValue(json: .object(members)))
    case "meter":
      let members = (json.objectContent ?? []).filter { $0.key != "kind" }
      self = .meter(FeatureValue(json: .object(members)))
    case "ways": self = .ways(try WaysReport(json: json))
    default: throw reader.error(.unknownWord, "kind")
    }
  }

  /// The observation as an object with `kind`.
  public var json: JSONValue {
    switch self {
    case .fix(let report): report.json.setting("kind", to: "fix")
    case .heading(let report): report.json.setting("kind", to: "heading")
    case .health(let report): report.json.setting("kind", to: "health")
    case .clock(let report):
      [
        "kind": "clock", "quality": .string(report.quality.rawValue),
        "stepMilliseconds": .integer(report.stepMilliseconds),
      ]
    case .delivery(let report): report.json.setting("kind", to: "delivery")
    case .button(let report): report.json.setting("kind", to: "button")
    case .photo(let report): report.json.setting("kind", to: "photo")
    case .sound(let report):
      [
        "kind": "sound", "sound": .string(report.sound.rawValue),
        "outcome": .string(report.outcome.rawValue),
      ]
    case .sighting(let sighting): sighting.json.setting("kind", to: "sighting")
    case .listening(let hearer, let isListening):
      [
        "kind": "listening", "hearer": .string(hearer.rawValue),
        "isListening": .bool(isListening),
      ]
    case .meter(let report): report.json.setting("kind", to: "meter")
    case .map(let report): report.json.setting("kind", to: "map")
    case .ways(let report): report.json.setting("kind", to: "ways")
    }
  }
}

extension Command: JSONCodable {
  /// Reads `{"id": …, "principal": {"channel": …, "name": …}, "expiresAt": …, "freshUntil": …, "sentAt": …, "sentTick": …,
  /// "request": {"action": "zone.put", …}}`; `freshUntil` and `sentTick` in milliseconds since boot.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let principal = try reader.object("principal")
    self.init(
      id: CommandID(try reader.string("id")),
      principal: Principal(
        channel: try principal.word("channel", as: Principal.Channel.self),
        name: try principal.string("name")),
      expiresAt: try reader.optionalTimestamp("expiresAt"),
      freshUntil: try reader.optionalInteger("freshUntil").map { .milliseconds($0) },
      sentAt: try reader.optionalTimestamp("sentAt"),
      sentTick: try reader.optionalInteger("sentTick").map { .milliseconds($0) },
      request: try Request(json: reader.required("request")))
    account = try reader.optionalString("account")
    address = try reader.optionalString("address")
    if let verdict = try reader.optionalWord("pinVerdict", as: PINVerdict.self) {
      pinProof = .verdict(verdict)
    } else if let hash = try reader.optionalString("pinHash") {
      pinProof = .hash(hash)
    }
    credentials = try reader.optional("credentials").map { json throws(DecodeError) in
      try Credentials(json: json)
    }
    if let note = reader.optional("storedNote") {
      stored = .note(try Note(json: note))
    } else if let message = reader.optional("storedMessage") {
      stored = .message(try ChatMessage(json: message))
    } else if let reading = reader.optional("storedReading") {
      stored = .reading(FeatureValue(json: reading))
    }
  }

  /// The command as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue),
      "principal": [
        "channel": .string(principal.channel.rawValue), "name": .string(principal.name),
      ],
      "account": account.map { .string($0) }, "address": address.map { .string($0) },
      "expiresAt": expiresAt.map { .string($0.iso8601) },
      "freshUntil": freshUntil.map { .integer($0.wholeMilliseconds) },
      "sentAt": sentAt.map { .string($0.iso8601) },
      "sentTick": sentTick.map { .integer($0.wholeMilliseconds) }, "request": request.json,
      "pinVerdict": pinVerdict.map { .string($0.rawValue) },
      "pinHash": pinHash.map { .string($0) }, "credentials": credentials?.json,
      "storedNote": storedNote?.json,
      "storedMessage": storedMessage?.json, "storedReading": storedFeature?.json,
    ])
  }
}

extension Command.Request: JSONCodable {
  /// Reads `{"action": "zone.put", …}`; see ``action`` for the words.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let action = try reader.string("action")
    if let request = try AlarmRequest.read(action, reader) {
      self = .alarm(request)
      return
    }
    if let request = try RoomRequest.read(action, reader) {
      self = .room(request)
      return
    }
    if let request = try RoutineRequest.read(action, reader) {
      self = .routine(request)
      return
    }
    if let request = try NoteRequest.read(action, reader) {
      self = .note(request)
      return
    }
    if let request = try BluetoothRequest.read(action, reader) {
      self = .bluetooth(request)
      return
    }
    if let request = try AbsenceRequest.read(action, reader) {
      self = .absence(request)
      return
    }
    if let request = FeatureRequest(action, json) {
      self = .feature(request)
      return
    }
    switch action {
    case "consent.put":
      self = .putConsent(
        resident: ResidentID(try reader.string("target")),
        kind: try reader.word("kind", as: ConsentKind.self),
        isGranted: try reader.bool("isGranted"), by: try reader.string("by"))
    case "guardian.put": self = .putGuardian(try Guardian(json: reader.required("guardian")))
    case "guardian.remove": self = .removeGuardian(GuardianID(try reader.string("target")))
    case "resident.put": self = .putResident(try Resident(json: reader.required("resident")))
    case "resident.erase": self = .eraseResident(ResidentID(try reader.string("target")))
    case "zone.put": self = .putZone(try SafeZone(json: reader.required("zone")))
    case "zone.remove": self = .removeZone(ZoneID(try reader.string("target")))
    case "bookmark.put": self = .putBookmark(try Bookmark(json: reader.required("bookmark")))
    case "bookmark.remove": self = .removeBookmark(BookmarkID(try reader.string("target")))
    case "setting.put":
      self = .putSetting(
        resident: ResidentID(try reader.string("target")), name: try reader.string("name"),
        value: reader.optional("value") ?? .null)
    case "tracking.set":
      self = .setTracking(
        resident: ResidentID(try reader.string("target")), isOn: try reader.bool("isOn"))
    case "locate": self = .locate(resident: ResidentID(try reader.string("target")))
    default: throw reader.error(.unknownWord, "action")
    }
  }

  /// The request as an object with `action`.
  public var json: JSONValue {
    switch self {
    case .putResident(let resident): ["action": .string(action), "resident": resident.json]
    case .putZone(let zone): ["action": .string(action), "zone": zone.json]
    case .putBookmark(let bookmark): ["action": .string(action), "bookmark": bookmark.json]
    case .putGuardian(let guardian): ["action": .string(action), "guardian": guardian.json]
    case .alarm(let request): request.json
    case .room(let request): request.json
    case .routine(let request): request.json
    case .note(let request): request.json
    case .bluetooth(let request): request.json
    case .absence(let request): request.json
    case .feature(let request): request.json
    case .putSetting(_, let name, let content):
      [
        "action": .string(action), "target": .string(target), "name": .string(name),
        "value": content,
      ]
    case .putConsent(_, let kind, let isGranted, let who):
      [
        "action": .string(action), "target": .string(target), "kind": .string(kind.rawValue),
        "isGranted": .bool(isGranted), "by": .string(who),
      ]
    case .setTracking(_, let isOn):
      ["action": .string(action), "target": .string(target), "isOn": .bool(isOn)]
    case .eraseResident, .removeZone, .removeBookmark, .removeGuardian, .locate:
      ["action": .string(action), "target": .string(target)]
    }
  }

  /// The request's word, which grants and the audit log use.
  public var action: String {
    switch self {
    case .putResident: "resident.put"
    case .eraseResident: "resident.erase"
    case .putZone: "zone.put"
    case .removeZone: "zone.remove"
    case .putBookmark: "bookmark.put"
    case .removeBookmark: "bookmark.remove"
    case .putSetting: "setting.put"
    case .setTracking: "tracking.set"
    case .locate: "locate"
    case .putGuardian: "guardian.put"
    case .removeGuardian: "guardian.remove"
    case .alarm(let request): request.action
    case .room(let request): request.action
    case .routine(let request): request.action
    case .note(let request): request.action
    case .bluetooth(let request): request.action
    case .absence(let request): request.action
    case .feature(let request): request.action
    case .putConsent: "consent.put"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .putResident(let resident): resident.id.rawValue
    case .eraseResident(let id): id.rawValue
    case .putZone(let zone): zone.id.rawValue
    case .removeZone(let id): id.rawValue
    case .putBookmark(let bookmark): bookmark.id.rawValue
    case .removeBookmark(let id): id.rawValue
    case .putSetting(let resident, _, _): resident.rawValue
    case .setTracking(let resident, _): resident.rawValue
    case .locate(let resident): resident.rawValue
    case .putGuardian(let guardian): guardian.id.rawValue
    case .removeGuardian(let id): id.rawValue
    case .alarm(let request): request.target
    case .room(let request): request.target
    case .routine(let request): request.target
    case .note(let request): request.target
    case .bluetooth(let request): request.target
    case .absence(let request): request.target
    case .feature(let request): request.target
    case .putConsent(let resident, _, _, _): resident.rawValue
    }
  }
}

extension Command {
  /// What an entered PIN is worth, as the runtime found.
  public var pinVerdict: PINVerdict? {
    if case .verdict(let verdict) = pinProof { verdict } else { nil }
  }

  /// The hash of a PIN to be set, as the runtime made it.
  public var pinHash: String? {
    if case .hash(let hash) = pinProof { hash } else { nil }
  }

  /// The note that the request names, as the store holds it.
  public var storedNote: Note? {
    if case .note(let note) = stored { note } else { nil }
  }

  /// The message that the request names, as the store holds it.
  public var storedMessage: ChatMessage? {
    if case .message(let message) = stored { message } else { nil }
  }

  /// The reading that the request names, as the store holds it and as its feature knows it.
  public var storedFeature: FeatureValue? {
    if case .reading(let reading) = stored { reading } else { nil }
  }
}
