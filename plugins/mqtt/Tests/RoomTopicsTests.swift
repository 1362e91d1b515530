import Bytes
import Care
import MQTTTopics
import Moments
import Testing

@Suite("Topics about rooms")
struct RoomTopicsTests {
  private static let now = Moment(tick: .seconds(1), utc: Stored.start, quality: .synchronised)
  static let topics = RoomTopics()

  static let espresense =
    #"{"mac":"c01122334455","id":"iBeacon:e5ca-1-2","name":"Keys","disc":"iBeacon","rssi@1m":-65,"#
    + #""rssi":-62.4,"rxAdj":0,"rssiVar":1.2,"distance":1.42,"var":0.1,"close":false,"int":512,"#
    + #""mV":2950,"batt":87,"temp":21.5,"rh":40}"#
  static let roomPresence = #"{"id":"iBeacon:e5ca-1-2","name":"Keys","distance":5.678}"#

  static let messages: [(topic: String, payload: String)] = [
    ("espresense/devices/iBeacon:e5ca-1-2/kitchen", espresense),
    ("room_presence/kitchen", roomPresence), ("espresense/rooms/kitchen/status", "online"),
    ("espresense/rooms/kitchen/status", "offline"),
  ]

  @Test("What ESPresense says is read")
  func readsESPresense() throws {
    let found = try Self.topics.decode(
      topic: Self.messages[0].topic, payload: Array(Self.espresense.utf8))
    #expect(
      found
        == .report(
          RoomReport(
            device: "iBeacon:e5ca-1-2", room: "kitchen", name: "Keys", strengthDBm: -62.4,
            distanceFigure: 1.42, batteryPercent: 87)))
  }

  @Test("What room-assistant says is read, and its figure becomes a strength to compare")
  func readsRoomPresence() throws {
    let found = try Self.topics.decode(
      topic: "room_presence/kitchen", payload: Array(Self.roomPresence.utf8))
    guard case .report(let report)? = found else {
      Issue.record("no report")
      return
    }
    #expect(report.distanceFigure == 5.678)
    #expect(report.strengthDBm == nil)
    let sighting = try #require(report.sighting(of: "keys", by: "kitchen", at: Self.now))
    #expect(sighting.strengthDBm == -79)
    #expect(RoomReport(device: "a", room: "b").sighting(of: "a", by: "b", at: Self.now) == nil)
  }

  @Test("A gateway's coming and going is read")
  func readsStatus() throws {
    for (word, isOnline) in [("online", true), ("offline", false)] {
      let found = try Self.topics.decode(
        topic: "espresense/rooms/kitchen/status", payload: Array(word.utf8))
      #expect(found == .status(room: "kitchen", isOnline: isOnline))
    }
  }

  @Test(
    "Other topics are not ours",
    arguments: [
      "", "espresense", "espresense/", "espresense/devices/a", "espresense/devices/a/b/c",
      "espresense/rooms/a/max_distance", "espresensex/devices/a/b", "room_presence", "home/x",
      "room_presence/a/b", "espresense/settings/a/config",
    ])
  func otherTopics(topic: String) throws {
    #expect(try Self.topics.decode(topic: topic, payload: Array(Self.espresense.utf8)) == nil)
  }

  @Test(
    "What does not fit is refused, naming the field",
    arguments: [
      ("espresense/devices/a/b", "", "truncated at byte 0"),
      ("espresense/devices/a/b", "[]", "wrong type at byte 0"),
      ("espresense/devices/a/b", "{}", "missing field \"rssi\" at byte 0"),
      ("espresense/devices/a/b", #"{"rssi":21}"#, "out of range \"rssi\" at byte 0"),
      ("espresense/devices/a/b", #"{"rssi":-128}"#, "out of range \"rssi\" at byte 0"),
      ("espresense/devices/a/b", #"{"rssi":"loud"}"#, "wrong type \"rssi\" at byte 0"),
      ("espresense/devices/a/b", #"{"distance":-1}"#, "out of range \"distance\" at byte 0"),
      ("espresense/devices/a/b", #"{"distance":1e9}"#, "out of range \"distance\" at byte 0"),
      ("espresense/devices/a/b", #"{"rssi":-60,"batt":101}"#, "out of range \"batt\" at byte 0"),
      ("espresense/devices//b", #"{"rssi":-60}"#, "out of range \"id\" at byte 0"),
      ("espresense/devices/a/", #"{"rssi":-60}"#, "out of range \"room\" at byte 0"),
      ("espresense/devices/a/+", #"{"rssi":-60}"#, "invalid text \"room\" at byte 0"),
      ("espresense/devices/a#/b", #"{"rssi":-60}"#, "invalid text \"id\" at byte 1"),
      ("room_presence/b", #"{"distance":1}"#, "missing field \"id\" at byte 0"),
      ("room_presence/b", #"{"id":"x/y","distance":1}"#, "invalid text \"id\" at byte 1"),
      ("espresense/rooms/a/status", "on", "unknown word \"status\" at byte 0"),
    ])
  func refuses(topic: String, payload: String, words: String) {
    #expect {
      try Self.topics.decode(topic: topic, payload: Array(payload.utf8))
    } throws: { error in
      String(describing: error) == words
    }
  }

  @Test("Payloads and nesting have limits")
  func limits() {
    let long = Array(#"{"rssi":-60,"name":""#.utf8) + [UInt8](repeating: 0x61, count: 5000)
    let deep = [UInt8](repeating: 0x5B, count: 1000)
    for payload in [long, deep] {
      #expect(throws: DecodeError.self) {
        try Self.topics.decode(topic: "espresense/devices/a/b", payload: payload)
      }
    }
    let name = String(repeating: "a", count: 129)
    #expect(throws: DecodeError.self) {
      try Self.topics.decode(
        topic: "espresense/devices/\(name)/b", payload: Array(#"{"rssi":-60}"#.utf8))
    }
  }

  @Test("What is written is read back the same, and never kept by the broker")
  func roundTrip() throws {
    let report = RoomReport(
      device: "keys", room: "kitchen", name: "Keys", strengthDBm: -62.4, batteryPercent: 87)
    let written = try Self.topics.encode(report)
    #expect(
      written.map(\.topic) == ["espresense/devices/keys/kitchen", "room_presence/kitchen"])
    #expect(written.allSatisfy { !$0.isRetained })
    #expect(
      String(decoding: written[0].payload, as: UTF8.self)
        == #"{"id":"keys","name":"Keys","rssi":-62.4,"distance":1.34,"batt":87}"#)
    for publication in written {
      var expected = report
      expected.distanceFigure = 1.34
      let back = try Self.topics.decode(topic: publication.topic, payload: publication.payload)
      #expect(back == .report(expected))
    }
    for isOnline in [true, false] {
      let status = try Self.topics.encode(room: "kitchen", isOnline: isOnline)
      #expect(status.isRetained)
      let back = try Self.topics.decode(topic: status.topic, payload: status.payload)
      #expect(back == .status(room: "kitchen", isOnline: isOnline))
    }
  }

  @Test("Names that no topic can hold are refused before they are sent")
  func unusableNames() {
    for name in ["", "a/b", "a+", "#", "a\u{0}", "line\nbreak"] {
      #expect(throws: DecodeError.self) {
        try Self.topics.encode(RoomReport(device: name, room: "kitchen", strengthDBm: -60))
      }
      #expect(throws: DecodeError.self) { try Self.topics.encode(room: name, isOnline: true) }
    }
    #expect(throws: DecodeError.self) {
      try Self.topics.encode(RoomReport(device: "keys", room: "kitchen"))
    }
  }

  @Test("A mark that combines with a stroke hides no part of a topic")
  func combiningMarks() throws {
    let report = RoomReport(
      device: "\u{308}keys", room: "\u{308}", name: "e\u{301}", strengthDBm: -60,
      distanceFigure: 1)
    for publication in try Self.topics.encode(report) {
      let back = try Self.topics.decode(topic: publication.topic, payload: publication.payload)
      #expect(back == .report(report))
    }
  }

  @Test("Every prefix of every message is read or refused")
  func prefixes() {
    var refused = 0
    for (topic, payload) in Self.messages {
      let bytes = Array(payload.utf8)
      for count in 0..<bytes.count {
        do {
          _ = try Self.topics.decode(topic: topic, payload: Array(bytes.prefix(count)))
          Issue.record("\(payload.prefix(count)) was taken")
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused == Self.messages.reduce(0) { $0 + $1.payload.utf8.count })
  }

  @Test("Fifty thousand mutations are read or refused, and what is read keeps its ranges")
  func mutations() {
    var random = SplitMix64(seed: 42)
    var taken = 0
    for round in 0..<50_000 {
      let message = Self.messages[round % Self.messages.count]
      var bytes = Array(message.payload.utf8)
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      guard let found = try? Self.topics.decode(topic: message.topic, payload: bytes) else {
        continue
      }
      taken += 1
      if case .report(let report) = found {
        #expect(report.strengthDBm.map { (-127...20).contains($0) } ?? true)
        #expect(report.sighting(of: "a", by: "b", at: Self.now) != nil)
      }
    }
    #expect(taken > 500)
  }
}
