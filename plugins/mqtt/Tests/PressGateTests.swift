import Care
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

@Suite struct PressGateTests {
  private static let now = Timestamp.seconds(1_795_000_000)
  private static let topic = "homeward/hub/acknowledge/anna"

  private func decision(
    _ payload: [UInt8], topic: String = topic, open: [String] = ["a-1"], isRetained: Bool = false,
    mayHaveWaited: Bool = false, at arrival: Arrival = .init(now: now, tick: .seconds(100))
  ) throws -> CommandGate.Decision? {
    let settings = try MQTTSettings(
      json: [
        "host": "h", "guardians": ["anna"],
        "commands": [["principal": "home-assistant", "actions": ["alarm.silence", "sos.raise"]]],
      ], gateway: "hub")
    return PressGate(settings: settings).decide(
      .init(
        topic: topic, payload: payload, isRetained: isRetained, mayHaveWaited: mayHaveWaited),
      at: arrival,
      openAlarms: open, freshID: { "fresh" })
  }

  private func reason(_ payload: String, topic: String = topic) throws -> String? {
    guard case .ignore(let reason, _, _) = try decision(Array(payload.utf8), topic: topic) else {
      return nil
    }
    return reason
  }

  private func expiry(_ seconds: Int64) -> String {
    "{\"expiresAt\":\"\(Self.now.advanced(byMilliseconds: seconds * 1000).iso8601)\"}"
  }

  @Test func aPressIsTakenOnlyWhileItIsFresh() throws {
    #expect(try reason(expiry(-1))?.contains("expired") == true)
    #expect(try reason(expiry(0))?.contains("expired") == true)
    #expect(try reason(expiry(301))?.contains("five minutes") == true)
    #expect(try reason(expiry(300)) == nil)
    #expect(try reason("PRESS")?.contains("old one") == true)
    #expect(try reason("{}")?.contains("old one") == true)
    for topic in ["homeward/hub/siren/set", "homeward/hub/sos/mary/press"] {
      #expect(try reason("OFF", topic: topic)?.contains("old one") == true)
    }
  }

  @Test func whatIsNoPressIsIgnoredAndSaidWhy() throws {
    let payloads = [
      "", " ", "A7 K2", "A7K2\n", String(repeating: "x", count: 101), "{", "{\"alarm\":5}",
      "{\"alarm\":\"\"}", "{\"expiresAt\":\"soon\"}", String(repeating: "x", count: 5000),
      "{\"id\":\"\(String(repeating: "x", count: 101))\"}",
    ]
    for payload in payloads { #expect(try reason(payload) != nil, "\(payload.prefix(40))") }
    #expect(
      try decision([0xFF, 0xFE])
        == .ignore(
          reason: "it must be an alarm's tag, or an object of JSON", id: nil, replyTopic: nil))
  }

  private static let help = "homeward/hub/sos/mary/press"
  /// A hub that woke in 1970 while Home Assistant knows the time.
  private static let unset = Arrival(now: .seconds(60), isClockKept: false, tick: .seconds(60))

  private func forwarded(_ decision: CommandGate.Decision?) -> JSONValue? {
    guard case .forward(let params, _, _) = decision else { return nil }
    return params
  }

  @Test(
    "While the hub's clock is unset a press of now counts by when it came",
    arguments: [help, topic])
  func pressOfNow(topic: String) throws {
    let press = Array(expiry(30).utf8)
    let params = try #require(forwarded(try decision(press, topic: topic, at: Self.unset)))
    #expect(params["freshUntil"] == .integer(90_000))
    #expect(params["expiresAt"]?.stringContent == Self.now.advanced(byMilliseconds: 30_000).iso8601)
    if topic == Self.topic { #expect(params["request"]?["target"] == "a-1") }
  }

  @Test("What may have waited at the broker is never vouched for, and names no alarm by itself")
  func pressThatMayHaveWaited() throws {
    let press = Array(expiry(30).utf8)
    for topic in [Self.help, Self.topic] {
      let params = try #require(
        forwarded(try decision(press, topic: topic, mayHaveWaited: true, at: Self.unset)))
      #expect(params["freshUntil"] == nil)
      #expect(params["request"]?["target"] != "a-1")
    }
    let named = try #require(forwarded(try decision(Array("A7K2".utf8), mayHaveWaited: true)))
    #expect(named["request"]?["target"] == "A7K2" && named["freshUntil"] == .integer(130_000))
    let retained = try decision(press, isRetained: true, at: Self.unset)
    #expect(forwarded(retained) == nil)
  }

