import Care
import JSON
import Loop
import PluginTestSupport
import Plugins
import Ports
import TestSupport
import Testing

/// A plugin that breaks one promise of the protocol, beside one that keeps them all.
@LoopActor
@Suite("Broken promises of a plugin", .serialized, .timeLimit(.minutes(3)))
struct PromiseTests {
  private func fixture(_ deed: String) throws -> HostFixture {
    var odd = ZooPlugin("odd")
    odd.settings = ["deed": .string(deed)]
    let fixture = try HostFixture()
    fixture.timings.healthIntervalMilliseconds = 200
    try fixture.start([HostFixture.good, odd])
    return fixture
  }

  private func expectGoodGoesOn(_ fixture: HostFixture) async {
    let events = Lane.allCases.flatMap { fixture.events($0, 20) }
    fixture.commit(events)
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(events)
  }

  @Test(
    "Each is told by a word of its own, and the plugin is started again",
    arguments: [
      ("protocol", "wrong-handshake"), ("name", "wrong-handshake"), ("version", "wrong-handshake"),
      ("shape", "wrong-handshake"), ("silent", "closed-output"), ("error", "deliver-failed"),
      ("ill", "wrong-handshake"), ("word", "wrong-handshake"),
    ])
  func faults(deed: String, code: String) async throws {
    let fixture = try fixture(deed)
    await expectGoodGoesOn(fixture)
    await fixture.wait(for: "odd", .failed, code: code)
    await fixture.waitForLog(of: "odd", containing: "starting it again in ")
    #expect(!fixture.health.contains { $0.component == "plugin/good" && $0.state == .failed })
    await fixture.stop()
  }

  @Test("One that says itself that it cannot work is not started again, and its words are clean")
  func refusal() async throws {
    let fixture = try fixture("refuse")
    await fixture.wait(for: "odd", .failed, code: "invalid")
    let status = try await fixture.status("odd")
    #expect(status.state == .invalid && status.restarts == 0 && status.pid == nil)
    #expect(status.lastError == "the modem [2J is missing")
    #expect(!fixture.log(of: "odd").contains { $0.contains("starting it again") })
    await expectGoodGoesOn(fixture)
    await fixture.stop()
  }

  @Test("A second answer to the same batch is said and ignored, and nothing comes twice")
  func twice() async throws {
    let fixture = try fixture("twice")
    let events = fixture.events(.alarm, 30)
    fixture.commit(events)
    await fixture.waitUntilSettled("odd")
    await fixture.waitForLog(of: "odd", containing: "is settled")
    #expect(fixture.received(by: "odd", .alarm) == events.map(\.id.rawValue))
    #expect(try await fixture.status("odd").restarts == 0)
    await fixture.stop()
  }
}
