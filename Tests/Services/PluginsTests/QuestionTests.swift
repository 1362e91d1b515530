import Care
import Door
import Foundation
import JSON
import Loop
import PluginProtocol
import Plugins
import TestSupport
import Testing
import Texts

/// What plugins ask, with real plugins.
@LoopActor @Suite("What plugins ask") struct QuestionTests {
  /// Starts a plugin that asks, and answers what it was answered, in the order of its questions.
  private func answers(
    to questions: [JSONValue], asks: [String], granted: Set<String>, atOnce: Bool = false,
    _ fixture: HostFixture
  ) async throws -> [String] {
    var plugin = ZooPlugin("asks")
    plugin.asks = asks
    plugin.granted = granted
    plugin.settings = ["questions": .array(questions), "atOnce": .bool(atOnce)]
    try fixture.start([plugin, HostFixture.good])
    await fixture.waitForLog(of: "asks", containing: "answer \(questions.count) ")
    let prefix = "answer "
    return fixture.log(of: "asks").filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count).drop { $0 != " " }.dropFirst()) }
  }

  @Test(
    "A plugin that was granted to is answered, and the question reaches the gateway as it was asked"
  )
  func answered() async throws {
    let fixture = try HostFixture()
    fixture.onQuestion = { route, params in
      .success([["id": "home", "route": .string(route.name)]])
    }
    let answers = try await answers(
      to: [["method": "zones.list", "params": ["resident": "mary"]]], asks: ["read:position"],
      granted: ["read:position"], fixture)
    #expect(answers == [#"{"result": [{"id": "home", "route": "zones.list"}]}"#])
    #expect(fixture.questions.map(\.route) == [.zonesList])
    #expect(fixture.questions.first?.params == ["resident": "mary"])
    #expect(fixture.questions.first?.asking.kind == .plugin(grants: ["read:position"]))
    #expect(fixture.questions.first?.asking.principal.description == "plugin:asks")
    #expect(try await fixture.status("asks").reads == ["read:position"])
    await fixture.stop()
  }

  @Test("Of a list that goes on the cursor of the next part stands beside the answer")
  func parts() async throws {
    let fixture = try HostFixture()
    fixture.onQuestion = { _, _ in .success([]) }
    fixture.next = "abc"
    let question: JSONValue = ["method": "zones.list", "params": ["cursor": "c"]]
    var plugin = ZooPlugin("asks")
    (plugin.asks, plugin.granted) = (["read:position"], ["read:position"])
    plugin.settings = [
      "calls": [
        ["method": "request", "params": question],
        ["method": "requests", "params": ["questions": [question, question]]],
      ]
    ]
    try fixture.start([plugin, HostFixture.good])
    let part = #"{"next": "abc", "result": []}"#
    await fixture.waitForLog(of: "asks", containing: "answer 1 \(part)")
    await fixture.waitForLog(
      of: "asks", containing: #"answer 2 {"answers": [\#(part), \#(part)]}"#)
    await fixture.stop()
  }

  @Test(
    "Nothing else that the gateway has to do waits until a plugin with many questions is answered")
  func manyAtOnce() async throws {
    let fixture = try HostFixture()
    let order = Order(of: fixture)
    let answers = try await answers(
      to: Array(repeating: ["method": "zones.list"], count: 60), asks: ["read:position"],
      granted: ["read:position"], atOnce: true, fixture)
    #expect(answers.count == 60 && order.questions == 60)
    #expect(order.before.map { $0 <= 4 } == true, "after \(order.before ?? 0) questions")
    await fixture.stop()
  }

  @Test("Nor until several questions of one call are answered, nor those of several calls")
  func manyTogether() async throws {
    let fixture = try HostFixture()
    let order = Order(of: fixture)
    let sixteen: JSONValue = .array(Array(repeating: ["method": "zones.list"], count: 16))
    var plugin = ZooPlugin("asks")
    (plugin.asks, plugin.granted) = (["read:position"], ["read:position"])
    plugin.settings = [
      "calls": .array(
        Array(repeating: ["method": "requests", "params": ["questions": sixteen]], count: 5)),
      "atOnce": true,
    ]
    try fixture.start([plugin, HostFixture.good])
    for number in 1...5 { await fixture.waitForLog(of: "asks", containing: "answer \(number) ") }
    #expect(order.questions == 80)
    #expect(order.before.map { $0 <= 4 } == true, "after \(order.before ?? 0) questions")
    await fixture.stop()
  }

  @Test("Without the grant, or without the manifest asking for it, nothing reaches the gateway")
  func notGranted() async throws {
    for (asks, granted) in [
      (["read:position"], []), ([], ["read:position"]), (["read:notes"], ["read:notes"]),
      (["position.precise", "places"], ["position.precise", "places"]),
    ] as [([String], Set<String>)] {
      let fixture = try HostFixture()
      let answers = try await answers(
        to: [["method": "zones.list"]], asks: asks, granted: granted, fixture)
      #expect(answers.first?.contains("1002") == true)
      #expect(answers.first?.contains("no grant read:position") == true)
      #expect(fixture.questions.isEmpty)
      #expect(try await fixture.status("asks").reads == asks.filter { $0 == "read:notes" })
      await fixture.stop()
    }
  }

  @Test("A screen in the house takes every grant that its parts take")
  func several() async throws {
    let fixture = try HostFixture()
    let three = ["read:messages", "read:notes", "read:routine"]
    let answers = try await answers(
      to: [["method": "home.get", "params": ["resident": "mary"]]], asks: three,
      granted: Set(three), fixture)
    #expect(answers.first?.contains("no grant read:contacts") == true)
    #expect(fixture.questions.isEmpty)
    await fixture.stop()
  }

  @Test("What is brought in pieces takes a grant of its own, and a session")
  func brought() async throws {
    let fixture = try HostFixture()
    let call: JSONValue = ["method": "picture.add", "params": ["resident": "mary"]]
    let answers = try await answers(
      to: [call], asks: ["read:notes"], granted: ["read:notes"], fixture)
    #expect(answers.first?.contains("no grant command:picture.add") == true)
    #expect(fixture.questions.isEmpty)
    await fixture.stop()
  }

  @Test("What changes something, what streams, and what nobody knows is never answered to plugins")
  func neverAnswered() async throws {
    let fixture = try HostFixture()
    let every = Grant.readable.map { "read:\($0)" }
    let methods = [
      "watch", "command", "plugins.restart", "backup.create", "deadletters.list",
      "bluetooth.pair", "no.such", "",
    ]
    let answers = try await answers(
      to: methods.map { ["method": .string($0)] }, asks: every, granted: Set(every), fixture)
    #expect(answers.count == methods.count)
    #expect(answers.allSatisfy { $0.contains("1001") && $0.contains("plugins are not answered") })
    #expect(fixture.questions.isEmpty)
    await fixture.stop()
  }

  @Test("A refusal is told in the language that was asked for, and what does not fit is said")
  func refusals() async throws {
    let fixture = try HostFixture()
    fixture.onQuestion = { _, _ in
      .failure(
        CommandReply.Refusal(
          .conflict, Message("No alarm is open; there is nothing to do.")))
    }
    let answers = try await answers(
      to: [
        ["method": "alarms.list", "language": "zh"], ["method": "alarms.list"],
        ["method": "alarms.list", "params": []], ["params": .object([])],
      ], asks: ["read:alarms"], granted: ["read:alarms"], fixture)
    let chinese = try JSONValue(parsing: answers[0])["message"]?.stringContent
    #expect(chinese == "conflict: 没有未结束的警报，无需处理。")
    #expect(answers[1].contains("conflict: No alarm is open"))
    #expect(answers[2].contains("-32602") && answers[3].contains("-32602"))
    await fixture.stop()
  }

  @Test("An answer that is longer than a line becomes a refusal, and the plugin goes on")
  func tooLong() async throws {
    let fixture = try HostFixture()
    let long = String(repeating: "x", count: PluginLimits.lineFromHostBytes)
    fixture.onQuestion = { route, _ in .success(route == .notesQuery ? .string(long) : "short") }
    let answers = try await answers(
      to: [
        ["method": "notes.query", "params": ["resident": "mary"]], ["method": "alarms.list"],
      ], asks: ["read:notes", "read:alarms"], granted: ["read:notes", "read:alarms"], fixture)
    #expect(answers.first?.contains("longer than a line") == true)
    #expect(answers.last == #"{"result": "short"}"#)
    #expect(try await fixture.status("asks").restarts == 0)
    await fixture.stop()
  }

  @Test("What can be granted to read is what the door lets see, and opens a question")
  func grants() {
    #expect(Set(Grant.readable) == Set(Permission.allCases.filter(\.isToSee).map(\.rawValue)))
    for kind in Grant.readable {
      #expect(Grant(rawValue: "read:\(kind)") == .read(kind))
      let questions = Route.all.filter { route in
        route.isForPlugins && route.needs.contains { $0.rawValue == kind }
      }
      #expect(!questions.isEmpty, "\(kind)")
    }
    #expect(Grant(rawValue: "read:everything") == nil)
  }
}

/// How many questions were answered, in all and before something else was done.
@LoopActor
private final class Order {
  private(set) var questions = 0
  private(set) var before: Int?

  init(of fixture: HostFixture) {
    fixture.onQuestion = { [self] _, _ in
      if questions == 0 { EventLoop.current.post { [self] in before = questions } }
      questions += 1
      return .success([])
    }
  }
}
