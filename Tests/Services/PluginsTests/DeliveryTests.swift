import Care
import Core
import Foundation
import JSON
import Loop
import Moments
import PluginTestSupport
import Plugins
import Ports
import Privacy
import TestSupport
import Testing

@LoopActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DeliveryTests {
  @Test func everythingArrivesInOrderAndTheCursorsStandAtTheEnd() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    let events = Lane.allCases.flatMap { fixture.events($0, 700) }
    fixture.commit(Array(events.prefix(900)))
    fixture.commit(Array(events.dropFirst(900)))
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(events)
    let status = try await fixture.status("good")
    #expect(status.state == .running)
    #expect(status.lanes.map(\.delivered) == [700, 700, 700])
    #expect(status.lanes.map(\.redelivered) == [0, 0, 0])
    #expect(status.lanes.map(\.depth) == [0, 0, 0])
    #expect(status.lanes.allSatisfy { $0.lastSuccess == fixture.clock.moment })
    await fixture.stop()
  }

  @Test func onlyWantedTypesAreSentAndTheCursorPassesTheRest() async throws {
    let fixture = try HostFixture()
    var picky = ZooPlugin("good")
    picky.types = ["zone"]
    try fixture.start([picky])
    await fixture.wait(for: "good", .working)
    fixture.commit(fixture.events(.record, 1200))
    await fixture.waitForStatus("good") { $0.lanes.contains { $0.cursor == 1200 } }
    #expect(fixture.received(by: "good", .record) == [])
    #expect(fixture.journal.saves < 8)
    await fixture.stop()
    #expect(fixture.journal.cursor("good", .record)?.sequence == 1200)
  }

  @Test func laterEventsOfASubjectWaitBehindOneToBeTriedAgain() async throws {
    let fixture = try HostFixture()
    try fixture.start([ZooPlugin("fussy")])
    await fixture.wait(for: "fussy", .working)
    let events = fixture.events(.record, 60, residents: 4)
    fixture.commit(events)
    await fixture.waitUntilSettled("fussy", [.record])
    let got = fixture.received(by: "fussy", .record)
    let expected = events.map(\.id.rawValue).filter { !$0.hasSuffix("7") }
    #expect(Set(got) == Set(expected))
    #expect(got.count == expected.count)
    #expect(fixture.journal.letters.count == 6)
    #expect(fixture.journal.letters.allSatisfy { $0.reason == "seven is not for me" })
    let batches = try String(
      contentsOfFile: fixture.directory.path(of: "state/fussy/batches"), encoding: .utf8)
    expectNothingOvertakes(events, batches: batches)
    await fixture.stop()
  }

  /// No event is sent while an earlier one of its subject is neither settled nor before it in the same batch.
  private func expectNothingOvertakes(_ events: [EncodedEvent], batches: String) {
    let subjects = Dictionary(
      uniqueKeysWithValues: events.map { ($0.id.rawValue, $0.subject) })
    let order = Dictionary(
      uniqueKeysWithValues: events.enumerated().map { ($0.element.id.rawValue, $0.offset) })
    var settled: Set<String> = []
    for batch in batches.split(separator: "\n") {
      let answers = batch.split(separator: " ").map { $0.split(separator: ":").map(String.init) }
      var present: Set<String> = []
      for id in answers.map({ $0[0] }) {
        let earlier = events.prefix(order[id] ?? 0).map(\.id.rawValue)
          .filter { subjects[$0] == subjects[id] }
        #expect(earlier.allSatisfy { settled.contains($0) || present.contains($0) })
        present.insert(id)
      }
      settled.formUnion(answers.filter { $0[1] != "retry" }.map { $0[0] })
    }
  }

  @Test func aPluginThatWorksAgainGetsAtOnceWhatItWantedLater() async throws {
    let fixture = try HostFixture()
    try fixture.start([ZooPlugin("outage")])
    let events = fixture.events(.record, 20)
    fixture.commit(events)
    await fixture.waitUntilSettled("outage", [.record])
    #expect(fixture.received(by: "outage", .record) == events.map(\.id.rawValue))
    await fixture.stop()
  }

  @Test func recordsRestWhileAlarmsHaveSomethingToSend() async throws {
    let fixture = try HostFixture()
    try fixture.start([ZooPlugin("small")])
    await fixture.wait(for: "small", .working)
    let records = fixture.events(.record, 200)
    let alarms = fixture.events(.alarm, 100)
    fixture.commit(records + alarms)
    await fixture.waitUntilSettled("small")
    let path = fixture.directory.path(of: "state/small/order")
    let order = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(order.count == 300)
    let lastAlarm = try #require(order.lastIndex { $0.hasPrefix("alarm-") })
    // One batch of records may have been on its way.
    #expect(lastAlarm < 100 + 5, "\(order)")
    #expect(fixture.received(by: "small", .record) == records.map(\.id.rawValue))
    await fixture.stop()
  }

  @Test func deadLettersCanBeDrivenAgain() async throws {
    let fixture = try HostFixture()
    try fixture.start([ZooPlugin("fussy")])
    let events = fixture.events(.record, 20)
    fixture.commit(events)
    await fixture.waitUntilSettled("fussy", [.record])
    #expect(try await fixture.status("fussy").deadLetters == 2)
    try fixture.directory.write("", to: "state/fussy/mild")
    #expect(await fixture.redrive("fussy") == 2)
    await fixture.waitUntilSettled("fussy", [.record])
    #expect(try await fixture.status("fussy").deadLetters == 0)
    let got = fixture.received(by: "fussy", .record)
    #expect(Set(got) == Set(events.map(\.id.rawValue)))
    await fixture.stop()
  }

  @Test func alarmsGoOutFromMemoryWhileTheDiskHangsAndAreNotSentTwice() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    await fixture.wait(for: "good", .working)
    let before = fixture.events(.alarm, 3)
    fixture.commit(before)
    await fixture.waitUntilSettled("good", [.alarm])
    fixture.journal.hang(true)
    let during = fixture.events(.alarm, 5)
    for event in during { fixture.host?.forwardBeforeDurable(event) }
    await fixture.waitForStatus("good") { $0.lanes.first?.delivered == 8 }
    #expect(fixture.received(by: "good", .alarm) == (before + during).map(\.id.rawValue))
    fixture.journal.hang(false)
    let after = fixture.events(.alarm, 2)
    fixture.commit(during + after)
    await fixture.waitUntilSettled("good", [.alarm])
    #expect(fixture.received(by: "good", .alarm) == (before + during + after).map(\.id.rawValue))
    await fixture.stop()
  }

  @Test func noSecondBatchLeavesBeforeTheCursorOfTheFirstIsDurable() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    await fixture.wait(for: "good", .working)
    fixture.journal.hang(true)
    let events = fixture.events(.record, 600)
    fixture.commit(events)
    await fixture.waitForStatus("good") { $0.lanes.contains { $0.delivered == 256 } }
    let alarm = fixture.events(.alarm, 1)
    fixture.host?.forwardBeforeDurable(alarm[0])
    await fixture.waitForStatus("good") { $0.lanes.first?.delivered == 1 }
    #expect(fixture.received(by: "good", .record).count == 256)
    fixture.journal.hang(false)
    await fixture.waitUntilSettled("good", [.record])
    #expect(fixture.received(by: "good", .record) == events.map(\.id.rawValue))
    await fixture.stop()
  }

  @Test func aRestartedHostGoesOnWhereTheCursorsStand() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    let first = fixture.events(.record, 40)
    fixture.commit(first)
    await fixture.waitUntilSettled("good")
    await fixture.stop()
    let second = fixture.events(.record, 40)
    fixture.journal.append(second)
    try fixture.start([HostFixture.good])
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(first + second)
    await fixture.stop()
  }

  @Test func aNewPluginBeginsWithRecentAlarmsOlderRecordsAndNoTraces() async throws {
    let fixture = try HostFixture()
    let hour: Int64 = 3_600_000
    var kept: [EncodedEvent] = []
    let start = fixture.clock.moment
    for (hoursAgo, lanes) in [(24 * 8, [Lane]()), (30, [.record]), (0, [.alarm, .record])] {
      fixture.clock.moment = start.advanced(byMilliseconds: -Int64(hoursAgo) * hour)
      let events = Lane.allCases.flatMap { fixture.events($0, 10) }
      fixture.journal.append(events)
      kept += events.filter { lanes.contains($0.lane) }
    }
    try fixture.start([HostFixture.good])
    await fixture.waitUntilSettled("good")
    fixture.expectGoodGot(kept)
    await fixture.stop()
  }

  @Test func withoutTheGrantPositionsAtHomeAreDisplaced() async throws {
    let fixture = try HostFixture()
    let home = try #require(Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7))
    let zone = SafeZone(
      id: "home", resident: "r0", name: "Home", center: home, radiusMeters: 80, isHome: true)
    fixture.filter = PrivacyFilter(zones: [zone], gatewaySeed: 42, events: .all)
    var nosy = ZooPlugin("position", name: "nosy")
    nosy.granted = ["position.precise"]
    var trusted = ZooPlugin("position", name: "trusted")
    trusted.granted = ["position.precise", "content.personal"]
    trusted.asks = ["position.precise", "content.personal"]
    try fixture.start([nosy, trusted])
    fixture.commit(fixture.events(.record, 1))
    await fixture.waitForLog(of: "trusted", containing: "at 59.9 10.7")
    await fixture.waitForLog(of: "nosy", containing: "at ")
    let center = fixture.filter.discs[0].center
    #expect(
      fixture.log(of: "nosy").contains(
        "at \(center.latitudeDegrees) \(center.longitudeDegrees)"))
    // One a batch, whatever is in it.
    #expect(fixture.filtersAsked == 2)
    await fixture.stop()
  }
}

@LoopActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ConfigurationTests {
  @Test func settingsAreCheckedBeforeTheStartWithAllErrors() async throws {
    let fixture = try HostFixture()
    var bad = ZooPlugin("good")
    bad.schema = [
      "type": "object", "required": ["url"], "additionalProperties": false,
      "properties": ["url": ["type": "string"], "port": ["type": "integer", "maximum": 65535]],
    ]
    bad.settings = ["port": 70000, "colour": "red"]
    try fixture.start([bad])
    await fixture.wait(for: "good", .failed, code: "invalid")
    let status = try await fixture.status("good")
    #expect(status.state == .invalid)
    #expect(status.pid == nil)
    for part in ["url: is missing", "port: write at most 65535", "colour: is not known"] {
      #expect(status.lastError.contains(part))
    }
    await fixture.stop()
  }

  @Test func aSecretReachesThePluginAndNoLog() async throws {
    let fixture = try HostFixture()
    var plugin = ZooPlugin("talk")
    plugin.schema = [
      "type": "object", "properties": ["password": ["type": "string", "secret": true]],
    ]
    let path = try fixture.directory.write("hunter2-and-more\n", to: "password")
    plugin.settings = ["password": ["file": .string(path)]]
    try fixture.start([plugin])
    await fixture.waitForLog(of: "talk", containing: "the password is [secret]")
    await fixture.waitForLog(of: "talk", containing: "yyyy")
    let long = try #require(fixture.logs.first { $0.line.contains("yyyy") })
    #expect(long.level == .debug)
    #expect(long.line.utf8.count <= 4096)
    #expect(!fixture.logs.contains { $0.line.contains("hunter2") })
    await fixture.waitForLog(of: "talk", containing: "lines of log were left out")
    await fixture.stop()
  }

  @Test func aSecretThatCannotBeReadSaysWhichAndWhy() async throws {
    let fixture = try HostFixture()
    var plugin = ZooPlugin("talk")
    plugin.schema = [
      "type": "object", "properties": ["password": ["type": "string", "secret": true]],
    ]
    plugin.settings = ["password": ["file": "/nonexistent/password"]]
    try fixture.start([plugin])
    await fixture.wait(for: "talk", .failed, code: "invalid")
    let error = try await fixture.status("talk").lastError
    #expect(error.contains("password: /nonexistent/password cannot be read: it does not exist"))
    await fixture.stop()
  }

  @Test func aPluginOfAnotherProtocolOrNameIsNotStarted() async throws {
    let fixture = try HostFixture()
    var future = ZooPlugin("good")
    future.protocolVersions = [2, 3]
    var renamed = try fixture.configuration(ZooPlugin("good", name: "other"))
    renamed.name = "another"
    fixture.start(configurations: [try fixture.configuration(future), renamed])
    await fixture.wait(for: "good", .failed, code: "invalid")
    await fixture.wait(for: "another", .failed, code: "invalid")
    #expect(try await fixture.status("good").lastError.contains("speaks plugin protocol 2, 3"))
    #expect(try await fixture.status("another").lastError.contains("use one name"))
    await fixture.stop()
  }

  @Test func aServiceIsAnsweredByWhoOffersIt() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    await fixture.wait(for: "good", .working)
    #expect(await fixture.call("echo", ["text": "hello"]) == .success(["text": "hello"]))
    guard case .failure(let none) = await fixture.call("speech", [:]) else {
      Issue.record("nobody offers speech")
      return
    }
    #expect(none.code == 1003)
    await fixture.stop()
    guard case .failure = await fixture.call("echo", [:]) else {
      Issue.record("the provider is gone")
      return
    }
  }

  @Test func reloadingStopsWhatLeavesAndKeepsWhatStays() async throws {
    let fixture = try HostFixture()
    let good = try fixture.configuration(HostFixture.good)
    let stays = try fixture.configuration(ZooPlugin("good", name: "stays"))
    fixture.start(configurations: [good, stays])
    await fixture.wait(for: "good", .working)
    await fixture.wait(for: "stays", .working)
    let pid = try await fixture.status("stays").pid
    var changed = good
    changed.settings = ["colour": "red"]
    let newcomer = try fixture.configuration(ZooPlugin("good", name: "newcomer"))
    fixture.host?.reload(plugins: [changed, stays, newcomer])
    await fixture.wait(for: "newcomer", .working)
    #expect(try await fixture.status("stays").pid == pid)
    #expect(await fixture.statuses().map(\.name) == ["good", "newcomer", "stays"])
    await fixture.stop()
  }

  @Test("A plugin that is removed is told to be unused, so that its faults are over")
  func removed() async throws {
    let fixture = try HostFixture()
    let good = try fixture.configuration(HostFixture.good)
    let stays = try fixture.configuration(ZooPlugin("good", name: "stays"))
    fixture.start(configurations: [good, stays])
    await fixture.wait(for: "good", .working)
    fixture.host?.reload(plugins: [stays])
    await fixture.wait { fixture.health.contains { $0.state == .unused } }
    let told = fixture.health.filter { $0.state == .unused }
    #expect(told.map(\.component) == ["plugin/good"])
    #expect(told.first?.code == "removed")
    await fixture.stop()
  }

  @Test func aRestartOnRequestTakesANewProcess() async throws {
    let fixture = try HostFixture()
    try fixture.start([HostFixture.good])
    await fixture.wait(for: "good", .working)
    let before = try #require(try await fixture.status("good").pid)
    #expect(fixture.host?.restart("good") == true)
    #expect(fixture.host?.restart("nobody") == false)
    await fixture.wait { fixture.health.count { $0.state == .working } == 2 }
    let after = try #require(try await fixture.status("good").pid)
    #expect(before != after)
    await fixture.stop()
  }
}

@LoopActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PluginCheckTests {
  private func findings(
    _ plugin: ZooPlugin, changing change: (_ program: String) throws -> Void = { _ in }
  ) async throws -> [PluginCheck.Finding] {
    let fixture = try HostFixture()
    let configuration = try fixture.configuration(plugin)
    try change("\(configuration.directory)/run.py")
    try fixture.directory.write("", to: "scratch/here")
    return await withCheckedContinuation { continuation in
      PluginCheck.run(
        directory: configuration.directory, events: GatewayCore.events,
        settings: configuration.settings,
        scratchDirectory: fixture.directory.path(of: "scratch")
      ) { continuation.resume(returning: $0) }
    }
  }

  @Test func aPolitePluginPassesEveryCheck() async throws {
    let findings = try await findings(HostFixture.good)
    #expect(findings.filter { !$0.isPassed } == [])
    #expect(
      findings.map(\.subject) == [
        "manifest", "settings", "handshake", "alarm batch", "record batch", "trace batch",
        "batch that comes again", "alarms that are not durable yet", "unknown method", "health",
        "shutdown", "nothing left behind",
      ])
  }

  @Test("A program that cannot run is told plainly, with what to do")
  func cannotRun() async throws {
    for (change, words) in [
      ("chmod", ["is not executable", "chmod +x"]),
      ("remove", ["./run.py is missing"]),
      ("#!/usr/bin/python0\n", ["the interpreter /usr/bin/python0", "not there"]),
      ("#!/usr/bin/env python0\n", ["the interpreter python0", "not there"]),
    ] {
      let findings = try await findings(HostFixture.good) { path in
        switch change {
        case "chmod": chmod(path, 0o644)
        case "remove": unlink(path)
        default:
          let text = try String(contentsOfFile: path, encoding: .utf8)
          try Data((change + text).utf8).write(to: URL(fileURLWithPath: path))
        }
      }
      let failed = findings.filter { !$0.isPassed }
      #expect(failed.map(\.subject) == ["handshake"], "\(findings)")
      for word in words { #expect(failed.first?.detail.contains(word) == true, "\(failed)") }
    }
  }

  @Test("What a plugin said on its standard error is shown with the check that it failed")
  func standardError() async throws {
    let findings = try await findings(HostFixture.good) { path in
      let text = "#!/usr/bin/env python3\nimport nothing_like_this\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    let failed = try #require(findings.first { !$0.isPassed })
    #expect(failed.subject == "handshake" && failed.detail.contains("1"))
    #expect(failed.log.contains { $0.contains("ModuleNotFoundError") }, "\(failed.log)")
  }

  @Test("All mistakes of a manifest are told at once")
  func manifest() async throws {
    let fixture = try HostFixture()
    try fixture.directory.write(
      #"{"name": "Bad", "version": "1", "protocol": [1], "command": ["/bin/sh"], "licence": "MIT", "colour": 1}"#,
      to: "bad/plugin.json")
    let findings = await withCheckedContinuation { continuation in
      PluginCheck.run(
        directory: fixture.directory.path(of: "bad"), events: GatewayCore.events,
        settings: .object([]),
        scratchDirectory: fixture.directory.path
      ) { continuation.resume(returning: $0) }
    }
    let told = findings.map(\.detail).joined(separator: "\n")
    for place in ["colour", "name", "version", "command[0]", "description"] {
      #expect(told.contains("plugin.json: \(place): "), "\(told)")
    }
    #expect(findings.count == 5 && findings.allSatisfy { $0.subject == "manifest" })
  }

  @Test("All mistakes of settings, and of the schema of settings, are told at once")
  func settings() async throws {
    let fixture = try HostFixture()
    func findings(_ schema: String, _ settings: JSONValue) async throws -> [PluginCheck.Finding] {
      try fixture.directory.write(
        #"""
        {"name": "bad", "version": "1.0.0", "protocol": [1], "command": ["./bad"], "licence": "MIT",
        "description": "Bad.", "lanes": ["alarm"], "types": ["*"], "settings": \#(schema)}
        """#, to: "bad/plugin.json")
      return await withCheckedContinuation { continuation in
        PluginCheck.run(
          directory: fixture.directory.path(of: "bad"), events: GatewayCore.events,
          settings: settings,
          scratchDirectory: fixture.directory.path
        ) { continuation.resume(returning: $0) }
      }
    }
    let wrong = try await findings(
      #"""
      {"type": "object", "properties": {"port": {"type": "integer", "minimum": 1}, "host": {"type": "string"},
      "pin": {"type": "string", "secret": true}, "key": {"type": "string", "secret": true}}, "required": ["host"],
      "additionalProperties": false}
      """#,
      [
        "port": 0, "colour": "red", "pin": ["file": "/nowhere/pin"],
        "key": ["file": "/nowhere/key"],
      ])
    let failed = wrong.filter { !$0.isPassed }
    #expect(failed.allSatisfy { $0.subject == "settings" } && failed.count == 5, "\(wrong)")
    for place in ["host", "port", "colour", "pin", "key"] {
      #expect(failed.contains { $0.detail.contains(place) }, "\(place): \(failed)")
    }
    let schema = try await findings(
      #"""
      {"type": "object", "properties": {"port": {"type": "int", "minimum": "1"}, "list": {"type": "array",
      "items": {"pattern": "x"}}, "pin": {"type": "integer", "secret": true, "default": 1}}, "required": ["host"],
      "additionalProperties": false}
      """#, [:])
    #expect(schema.allSatisfy { $0.subject == "manifest" && !$0.isPassed }, "\(schema)")
    for place in [
      "properties.port.type", "properties.port.minimum", "properties.list.items.pattern",
      "properties.pin.secret", "properties.pin.default", "settings.required",
    ] { #expect(schema.contains { $0.detail.contains(place) }, "\(place): \(schema)") }
    #expect(schema.count == 6)
  }

  @Test(arguments: [
    ("lie", "alarm batch"), ("crash", "alarm batch"), ("exits", "handshake"),
    ("garbage", "alarm batch"), ("fork", "nothing left behind"), ("stubborn", "shutdown"),
  ])
  func aPluginThatMisbehavesFailsTheCheckConcerned(script: String, subject: String) async throws {
    var plugin = ZooPlugin(script)
    plugin.settings = ["lie": "gap"]
    let findings = try await findings(plugin)
    let failed = findings.filter { !$0.isPassed }.map(\.subject)
    #expect(failed.contains(subject))
  }
}
