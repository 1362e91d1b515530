import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

/// Events about tags as the gateway writes them.
enum TagEvents {
  static func tag(
    _ number: Int, _ type: EventType, _ tag: String = "keys", name: String = "Keys 🔑",
    kind: Care.Tag.Kind = .keys, lane: Lane = .record, facts more: JSONValue = .object([])
  ) -> [UInt8] {
    let facts: JSONValue = [
      "tag": .string(tag), "tagName": .string(name), "kind": .string(kind.rawValue),
    ]
    let all = (more.objectContent ?? []).reduce(facts) { $0.setting($1.key, to: $1.value) }
    return Stored.event(number, type, lane: lane, all)
  }

  static func changed(
    _ number: Int, _ presence: String, _ tag: String = "keys", kind: Care.Tag.Kind = .keys,
    lane: Lane = .record
  ) -> [UInt8] {
    self.tag(
      number, .tagChanged, tag, kind: kind, lane: lane,
      facts: [
        "presence": .string(presence), "before": "unknown", "withResident": "unknown",
        "lastHeardAt": .string(time(number)), "lastHeardSeconds": 0,
      ])
  }

  static func record(
    _ number: Int, _ action: String, _ tag: Care.Tag, resident: ResidentID = "mary"
  ) -> [UInt8] {
    Stored.event(
      number, .recordChanged, lane: .record, resident: resident,
      [
        "action": .string(action), "target": .string(tag.id.rawValue), "by": "local:anna",
        "content": tag.json,
      ])
  }

  static func time(_ seconds: Int) -> String {
    Stored.start.advanced(byMilliseconds: Int64(seconds) * 1000).iso8601
  }
}

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct TagTests {
  private static let topic = "homeward/hub/resident/mary/tag/keys"
  private static let discovery = "homeassistant/device/hub_mary_tag_keys/config"
  private static let homeAssistant: JSONValue = ["homeAssistant": ["enabled": true]]
  private static let keys = Tag(id: "keys", resident: "mary", name: "Keys", kind: .keys)

  private func components(_ payload: String) throws -> JSONValue {
    try #require(try JSONValue(parsing: payload)["components"])
  }

  @Test func aTagIsADeviceWithWhatItsEventsTold() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(.record, [TagEvents.record(1, "tag.put", Self.keys)])
    let first = try subscriber.next(Self.discovery)
    #expect(first.payload.contains("mary: Keys"))
    let new = try components(first.payload)
    let presence = new["mary_tag_keys_presence"]
    #expect(presence?["state_topic"] == .string(Self.topic))
    #expect(presence?["options"] == ["near", "room", "away"])
    #expect(new["mary_tag_keys_left"]?["device_class"] == "problem")
    // Nothing is shown that nobody told.
    #expect(new["mary_tag_keys_room"] == nil && new["mary_tag_keys_battery"] == nil)
    #expect(new["mary_tag_keys_there"] == nil)
    let state = try JSONValue(parsing: subscriber.next(Self.topic).payload)
    #expect(state["presence"] == "unknown" && state["room"] == .null)
    #expect(state["batteryPercent"] == .null && state["isLeftBehind"] == false)

    _ = try plugin.deliver(.record, [TagEvents.changed(2, "near")])
    _ = try plugin.deliver(
      .trace,
      [TagEvents.tag(3, .tagRoomChanged, lane: .trace, facts: ["room": "厨房", "before": .null])])
    _ = try plugin.deliver(
      .record,
      [TagEvents.tag(4, .tagBatteryLow, facts: ["batteryPercent": 8, "limitPercent": 15])])
    let told = try JSONValue(
      parsing: subscriber.next(Self.topic) { $0.contains("\"batteryPercent\":8") }.payload)
    #expect(told["presence"] == "near" && told["room"] == "厨房" && told["name"] == "Keys 🔑")
    #expect(told["batteryAt"] == .string(TagEvents.time(4)))
    #expect(told["lastHeardAt"] == .string(TagEvents.time(2)))
    let full = try components(subscriber.next(Self.discovery) { $0.contains("_battery") }.payload)
    #expect(full["mary_tag_keys_battery"]?["unit_of_measurement"] == "%")
    #expect(full["mary_tag_keys_room"]?["value_template"] == "{{ value_json.room }}")
    let late = try Subscriber(broker, Self.topic)
    #expect(try late.next(Self.topic).isRetained)
  }

  @Test func leavingWithoutItAndItsSilenceComeAndGo() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, Self.topic)
    let plugin = try PluginUnderTest(broker)
    let steps: [(EventType, Lane, JSONValue, String)] = [
      (.leftWithout, .alarm, ["isHeardAtHome": true], "\"isLeftBehind\":true"),
      (.leftWithoutOver, .alarm, ["reason": "home"], "\"isLeftBehind\":false"),
      (.tagSilent, .record, ["silentHours": 48, "batteryPercent": 3], "\"isSilent\":true"),
      (.tagHeardAgain, .record, [:], "\"isSilent\":false"),
    ]
    for (number, step) in steps.enumerated() {
      _ = try plugin.deliver(
        step.1, [TagEvents.tag(number, step.0, lane: step.1, facts: step.2)])
      _ = try subscriber.next(Self.topic) { $0.contains(step.3) }
    }
    #expect(subscriber.remaining(Self.topic).isEmpty)
  }

  @Test func somebodyWhoCaresIsThereOrNotOrNobodyKnows() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    let topic = "homeward/hub/resident/mary/tag/anna"
    let told: [(JSONValue, String)] = [
      (["isPresent": true], "\"isPresent\":true"), (["isPresent": false], "\"isPresent\":false"),
      ([:], "\"isPresent\":null"),
    ]
    for (number, step) in told.enumerated() {
      _ = try plugin.deliver(
        .record,
        [
          TagEvents.tag(
            number, .caregiverChanged, "anna", name: "Anna", kind: .caregiver, facts: step.0)
        ])
      _ = try subscriber.next(topic) { $0.contains(step.1) }
    }
    let message = try subscriber.next("homeassistant/device/hub_mary_tag_anna/config")
    let there = try components(message.payload)["mary_tag_anna_there"]
    #expect(there?["device_class"] == "occupancy")
  }

  @Test func aTagThatIsRemovedVanishesAlsoWhenTheBrokerWasAwayThen() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(
      .record, [TagEvents.record(1, "tag.put", Self.keys), TagEvents.changed(2, "near")])
    _ = try subscriber.next(Self.topic)
    _ = try subscriber.next(Self.discovery)
    _ = try plugin.deliver(.record, [TagEvents.record(3, "tag.remove", Self.keys)])
    _ = try subscriber.next(Self.discovery) { $0.isEmpty }
    _ = try subscriber.next(Self.topic) { $0.isEmpty }
    // What lags behind in another lane brings nothing back.
    _ = try plugin.deliver(.trace, [TagEvents.changed(2, "room", lane: .trace)])
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
    #expect(subscriber.remaining(Self.discovery).isEmpty)
    #expect(subscriber.remaining(Self.topic).isEmpty)
    // Another broker that still has the message of before, as after a power cut.
    let other = try Broker()
    try other.publish("{\"old\":true}", to: Self.discovery, isRetained: true)
    let watcher = try Subscriber(other)
    let again = try PluginUnderTest(other, Self.homeAssistant, state: plugin.state)
    _ = try watcher.next(Self.discovery) { $0.isEmpty }
    // Put again, it is there again.
    _ = try again.deliver(.record, [TagEvents.record(4, "tag.put", Self.keys)])
    _ = try watcher.next(Self.discovery) { $0.contains("mary: Keys") }
  }

  @Test func tagsGoWithTheirResidentAndMoveToAnother() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(.record, [TagEvents.record(1, "tag.put", Self.keys)])
    var moved = Self.keys
    moved.resident = "joe"
    _ = try plugin.deliver(.record, [TagEvents.record(2, "tag.put", moved, resident: "joe")])
    _ = try subscriber.next(Self.discovery) { $0.isEmpty }
    let other = "homeassistant/device/hub_joe_tag_keys/config"
    _ = try subscriber.next(other) { $0.contains("joe: Keys") }
    _ = try plugin.deliver(.record, [Stored.erased(3, "joe")])
    _ = try subscriber.next(other) { $0.isEmpty }
    _ = try subscriber.next("homeward/hub/resident/joe/tag/keys") { $0.isEmpty }
  }
}

