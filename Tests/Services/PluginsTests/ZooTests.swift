import Care
import Foundation
import Glibc
import JSON
import Loop
import Moments
import PluginTestSupport
import Plugins
import Ports
import TestSupport
import Testing

/// Each plugin of the zoo misbehaves in one way; the polite one beside it must get everything, once and in order.
@LoopActor
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ZooTests {
  private func fixture(
    _ bad: ZooPlugin, _ prepare: (inout PluginHost.Timings) -> Void = { _ in }
  ) throws -> HostFixture {
    let fixture = try HostFixture()
    prepare(&fixture.timings)
    try fixture.start([HostFixture.good, bad])
    return fixture
  }

  @Test func aFloodOfMessagesIsReadSlowlyAndSaid() async throws {
    let fixture = try fixture(ZooPlugin("flood"))
    await fixture.wait(for: "flood", .degraded, code: "flooding")
    await fixture.expectGoodGoesOn()
    await fixture.stop()
  }

  @Test func anAlarmOvertakesABatchOfTracesThatIsNeverAnswered() async throws {
    let fixture = try fixture(ZooPlugin("stall"))
    fixture.commit(fixture.events(.trace, 500))
    await fixture.waitForLog(of: "stall", containing: "holding a batch of traces")
    let start = EventLoop.now
    let alarms = fixture.events(.alarm, 1)
    fixture.commit(alarms)
    await fixture.waitUntilSettled("stall", [.alarm])
    let milliseconds = EventLoop.now.milliseconds(since: start)
    #expect(fixture.received(by: "stall", .alarm) == alarms.map(\.id.rawValue))
    let status = try await fixture.status("stall")
    let trace = try #require(status.lanes.first { $0.lane == .trace })
    #expect(trace.outstandingMilliseconds != nil)
    #expect(trace.cursor == 0)
    #expect(trace.depth == 500)
    print("alarm settled \(milliseconds) ms after its commit, beside a stalled batch of traces")
    await fixture.stop()
  }

  @Test func aBatchThatIsNeverAnsweredEndsThePluginWithAFault() async throws {
    let fixture = try fixture(ZooPlugin("stall")) { $0.deliverMilliseconds = 200 }
    fixture.commit(fixture.events(.trace, 5))
    await fixture.wait(for: "stall", .failed, code: "no-answer")
    await fixture.stop()
  }

  @Test(arguments: ["gap", "long", "short", "overlap", "word", "huge", "empty"])
  func outcomesThatDoNotCoverTheBatchEndThePlugin(lie: String) async throws {
    var bad = ZooPlugin("lie")
    bad.settings = ["lie": .string(lie)]
    let fixture = try fixture(bad)
    await fixture.expectGoodGoesOn()
    await fixture.wait(for: "lie", .failed, code: "wrong-outcomes")
    #expect(fixture.journal.cursor("lie", .alarm)?.sequence == 0)
    await fixture.stop()
  }

  @Test func answersToQuestionsThatNobodyAskedAreSaidAndIgnored() async throws {
    var bad = ZooPlugin("lie")
    bad.settings = ["lie": "id"]
    let fixture = try fixture(bad)
    await fixture.expectGoodGoesOn()
    await fixture.waitUntilSettled("lie")
    #expect(fixture.log(of: "lie").contains { $0.contains("never made") })
    #expect(try await fixture.status("lie").restarts == 0)
    await fixture.stop()
  }

  @Test(arguments: [("garbage", "not-json-rpc"), ("longline", "line-too-long")])
  func whatIsNoJSONRPCEndsThePlugin(script: String, code: String) async throws {
    let fixture = try fixture(ZooPlugin(script))
    await fixture.expectGoodGoesOn()
    await fixture.wait(for: script, .failed, code: code)
    await fixture.stop()
  }

  @Test func aPluginThatIgnoresSIGTERMIsKilled() async throws {
    let fixture = try fixture(ZooPlugin("stubborn")) {
      $0.shutdownMilliseconds = 100
      $0.terminateMilliseconds = 100
    }
    await fixture.expectGoodGoesOn()
    await fixture.waitForLog(of: "stubborn", containing: "here to stay")
    let pid = try #require(try await fixture.status("stubborn").pid)
    await fixture.stop()
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test(
    "Forked children are gone after the stop, by the end of their namespace and without one",
    arguments: [true, false])
  func forkedChildren(haveNamespaces: Bool) async throws {
    let fixture = try HostFixture()
    fixture.switches.namespaces = haveNamespaces
    try fixture.start([HostFixture.good, ZooPlugin("fork")])
    for child in ["child", "setsid", "setpgid", "orphan"] {
      await fixture.waitForLog(of: "fork", containing: "forked \(child)")
    }
    await fixture.expectGoodGoesOn()
    await fixture.stop()
    let state = fixture.directory.path(of: "state/fork")
    let files = try FileManager.default.contentsOfDirectory(atPath: state)
      .filter { $0.hasPrefix("pid-") }
    #expect(files.count == 4)
    for file in files {
      let text = try String(contentsOfFile: "\(state)/\(file)", encoding: .utf8)
      let pid = try #require(Int32(text))
      #expect(kill(pid, 0) == -1 && errno == ESRCH, "\(file) lives")
    }
  }

  @Test func aPluginThatNeverAnswersInitializeIsStartedAgain() async throws {
    let fixture = try fixture(ZooPlugin("mute")) { $0.initializeMilliseconds = 3000 }
    await fixture.expectGoodGoesOn()
    await fixture.wait(for: "mute", .failed, code: "no-answer")
    await fixture.wait { fixture.health.last { $0.component == "plugin/mute" }?.state == .starting }
    await fixture.stop()
  }

  @Test func aPluginThatIsSlowToBeginHasTwiceAsLongAtEachOfThreeTries() async throws {
    let fixture = try HostFixture()
    fixture.timings.initializeMilliseconds = 50
    try fixture.start([ZooPlugin("mute")])
    for milliseconds in [50, 100, 200, 400] {
      await fixture.waitForLog(of: "mute", containing: "within \(milliseconds) ms")
    }
    await fixture.wait { fixture.log(of: "mute").count { $0.contains("within 400 ms") } == 2 }
    await fixture.stop()
  }

  @Test func aPluginThatExitsAtOnceIsStartedAgainAndAgain() async throws {
    let fixture = try fixture(ZooPlugin("exits"))
    await fixture.wait { fixture.log(of: "exits").count { $0.contains("status 3") } >= 4 }
    #expect(fixture.log(of: "exits").contains("cannot work today"))
    await fixture.expectGoodGoesOn()
    await fixture.stop()
  }

  @Test func thePluginsOfOthersAndTheDatabaseCannotBeRead() async throws {
    let fixture = try HostFixture()
    try fixture.directory.write("private", to: "data/care.db")
    try fixture.directory.write("hunter2", to: "state/good/secret")
    var bad = ZooPlugin("snoop")
    bad.settings = [
      "database": .string(fixture.directory.path(of: "data/care.db")),
      "secret": .string(fixture.directory.path(of: "state/good/secret")),
      "socket": .string(fixture.directory.path(of: "data/control.sock")),
    ]
    try fixture.start([HostFixture.good, bad])
    await fixture.waitForLog(of: "snoop", containing: "looked everywhere")
    let lines = fixture.log(of: "snoop")
    let walls = try await fixture.walls("snoop")
    if walls.landlock > 0, walls.hasSeccomp {
      #expect(lines.filter { $0.hasPrefix("could") } == [])
      #expect(lines.count { $0.hasPrefix("denied") } == 11)
    }
    let variables = "HOME,HOMEWARD_LANGUAGE,HOMEWARD_PLUGIN,HOMEWARD_PLUGIN_RUN,LANG,PATH,TMPDIR"
    #expect(lines.contains { $0.contains(variables) })
    #expect(
      try String(contentsOfFile: fixture.directory.path(of: "data/care.db"), encoding: .utf8)
        == "private")
    await fixture.expectGoodGoesOn()
    await fixture.stop()
  }

  @Test func memoryIsLimited() async throws {
    let fixture = try HostFixture()
    var greedy = try fixture.configuration(ZooPlugin("glutton"))
    greedy.memoryLimitBytes = 64 << 20
    fixture.start(configurations: [try fixture.configuration(HostFixture.good), greedy])
    await fixture.expectGoodGoesOn()
    await fixture.waitForLog(of: "glutton", containing: "full after")
    await fixture.waitForLog(of: "glutton", containing: "status 9")
    await fixture.stop()
  }

  @Test func socketsNeedTheGrant() async throws {
    let listener = try LoopbackListener()
    var bad = ZooPlugin("dial")
    bad.settings = ["port": .integer(Int64(listener.port))]
    var granted = bad
    granted.name = "dial-granted"
    granted.asks = ["network"]
    granted.granted = ["network"]
    let fixture = try HostFixture()
    var reaching = try fixture.configuration(granted)
    reaching.loopback = [listener.port]
    fixture.start(configurations: [
      try fixture.configuration(HostFixture.good), try fixture.configuration(bad), reaching,
    ])
    await fixture.waitForLog(of: "dial", containing: "dialled")
    await fixture.waitForLog(of: "dial-granted", containing: "dialled")
    if try await fixture.walls("dial").hasSeccomp {
      #expect(fixture.log(of: "dial").count { $0.hasPrefix("denied") } == 3)
    }
    #expect(fixture.log(of: "dial-granted").contains("opened tcp"))
    #expect(fixture.log(of: "dial-granted").contains("opened udp"))
    #expect(!fixture.log(of: "dial-granted").contains("opened unix"))
    await fixture.expectGoodGoesOn()
    await fixture.stop()
  }

  @Test func aPluginThatNeverReadsIsEndedWithoutHarmToOthers() async throws {
    let fixture = try fixture(ZooPlugin("deaf")) { $0.deliverMilliseconds = 1000 }
    await fixture.wait(for: "deaf", .working)
    let events = Lane.allCases.flatMap { fixture.events($0, 3000) }
    fixture.commit(events)
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(events)
    await fixture.wait(for: "deaf", .failed, code: "no-answer")
    await fixture.stop()
  }

  // Whether one has expired or came before, the core alone judges: for every channel alike.
  @Test func commandsWithoutGrantAreNotPassedOn() async throws {
    var bad = ZooPlugin("meddle")
    bad.asks = ["command:locate", "observe:delivery"]
    bad.granted = ["command:locate", "command:resident.erase", "observe:delivery", "observe:fix"]
    let fixture = try fixture(bad)
    await fixture.waitForLog(of: "meddle", containing: "answers")
    let line = try #require(fixture.log(of: "meddle").first { $0.hasPrefix("answers") })
    #expect(
      line == "answers 1=1002 2=done 3=done 4=-32602 5=done 6=done 7=-32602 8=1002 9=1001 "
        + "10=1002 11=-32601 12=done")
    #expect(fixture.commands.map(\.id) == ["b", "c", "e", "e"])
    #expect(fixture.commands.first?.principal.description == "plugin:meddle/anna")
    #expect(fixture.observations.count == 1)
    guard case .delivery(let report)? = fixture.observations.first?.observation else {
      Issue.record("no delivery report")
      return
    }
    #expect(report.plugin == "meddle")
    await fixture.expectGoodGoesOn()
    await fixture.stop()
  }

  @Test func aPluginThatDiesOfEveryBatchGetsTheSameBatchAgain() async throws {
    let fixture = try fixture(ZooPlugin("crash"))
    let events = fixture.events(.record, 20)
    fixture.commit(events)
    let first = "dying of \(events[0].id)"
    await fixture.wait { fixture.log(of: "crash").count { $0 == first } >= 3 }
    #expect(fixture.journal.cursor("crash", .record)?.sequence == 0)
    let lane = try #require(
      try await fixture.status("crash").lanes.first { $0.lane == .record })
    #expect(lane.redelivered >= 40)
    #expect(lane.delivered == 0)
    await expectGoodGoesOnAfter(events, fixture)
    await fixture.stop()
  }

  private func expectGoodGoesOnAfter(_ before: [EncodedEvent], _ fixture: HostFixture) async {
    let events = fixture.events(.alarm, 50)
    fixture.commit(events)
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(before + events)
  }
}
