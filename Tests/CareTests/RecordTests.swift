import Bytes
import Care
import CivilTime
import JSON
import Moments
import Testing

/// What is kept and sent comes back as it was, and what lacks something is told by its name.
@Suite("Records in JSON") struct RecordTests {
  /// A record with all its members, in the order in which it is written.
  struct Record: Sendable, CustomTestStringConvertible {
    let type: any JSONCodable.Type
    let full: JSONValue
    let optional: Set<String>

    init(_ type: any JSONCodable.Type, _ full: JSONValue, optional: Set<String> = []) {
      self.type = type
      self.full = full
      self.optional = optional
    }

    var testDescription: String { "\(type)" }

    /// The record as it is written again.
    func read(_ json: JSONValue) throws -> JSONValue { try type.init(json: json).json }
  }

  private static let place: JSONValue = ["latitude": -24.5, "longitude": 133.25]
  private static let time: JSONValue = "2026-11-20T14:32:05.120Z"

  private static let people: [Record] = [
    Record(
      Resident.self,
      ["id": "mary", "name": "李 \"M\" 🙂", "timeZone": "Europe/Oslo", "gpsSource": "gps"],
      optional: ["gpsSource"]),
    Record(
      Guardian.self,
      [
        "id": "anna", "resident": "mary", "name": "Anna", "phone": "+4791234567",
        "email": "anna@example.org", "push": "ntfy://x", "withoutChannels": ["sms", "push"],
        "tier": 3, "isCaregiver": true, "language": "zh",
      ],
      optional: [
        "phone", "email", "push", "withoutChannels", "tier", "isCaregiver", "language",
      ]),
    Record(
      Consent.self,
      [
        "resident": "mary", "kind": "camera", "isGranted": false, "by": "Anna", "at": time,
        "principal": "local:anna",
      ]),
    Record(
      ProvenIdentity.self,
      ["issuer": "https://id.example", "subject": "7", "name": "Anna", "connects": "a-1"],
      optional: ["name", "connects"]),
    Record(
      Credentials.self,
      [
        "isRight": false, "password": "$6$a", "answers": ["$6$b", "$6$c"], "token": "aa",
        "code": "bb", "identity": ["issuer": "i", "subject": "s"],
      ], optional: ["isRight", "password", "answers", "token", "code", "identity"]),
    Record(
      WaysReport.self,
      [
        "offers": [
          ["channel": "sms", "plugin": "sms-modem", "isRunning": true],
          ["channel": "push", "plugin": "push", "isRunning": false],
        ],
        "voice": ["plugin": "speech", "isRunning": true],
        "emergency": ["plugin": "sms-modem", "isRunning": false],
      ], optional: ["offers", "voice", "emergency"]),
  ]

  private static let places: [Record] = [
    Record(Coordinate.self, place),
    Record(
      Bookmark.self,
      ["id": "shop", "resident": "mary", "name": "Shop", "address": "1 St", "coordinate": place],
      optional: ["address"]),
    Record(
      SafeZone.self,
      [
        "id": "club", "resident": "mary", "name": "Club", "center": place, "radiusMeters": 25.5,
        "exitMarginMeters": 40.0, "isHome": true, "alarmOnLeaving": true, "hours": "08:00-20:00",
      ], optional: ["exitMarginMeters", "isHome", "alarmOnLeaving", "hours"]),
    Record(
      Absence.self,
      [
        "id": "club", "resident": "mary", "name": "Club", "days": ["MO", "SU"], "from": "09:00",
        "until": "16:30", "graceMinutes": 15, "zone": "club",
      ], optional: ["graceMinutes", "zone"]),
    Record(
      PastHome.self,
      ["zone": "home", "generation": 2, "center": place, "reachMeters": 150.5]),
    Record(
      LocationRecord.self,
      [
        "resident": "mary", "time": time, "timeQuality": "satellite", "latitude": 1.5,
        "longitude": -2.25, "accuracyMeters": 4.5, "minutesAtLocation": 12, "reason": "moved",
      ], optional: ["accuracyMeters"]),
    Record(
      FixReport.self,
      [
        "source": "gps", "mode": "3d", "latitude": 1.5, "longitude": -2.25, "accuracyMeters": 4.5,
        "altitudeMeters": 12.5, "speedMetersPerSecond": 1.5, "courseDegrees": 270.5,
        "receiverTime": time, "satellitesUsed": 7, "isSimulated": true,
      ],
      optional: [
        "latitude", "longitude", "accuracyMeters", "altitudeMeters", "speedMetersPerSecond",
        "courseDegrees", "receiverTime", "satellitesUsed", "isSimulated",
      ]),
    Record(HeadingReport.self, ["receiver": "gps", "degrees": 359.5]),
  ]

