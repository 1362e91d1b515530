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

/// Events of the routine as the gateway writes them.
private enum RoutineEvents {
  static func put(_ number: Int, _ item: String, title: String, isOn: Bool = true) -> [UInt8] {
    let content = RoutineItem(
      id: RoutineItemID(item), resident: "mary", kind: .medicine, title: title, place: "Kitchen",
      isOn: isOn, schedule: .never)
    return Stored.event(
      number, .recordChanged, lane: .record,
      [
        "action": "routine.put", "target": .string(item), "by": "local:anna",
        "content": content.json,
      ])
  }

  static func removed(_ number: Int, _ item: String) -> [UInt8] {
    Stored.event(
      number, .recordChanged, lane: .record,
      ["action": "routine.remove", "target": .string(item), "content": .object([])])
  }

  static func reminder(
    _ number: Int, _ type: EventType, _ item: String = "pill", state: Occurrence.State,
    due: Int = 0, lane: Lane = .record
  ) -> [UInt8] {
    Stored.event(
      number, type, lane: lane,
      [
        "item": .string(item), "title": "Blood pressure pill", "kind": "medicine",
        "residentName": "Mary Smith", "slot": "2026-11-18T08:00", "state": .string(state.rawValue),
        "due": .string(time(due)), "nextDue": .string(time(due + 86_400)),
      ])
  }

  static func heartbeat(_ number: Int, items: [JSONValue], isComplete: Bool = true) -> [UInt8] {
    Stored.event(
      number, .heartbeat, lane: .record, resident: nil,
      [
        "expectedNext": .string(time(number + 300)), "faults": [],
        "residents": [["id": "mary", "name": "Mary Smith"]], "routine": .array(items),
        "routineIsComplete": .bool(isComplete),
      ])
  }

  static func time(_ seconds: Int) -> String {
    Stored.start.advanced(byMilliseconds: Int64(seconds) * 1000).iso8601
  }

