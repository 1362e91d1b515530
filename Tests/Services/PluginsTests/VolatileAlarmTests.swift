import Care
import JSON
import Moments
import PluginProtocol
import Testing

@testable import Plugins

@Suite("Alarms that go out from memory")
struct VolatileAlarmTests {
  private static let now = Tick.seconds(100)

  private static func event(_ number: Int, of resident: ResidentID = "mary") -> EncodedEvent {
    Event(
      id: EventID("e\(number)"), type: .zoneLeft, lane: .alarm, resident: resident,
      moment: Moment(tick: now, utc: .seconds(1_700_000_000), quality: .synchronised),
      facts: ["number": .integer(Int64(number))]
    ).cloudEvent(gateway: "hub", boot: "b")
  }

  private func due(
    _ alarms: VolatileAlarms, at tick: Tick = now, limit: Int = 100, bytes: Int = 1 << 20
  ) -> [EventID] {
    alarms.due(at: tick, limit: limit, maximumBytes: bytes).map(\.id)
  }

  private func settle(
    _ event: EncodedEvent, _ outcome: EventOutcome, in alarms: inout VolatileAlarms
  ) {
    alarms.settle([event], outcomes: [outcome], now: Self.now, retrySecondMilliseconds: 1000)
  }

  @Test("Each is sent once, however often it comes, and not again once the plugin has spoken")
  func once() {
    var alarms = VolatileAlarms()
    let (first, second) = (Self.event(1), Self.event(2))
    for event in [first, second, first] { alarms.add(event) }
    #expect(due(alarms) == ["e1", "e2"])
    settle(first, .accepted, in: &alarms)
    settle(second, .refused(reason: "never"), in: &alarms)
    #expect(alarms.verdict(on: "e1") == .accepted && alarms.verdict(on: "e2") == .refused("never"))
    for event in [first, second] { alarms.add(event) }
    #expect(alarms.count == 0 && due(alarms).isEmpty)
    alarms.forget([first.id])
    #expect(alarms.verdict(on: "e1") == nil && alarms.verdict(on: "e2") != nil)
  }

  @Test("A batch has so many events and so many bytes, and never none because one is large")
  func bounds() {
    var alarms = VolatileAlarms()
    for number in 1...5 { alarms.add(Self.event(number)) }
    #expect(due(alarms, limit: 2) == ["e1", "e2"])
    #expect(due(alarms, bytes: 1) == ["e1"])
    let size = Self.event(1).body.count
    #expect(due(alarms, bytes: 3 * size) == ["e1", "e2", "e3"])
  }

  @Test("One that is wanted later holds those of its person, and nobody else's")
  func retried() {
    var alarms = VolatileAlarms()
    let first = Self.event(1)
    for event in [first, Self.event(2), Self.event(3, of: "tom")] { alarms.add(event) }
    settle(first, .retry(afterSeconds: 60, reason: "busy"), in: &alarms)
    let later = Self.now.advanced(byMilliseconds: 60_000)
    #expect(due(alarms) == ["e3"] && alarms.nextDue == later)
    #expect(due(alarms, at: later) == ["e1", "e2", "e3"])
    alarms.forgetWaits()
    #expect(due(alarms) == ["e1", "e2", "e3"] && alarms.nextDue == nil)
  }

  @Test("Memory has an end: the oldest make room, and what was said of them is forgotten")
  func full() {
    var alarms = VolatileAlarms()
    let most = VolatileAlarms.maximumEvents
    let events = (0...most).map { Self.event($0) }
    for event in events { alarms.add(event) }
    #expect(alarms.count == most && alarms.dropped == 1)
    #expect(due(alarms, limit: 1) == ["e1"])
    for event in events { settle(event, .accepted, in: &alarms) }
    #expect(alarms.count == 0)
    #expect(alarms.verdict(on: "e0") == nil && alarms.verdict(on: "e1") == .accepted)
    #expect(alarms.verdict(on: EventID("e\(most)")) == .accepted)
  }
}
