import Bytes
import Care
import JSON
import Moments
import PluginProtocol
import Testing

@Suite struct ObserveTests {
  @Test func bothKindsOfObservationComeBackTheSame() throws {
    let calls: [ObserveCall] = [
      .room(.report(RoomReport(device: "keys", room: "Kitchen", strengthDBm: -60))),
      .room(.status(room: "Kitchen", isOnline: false)),
      .observation(.health(HealthReport(component: "plugin/x", state: .working))),
    ]
    for call in calls {
      #expect(try ObserveCall(json: JSONValue(parsing: call.json.serialized)) == call)
    }
  }

  @Test func whatIsNoObservationIsRefused() {
    let wrong: [JSONValue] = [
      [:], ["observation": 5], ["observation": [:]], ["observation": ["kind": "room"]],
      ["observation": ["kind": "room-report"]], ["kind": "room-status", "room": "a"],
    ]
    for json in wrong { #expect(throws: DecodeError.self) { try ObserveCall(json: json) } }
  }
}

@Suite struct RateWindowTests {
  @Test func noSecondHoldsMoreThanTheLimit() {
    var window = RateWindow(limit: 50)
    var random = SplitMix64(seed: 3)
    var now: Int64 = 0
    var taken: [Int64] = []
    for _ in 0..<5000 {
      now += Int64(random.next() % 12)
      let had = window.hasRoom(at: .milliseconds(now))
      let passed = window.take(at: .milliseconds(now))
      #expect(had == passed)
      if passed { taken.append(now) }
    }
    for index in 50..<taken.count { #expect(taken[index] - taken[index - 50] >= 1000) }
    // Nearly as much as may pass does.
    #expect(taken.count > Int(now / 1000) * 45)
  }

  @Test func aQuietWhileGivesTheWholeLimitBack() {
    var window = RateWindow(limit: 2)
    #expect([0, 1, 2].map { window.take(at: .milliseconds($0)) } == [true, true, false])
    #expect([1000, 1000, 1001].map { window.take(at: .milliseconds($0)) } == [true, false, true])
  }
}

extension Tick {
  fileprivate static func milliseconds(_ count: Int64) -> Tick {
    Tick(nanoseconds: count * 1_000_000)
  }
}
