import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

@Suite struct PartsTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func theManifestIsValidAndItsExampleFitsItsSchema() throws {
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent("plugin.json"))
    let manifest = try PluginManifest(parsing: Array(bytes))
    #expect(manifest.name == "mqtt" && manifest.lanes == [.alarm, .record, .trace])
    for grant in [
      "command:glucose.put", "command:glucose.remove", "observe:room-report",
      "observe:room-status",
    ] {
      #expect(manifest.grants.map(\.rawValue).contains(grant), "\(grant)")
    }
    let completed = manifest.settings.applyingDefaults(to: ["host": "h", "homeAssistant": [:]])
    let settings = try MQTTSettings(json: completed, gateway: "hub")
    #expect(settings.discovery == .off && settings.port == 1883)
  }

  @Test func aGlanceFindsWhatAFullReadingFinds() throws {
    let body = Stored.event(7, .zoneLeft, lane: .alarm, ["type": "x", "id": "y", "subject": "z"])
    let glance = try #require(EventGlance(body[...]))
    #expect(glance.id == "id-7" && glance.type == "zone.left" && glance.resident == "mary")
    let strange = Array(
      " { \"subject\":\"resident/m\\u0061ry\", \"data\":{}, \"type\":\"a\", \"id\":\"b\"}".utf8)
    let slow = try #require(EventGlance(strange[...]))
    #expect(slow.id == "b" && slow.type == "a" && slow.resident == "mary")
  }

  @Test func noPrefixOfAnEventAndNoFlippedBitDoesHarm() {
    let body = Stored.event(7, .zoneLeft, lane: .alarm, Stored.position(3))
    var board = StateBoard(topics: Topics(prefix: "p", gateway: "g"))
    for count in 0..<body.count { board.take([body.prefix(count)]) }
    for index in body.indices {
      for bit in 0..<8 {
        var damaged = body
        damaged[index] ^= 1 << UInt8(bit)
        board.take([damaged[...]])
      }
    }
    #expect(board.residents.count <= StateBoard.maximumResidents)
  }

  @Test func namesNeverBecomeWildcardsOrLevels() {
    #expect(Topics.level("a/b+c#d$e\u{0}") == "a_b_c_d_e_")
    let topics = Topics(prefix: "homeward", gateway: "hub/1")
    #expect(topics.status == "homeward/hub_1/status")
    #expect(topics.resident(ofPress: "homeward/hub_1/locate/mary/press") == "mary")
    for other in ["homeward/hub_1/locate//press", "homeward/hub_1/locate/a/b/press", "locate"] {
      #expect(topics.resident(ofPress: other) == nil)
    }
  }

  @Test func differentNamesGiveDifferentIdentifiers() {
    let names = ["mary", "mary-1", "mary_1", "mary.1", "mary 1", "陳", "MARY"]
    #expect(Set(names.map(HomeAssistantDiscovery.identifier)).count == names.count)
    #expect(HomeAssistantDiscovery.identifier("陳").allSatisfy { $0.isASCII })
  }

  @Test func aPositionFromABacklogNeverMovesAnybodyBack() {
    var state = ResidentState(id: "mary")
    let facts: JSONValue = ["latitude": 1.0, "longitude": 1.0]
    state.take(type: .locationRecorded, at: .seconds(100), facts: facts)
    let old: JSONValue = ["latitude": 2.0, "longitude": 2.0]
    state.take(type: .fixAccepted, at: .seconds(50), facts: old)
    state.take(
      type: .fixAccepted, at: .seconds(200),
      facts: old.setting("time", to: .string(Timestamp.seconds(60).iso8601)))
    state.take(type: .positionUnknown, at: .seconds(300), facts: old)
    #expect(state.position?.latitudeDegrees == 1 && state.position?.time == .seconds(100))
    for facts: JSONValue in [["latitude": 91.0, "longitude": 0.0], ["latitude": "1"], [:]] {
      state.take(type: .fixAccepted, at: .seconds(400), facts: facts)
    }
    #expect(state.position?.time == .seconds(100))
  }

  @Test(
    "The siren is on for a person's alarm that asks for sound in the room, and for nothing else",
    arguments: [
      ("sos", AlarmStage.dispatched, "high", true), ("sos", .dispatched, nil, true),
      ("sos", .prealarm, "high", false), ("sos", .dispatched, "none", false),
      ("zone", .dispatched, "none", false), ("zone", .dispatched, "medium", true),
      ("zone", .dispatched, nil, false), ("fault", .dispatched, "none", false),
      ("glucose", .dispatched, "high", true), ("sos", .acknowledged, "high", false),
    ] as [(String, AlarmStage, String?, Bool)])
  func siren(kind: String, stage: AlarmStage, sound: String?, isOn: Bool) {
    var alarms = ResidentAlarms()
    let facts: JSONValue = .object([
      "alarm": "a", "kind": .string(kind), "stage": .string(stage.rawValue),
      "sound": sound.map { .string($0) },
    ])
    let types: [AlarmStage: EventType] = [
      .prealarm: .alarmRaised, .dispatched: .alarmDispatched, .acknowledged: .alarmAcknowledged,
    ]
    alarms.take(types[stage] ?? .alarmRaised, facts)
    #expect(alarms.isSounding == isOn)
    #expect(ResidentAlarms(storage: alarms.storage).isSounding == isOn)
  }

  @Test("Leaving one safe zone for another is no alarm, and being in any of them ends it")
  func severalZones() {
    var state = ResidentState(id: "mary")
    let home: JSONValue = ["zone": "z1", "zoneName": "Home", "isHome": true, "isOutside": false]
    let sister: JSONValue = ["zone": "z2", "zoneName": "Sister", "isOutside": true]
    state.take(type: .zoneEntered, at: .seconds(1), facts: home)
    state.take(type: .zoneLeft, at: .seconds(2), facts: home.setting("isOutside", to: true))
    #expect(state.alarms == [.outside] && state.zoneText == "outside")
    state.take(
      type: .zoneCertain, at: .seconds(3),
      facts: sister.setting("isOutside", to: false).setting("presence", to: "inside"))
    #expect(state.alarms.isEmpty && state.zoneText == "Sister")
    state.take(type: .zoneLeft, at: .seconds(4), facts: sister)
    state.take(
      type: .zoneChanged, at: .seconds(5),
      facts: ["zone": "z2", "change": "removed", "zonesLeft": 1, "isOutside": true])
    #expect(state.alarms == [.outside] && state.zoneText == "outside")
    state.take(
      type: .zoneChanged, at: .seconds(6),
      facts: ["zone": "z1", "change": "removed", "zonesLeft": 0, "isOutside": false])
    #expect(state.alarms.isEmpty && state.zoneText == "no zone")
    state.take(
      type: .zoneChanged, at: .seconds(7),
      facts: ["zone": "z3", "change": "added", "zonesLeft": 1, "isOutside": true])
    #expect(state.zoneText == "outside")
  }

  @Test func aLocationRecordSaysWhichZonesASeveralReasonsKeepTheAlarm() {
    var state = ResidentState(id: "mary")
    state.take(
      type: .locationRecorded, at: .seconds(1),
      facts: ["zones": ["Home", "Garden"], "zoneIds": ["z1", "z2"]])
    #expect(state.zoneText == "Home, Garden")
    let home: JSONValue = ["zone": "z1", "zoneName": "Home", "isHome": true]
    state.take(type: .zoneLeft, at: .seconds(2), facts: home)
    state.take(type: .positionUnknown, at: .seconds(3), facts: ["severity": "notice"])
    #expect(state.alarms.isEmpty && state.zoneText == "Garden")
    state.take(type: .positionUnknown, at: .seconds(4), facts: ["severity": "alarm"])
    state.take(type: .zoneEntered, at: .seconds(5), facts: home)
    #expect(state.alarms == [.positionUnknown])
    state.take(type: .positionRegained, at: .seconds(6), facts: [:])
    #expect(state.alarms.isEmpty)
    state.take(type: .zoneLeft, at: .seconds(4), facts: home)
    #expect(state.alarms.isEmpty)
  }

  @Test func aSignOfLifeBringsNamesAndTakesFaultsBackThatAreGone() {
    var board = StateBoard(topics: Topics(prefix: "p", gateway: "g"))
    for component in ["gps/gps", "store"] {
      board.take([
        Stored.event(1, .faultRaised, resident: nil, ["component": .string(component)])[...]
      ])
    }
    let facts: JSONValue = [
      "faults": ["store"], "residents": [["id": "mary", "name": "Mary 陳"]],
    ]
    board.take([Stored.event(2, .heartbeat, lane: .record, resident: nil, facts)[...]])
    #expect(board.residents["mary"]?.displayName == "Mary 陳")
    #expect(board.faults.values.map(\.component) == ["store"])
    let change: JSONValue = [
      "action": "resident.put", "target": "mary", "content": ["id": "mary", "name": "Maria"],
    ]
    board.take([Stored.event(3, .recordChanged, lane: .record, change)[...]])
    #expect(board.residents["mary"]?.displayName == "Maria")
  }

  @Test func theBoardSurvivesItsOwnStorageButForPositions() throws {
    let topics = Topics(prefix: "p", gateway: "g")
    var board = StateBoard(topics: topics)
    let facts: JSONValue = [
      "zone": "z1", "zoneName": "Home", "isHome": true, "batteryPercent": 41,
      "residentName": "Mary",
    ]
    board.take([Stored.event(1, .zoneEntered, lane: .alarm, facts)[...]])
    board.take([
      Stored.event(2, .faultRaised, ["component": "gps/gps", "code": "no-fix"])[...]
    ])
    let kept = StateBoard(json: board.json, topics: topics)
    #expect(kept.json == board.json)
    #expect(kept.residents["mary"]?.displayName == "Mary")
    #expect(kept.residents["mary"]?.batteryPercent == 41 && kept.faults.count == 1)
    let garbage: JSONValue = ["residents": [7, ["id": 1]], "faults": "x"]
    #expect(StateBoard(json: garbage, topics: topics).residents.isEmpty)
  }
}
