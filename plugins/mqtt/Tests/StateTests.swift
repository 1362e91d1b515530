import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct StateTests {
  private static let homeAssistant: JSONValue = [
    "homeAssistant": ["enabled": true],
    "commands": [["principal": "home-assistant", "actions": ["locate"]]],
  ]
  private static let name = "陳 \"小美\" 👵"

  private func zone(_ number: Int, _ type: EventType, isHome: Bool = true) -> [UInt8] {
    let presence = type == .zoneEntered ? "inside" : "outside"
    return Stored.event(
      number, type, lane: .alarm,
      [
        "residentName": .string(Self.name), "zone": "home", "zoneName": "Zuhause 🏠",
        "presence": .string(type == .zoneUncertain ? "uncertain" : presence),
        "isHome": .bool(isHome), "latitude": 1.25, "longitude": 2.5, "accuracyMeters": 4.0,
      ])
  }

  @Test func aBacklogOfPositionsBecomesOneStateForABatch() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/#")
    let plugin = try PluginUnderTest(broker)
    _ = try plugin.deliver(.trace, Stored.events(0..<1000))
    let topic = "homeward/hub/resident/mary/position"
    let state = try subscriber.next(topic) { $0.contains("0.00999") }
    let position = try JSONValue(parsing: state.payload)
    #expect(position["latitude"] == 0.00999 && position["longitude"] == 2.5)
    #expect(position["gps_accuracy"] == 4.0)
    _ = try plugin.deliver(.trace, Stored.events(500..<600))
    _ = try plugin.deliver(.trace, Stored.events(1000..<1001))
    _ = try subscriber.next(topic) { $0.contains("0.01,") }
    #expect(subscriber.remaining(topic).isEmpty)
  }

  @Test func zoneAndAlarmFollowTheEventsAndAreKept() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/resident/mary/+")
    let plugin = try PluginUnderTest(broker)
    let (zoneTopic, alarmTopic) = (
      "homeward/hub/resident/mary/zone", "homeward/hub/resident/mary/alarm"
    )
    let steps: [(EventType, String, String?)] = [
      (.zoneEntered, "Zuhause 🏠", "OFF"), (.zoneUncertain, "uncertain", nil),
      (.zoneLeft, "outside", "ON"), (.zoneEntered, "Zuhause 🏠", "OFF"),
    ]
    for (number, step) in steps.enumerated() {
      _ = try plugin.deliver(.alarm, [zone(number, step.0)])
      #expect(try subscriber.next(zoneTopic).payload == step.1)
      if let alarm = step.2 { #expect(try subscriber.next(alarmTopic).payload == alarm) }
    }
    let late = try Subscriber(broker, zoneTopic)
    #expect(try late.next(zoneTopic).isRetained)
  }

  @Test func thePluginRemembersTheAlarmOverARestart() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try before.deliver(.alarm, [zone(1, .zoneLeft)])
    try before.call(PluginMethod.shutdown)
    try before.process.waitForEnd()
    let fresh = try Broker()
    let subscriber = try Subscriber(fresh)
    let after = try PluginUnderTest(fresh, Self.homeAssistant, state: before.state)
    _ = try subscriber.next("homeward/hub/resident/mary/alarm") { $0 == "ON" }
    _ = try subscriber.next("homeassistant/device/hub/config") { $0.contains("小美") }
    try after.process.terminate()
  }

  @Test func discoveryDescribesEachResidentAndComesAgainWithHomeAssistant() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/device/hub/config")
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(.alarm, [zone(1, .zoneEntered)])
    let topic = "homeassistant/device/hub/config"
    let message = try subscriber.next(topic) { $0.contains("mary") }
    let payload = try JSONValue(parsing: message.payload)
    #expect(payload["device"]?["identifiers"]?.arrayContent?.isEmpty == false)
    #expect(payload["origin"]?["name"] == "homeward")
    #expect(payload["availability_topic"] == "homeward/hub/status")
    let components = try #require(payload["components"]?.objectContent)
    #expect(components.allSatisfy { $0.value["platform"]?.stringContent != nil })
    // One with nothing but its platform is removed.
    let shown = components.filter { ($0.value.objectContent?.count ?? 0) > 1 }
    let identifiers = shown.compactMap { $0.value["unique_id"]?.stringContent }
    #expect(identifiers.count == shown.count && Set(identifiers).count == shown.count)
    #expect(payload["components"]?["mary_zone"]?["name"] == .string("\(Self.name) zone"))
    let button = payload["components"]?["mary_locate"]
    #expect(button?["command_topic"] == "homeward/hub/locate/mary/press")
    try broker.publish("online", to: "homeassistant/status")
    _ = try subscriber.next(topic) { $0 == message.payload }
    let late = try Subscriber(broker, topic)
    #expect(try late.next(topic).isRetained)
  }

  @Test func anErasedResidentDisappearsFromTheBroker() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(.alarm, [zone(1, .zoneEntered)])
    _ = try plugin.deliver(.record, [Stored.erased(2, "mary")])
    let subscriber = try Subscriber(broker)
    let discovery = try subscriber.next("homeassistant/device/hub/config").payload
    let removed = try JSONValue(parsing: discovery)["components"]?["mary_zone"]
    #expect(removed == ["platform": "sensor"])
    for name in ["position", "zone", "alarm", "alarm-state"] {
      #expect(subscriber.remaining("homeward/hub/resident/mary/\(name)").isEmpty)
    }
    #expect(!discovery.contains("小美"))
  }

  @Test func faultsAndSignsOfLifeMakeTheHealth() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    let topic = "homeward/hub/health"
    let fault: JSONValue = ["component": "gps/gps", "code": "no-fix", "state": "degraded"]
    let raised = Stored.event(1, .faultRaised, lane: .record, fault)
    let next = Stored.start.advanced(byMilliseconds: 302_000).iso8601
    let beat = Stored.event(
      2, .heartbeat, lane: .record, resident: nil, ["expectedNext": .string(next)])
    _ = try plugin.deliver(.record, [raised, beat])
    let bad = try JSONValue(parsing: subscriber.next(topic) { $0.contains("no-fix") }.payload)
    #expect(bad["state"] == "degraded" && bad["expectedNext"] == .string(next))
    let discovery = try subscriber.next("homeassistant/device/hub/config") {
      $0.contains("expire_after")
    }
    let component = try JSONValue(parsing: discovery.payload)["components"]?["health"]
    #expect(component?["expire_after"] == 450)
    _ = try plugin.deliver(.record, [Stored.event(3, .faultCleared, lane: .record, fault)])
    _ = try subscriber.next(topic) { $0.contains("\"working\"") && $0.contains(next) }
  }
}
