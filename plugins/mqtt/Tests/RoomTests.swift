import Care
import Foundation
import JSON
import MQTTTopics
import Moments
import PluginKit
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct RoomTests {
  private static let grants = ["network", "observe:room-report", "observe:room-status"]
  private static let both: JSONValue = ["rooms": ["listen": ["espresense", "room_presence"]]]
  private static let keys = "{\"id\":\"keys\",\"rssi\":-62.4,\"distance\":1.42,\"batt\":87}"
  private static let heard = RoomMessage.report(
    RoomReport(
      device: "keys", room: "kitchen", strengthDBm: -62.4, distanceFigure: 1.42,
      batteryPercent: 87))

  private func listening(
    _ broker: Broker, _ settings: JSONValue = both, state: TemporaryDirectory? = nil
  ) throws -> PluginUnderTest {
    let plugin = try PluginUnderTest(broker, settings, state: state, grants: Self.grants)
    // A retained state comes with the subscription: from here on it stands.
    try broker.publish("online", to: "espresense/rooms/canary/status", isRetained: true)
    #expect(try plugin.observation() == .room(.status(room: "canary", isOnline: true)))
    return plugin
  }

  @Test func whatEachFamilySaysIsHandedToTheGateway() throws {
    let broker = try Broker()
    try broker.publish("online", to: "espresense/rooms/kitchen/status", isRetained: true)
    let plugin = try PluginUnderTest(broker, Self.both, grants: Self.grants)
    #expect(try plugin.observation() == .room(.status(room: "kitchen", isOnline: true)))
    try broker.publish(Self.keys, to: "espresense/devices/keys/kitchen")
    #expect(try plugin.observation() == .room(Self.heard))
    try broker.publish("{\"id\":\"keys\",\"distance\":5.678}", to: "room_presence/走廊")
    #expect(
      try plugin.observation()
        == .room(.report(RoomReport(device: "keys", room: "走廊", distanceFigure: 5.678))))
    try broker.publish("offline", to: "espresense/rooms/kitchen/status", isRetained: true)
    #expect(try plugin.observation() == .room(.status(room: "kitchen", isOnline: false)))
  }

  @Test func whatIsRetainedUnreadableOrTooLargeIsLeftOut() throws {
    let broker = try Broker()
    try broker.publish(Self.keys, to: "espresense/devices/old/kitchen", isRetained: true)
    try broker.publish(Self.keys, to: "room_presence/old", isRetained: true)
    let plugin = try listening(broker)
    let large = "{\"rssi\":-60,\"name\":\"\(String(repeating: "x", count: 5000))\"}"
    for payload in [large, " ", "[]", "{\"rssi\":99}"] {
      try broker.publish(payload, to: "espresense/devices/keys/kitchen")
    }
    try broker.publish("perhaps", to: "espresense/rooms/kitchen/status")
    _ = try plugin.logged("could not be read")
    // Settings of ESPresense's own are none of ours, and nothing is said of them.
    try broker.publish("ON", to: "espresense/rooms/kitchen/restart")
    try broker.publish(Self.keys, to: "espresense/devices/keys/kitchen")
    #expect(try plugin.observation() == .room(Self.heard))
    #expect(plugin.remainingObservations == 0)
    #expect(!plugin.process.log.remaining.contains { $0.contains("nobody was granted") })
  }

  @Test func aFloodIsDroppedAndCountedAndHoldsUpNoStates() throws {
    let broker = try Broker()
    let plugin = try listening(broker)
    let flood = try LineProcess(
      "/usr/bin/mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(broker.door)", "-t", "espresense/devices/keys/kitchen", "-l"])
    try flood.write(Array(String(repeating: Self.keys + "\n", count: 400).utf8))
    flood.closeInput()
    #expect(try flood.waitForEnd() == 0)
    try broker.publish("offline", to: "espresense/rooms/canary/status", isRetained: true)
    let line = try plugin.logged("were too many")
    #expect(line.contains("392 were too many"))
    // A gateway that answers nothing gets no more; once it answers, the state comes.
    for _ in 0..<RoomFeed.maximumOpen {
      #expect(try plugin.observation(answering: .object([])) == .room(Self.heard))
    }
    #expect(try plugin.observation() == .room(.status(room: "canary", isOnline: false)))
    #expect(plugin.remainingObservations == 0)
  }

  @Test func aBrokenConnectionTakesEveryRoomAway() throws {
    let broker = try Broker()
    let plugin = try listening(broker)
    try broker.publish("{\"id\":\"keys\",\"distance\":2}", to: "room_presence/hall")
    _ = try plugin.observation()
    try broker.stop()
    #expect(try plugin.observation() == .room(.status(room: "canary", isOnline: false)))
    #expect(try plugin.observation() == .room(.status(room: "hall", isOnline: false)))
    try broker.start()
    #expect(try plugin.observation() == .room(.status(room: "canary", isOnline: true)))
    #expect(plugin.remainingObservations == 0)
  }

  @Test func whatWasSaidWhileNobodyListenedIsNotTold() throws {
    let broker = try Broker()
    let before = try listening(broker)
    before.process.signal(SIGKILL)
    try before.process.waitForEnd()
    try broker.publish(Self.keys, to: "espresense/devices/keys/kitchen")
    let after = try PluginUnderTest(broker, Self.both, state: before.state, grants: Self.grants)
    #expect(try after.observation() == .room(.status(room: "canary", isOnline: true)))
    try after.call(PluginMethod.shutdown)
    #expect(
      try after.observation(answering: nil) == .room(.status(room: "canary", isOnline: false)))
    #expect(after.remainingObservations == 0)
  }

  @Test func withoutGrantOrSettingNothingIsListenedTo() throws {
    let broker = try Broker()
    let before = try listening(broker)
    try before.call(PluginMethod.shutdown)
    try before.process.waitForEnd()
    for (settings, grants) in [
      (Self.both, ["network", "observe:room-report"]), (.object([]), Self.grants),
    ] {
      let plugin = try PluginUnderTest(broker, settings, state: before.state, grants: grants)
      if settings == Self.both { _ = try plugin.logged("lacks the grant observe:room-status") }
      try broker.publish("online", to: "espresense/rooms/kitchen/status")
      try broker.publish(Self.keys, to: "espresense/devices/keys/kitchen")
      try plugin.call(PluginMethod.shutdown)
      try plugin.process.waitForEnd()
      #expect(plugin.remainingObservations == 0)
      #expect(!plugin.process.log.remaining.contains { $0.contains("ignored") })
    }
  }

  // MARK: Out

  private static let publishing: JSONValue = [
    "rooms": ["publish": true, "room": "kitchen", "listen": ["room_presence"]]
  ]

  /// An event of now; the gateway's clock and the plugin's are one.
  private func event(
    _ type: EventType, lane: Lane, _ more: JSONValue, secondsAgo: Int64 = 0
  ) -> [UInt8] {
    let time = WallClock.now.advanced(byMilliseconds: -secondsAgo * 1000)
    let facts: JSONValue = ["tag": "keys", "tagName": "Keys", "kind": "keys"]
    let event = Event(
      id: EventID("\(UUID())"), type: type, lane: lane, resident: "mary",
      moment: Moment(tick: .seconds(1), utc: time, quality: .synchronised),
      facts: (more.objectContent ?? []).reduce(facts) { $0.setting($1.key, to: $1.value) })
    return event.cloudEvent(gateway: "hub", boot: "boot").body
  }

  @Test func aTagHeardInTheOwnRoomIsPublishedAndItsEchoIsNoReport() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.publishing, grants: Self.grants)
    _ = try plugin.deliver(.record, [event(.tagChanged, lane: .record, ["presence": "near"])])
    _ = try plugin.deliver(.trace, [event(.tagRoomChanged, lane: .trace, ["room": "kitchen"])])
    let message = try subscriber.next("room_presence/kitchen")
    #expect(!message.isRetained)
    #expect(message.payload == "{\"id\":\"keys\",\"name\":\"Keys\",\"distance\":2.15}")
    _ = try plugin.deliver(.trace, [event(.tagChanged, lane: .trace, ["presence": "room"])])
    #expect(try subscriber.next("room_presence/kitchen").payload.contains("\"distance\":23.46"))
    // Another room, nowhere, long ago: nothing that this room hears now.
    let others = [
      event(.tagRoomChanged, lane: .trace, ["room": "hall"]),
      event(.tagRoomChanged, lane: .trace, ["room": .null]),
      event(.tagRoomChanged, lane: .trace, ["room": "kitchen"], secondsAgo: 120),
    ]
    for body in others { _ = try plugin.deliver(.trace, [body]) }
    _ = try plugin.deliver(
      .record,
      [
        event(.tagChanged, lane: .record, ["presence": "away"]),
        event(.tagBatteryLow, lane: .record, ["batteryPercent": 9]),
      ])
    try broker.publish("{\"id\":\"keys\",\"distance\":2}", to: "room_presence/hall")
    #expect(
      try plugin.observation()
        == .room(.report(RoomReport(device: "keys", room: "hall", distanceFigure: 2))))
    #expect(plugin.remainingObservations == 0)
    #expect(subscriber.remaining("room_presence/kitchen").isEmpty)
  }

  @Test func nothingIsPublishedUnlessAskedFor() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, ["rooms": ["room": "kitchen"]])
    _ = try plugin.deliver(.record, [event(.tagChanged, lane: .record, ["presence": "near"])])
    _ = try plugin.deliver(.trace, [event(.tagRoomChanged, lane: .trace, ["room": "kitchen"])])
    _ = try subscriber.next("homeward/hub/resident/mary/tag/keys") { $0.contains("kitchen") }
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
    #expect(subscriber.remaining("room_presence/kitchen").isEmpty)
  }

  @Test(
    arguments: [
      ["publish": true], ["publish": true, "room": "a/b"], ["publish": true, "room": "+"],
      ["publish": true, "room": ""], ["listen": ["zigbee"]],
    ] as [JSONValue])
  func settingsThatCannotWorkAreRefused(rooms: JSONValue) {
    #expect(throws: RPCError.self) {
      try MQTTSettings(json: ["host": "h", "rooms": rooms], gateway: "hub")
    }
  }
}