  private static let routine: [Record] = [
    Record(
      RoutineItem.self,
      [
        "id": "pill", "resident": "mary", "kind": "medicine", "title": "Pill", "details": "white",
        "place": "kitchen", "dose": "1 tablet", "isOn": false, "isCritical": true,
        "schedule": ["kind": "as-needed", "minimumGapMinutes": 60, "dailyMaximum": 3],
        "timing": ["noticeMinutes": 10, "quietHours": "none"],
        "stock": ["units": 19.5, "unitsPerDose": 1, "warnDays": 7],
        "recording": "/a.wav", "picture": "aa", "source": "work", "event": "ee", "revision": 4,
      ],
      optional: [
        "kind", "details", "place", "dose", "isOn", "isCritical", "timing", "stock", "recording",
        "picture", "source", "event", "revision",
      ]),
    Record(
      ReminderTiming.self,
      [
        "noticeMinutes": 1, "repeatMinutes": 2, "attempts": 3, "snoozeMinutes": 4,
        "snoozeLimit": 5, "caregiverMinutes": 6, "missedMinutes": 7, "graceMinutes": 8,
        "earlyMinutes": 9, "quietHours": "22:00-07:00", "inQuietHours": "nearest",
      ],
      optional: [
        "noticeMinutes", "repeatMinutes", "attempts", "snoozeMinutes", "snoozeLimit",
        "caregiverMinutes", "missedMinutes", "graceMinutes", "earlyMinutes", "quietHours",
        "inQuietHours",
      ]),
    Record(
      Stock.self, ["units": 19.5, "unitsPerDose": 0.5, "warnDays": 3],
      optional: ["unitsPerDose", "warnDays"]),
    Record(
      Occurrence.self,
      [
        "item": "pill", "resident": "mary", "slot": "2026-03-29T02:30", "due": time,
        "state": "not-now", "prompts": 2, "snoozes": 1, "isTold": true, "changedAt": time,
        "by": "local:anna", "reason": "asleep", "isLate": true,
      ], optional: ["by", "reason"]),
  ]

  private static let notes: [Record] = [
    Record(
      Note.self,
      [
        "id": "n", "resident": "mary", "kind": "diary", "title": "Lunch", "text": "Soup",
        "tags": ["a", "b"], "time": time, "pictures": ["aa"], "author": "Anna",
        "changedAt": time, "revision": 3,
      ], optional: ["title", "text", "tags", "pictures", "author", "revision"]),
    Record(
      NoteHead.self, ["id": "n", "resident": "mary", "revision": 3, "pictures": ["aa"]],
      optional: ["pictures"]),
    Record(
      Picture.self,
      [
        "id": "aa", "resident": "mary", "mediaType": "image/png", "bytes": 5, "width": 6,
        "height": 7,
      ]),
    Record(
      ChatMessage.self,
      [
        "id": "m", "resident": "mary", "direction": "to-caregivers", "sender": "Mary",
        "text": "hi", "recording": "rr", "recordingSeconds": 9, "sentAt": time, "spokenAt": time,
        "readAt": time, "readBy": "button/wired",
      ], optional: ["recording", "recordingSeconds", "spokenAt", "readAt", "readBy"]),
    Record(
      Recording.self,
      [
        "id": "rr", "resident": "mary", "bytes": 5, "milliseconds": 6, "keptAt": time,
        "isSent": true,
      ], optional: ["isSent"]),
  ]

  private static let devices: [Record] = [
    Record(
      GlucoseMeter.self,
      ["address": "C0:11:22:33:44:55/random", "resident": "mary", "name": "Meter"]),
    Record(
      ButtonBinding.self,
      [
        "button": "wired", "resident": "mary", "caregiver": "anna", "press": "take-home",
        "double": "none", "triple": "sos",
      ], optional: ["resident", "caregiver"]),
    Record(ButtonReport.self, ["button": "wired", "gesture": "hold", "edge": 12_345_678_901]),
    Record(
      PhotoReport.self, ["alarm": "a", "path": "/a.jpg", "detail": "dark"],
      optional: ["path", "detail"]),
    Record(
      HealthReport.self,
      ["component": "gps/gps", "state": "degraded", "code": "no-fix", "detail": "…"],
      optional: ["code", "detail"]),
    Record(
      DeliveryReport.self,
      [
        "plugin": "sms", "event": "e", "recipient": "anna", "channel": "sms",
        "outcome": "delivered", "detail": "ok", "notice": "duress", "attempt": 2,
      ], optional: ["detail", "notice", "attempt"]),
    Record(
      AlarmMessage.self,
      [
        "event": "e", "tag": "A7K2", "notice": "photo", "recipient": "anna", "channel": "email",
        "address": "anna@example.org", "attempt": 2, "text": "t", "spokenText": "s",
        "language": "en", "asksForAcknowledgement": true, "attachment": "/a.jpg",
      ], optional: ["attachment"]),
    Record(
      EngineRow.self,
      ["engine": "tracking", "subject": "mary", "name": "fix", "content": ["a": [1.5, .null]]],
      optional: ["content"]),
  ]

