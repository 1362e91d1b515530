import Care
import JSON
import Loop
import Plugins
import TestSupport
import Testing

/// A plugin that hangs while an alarm waits for it is replaced soon; one that only takes its time is not.
@LoopActor @Suite struct HangTests {
  /// Every limit of patience is an hour: only what an alarm brings about can end a plugin.
  private func fixture() throws -> HostFixture {
    let fixture = try HostFixture()
    fixture.timings.deliverMilliseconds = 3_600_000
    fixture.timings.healthIntervalMilliseconds = 3_600_000
    fixture.timings.healthMilliseconds = 3_600_000
    fixture.timings.terminateMilliseconds = 3_600_000
    fixture.timings.alarmPatienceMilliseconds = 50
    fixture.timings.alarmHealthMilliseconds = 500
    fixture.timings.urgentTerminateMilliseconds = 50
    return fixture
  }

  @Test(
    "An alarm that waits for a plugin that hangs comes to its next process", .timeLimit(.minutes(1))
  )
  func alarmLane() async throws {
    let fixture = try fixture()
    try fixture.start([ZooPlugin("hang")])
    await fixture.wait(for: "hang", .working)
    let events = fixture.events(.alarm, 3)
    fixture.commit(events)
    await fixture.wait(for: "hang", .failed, code: "no-answer")
    await fixture.waitUntilSettled("hang")
    #expect(try await fixture.status("hang").restarts == 1)
    await fixture.stop()
  }

  @Test(
    "So does a message to a guardian: the gateway hears soon that it was not taken",
    .timeLimit(.minutes(1)))
  func notify() async throws {
    let fixture = try fixture()
    var plugin = ZooPlugin("hang")
    plugin.offers = ["notify.sms"]
    try fixture.start([plugin])
    await fixture.wait(for: "hang", .working)
    let first = try await call(fixture)
    #expect(throws: RPCFailure.self) { try first.get() }
    await fixture.wait { fixture.health.count { $0.state == .working } == 2 }
    #expect(try await call(fixture).get()["outcome"] == "taken")
    await fixture.stop()
  }

  @Test("A plugin that holds an alarm but says how it does is left alone", .timeLimit(.minutes(1)))
  func patience() async throws {
    let fixture = try fixture()
    fixture.timings.alarmHealthMilliseconds = 1000
    try fixture.start([ZooPlugin("hold")])
    await fixture.wait(for: "hold", .working)
    fixture.commit(fixture.events(.alarm, 2))
    await fixture.waitUntilSettled("hold")
    #expect(try await fixture.status("hold").restarts == 0)
    #expect(!fixture.health.contains { $0.state == .failed })
    await fixture.stop()
  }

  private func call(_ fixture: HostFixture) async throws -> Result<JSONValue, RPCFailure> {
    let host = try #require(fixture.host)
    return await withCheckedContinuation { continuation in
      host.callService("notify.sms", params: [:], timeoutMilliseconds: 3_600_000) {
        continuation.resume(returning: $0)
      }
    }
  }
}
