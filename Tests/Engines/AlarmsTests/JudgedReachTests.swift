import Care
import JSON
import Moments
import Testing

@testable import Alarms

@Suite("Whether guardians can be told, as a part of the gateway")
struct JudgedReachTests {
  private static let ways = Observation.ways(WaysReport(offers: []))

  /// What was told of it after a step; nil where nothing changed.
  private func judged(
    _ house: inout House, after cause: Input.Cause = .wake
  ) -> HealthReport? {
    let before = house.signals.count
    guard house.handle(core: .settled(after: cause)) else { return nil }
    guard case .health(let report, isCertain: false)? = house.signals.dropFirst(before).last else {
      return nil
    }
    return report
  }

  @Test("Nothing is said before it is known what plugins offer, and then once for each change")
  func changes() {
    var house = House(guardians: [House.anna])
    #expect(judged(&house, after: .start) == nil && house.engine.health.isEmpty)
    house.offer([.push], by: "push")
    let unreachable = judged(&house, after: .observation(Self.ways))
    #expect(unreachable?.component == AlarmEngine.reachComponent)
    #expect(unreachable?.state == .failed && unreachable?.code == "nobody-reachable")
    #expect(judged(&house) == nil, "it is said already")
    #expect(house.engine.health == [unreachable].compactMap { $0 })
    house.offer([.sms], by: "carrier")
    #expect(judged(&house)?.state == .working)
    house.faults = [HealthReport(component: "plugin/carrier", state: .degraded)]
    #expect(judged(&house) == nil, "it limps, and carries messages still")
    house.faults = [HealthReport(component: "plugin/carrier", state: .failed)]
    #expect(judged(&house)?.code == "nobody-reachable")
    house.faults = []
    #expect(judged(&house)?.state == .working)
    house.cutPower(seconds: 8 * 86_400)
    house.offer([.sms], by: "carrier")
    #expect(judged(&house)?.code == "unproven")
  }

  @Test("It is judged after what can change it, and after nothing else")
  func causes() {
    let command = Command(id: "c", principal: .local, request: .locate(resident: "mary"))
    let delivery = DeliveryReport(
      plugin: "p", event: "e", recipient: "anna", channel: "sms", outcome: .sent)
    let concerned: [Input.Cause] = [
      .start, .wake, .command(command), .observation(.delivery(delivery)),
      .observation(Self.ways), .observation(.clock(ClockReport(quality: .synchronised))),
      .observation(.health(HealthReport(component: "plugin/x", state: .working))),
    ]
    let others: [Input.Cause] = [
      .observation(.listening("hci0", isListening: true)),
      .observation(.photo(PhotoReport(alarm: "a", path: nil))),
    ]
    for cause in concerned + others {
      var house = House()
      house.offer([.sms], by: "carrier")
      let isConcerned = concerned.contains(cause)
      #expect((judged(&house, after: cause) != nil) == isConcerned, "\(cause)")
      #expect((house.engine.sees(for: .settled(after: cause)) == [.faults]) == isConcerned)
    }
  }

  @Test("To judge does nothing else: what is due waits for its own input")
  func nothingElse() throws {
    var house = House()
    house.offer([.sms], by: "carrier")
    try house.press()
    house.move(to: house.now.tick.advanced(byMilliseconds: 60_000))
    let before = (house.events.count, house.actions.count, house.engine.nextWake)
    #expect(judged(&house) != nil)
    #expect(house.events.count == before.0 && house.actions.count == before.1)
    #expect(house.engine.nextWake == before.2)
  }

  @Test("Who raises an alarm hears whether anybody can be told, once that is known")
  func replies() throws {
    let raise = AlarmRequest.raise(resident: "mary", kind: .sos, trigger: .backend, text: "")
    var house = House(guardians: [House.anna])
    let early = try house.ask(raise)
    #expect(early["alarm"] != nil && early["isReachable"] == nil)
    house.offer([.sms], by: "carrier")
    house.faults = [HealthReport(component: "plugin/carrier", state: .failed)]
    let reply = try house.ask(raise)
    #expect(reply["isReachable"] == false)
    #expect(reply["reach"]?.stringContent?.contains("carrier does not work") == true)
    let command = Command(id: "c", principal: .local, request: .alarm(raise))
    #expect(house.engine.sees(for: .asked(command, sent: house.now.tick)) == [.faults])
  }

  /// What a heartbeat says; nil for nothing.
  private func heartbeat(_ house: inout House) -> JSONMember? {
    house.engine.heartbeatMembers(in: house.world).first
  }

  @Test("A heartbeat and the summaries say of each resident whether guardians can be told")
  func summaries() throws {
    var house = House(guardians: [House.anna])
    #expect(heartbeat(&house) == nil)
    house.offer([.sms], by: "carrier")
    let member = try #require(heartbeat(&house))
    #expect(member.key == "reach")
    #expect(member.value == [["resident": "mary", "isReachable": true, "isProven": false]])
    let reach = house.engine.reachSummaries(in: house.world)
    #expect(reach.map { $0["isReachable"] } == [true])
    let guardian = try #require(
      house.engine.guardianSummaries(of: "mary", in: house.world).first)
    let states = guardian["ways"]?.arrayContent?.compactMap { $0["state"]?.stringContent }
    #expect(guardian["id"] == "anna" && states == ["untried", "missing", "missing"])
    #expect(house.engine.guardianSummaries(of: "nobody", in: house.world).isEmpty)
  }

  @Test("Without residents the guardians are no part that anything is wrong with")
  func nobody() {
    var house = House(residents: [], guardians: [])
    house.offer([.sms], by: "carrier")
    #expect(judged(&house)?.state == .unused)
    #expect(heartbeat(&house) == nil)
  }
}