  private static let all = people + places + routine + notes + devices

  @Test("All of a record comes back, in the same order", arguments: all)
  func whole(record: Record) throws {
    let read = try record.read(JSONValue(parsing: record.full.serialized))
    #expect(read.serialized == record.full.serialized)
  }

  @Test("What has to be there is asked for by its name, the rest may be missing", arguments: all)
  func missing(record: Record) throws {
    for member in record.full.objectContent ?? [] {
      for json in [record.without(member.key), record.full.setting(member.key, to: .null)] {
        if record.optional.contains(member.key) {
          let read = try record.read(json)
          #expect(try record.read(read) == read, "\(member.key)")
        } else {
          let error = #expect(throws: DecodeError.self) { try record.read(json) }
          #expect(error?.code == .missingField, "\(member.key)")
          #expect(error?.field == member.key)
        }
      }
    }
    #expect(throws: DecodeError(.wrongType, at: 0)) { try record.read([]) }
  }

  @Test("What is of another kind is refused", arguments: all)
  func wrongKind(record: Record) {
    for member in record.full.objectContent ?? [] where member.key != "content" {
      for content: JSONValue in [member.value.boolContent == nil ? true : "true", [["x": 1]]] {
        let json = record.full.setting(member.key, to: content)
        #expect(throws: DecodeError.self, "\(member.key)") { try record.read(json) }
      }
    }
  }

  // MARK: What is within no bounds

  private static func long(_ count: Int) -> JSONValue {
    .string(String(repeating: "a", count: count))
  }

