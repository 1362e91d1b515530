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

  @Test("Each place is free again a second after it was taken, round after round")
  func rounds() {
    var window = RateWindow(limit: 3)
    for (now, passes) in [
      (0, true), (400, true), (800, true), (999, false), (1000, true), (1399, false),
      (1400, true), (1500, false), (1800, true), (1999, false), (2000, true), (2000, false),
      (9000, true), (9000, true), (9000, true), (9000, false),
    ] {
      #expect(window.hasRoom(at: .milliseconds(Int64(now))) == passes, "\(now)")
      #expect(window.take(at: .milliseconds(Int64(now))) == passes, "\(now)")
    }
  }

  @Test("A limit of none lets one pass a second, and a clock that went back lets nothing through")
  func edges() {
    for limit in [Int.min, 0, 1] {
      var window = RateWindow(limit: limit)
      #expect(
        [5000, 5999, 4000, 6000].map { window.take(at: .milliseconds($0)) }
          == [true, false, false, true])
    }
  }
}

extension Tick {
  fileprivate static func milliseconds(_ count: Int64) -> Tick {
    Tick(nanoseconds: count * 1_000_000)
  }
}
