import Care
import JSON
import Loop
import Plugins
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

  @Test(
    "Each is told by a word of its own, and the plugin is started again",
    arguments: [
      ("protocol", "wrong-handshake"), ("name", "wrong-handshake"), ("version", "wrong-handshake"),
      ("shape", "wrong-handshake"), ("silent", "closed-output"), ("error", "deliver-failed"),
      ("ill", "wrong-handshake"), ("word", "wrong-handshake"),
    ])
  func faults(deed: String, code: String) async throws {
    let fixture = try fixture(deed)
    await fixture.expectGoodGoesOn(20)
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
    await fixture.expectGoodGoesOn(20)
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

  /// The pauses before each new start that were told so far, in milliseconds.
  private func pauses(of plugin: String, _ fixture: HostFixture) -> [Int64] {
    fixture.log(of: plugin).compactMap { line in
      line.firstMatch(of: /starting it again in ([0-9]+) ms/).flatMap { Int64($0.1) }
    }
  }

  @Test("Each pause is twice the last, up to the longest, a quarter more or less")
  func pausesGrow() async throws {
    let fixture = try HostFixture()
    try fixture.start([ZooPlugin("exits")])
    await fixture.wait { pauses(of: "exits", fixture).count >= 5 }
    let expected: [Int64] = [20, 40, 80, 100, 100]
    for (pause, whole) in zip(pauses(of: "exits", fixture), expected) {
      #expect((whole * 3 / 4...whole * 5 / 4).contains(pause), "\(pause) ms of \(whole)")
    }
    await fixture.stop()
  }

  @Test("One that ran well for a while begins with the shortest pause again")
  func pausesBeginAgain() async throws {
    var odd = ZooPlugin("odd")
    odd.settings = ["deed": "silent"]
    let fixture = try HostFixture()
    fixture.timings.goodBehaviourMilliseconds = 50
    try fixture.start([odd])
    // It closes its output, which is noticed half a second later.
    await fixture.wait { pauses(of: "odd", fixture).count >= 3 }
    for pause in pauses(of: "odd", fixture) { #expect((15...25).contains(pause)) }
    await fixture.stop()
  }
}