  @Test(
    "What is within no bounds is refused by its name",
    arguments: [
      ("Guardian", "tier", 0, "out of range \"tier\""),
      ("Guardian", "tier", 4, "out of range \"tier\""),
      ("Guardian", "withoutChannels", ["fax"], "unknown word \"withoutChannels\""),
      ("Guardian", "withoutChannels", [7], "unknown word \"withoutChannels\""),
      ("Consent", "kind", "soul", "unknown word \"kind\""),
      ("ProvenIdentity", "issuer", "", "out of range \"issuer\""),
      ("ProvenIdentity", "issuer", long(501), "out of range \"issuer\""),
      ("ProvenIdentity", "subject", long(256), "out of range \"subject\""),
      ("ProvenIdentity", "subject", "a\nb", "out of range \"subject\""),
      ("ProvenIdentity", "name", long(201), "out of range \"name\""),
      ("ProvenIdentity", "name", "", "out of range \"name\""),
      ("WaysReport", "offers", [["channel": "fax", "plugin": "x", "isRunning": true]], "unknown"),
      ("WaysReport", "voice", ["plugin": "speech"], "missing field \"voice.isRunning\""),
      ("Coordinate", "latitude", 90.5, "out of range \"latitude\""),
      ("Coordinate", "longitude", -180.5, "out of range \"longitude\""),
      ("LocationRecord", "latitude", -91, "out of range \"latitude\""),
      ("LocationRecord", "reason", "boredom", "unknown word \"reason\""),
      ("LocationRecord", "timeQuality", "good", "unknown word \"timeQuality\""),
      ("SafeZone", "hours", "8-20", "unknown word \"hours\""),
      ("SafeZone", "border", ["type": "Point"], "unknown word \"type\""),
      ("SafeZone", "center", ["latitude": 1], "missing field \"longitude\""),
      ("Absence", "days", [], "missing field \"days\""),
      ("Absence", "days", ["MO", "Tuesday"], "unknown word \"days\""),
      ("Absence", "on", "2026-12-24", "out of range \"days\""),
      ("Absence", "from", "9:00", "out of range \"from\""),
      ("Absence", "until", "24:00", "out of range \"until\""),
      ("FixReport", "mode", "4d", "unknown word \"mode\""),
      ("HeadingReport", "degrees", 360, "out of range \"degrees\""),
      ("HeadingReport", "degrees", -0.5, "out of range \"degrees\""),
      ("RoutineItem", "kind", "nap", "unknown word \"kind\""),
      ("RoutineItem", "timing", ["repeatMinute": 5], "unknown word \"repeatMinute\""),
      ("RoutineItem", "schedule", ["kind": "sometimes"], "unknown word \"kind\""),
      ("ReminderTiming", "inQuietHours", "later", "unknown word \"inQuietHours\""),
      ("Stock", "units", 1_000_000_001, "wrong type"), ("Stock", "units", -1e30, "wrong type"),
      ("Occurrence", "state", "lost", "unknown word \"state\""),
      ("Occurrence", "due", "yesterday", "unexpected byte \"due\""),
      ("Note", "kind", "poem", "unknown word \"kind\""),
      ("Note", "tags", ["a", 7], "wrong type \"tags\""),
      ("ChatMessage", "direction", "up", "unknown word \"direction\""),
      ("ChatMessage", "sentAt", "2026-02-30T00:00:00Z", "out of range \"sentAt\""),
      ("GlucoseMeter", "address", "C0:11:22:33:44", "out of range \"address\""),
      ("ButtonBinding", "press", "dance", "unknown word \"press\""),
      ("ButtonReport", "gesture", "wave", "unknown word \"gesture\""),
      ("HealthReport", "state", "fine", "unknown word \"state\""),
      ("DeliveryReport", "outcome", "lost", "unknown word \"outcome\""),
      ("AlarmMessage", "channel", "fax", "unknown word \"channel\""),
      ("AlarmMessage", "notice", "gossip", "unknown word \"notice\""),
    ] as [(String, String, JSONValue, String)])
  func bounds(type: String, member: String, content: JSONValue, words: String) throws {
    let record = try #require(Self.all.first { $0.testDescription == type })
    let error = #expect(throws: DecodeError.self) {
      try record.read(record.full.setting(member, to: content))
    }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "taken")")
  }

  @Test(
    "What is counted on has a successor, whatever stands in a damaged file",
    arguments: [
      ("Occurrence", "prompts"), ("Occurrence", "snoozes"), ("Note", "revision"),
      ("NoteHead", "revision"), ("RoutineItem", "revision"), ("PastHome", "generation"),
      ("AlarmMessage", "attempt"), ("ChatMessage", "recordingSeconds"),
    ])
  func counts(type: String, member: String) throws {
    let record = try #require(Self.all.first { $0.testDescription == type })
    for (number, kept) in [
      (Int64.max, 2_147_483_647), (2_147_483_648, 2_147_483_647), (7, 7), (-1, 0), (.min, 0),
    ] as [(Int64, Int64)] {
      let read = try record.read(record.full.setting(member, to: .integer(number)))
      #expect(read[member] == .integer(kept))
    }
  }

  // MARK: What is left out

  @Test("An absence is on days of each week or on one day, and on nothing else")
  func absences() throws {
    let weekly = try #require(Self.all.first { $0.testDescription == "Absence" }).full
    let once = weekly.setting("days", to: .null)
    let read = try Absence(json: once.setting("on", to: "2026-12-24"))
    #expect(read.days.date?.localText == "2026-12-24T00:00:00" && read.days.weekdays == nil)
    #expect(try Absence(json: JSONValue(parsing: read.json.serialized)) == read)
    #expect(read.json["days"] == nil && read.json["on"] == "2026-12-24")
    for day: JSONValue in ["2026-02-29", "2026-12-24T00:00", "24.12.2026", "2026-13-01", ""] {
      #expect(throws: DecodeError(.outOfRange, at: 0, field: "on")) {
        try Absence(json: once.setting("on", to: day))
      }
    }
    let days = try Absence(json: weekly.setting("days", to: ["SU", "MO", "SU"])).days
    #expect(days.weekdays == [.monday, .sunday] && days.date == nil)
    let usual = try Absence(json: weekly.setting("graceMinutes", to: .null))
    #expect(usual.graceMinutes == Absence.usualGraceMinutes)
  }

  @Test("A zone with a border lies where the border does, whatever circle stands beside it")
  func borders() throws {
    let circle = try #require(Self.all.first { $0.testDescription == "SafeZone" }).full
    let border: JSONValue = [
      "type": "Polygon", "coordinates": [[[10, 60], [10.01, 60], [10.01, 60.01], [10, 60]]],
    ]
    let zone = try SafeZone(json: circle.setting("border", to: border))
    let polygon = try Polygon(json: border)
    #expect(zone.polygon == polygon && zone.center == polygon.center)
    #expect(zone.radiusMeters == polygon.radiusMeters && zone.boxes == polygon.boxes)
    #expect(try SafeZone(json: JSONValue(parsing: zone.json.serialized)) == zone)
    let inside = try Coordinate(json: ["latitude": 60.002, "longitude": 10.008])
    let outside = try Coordinate(json: ["latitude": 60.009, "longitude": 10.001])
    #expect(zone.edgeMeters(from: inside) < 0 && zone.edgeMeters(from: outside) > 0)
    let least = try SafeZone(json: [
      "id": "a", "resident": "mary", "name": "A", "center": Self.place, "radiusMeters": 25,
    ])
    #expect(least.exitMarginMeters == 50 && !least.isHome && !least.alarmsOnLeaving)
    #expect(least.edgeMeters(from: least.center) == -25)
  }
}

extension RecordTests.Record {
  fileprivate func without(_ member: String) -> JSONValue {
    .object((full.objectContent ?? []).filter { $0.key != member })
  }
}
