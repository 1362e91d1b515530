import Care
import Foundation
import JSON
import Moments
import PluginKit
import PluginProtocol
import Recurrence
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

/// What Home Assistant is told over the life of a house: who is erased, what is refused, which version it has.
@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct HomeAssistantTests {
  private static let gateway = "homeassistant/device/hub/config"
  private static let routine = "homeassistant/device/hub_mary_routine/config"
  private static let enabled: JSONValue = ["homeAssistant": ["enabled": true]]

  private static func home(_ number: Int, _ resident: ResidentID = "mary") -> [UInt8] {
    Stored.event(
      number, .zoneEntered, lane: .alarm, resident: resident,
      [
        "residentName": "Mary", "zone": "home", "zoneName": "Home", "presence": "inside",
        "isHome": true, "latitude": 1.25, "longitude": 2.5, "accuracyMeters": 4.0,
      ])
  }

  private static func put(_ number: Int, _ item: String, source: String = "") -> [UInt8] {
    let content = RoutineItem(
      id: RoutineItemID(item), resident: "mary", kind: .medicine, title: "Pill \(item)",
      schedule: .never, source: source)
    return Stored.event(
      number, .recordChanged, lane: .record,
      [
        "action": "routine.put", "target": .string(item), "content": content.json,
        "nextDue": "2026-11-18T09:00:00.000Z",
      ])
  }

  private static func consent(_ number: Int, isGranted: Bool) -> [UInt8] {
    Stored.event(
      number, .consentChanged, lane: .record,
      ["resident": "mary", "kind": "location", "isGranted": .bool(isGranted), "by": "Anna"])
  }

  private func components(_ message: Subscriber.Message) throws -> JSONValue {
    try #require(try JSONValue(parsing: message.payload)["components"])
  }

  private func stop(_ plugin: PluginUnderTest) throws {
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
  }

  @Test(
    "Whoever is erased leaves nothing on the broker, whatever the gateway's event does not tell")
  func erased() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker, Self.enabled)
    _ = try plugin.deliver(.alarm, [Self.home(1)])
    _ = try plugin.deliver(.record, [Self.put(2, "pill"), Stored.erased(3, "mary")])
    try stop(plugin)
    let subscriber = try Subscriber(broker)
    let left = try components(subscriber.next(Self.gateway))
    #expect(left["mary_zone"] == ["platform": "sensor"])
    #expect(subscriber.remaining("homeward/hub/resident/mary/zone").isEmpty)
    for topic in [
      "position", "alarm", "alarm-state", "routine", "routine/pill",
    ] {
      #expect(subscriber.remaining("homeward/hub/resident/mary/\(topic)").isEmpty, "\(topic)")
    }
    #expect(subscriber.remaining(Self.routine).isEmpty)
  }

  @Test("Whoever was erased while the plugin was away goes with the next sign of life")
  func erasedMeanwhile() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker, Self.enabled)
    _ = try before.deliver(.alarm, [Self.home(1), Self.home(1, "joe")])
    _ = try before.deliver(.record, [Self.put(2, "pill")])
    try stop(before)
    let subscriber = try Subscriber(broker)
    _ = try subscriber.next(Self.routine)
    let after = try PluginUnderTest(broker, Self.enabled, state: before.state)
    _ = try after.deliver(.record, [Stored.heartbeat(5, ["joe"])])
    _ = try subscriber.next("homeward/hub/resident/mary/zone") { $0.isEmpty }
    _ = try subscriber.next(Self.routine) { $0.isEmpty }
    _ = try subscriber.next(Self.gateway) { $0.contains("\"mary_zone\":{\"platform\":\"sensor\"}") }
    try stop(after)
    let late = try Subscriber(broker)
    #expect(try late.next("homeward/hub/resident/joe/zone").payload == "Home")
    #expect(late.remaining("homeward/hub/resident/mary/zone").isEmpty)
  }

  @Test("What a broker keeps of strangers is emptied by a plugin that remembers nothing")
  func strangers() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker, Self.enabled)
    _ = try before.deliver(.alarm, [Self.home(1), Self.home(1, "joe")])
    _ = try before.deliver(.record, [Self.put(2, "pill")])
    try stop(before)
    let subscriber = try Subscriber(broker)
    _ = try subscriber.next("homeward/hub/resident/mary/zone") { !$0.isEmpty }
    try broker.publish(
      "{\"device\":{}}", to: "homeassistant/device/hubble/config", isRetained: true)
    let after = try PluginUnderTest(broker, Self.enabled)
    _ = try after.deliver(.record, [Stored.heartbeat(5, ["joe"])])
    for topic in ["zone", "position", "routine/pill"] {
      _ = try subscriber.next("homeward/hub/resident/mary/\(topic)") { $0.isEmpty }
    }
    _ = try subscriber.next(Self.routine) { $0.isEmpty }
    _ = try subscriber.next(Self.gateway) { $0.contains("\"mary_zone\":{\"platform\":\"sensor\"}") }
    try stop(after)
    let late = try Subscriber(broker)
    // Joe is known, and another gateway's messages are nobody's business here.
    #expect(try late.next("homeward/hub/resident/joe/zone").payload == "Home")
    #expect(!late.remaining("homeassistant/device/hubble/config").isEmpty)
  }

  @Test("A refused location goes from the broker at once, and comes back when it is granted")
  func consent() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.enabled)
    _ = try plugin.deliver(.alarm, [Self.home(1)])
    let (position, zone) = (
      "homeward/hub/resident/mary/position", "homeward/hub/resident/mary/zone"
    )
    _ = try subscriber.next(position) { $0.contains("1.25") }
    _ = try subscriber.next(zone) { $0 == "Home" }
    _ = try plugin.deliver(.record, [Self.consent(2, isGranted: false)])
    // A tracker takes an empty message for none: first it is told that nothing is known.
    _ = try subscriber.next(position) { $0 == "{}" }
    _ = try subscriber.next(position) { $0.isEmpty }
    _ = try subscriber.next(zone) { $0.isEmpty }
    let late = try Subscriber(broker, "homeward/hub/resident/mary/+")
    _ = try late.next("homeward/hub/resident/mary/alarm")
    #expect(late.remaining(position).isEmpty && late.remaining(zone).isEmpty)
    _ = try plugin.deliver(.record, [Self.consent(3, isGranted: true)])
    _ = try subscriber.next(position) { $0.contains("1.25") }
    _ = try subscriber.next(zone) { $0 == "Home" }
  }

  @Test(
    "Older versions are told entity by entity; another way of telling takes back what was told before"
  )
  func modes() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/#")
    let device = try PluginUnderTest(broker, Self.enabled)
    _ = try device.deliver(.alarm, [Self.home(1)])
    _ = try subscriber.next(Self.gateway) { $0.contains("mary_zone") }
    try stop(device)
    let components = try PluginUnderTest(
      broker, ["homeAssistant": ["enabled": true, "discovery": "components"]], state: device.state)
    _ = try subscriber.next(Self.gateway) { $0.isEmpty }
    let topic = "homeassistant/sensor/hub/mary_zone/config"
    let zone = try JSONValue(parsing: subscriber.next(topic).payload)
    #expect(zone["unique_id"] == "homeward_hub_mary_zone" && zone["platform"] == nil)
    #expect(zone["state_topic"] == "homeward/hub/resident/mary/zone")
    #expect(zone["device"]?["identifiers"] == ["homeward_hub"])
    #expect(zone["availability_topic"] == "homeward/hub/status")
    _ = try components.deliver(.record, [Stored.erased(2, "mary")])
    _ = try subscriber.next(topic) { $0.isEmpty }
    let siren = "homeassistant/binary_sensor/hub/sounding/config"
    _ = try subscriber.next(siren) { !$0.isEmpty }
    try stop(components)
    let off = try PluginUnderTest(
      broker, ["homeAssistant": ["enabled": false]], state: device.state)
    _ = try subscriber.next(siren) { $0.isEmpty }
    try stop(off)
    let late = try Subscriber(broker)
    _ = try late.next("homeward/hub/status")
    #expect(!late.hasRemaining { $0.hasPrefix("homeassistant/") })
  }

  @Test("A press that is refused says so where it was pressed")
  func lastAnswer() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(
      broker,
      [
        "homeAssistant": ["enabled": true],
        "commands": [["principal": "home-assistant", "actions": ["routine.answer"]]],
      ])
    let shown = try components(subscriber.next(Self.gateway))
    #expect(shown["last_answer"]?["state_topic"] == "homeward/hub/answer")
    let until = WallClock.now.advanced(byMilliseconds: 30_000).iso8601
    let press = "homeward/hub/routine/pill/press"
    try broker.publish("{\"answer\":\"done\",\"expiresAt\":\"\(until)\"}", to: press)
    try plugin.refuseCommand("conflict: Pill is not due now.")
    let answer = try JSONValue(parsing: subscriber.next("homeward/hub/answer").payload)
    #expect(answer["state"] == "refused" && answer["topic"] == .string(press))
    #expect(answer["message"] == "conflict: Pill is not due now.")
    try broker.publish("{\"answer\":\"done\"}", to: press)
    _ = try subscriber.next("homeward/hub/answer") { $0.contains("old one") }
    try broker.publish("{\"answer\":\"done\",\"expiresAt\":\"\(until)\"}", to: press)
    _ = try plugin.command(answering: .object([]))
    _ = try subscriber.next("homeward/hub/answer") { $0.contains("\"state\":\"done\"") }
  }

  @Test("Everybody whom the gateway knows has a button with their name, where the owner says so")
  func guardians() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(
      broker, ["homeAssistant": ["enabled": true], "guardians": ["*", "joe"]],
      grants: ["network", "command:alarm.acknowledge"])
    let anna: JSONValue = ["id": "anna", "resident": "mary", "name": "Anna Berg"]
    _ = try plugin.deliver(.record, [Stored.heartbeat(1, ["mary"], ["guardians": [anna]])])
    let shown = try components(
      subscriber.next(Self.gateway) { $0.contains("acknowledge_anna") })
    #expect(shown["acknowledge_anna"]?["name"] == "I am going (Anna Berg)")
    #expect(shown["acknowledge_joe"]?["name"] == "I am going (joe)")
    _ = try plugin.deliver(
      .alarm,
      [
        Stored.event(
          2, .alarmDispatched, lane: .alarm,
          ["alarm": "a-1", "tag": "A7K2", "kind": "sos", "stage": "dispatched"])
      ])
    let until = WallClock.now.advanced(byMilliseconds: 30_000).iso8601
    for guardian in ["stranger", "anna"] {
      try broker.publish(
        "{\"expiresAt\":\"\(until)\"}", to: "homeward/hub/acknowledge/\(guardian)")
    }
    // The first is nobody's topic, so the first command is Anna's.
    #expect(
      try plugin.command(answering: .object([])).request
        == .alarm(.acknowledge(alarm: "a-1", by: nil)))
    let change: JSONValue = [
      "action": "guardian.put", "target": "ben", "content": ["id": "ben", "name": "Ben"],
    ]
    _ = try plugin.deliver(.record, [Stored.event(3, .recordChanged, lane: .record, change)])
    _ = try subscriber.next(Self.gateway) { $0.contains("I am going (Ben)") }
  }

  @Test(
    "Appointments of a shared calendar are counted and become no entities, and the others are limited"
  )
  func calendar() throws {
    for (settings, keys) in [
      (JSONValue.object([]), ["item_a_next", "item_b_next", "item_c_next"]),
      (["routineItems": 2], ["item_a_next", "item_b_next"]),
      (["calendarItems": true], ["item_a_next", "item_b_next", "item_c_next", "item_x_next"]),
    ] {
      let broker = try Broker()
      let subscriber = try Subscriber(broker)
      let shown = (settings.objectContent ?? []).reduce(["enabled": true] as JSONValue) {
        $0.setting($1.key, to: $1.value)
      }
      let plugin = try PluginUnderTest(broker, ["homeAssistant": shown])
      _ = try plugin.deliver(
        .record,
        ["a", "b", "c"].enumerated().map { Self.put($0.offset, $0.element) }
          + [Self.put(9, "x", source: "family")])
      let found = try components(subscriber.next(Self.routine))
      #expect(
        (found.objectContent ?? []).map(\.key).filter { $0.hasPrefix("item_") }.sorted() == keys)
      let summary = try subscriber.next("homeward/hub/resident/mary/routine")
      #expect(try JSONValue(parsing: summary.payload)["items"] == 4)
    }
  }

  @Test("A list from before the clock was trusted takes no next due time away")
  func nextDue() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    let topic = "homeward/hub/resident/mary/routine/pill"
    _ = try plugin.deliver(.record, [Self.put(1, "pill")])
    // The change itself tells when it is due next.
    _ = try subscriber.next(topic) { $0.contains("\"nextDue\":\"2026-11-18T09:00:00.000Z\"") }
    let list: JSONValue = [
      ["id": "pill", "resident": "mary", "title": "Renamed", "isOn": true, "state": "waiting"]
    ]
    let beat = try JSONValue(
      parsing: Stored.heartbeat(
        2, ["mary"], ["routine": list, "routineIsComplete": true]))
    _ = try plugin.deliver(
      .record, [beat.setting("timequality", to: "untrusted").serializedBytes])
    let kept = try subscriber.next(topic) { $0.contains("Renamed") }.payload
    #expect(kept.contains("\"nextDue\":\"2026-11-18T09:00:00.000Z\""))
  }
}
