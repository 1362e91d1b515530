import Care
import Foundation
import JSON
import Moments
import PluginKit
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

/// Events of alarms as the gateway writes them.
enum AlarmEvents {
  static func event(
    _ number: Int, _ type: EventType, alarm: String = "a-1", kind: String = "sos",
    stage: AlarmStage = .dispatched, by: String? = nil, sound: String? = nil,
    resident: ResidentID? = "mary"
  ) -> [UInt8] {
    Stored.event(
      number, type, lane: .alarm, resident: resident,
      .object([
        "alarm": .string(alarm), "tag": "A7K2", "kind": .string(kind), "priority": "high",
        "stage": .string(stage.rawValue), "sound": sound.map { .string($0) },
        "by": by.map { .string($0) },
        "residentName": "Mary Smith", "explanation": "Mary Smith asked for help.",
      ]))
  }
}

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct AlarmTests {
  private static let state = "homeward/hub/resident/mary/alarm-state"
  private static let granted: JSONValue = [
    "homeAssistant": ["enabled": true], "guardians": ["anna", "joe/x"],
    "commands": [
      ["principal": "home-assistant", "actions": ["alarm.silence", "sos.raise"]]
    ],
  ]

  private func soon(_ seconds: Int64 = 30) -> String {
    WallClock.now.advanced(byMilliseconds: seconds * 1000).iso8601
  }

  @Test func theHouseSeesAnAlarmFromItsBeginningToItsEnd() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    func shows(_ state: String, siren: String) throws -> JSONValue {
      let message = try subscriber.next(Self.state) { $0.contains("\"state\":\"\(state)\"") }
      _ = try subscriber.next("homeward/hub/siren") { $0 == siren }
      return try JSONValue(parsing: message.payload)
    }
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmRaised, stage: .prealarm)])
    let raised = try shows("prealarm", siren: "OFF")
    #expect(raised["alarm"] == "a-1" && raised["tag"] == "A7K2" && raised["kind"] == "sos")
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(2, .alarmDispatched)])
    _ = try shows("dispatched", siren: "ON")
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(3, .alarmAcknowledged, stage: .acknowledged, by: "Anna")])
    #expect(try shows("acknowledged", siren: "OFF")["by"] == "Anna")
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(4, .alarmResolved, stage: .resolved)])
    let closed = try subscriber.next(Self.state) { $0.contains("\"resolved\"") }
    #expect(try JSONValue(parsing: closed.payload)["open"] == 0)
    // Nothing of what comes again opens it.
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(2, .alarmDispatched), AlarmEvents.event(1, .alarmRaised)])
    #expect(subscriber.remaining(Self.state).isEmpty)
  }

  @Test func duressChangesNothingThatTheHouseCanSeeAndGoesOutAsAnEvent() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.granted)
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    _ = try subscriber.next(Self.state) { $0.contains("dispatched") }
    _ = try subscriber.next("homeward/hub/siren") { $0 == "ON" }
    _ = try subscriber.next("homeassistant/device/hub/config") { $0.contains("mary_alarm_state") }
    _ = try subscriber.next("homeward/hub/event/alarm")
    let duress = AlarmEvents.event(2, .alarmDuress)
    _ = try plugin.deliver(.alarm, [duress])
    _ = try subscriber.next("homeward/hub/event/alarm") { $0.contains("alarm.duress") }
    // The end of another alarm is told after it: had anything been published, it would have come before.
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(3, .alarmResolved, stage: .resolved)])
    let next = try subscriber.next(Self.state)
    #expect(next.payload.contains("\"resolved\""))
    #expect(
      !subscriber.remaining("homeassistant/device/hub/config").contains { $0.contains("mary") })
  }

  @Test func silenceInTheRoomEndsTheSirenAndNotTheAlarm() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    _ = try subscriber.next("homeward/hub/siren") { $0 == "ON" }
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(2, .alarmSilenced)])
    _ = try subscriber.next("homeward/hub/siren") { $0 == "OFF" }
    #expect(try subscriber.next(Self.state) { $0.contains("dispatched") }.isRetained == false)
    _ = try plugin.deliver(
      .alarm,
      [AlarmEvents.event(3, .alarmRaised, alarm: "a-2", kind: "glucose", sound: "high")])
    _ = try subscriber.next("homeward/hub/siren") { $0 == "ON" }
  }

  @Test func aFaultHidesNoPersonInDanger() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(2, .alarmAcknowledged, stage: .acknowledged, by: "Anna")])
    _ = try subscriber.next(Self.state) { $0.contains("acknowledged") }
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(3, .alarmRaised, alarm: "a-2", kind: "fault", stage: .prealarm)])
    let both = try subscriber.next(Self.state) { $0.contains("\"open\":2") }
    #expect(try JSONValue(parsing: both.payload)["state"] == "acknowledged")
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(4, .alarmDispatched, alarm: "a-3", kind: "glucose")])
    let third = try subscriber.next(Self.state) { $0.contains("\"open\":3") }
    #expect(try JSONValue(parsing: third.payload)["kind"] == "glucose")
  }

  @Test func anAlarmAboutTheGatewayItselfIsShownToo() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    _ = try subscriber.next("homeward/hub/alarm-state") { $0.contains("idle") }
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(1, .alarmDispatched, kind: "fault", resident: nil)])
    _ = try subscriber.next("homeward/hub/alarm-state") { $0.contains("\"fault\"") }
    #expect(!subscriber.remaining("homeward/hub/siren").contains("ON"))
    #expect(subscriber.remaining(Self.state).isEmpty)
  }

  @Test func anOpenAlarmIsStillShownAfterARestart() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker)
    _ = try before.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    try before.call(PluginMethod.shutdown)
    try before.process.waitForEnd()
    let subscriber = try Subscriber(broker)
    let after = try PluginUnderTest(broker, state: before.state)
    _ = try subscriber.next(Self.state) { $0.contains("dispatched") }
    _ = try after.deliver(.alarm, [AlarmEvents.event(2, .alarmResolved, stage: .resolved)])
    _ = try subscriber.next(Self.state) { $0.contains("resolved") }
  }

  @Test func aGuardianTakesChargeOnATopicOfTheirOwn() throws {
    let broker = try Broker()
    try broker.publish("A7K2", to: "homeward/hub/acknowledge/anna", isRetained: true)
    let plugin = try PluginUnderTest(broker, Self.granted)
    _ = try plugin.logged("retained")
    try broker.publish("A7K2", to: "homeward/hub/acknowledge/anna")
    let call = try plugin.command(answering: .object([]))
    #expect(call.principal == "anna" && call.freshUntil != nil)
    #expect(call.request == .alarm(.acknowledge(alarm: "A7K2", by: nil)))
    try broker.publish(
      "{\"alarm\":\"a-1\",\"id\":\"press-1\",\"expiresAt\":\"\(soon())\"}",
      to: "homeward/hub/acknowledge/joe_x")
    let other = try plugin.command(answering: .object([]))
    #expect(other.principal == "joe/x" && other.id == "press-1")
    #expect(other.request == .alarm(.acknowledge(alarm: "a-1", by: nil)))
  }

  @Test func theButtonsOfHomeAssistantMeanTheAlarmThatIsOpen() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker, Self.granted)
    let topic = "homeward/hub/acknowledge/anna"
    let press = "{\"expiresAt\":\"\(soon(60))\"}"
    try broker.publish(press, to: topic)
    _ = try plugin.logged("no alarm is open")
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    try broker.publish("PRESS", to: topic)
    _ = try plugin.logged("may be an old one")
    try broker.publish(press, to: topic)
    #expect(
      try plugin.command(answering: .object([])).request
        == .alarm(.acknowledge(alarm: "a-1", by: nil)))
    _ = try plugin.deliver(
      .alarm, [AlarmEvents.event(2, .alarmRaised, alarm: "a-2", resident: nil)])
    try broker.publish(press, to: topic)
    _ = try plugin.logged("more than one alarm is open")
    // A second guardian joins where all are attended to.
    _ = try plugin.deliver(
      .alarm,
      [
        AlarmEvents.event(3, .alarmResolved, alarm: "a-2", resident: nil),
        AlarmEvents.event(4, .alarmAcknowledged, stage: .acknowledged, by: "anna"),
      ])
    try broker.publish(press, to: "homeward/hub/acknowledge/joe_x")
    #expect(
      try plugin.command(answering: .object([])).request
        == .alarm(.acknowledge(alarm: "a-1", by: nil)))
  }

  @Test func theSirenIsSwitchedOffAndHelpIsCalledForWhereGranted() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/#")
    let plugin = try PluginUnderTest(broker, Self.granted)
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    let topic = "homeassistant/device/hub/config"
    let discovery = try subscriber.next(topic) { $0.contains("mary") }.payload
    let components = try #require(try JSONValue(parsing: discovery)["components"])
    #expect(components["siren"]?["command_topic"] == "homeward/hub/siren/set")
    #expect(components["siren"]?["state_topic"] == "homeward/hub/siren")
    #expect(components["mary_sos"]?["command_topic"] == "homeward/hub/sos/mary/press")
    #expect(
      components["acknowledge_joe_2fx"]?["command_topic"] == "homeward/hub/acknowledge/joe_x")
    try broker.publish(
      "{\"state\":\"ON\",\"expiresAt\":\"\(soon())\"}", to: "homeward/hub/siren/set")
    _ = try plugin.logged("only be switched off")
    try broker.publish("OFF", to: "homeward/hub/siren/set")
    _ = try plugin.logged("may be an old one")
    try broker.publish(
      "{\"state\":\"OFF\",\"expiresAt\":\"\(soon())\"}", to: "homeward/hub/siren/set")
    #expect(try plugin.command(answering: .object([])).request == .alarm(.silence))
    try broker.publish("{\"expiresAt\":\"\(soon())\"}", to: "homeward/hub/sos/mary/press")
    let help = try plugin.command(answering: .object([]))
    #expect(
      help.request
        == .alarm(.raise(resident: "mary", kind: .sos, trigger: .backend, text: "Home Assistant")))
  }

  @Test func withoutAGrantThereAreNoButtonsAndNobodyIsHeard() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/#")
    let plugin = try PluginUnderTest(broker, ["homeAssistant": ["enabled": true]])
    _ = try plugin.deliver(.alarm, [AlarmEvents.event(1, .alarmDispatched)])
    let discovery = try subscriber.next("homeassistant/device/hub/config") { $0.contains("mary") }
    let components = try #require(try JSONValue(parsing: discovery.payload)["components"])
    #expect(components["siren"] == nil && components["last_answer"] == nil)
    #expect(components["sounding"]?["state_topic"] == "homeward/hub/siren")
    #expect(components["mary_sos"] == nil)
    for topic in ["acknowledge/anna", "siren/set", "sos/mary/press"] {
      try broker.publish("{\"expiresAt\":\"\(soon())\"}", to: "homeward/hub/\(topic)")
    }
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
    #expect(!plugin.process.output.remaining.contains { $0.contains("\"command\"") })
  }
}