@Suite struct ResidentTagsTests {
  private static func take(
    _ tags: inout ResidentTags, _ seconds: Int64, _ type: EventType, _ facts: JSONValue
  ) {
    tags.take(type, at: .seconds(seconds), facts)
  }

  @Test func whatComesLateInAnotherLaneTurnsNothingBack() {
    var tags = ResidentTags()
    Self.take(&tags, 20, .tagChanged, ["tag": "keys", "tagName": "Keys", "presence": "away"])
    Self.take(&tags, 10, .tagChanged, ["tag": "keys", "tagName": "Old", "presence": "near"])
    #expect(tags.tags["keys"]?.presence.value == "away" && tags.tags["keys"]?.name.value == "Keys")
    Self.take(&tags, 5, .tagRoomChanged, ["tag": "keys", "room": "Hall"])
    #expect(tags.tags["keys"]?.room.value == "Hall")
    Self.take(&tags, 30, .tagRoomChanged, ["tag": "keys", "room": .null])
    #expect(tags.tags["keys"]?.room.value == nil && tags.tags["keys"]?.room.isKnown == true)
  }

  @Test func factsOfAnotherShapeChangeNothing() {
    var tags = ResidentTags()
    Self.take(&tags, 1, .tagChanged, ["tag": "keys", "tagName": "Keys", "presence": "near"])
    let before = tags
    let strange: [JSONValue] = [
      [:], ["tag": 5], ["tag": ""], ["tag": "keys", "presence": "close"],
      ["tag": "keys", "presence": 1, "batteryPercent": 101],
      ["tag": .string(String(repeating: "x", count: 65)), "presence": "near"],
    ]
    for facts in strange { Self.take(&tags, 2, .tagChanged, facts) }
    Self.take(&tags, 2, .recordChanged, ["action": "tag.put", "target": "new"])
    Self.take(&tags, 2, .tagDoubted, ["tag": "home", "tagName": "Home"])
    #expect(tags == before)
  }

  @Test func whatIsRememberedIsBoundedAndComesBack() {
    var tags = ResidentTags()
    for number in 0..<500 {
      Self.take(
        &tags, Int64(number), .tagChanged,
        [
          "tag": .string("tag-\(number)"), "tagName": "T", "kind": "keys", "presence": "near",
          "lastHeardAt": "2026-11-18T08:00:00Z", "batteryPercent": 12,
        ])
    }
    #expect(tags.tags.count == ResidentTags.maximumTags)
    for number in 0..<500 {
      Self.take(
        &tags, Int64(1000 + number), .recordChanged,
        ["action": "tag.remove", "target": .string("tag-\(number + 3)")])
    }
    #expect(tags.removed.count == ResidentTags.maximumRemoved && tags.tags.count == 3)
    #expect(ResidentTags(storage: tags.storage) == tags)
    for damaged: JSONValue in [.null, 5, ["tags": 5], ["tags": [5, ["tag": "x", "times": [1]]]]] {
      #expect(ResidentTags(storage: damaged) == ResidentTags())
    }
  }
}
