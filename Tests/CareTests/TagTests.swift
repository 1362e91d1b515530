import Bytes
import Care
import JSON
import Moments
import Testing

@Suite("Tags and sightings")
struct TagTests {
  static let full: JSONValue = [
    "id": "keys-1", "resident": "mary", "name": "Mary's keys", "kind": "keys", "zone": "home",
    "room": "hall", "awaySeconds": 300, "silentHours": 12, "isTakenAlong": false,
    "calibration": ["nearEnter": -60, "nearLeave": -70, "roomEnter": -90, "roomLeave": -96.5],
  ]
  static let moment = Moment(tick: .seconds(5), utc: .seconds(1000), quality: .synchronised)

  @Test("A tag survives its JSON, with all and with the least members")
  func tagJSON() throws {
    let tag = try Care.Tag(json: Self.full)
    #expect(tag.kind == .keys)
    #expect(tag.calibration?.roomLeaveDBm == -96.5)
    #expect(try Care.Tag(json: JSONValue(parsing: tag.json.serialized)) == tag)
    let least: JSONValue = ["id": "a", "resident": "mary", "name": "A", "kind": "home"]
    #expect(try Care.Tag(json: least).json == least)
  }

  static let misfits: [(member: String, content: JSONValue, words: String)] = [
    ("id", JSONValue.null, "missing field \"id\""), ("kind", "dog", "unknown word \"kind\""),
    ("awaySeconds", 9, "out of range \"awaySeconds\""),
    ("awaySeconds", 3601, "out of range \"awaySeconds\""),
    ("silentHours", 0, "out of range \"silentHours\""),
    ("silentHours", 8761, "out of range \"silentHours\""),
    ("name", 7, "wrong type \"name\""), ("calibration", [:], "missing field \"nearEnter\""),
    (
      "calibration", ["nearEnter": -70, "nearLeave": -70, "roomEnter": -90, "roomLeave": -96],
      "out of range \"nearEnter\""
    ),
  ]

  @Test("What does not fit is refused by name", arguments: misfits)
  func refused(member: String, content: JSONValue, words: String) {
    #expect {
      try Care.Tag(json: Self.full.setting(member, to: content))
    } throws: { error in
      String(describing: error).hasPrefix(words)
    }
  }

  static let orders: [(Double, Double, Double, Double, Bool)] = [
    (-60.0, -70.0, -90.0, -96.0, true), (-60, -70, -70, -71, true), (-60, -60, -90, -96, false),
    (-60, -70, -69, -96, false), (-60, -70, -90, -90, false), (21, -70, -90, -96, false),
    (-60, -70, -90, -128, false), (.nan, -70, -90, -96, false), (-60, .nan, -90, -96, false),
    (-60, -70, .nan, -96, false), (-60, -70, -90, .nan, false), (.infinity, -70, -90, -96, false),
  ]

  @Test("Thresholds must come in order and be possible", arguments: orders)
  func thresholds(a: Double, b: Double, c: Double, d: Double, isOrdered: Bool) {
    let found = TagThresholds(nearEnterDBm: a, nearLeaveDBm: b, roomEnterDBm: c, roomLeaveDBm: d)
    #expect((found != nil) == isOrdered)
  }

  @Test("The usual thresholds are such as could be given")
  func usualThresholds() throws {
    #expect(try TagThresholds(json: TagThresholds.usual.json) == .usual)
  }

  @Test("A strength that was not measured, or no strength at all, is no sighting")
  func strengths() {
    func sighting(_ strength: Int, _ battery: Int? = nil) -> TagSighting? {
      TagSighting(
        tag: "keys", hearer: "phone", strengthDBm: strength, moment: Self.moment,
        batteryPercent: battery)
    }
    #expect([127, 21, -128, .max, .min].allSatisfy { sighting($0) == nil })
    #expect([20, 0, -127].allSatisfy { sighting($0) != nil })
    #expect([-1, 101].allSatisfy { sighting(-60, $0) == nil })
    #expect([0, 100].allSatisfy { sighting(-60, $0) != nil })
  }

  @Test("A sighting survives its JSON, and no number in it stops anything")
  func sightingJSON() throws {
    let sighting = try #require(
      TagSighting(
        tag: "keys", hearer: "phone", strengthDBm: -60, moment: Self.moment, batteryPercent: 7))
    #expect(try TagSighting(json: JSONValue(parsing: sighting.json.serialized)) == sighting)
    for (member, content) in [
      ("strengthDBm", JSONValue.integer(.max)), ("strengthDBm", .integer(.min)),
      ("batteryPercent", .integer(.max)), ("batteryPercent", -1), ("tick", "late"),
      ("quality", "fine"), ("tag", .null), ("strengthDBm", -60.5),
    ] {
      #expect(throws: DecodeError.self) {
        try TagSighting(json: sighting.json.setting(member, to: content))
      }
    }
  }

  @Test("A hearer survives its JSON, and its offset has limits")
  func hearerJSON() throws {
    for hearer in [
      TagHearer(id: "phone", place: .withResident),
      TagHearer(id: "kitchen", place: .room("Kitchen"), offsetDB: -4.5),
    ] {
      #expect(try TagHearer(json: JSONValue(parsing: hearer.json.serialized)) == hearer)
    }
    #expect(TagHearer(id: "a", place: .withResident, offsetDB: .nan).offsetDB == 0)
    #expect(TagHearer(id: "a", place: .withResident, offsetDB: 99).offsetDB == 30)
    #expect(throws: DecodeError.self) { try TagHearer(json: ["id": "a", "offsetDB": 31]) }
  }

  @Test("Every prefix of every text is refused")
  func prefixes() {
    let bytes = Self.full.serializedBytes
    for count in bytes.indices {
      #expect(throws: DecodeError.self) {
        try Care.Tag(json: JSONValue(parsing: bytes.prefix(count)))
      }
    }
  }
}
