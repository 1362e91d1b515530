import Care
import Loop
import Plugins
import TestSupport
import Testing

@LoopActor @Suite struct RoomTests {
  private func plugin(_ grants: Set<String>) -> ZooPlugin {
    var plugin = ZooPlugin("rooms")
    plugin.asks = ["observe:room-report", "observe:room-status"]
    plugin.granted = grants
    return plugin
  }

  private func answers(_ fixture: HostFixture, _ grants: Set<String>) async throws -> String {
    try fixture.start([plugin(grants), HostFixture.good])
    await fixture.waitForLog(of: "rooms", containing: "answers")
    return fixture.log(of: "rooms").first { $0.hasPrefix("answers") } ?? ""
  }

  @Test func whatRoomsSayIsHandedOnAsFastAsItMayComeAndNoFaster() async throws {
    let fixture = try HostFixture()
    let line = try await answers(fixture, ["observe:room-report", "observe:room-status"])
    #expect(line.hasPrefix("answers 1=0 2=-32602 3=-32602 4=-32602 5=0 taken="))
    let reports = fixture.roomMessages.compactMap { plugin, message -> String? in
      guard case .report(let report) = message, plugin == "rooms" else { return nil }
      return report.device
    }
    // A slow machine may spread the burst over more than a second.
    #expect((50..<80).contains(reports.count))
    #expect(line.hasSuffix("taken=\(reports.count) busy=\(80 - reports.count)"))
    #expect(reports.prefix(50).elementsEqual((0..<50).map { "keys-\($0)" }))
    #expect(fixture.roomMessages.first?.message == .status(room: "Kitchen", isOnline: true))
    // A report too many keeps no state back.
    #expect(fixture.roomMessages.last?.message == .status(room: "Kitchen", isOnline: false))
    #expect(fixture.observations.isEmpty)
    let said = fixture.log(of: "rooms").filter { $0.contains("times a second") }
    #expect(said.count == 1 && said.first?.contains("1 dropped, 1 since") == true)
    await fixture.stop()
  }

  @Test func withoutTheGrantNothingIsHandedOn() async throws {
    let fixture = try HostFixture()
    let line = try await answers(fixture, ["observe:room-status"])
    #expect(line == "answers 1=0 2=-32602 3=-32602 4=-32602 5=0 taken=0 busy=0")
    #expect(
      fixture.roomMessages.map(\.message) == [
        .status(room: "Kitchen", isOnline: true), .status(room: "Kitchen", isOnline: false),
      ])
    await fixture.stop()
  }
}