  static func listed(_ id: String, title: String, state: String = "waiting") -> JSONValue {
    [
      "id": .string(id), "resident": "mary", "title": .string(title), "kind": "routine",
      "isOn": true, "state": .string(state), "nextDue": .string(time(3600)),
    ]
  }
}

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct RoutineTests {
  private static let topic = "homeward/hub/resident/mary/routine/pill"
  private static let discovery = "homeassistant/device/hub_mary_routine/config"
  private static let granted: JSONValue = [
    "homeAssistant": ["enabled": true],
    "commands": [
      [
        "principal": "home-assistant",
        "actions": ["routine.answer", "routine.switch", "message.send"],
      ]
    ],
  ]

  private func soon(_ seconds: Int64 = 30) -> String {
    WallClock.now.advanced(byMilliseconds: seconds * 1000).iso8601
  }

  private func components(_ subscriber: Subscriber, _ text: String) throws -> JSONValue {
    let message = try subscriber.next(Self.discovery) { $0.contains(text) }
    return try #require(try JSONValue(parsing: message.payload)["components"])
  }

  @Test func anItemIsShownFromItsFirstReminderToItsAnswer() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    func shows(_ text: String) throws -> JSONValue {
      try JSONValue(parsing: try subscriber.next(Self.topic) { $0.contains(text) }.payload)
    }
    _ = try plugin.deliver(.record, [RoutineEvents.put(1, "pill", title: "降血壓藥 \"💊\"")])
    let put = try shows("降血壓藥")
    #expect(put["state"] == "waiting" && put["place"] == "Kitchen" && put["nextDue"] == .null)
    _ = try plugin.deliver(
      .record,
      [
        RoutineEvents.reminder(2, .reminderDue, state: .pending),
        RoutineEvents.reminder(3, .reminderPrompted, state: .prompted),
      ])
    let due = try shows("\"prompted\"")
    #expect(due["state"] == "waiting" && due["due"]?.stringContent == RoutineEvents.time(0))
    #expect(due["nextDue"]?.stringContent == RoutineEvents.time(86_400))
    _ = try plugin.deliver(.record, [RoutineEvents.reminder(4, .reminderDone, state: .done)])
    let done = try shows("\"state\":\"done\"")
    #expect(done["lastDone"]?.stringContent == RoutineEvents.time(4))
    // What was on its way in another lane comes late, and turns nothing back.
    _ = try plugin.deliver(
      .alarm, [RoutineEvents.reminder(3, .reminderUnanswered, state: .prompted, lane: .alarm)])
    _ = try plugin.deliver(.record, [RoutineEvents.put(5, "pill", title: "Pill", isOn: false)])
    #expect(try shows("\"Pill\"")["state"] == "off")
    // The next day it waits again.
    _ = try plugin.deliver(.record, [RoutineEvents.put(6, "pill", title: "Pill")])
    #expect(try shows("\"state\"")["state"] == "done")
    _ = try plugin.deliver(
      .record, [RoutineEvents.reminder(7, .reminderDue, state: .pending, due: 86_400)])
    #expect(try shows("\"pending\"")["state"] == "waiting")
    #expect(try Subscriber(broker, Self.topic).next(Self.topic).isRetained)
  }

  @Test func homeAssistantGetsADeviceOfTheRoutineWithButtonsWhereGranted() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/#")
    let plugin = try PluginUnderTest(broker, Self.granted)
    _ = try plugin.deliver(.record, [RoutineEvents.put(1, "pill", title: "降血壓藥")])
    let parts = try components(subscriber, "降血壓藥")
    let next = try #require(parts["item_pill_next"])
    #expect(next["name"] == "降血壓藥" && next["unique_id"] == "homeward_hub_item_pill_next")
    #expect(next["state_topic"]?.stringContent == Self.topic && next["platform"] == "sensor")
    #expect(next["device_class"] == "timestamp")
    #expect(next["json_attributes_topic"]?.stringContent == Self.topic)
    let done = try #require(parts["item_pill_done"])
    #expect(done["command_topic"] == "homeward/hub/routine/pill/press")
    #expect(done["command_template"]?.stringContent?.contains("\"answer\":\"done\"") == true)
    #expect(parts["mary_open"]?["state_topic"] == "homeward/hub/resident/mary/routine")
    #expect(parts["mary_message"]?["platform"] == "notify")
    #expect(parts.objectContent?.count == 4)
    // Another title is another name of the same entity; an item that is gone takes its entities with it.
    _ = try plugin.deliver(.record, [RoutineEvents.put(2, "pill", title: "Pill")])
    #expect(
      try components(subscriber, "\"Pill\"")["item_pill_next"]?["unique_id"]
        == "homeward_hub_item_pill_next")
    _ = try plugin.deliver(.record, [RoutineEvents.removed(3, "pill")])
    let gone = try components(subscriber, "item_pill_next")
    #expect(gone["item_pill_next"] == ["platform": "sensor"])
    #expect(gone["item_pill_done"] == ["platform": "button"])
    let late = try Subscriber(broker, "homeward/hub/resident/#")
    #expect(late.remaining(Self.topic).isEmpty)
  }

  @Test func homeAssistantShowsTheRoutineInTheLanguageOfTheGateway() throws {
    for (language, device, names) in [
      ("en", "Mary Smith: routine", ["Pill", "Pill: done"]),
      ("zh", "Mary Smith：日程", ["Pill", "Pill：完成"]),
    ] {
      let broker = try Broker()
      let subscriber = try Subscriber(broker, "homeassistant/#")
      let plugin = try PluginUnderTest(broker, Self.granted, language: language)
      _ = try plugin.deliver(
        .record, [RoutineEvents.heartbeat(1, items: [RoutineEvents.listed("pill", title: "Pill")])])
      let message = try subscriber.next(Self.discovery) { $0.contains("item_pill_next") }
      let shown = try JSONValue(parsing: message.payload)
      #expect(shown["device"]?["name"]?.stringContent == device)
      #expect(
        ["next", "done"].map {
          shown["components"]?["item_pill_\($0)"]?["name"]?.stringContent
        } == names)
    }
  }

  @Test func withoutAGrantThereAreNoButtonsAndNobodyIsHeard() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeassistant/#")
    let plugin = try PluginUnderTest(broker, ["homeAssistant": ["enabled": true]])
    _ = try plugin.deliver(.record, [RoutineEvents.put(1, "pill", title: "Pill")])
    let parts = try components(subscriber, "Pill")
    #expect(parts["item_pill_done"] == nil && parts["mary_message"] == nil)
    for topic in ["routine/pill/press", "routine/pill/set", "message/mary/send"] {
      try broker.publish(
        "{\"answer\":\"done\",\"state\":\"ON\",\"text\":\"x\",\"expiresAt\":\"\(soon())\"}",
        to: "homeward/hub/\(topic)")
    }
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
    #expect(!plugin.process.output.remaining.contains { $0.contains("\"command\"") })
  }

  @Test func buttonsAnswerAndSwitchesSwitch() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker, Self.granted)
    let press = "homeward/hub/routine/pill/press"
    try broker.publish("{\"answer\":\"done\",\"expiresAt\":\"\(soon())\"}", to: press)
    let done = try plugin.command(answering: .object([]))
    #expect(done.principal == "home-assistant" && done.expiresAt.map { $0 > WallClock.now } == true)
    #expect(done.request == .routine(.answer("pill", slot: nil, .done)))
    try broker.publish(
      "{\"answer\":\"not-now\",\"slot\":\"2026-11-18T08:00\",\"expiresAt\":\"\(soon())\"}",
      to: press)
    #expect(
      try plugin.command(answering: .object([])).request
        == .routine(.answer("pill", slot: "2026-11-18T08:00", .notNow)))
    try broker.publish(
      "{\"state\":\"OFF\",\"expiresAt\":\"\(soon())\"}", to: "homeward/hub/routine/pill/set")
    #expect(
      try plugin.command(answering: .object([])).request == .routine(.setOn("pill", false)))
    try broker.publish("ON", to: "homeward/hub/routine/pill/set")
    #expect(
      try plugin.command(answering: .object([])).request == .routine(.setOn("pill", true)))
    try broker.publish(
      "{\"text\":\"晚餐在冰箱 \\\"🍲\\\"\",\"expiresAt\":\"\(soon())\"}",
      to: "homeward/hub/message/mary/send")
    let message = try plugin.command(answering: .object([]))
    #expect(
      message.request
        == .note(
          .send(
            id: MessageID(message.id.rawValue), resident: "mary", .toResident,
            sender: "Home Assistant",
            text: "晚餐在冰箱 \"🍲\"")))
  }

  @Test func whatIsOldRetainedOrNonsenseAnswersNothing() throws {
    let settings = try MQTTSettings(
      json: Self.granted.setting("host", to: "h"), gateway: "hub")
    let gate = RoutineGate(settings: settings)
    let now = Stored.start
    func reason(_ topic: String, _ payload: String, isRetained: Bool = false) -> String? {
      let message = BrokerClient.Message(
        topic: "homeward/hub/\(topic)", payload: Array(payload.utf8), isRetained: isRetained)
      guard
        case .ignore(let reason, _, _) = gate.decide(
          message, at: Arrival(now: now), freshID: { "id" })
      else { return nil }
      return reason
    }
    func until(_ seconds: Int64, _ rest: String) -> String {
      "{\"expiresAt\":\"\(now.advanced(byMilliseconds: seconds * 1000).iso8601)\",\(rest)}"
    }
    let done = "\"answer\":\"done\""
    #expect(reason("routine/pill/press", until(300, done)) == nil)
    #expect(reason("routine/pill/press", until(0, done))?.contains("expired") == true)
    #expect(reason("routine/pill/press", until(301, done))?.contains("five minutes") == true)
    #expect(reason("routine/pill/press", "{\(done)}")?.contains("old one") == true)
    #expect(
      reason("routine/pill/press", until(30, done), isRetained: true)?.contains("retained") == true)
    for payload in [
      "", "PRESS", "ON", "[]", until(30, "\"answer\":\"perhaps\""), until(30, "\"a\":1"),
    ] {
      #expect(reason("routine/pill/press", payload) != nil, "\(payload)")
    }
    for payload in ["on", "ON ", until(30, "\"state\":5")] {
      #expect(reason("routine/pill/set", payload) != nil, "\(payload)")
    }
    let long = String(repeating: "x", count: 2001)
    for text in ["", long] {
      #expect(reason("message/mary/send", until(30, "\"text\":\"\(text)\"")) != nil)
    }
    #expect(reason("message/mary/send", String(repeating: "x", count: 20_000)) != nil)
    for topic in ["routine//press", "routine/a/b/press", "routine/pill", "message//send"] {
      let message = BrokerClient.Message(
        topic: "homeward/hub/\(topic)", payload: Array(until(30, done).utf8), isRetained: false)
      #expect(gate.decide(message, at: Arrival(now: now), freshID: { "id" }) == nil)
    }
  }

  @Test func aPluginWithoutHistoryLearnsTheRoutineFromASignOfLife() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    _ = try plugin.deliver(
      .record,
      [
        RoutineEvents.heartbeat(
          1,
          items: [
            RoutineEvents.listed("pill", title: "Pill", state: "done"),
            RoutineEvents.listed("walk", title: "Walk"),
          ])
      ])
    let walk = "homeward/hub/resident/mary/routine/walk"
    _ = try subscriber.next(Self.topic) { $0.contains("\"state\":\"done\"") }
    _ = try subscriber.next(walk) { $0.contains(RoutineEvents.time(3600)) }
    // A list that is not complete takes nothing away; one that is does.
    let pill = RoutineEvents.listed("pill", title: "Tablet")
    _ = try plugin.deliver(
      .record, [RoutineEvents.heartbeat(2, items: [pill], isComplete: false)])
    _ = try subscriber.next(Self.topic) { $0.contains("Tablet") }
    #expect(subscriber.remaining(walk).isEmpty)
    _ = try plugin.deliver(.record, [RoutineEvents.heartbeat(3, items: [pill])])
    _ = try subscriber.next(walk) { $0.isEmpty }
  }

  @Test func theRoutineIsStillShownAfterARestart() throws {
    let broker = try Broker()
    let before = try PluginUnderTest(broker)
    _ = try before.deliver(
      .record,
      [
        RoutineEvents.put(1, "pill", title: "Pill"),
        RoutineEvents.reminder(2, .reminderDone, state: .done),
      ])
    try before.call(PluginMethod.shutdown)
    try before.process.waitForEnd()
    let subscriber = try Subscriber(broker, "homeward/hub/resident/#")
    let after = try PluginUnderTest(broker, state: before.state)
    _ = try subscriber.next(Self.topic) { $0.contains("\"state\":\"done\"") }
    _ = try after.deliver(.record, [Stored.erased(3, "mary")])
    _ = try subscriber.next(Self.topic) { $0.isEmpty }
  }

  @Test func theLastMessageIsShownUntilItWasRead() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    func message(_ number: Int, _ type: EventType, read: String? = nil) -> [UInt8] {
      Stored.event(
        number, type, lane: .record,
        .object([
          "message": "m-1", "direction": "to-resident", "sender": "Anna", "text": "Dinner at six",
          "recording": "ab", "recordingSeconds": 12,
          "sentAt": .string(RoutineEvents.time(1)), "readAt": read.map { .string($0) },
        ]))
    }
    let topic = "homeward/hub/resident/mary/message"
    _ = try plugin.deliver(.record, [message(1, .messageSent)])
    let sent = try subscriber.next(topic).payload
    #expect(sent.contains("\"state\":\"sent\"") && !sent.contains("Dinner"))
    #expect(sent.contains("\"recordingSeconds\":12"))
    _ = try plugin.deliver(.record, [message(2, .messageRead, read: RoutineEvents.time(2))])
    #expect(try subscriber.next(topic).payload.contains("\"state\":\"read\""))
  }
}

@Suite struct ResidentRoutineTests {
  @Test func whatIsShownIsBoundedAndComesBack() {
    var routine = ResidentRoutine()
    for number in 0..<500 {
      routine.take(
        .reminderDue, at: .seconds(Int64(number)),
        [
          "item": .string("item-\(number)"), "title": "Walk", "state": "pending",
          "due": "2026-11-18T08:00:00Z",
        ])
    }
    #expect(routine.items.count == ResidentRoutine.maximumItems)
    routine.take(
      .recordChanged, at: .seconds(1), ["action": "routine.remove", "target": "item-7"])
    #expect(routine.removed == ["item-7"])
    #expect(ResidentRoutine(storage: routine.storage) == routine)
    for damaged: JSONValue in [.null, 5, ["items": 5], ["items": [5, ["item": "x"]]]] {
      #expect(ResidentRoutine(storage: damaged) == ResidentRoutine())
    }
  }
}