  @Test func aRetainedPressIsNoPress() throws {
    let decided = try decision(Array("A7K2".utf8), isRetained: true)
    guard case .ignore(let reason, _, _) = decided else {
      Issue.record("a retained press was taken")
      return
    }
    #expect(reason.contains("retained"))
  }

  @Test func otherTopicsAreNotOurs() throws {
    for topic in ["homeward/hub/acknowledge/joe", "homeward/hub/siren", "homeward/hub/sos//press"] {
      #expect(try decision(Array("A7K2".utf8), topic: topic) == nil)
    }
  }

  @Test func noPrefixAndNoFlippedBitTakesAnotherGuardiansPlace() throws {
    let whole = Array("{\"alarm\":\"A7K2\",\"id\":\"x\"}".utf8)
    for index in whole.indices {
      _ = try decision(Array(whole.prefix(index)))
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << UInt8(bit)
        if case .forward(let params, _, _) = try decision(damaged) {
          #expect(params["principal"] == "anna")
        }
      }
    }
  }

  @Test func twoGuardiansNeverShareATopic() {
    #expect(throws: RPCError.self) {
      try MQTTSettings(json: ["host": "h", "guardians": ["a/b", "a+b"]], gateway: "hub")
    }
  }
}

@Suite struct ResidentAlarmsTests {
  private func facts(_ alarm: String, kind: String = "sos", by: String? = nil) -> JSONValue {
    .object([
      "alarm": .string(alarm), "tag": "A7K2", "kind": .string(kind), "by": by.map { .string($0) },
    ])
  }

  @Test func oneKindNeverHidesAnother() {
    var alarms = ResidentAlarms()
    alarms.take(.alarmDispatched, facts("a"))
    alarms.take(.alarmAcknowledged, facts("a", by: "Anna"))
    #expect(alarms.json["state"] == "acknowledged" && !alarms.isSounding)
    alarms.take(.alarmDispatched, facts("b", kind: "glucose").setting("sound", to: "high"))
    #expect(alarms.json["kind"] == "glucose" && alarms.json["open"] == 2 && alarms.isSounding)
    alarms.take(.alarmResolved, facts("b"))
    #expect(alarms.json["alarm"] == "a" && alarms.json["by"] == "Anna")
    alarms.take(.alarmAcknowledged, facts("a", by: "Joe").setting("isFirst", to: false))
    #expect(alarms.json["by"] == "Anna")
  }

  @Test func anAlarmNeverGoesBackwards() {
    var alarms = ResidentAlarms()
    for type in [EventType.alarmAcknowledged, .alarmRaised, .alarmDispatched, .alarmEscalated] {
      alarms.take(type, facts("a"))
      #expect(alarms.json["state"] == "acknowledged")
    }
    for type in [EventType.alarmCancelled, .alarmRaised, .alarmDuress, .alarmDispatched] {
      alarms.take(type, facts("a"))
      #expect(alarms.json["state"] == "resolved" && alarms.json["stage"] == "cancelled")
    }
  }

  @Test func aTestDoesNotSoundTheSiren() {
    var alarms = ResidentAlarms()
    alarms.take(.alarmRaised, facts("a", kind: "test"))
    #expect(!alarms.isSounding && alarms.json["kind"] == "test")
  }

  @Test func whatIsKeptComesBackAndWhatIsDamagedIsLeftOut() throws {
    var alarms = ResidentAlarms()
    for number in 0..<60 {
      alarms.take(.alarmRaised, facts("a-\(number)"))
      if number.isMultiple(of: 3) { alarms.take(.alarmResolved, facts("a-\(number)", by: "Anna")) }
    }
    alarms.silence("a-1")
    #expect(alarms.open.count == ResidentAlarms.maximumOpen)
    #expect(ResidentAlarms(storage: alarms.storage) == alarms)
    for damaged: JSONValue in [.null, 5, ["open": 5], ["open": [5, ["id": "x"]]]] {
      #expect(ResidentAlarms(storage: damaged) == ResidentAlarms())
    }
  }
}
