import Glibc
import JSON
import Loop
import PluginProtocol
import TestSupport
import Testing
import Texts

@testable import PluginKit
@testable import homeward_plugin_console

/// What the console asks the gateway, and what it makes of the answers.
@LoopActor @Suite struct GatewayDeskTests {
  /// The gateway's end of the conversation.
  @LoopActor private final class Gateway {
    let link: HostLink
    private let ends: (read: Int32, write: Int32)

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
      self.ends = (ends[0], ends[1])
      link = HostLink(writer: LineWriter(descriptor: ends[1]) { _ in })
      link.pace = .ofAccounts
    }

    deinit {
      close(ends.read)
      close(ends.write)
    }

    /// What was asked since the last time.
    func calls() throws -> [(id: RPCID, call: RequestsCall)] {
      try messages(of: PluginMethod.requests).map { ($0.id, try RequestsCall(json: $0.payload)) }
    }

    /// What was to be done since the last time.
    func commands() throws -> [(id: RPCID, command: JSONValue)] {
      try messages(of: PluginMethod.command).map { ($0.id, $0.payload) }
    }

    private func messages(of method: String) throws -> [(id: RPCID, payload: JSONValue)] {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = read(ends.read, &bytes, bytes.count)
      return try bytes.prefix(max(0, count)).split(separator: 0x0A).map { line in
        let message = try RPCMessage(line: Array(line))
        guard case .request(let id, method) = message.kind else {
          throw RPCError(code: 0, message: "something else was asked")
        }
        return (id, try message.payload())
      }
    }

    func answer(_ id: RPCID, _ answers: JSONValue...) {
      link.answered(id, .success(["answers": .array(answers)]))
    }
  }

  private static func visitor(_ token: String) -> Visitor {
    Visitor(token: token, address: "192.0.2.7", language: .en)
  }

  /// The answers to each of several that ask.
  @LoopActor private final class Answered {
    var all: [Answers] = []
  }

  private let two = [Question("zones.list"), Question("alarms.list", as: "alarms")]

  @Test(
    "What a page wants to know is one call, and each answer comes under the name of its question")
  func together() throws {
    let (gateway, answered) = (try Gateway(), Answered())
    GatewayDesk(gateway.link).ask(two, for: Self.visitor("a")) { answered.all.append($0) }
    let calls = try gateway.calls()
    #expect(
      calls.count == 1 && calls[0].call.questions.map(\.method) == ["zones.list", "alarms.list"])
    #expect(calls[0].call.questions.allSatisfy { $0.session?.token == "a" })
    gateway.answer(
      calls[0].id, ["result": ["z"]], ["error": ["code": 1001, "message": "forbidden: No."]])
    let answers = try #require(answered.all.first)
    #expect(answers["zones.list"] == ["z"])
    #expect(answers.refusal("alarms") == Refusal(code: "forbidden", words: "No."))
  }

  @Test("Pages of one session that wait at once are asked for once, those of others by themselves")
  func joined() throws {
    let (gateway, answered) = (try Gateway(), Answered())
    let desk = GatewayDesk(gateway.link)
    for number in 0..<32 {
      desk.ask(two, for: Self.visitor("other \(number)")) { answered.all.append($0) }
    }
    for _ in 0..<8 { desk.ask(two, for: Self.visitor("a")) { answered.all.append($0) } }
    desk.ask(two, for: Self.visitor("b")) { answered.all.append($0) }
    let open = try gateway.calls()
    #expect(open.count == 32)
    for call in open { gateway.answer(call.id, ["result": 1], ["result": 2]) }
    let last = try gateway.calls()
    #expect(last.map { $0.call.questions[0].session?.token } == ["a", "b"])
    // What is on its way already may be older than what is wanted now.
    desk.ask(two, for: Self.visitor("a")) { answered.all.append($0) }
    #expect(try gateway.calls().count == 1)
    for call in last { gateway.answer(call.id, ["result": 3], ["result": 4]) }
    #expect(answered.all.count == 32 + 8 + 1)
    #expect(answered.all.suffix(9).allSatisfy { $0["alarms"] == 4 })
  }

  @Test(
    "What is too long for one line is asked piece by piece; who is logged out is not asked for again"
  )
  func piecemeal() throws {
    let (gateway, answered) = (try Gateway(), Answered())
    let desk = GatewayDesk(gateway.link)
    desk.ask(two, for: Self.visitor("a")) { answered.all.append($0) }
    desk.ask(two, for: Self.visitor("gone")) { answered.all.append($0) }
    let calls = try gateway.calls()
    let tooLong = RPCError(
      code: RPCError.refusedCode, message: "the answer is longer than a line may be")
    gateway.link.answered(calls[0].id, .failure(tooLong))
    let loggedOut = RPCError(code: RPCError.refusedCode, message: "logged-out: Please log in.")
    gateway.link.answered(calls[1].id, .failure(loggedOut))
    #expect(answered.all.first?.refusal("zones.list")?.isLoggedOut == true)
    let pieces = try gateway.calls()
    #expect(pieces.map { $0.call.questions.map(\.method) } == [["zones.list"], ["alarms.list"]])
    gateway.answer(pieces[0].id, ["result": "short"])
    gateway.link.answered(pieces[1].id, .failure(tooLong))
    let answers = try #require(answered.all.last)
    #expect(answers["zones.list"] == "short" && answers.refusal("alarms") != nil)
  }

  @Test("More questions than a call may have are several calls, answered together")
  func many() throws {
    let (gateway, answered) = (try Gateway(), Answered())
    let questions = (0..<20).map { Question("zones.list", ["n": .integer($0)], as: "q\($0)") }
    GatewayDesk(gateway.link).ask(questions, for: Self.visitor("a")) { answered.all.append($0) }
    let calls = try gateway.calls()
    #expect(calls.map(\.call.questions.count) == [16, 4])
    for call in calls {
      let answers = call.call.questions.map { ["result": $0.params["n"] ?? .null] as JSONValue }
      gateway.link.answered(call.id, .success(["answers": .array(answers)]))
    }
    #expect(answered.all.count == 1 && answered.all[0]["q19"] == 19 && answered.all[0]["q0"] == 0)
  }

  @Test("Where a session is over its browser may still come in, and does nothing else without one")
  func comesIn() throws {
    let gateway = try Gateway()
    let desk = GatewayDesk(gateway.link)
    let over = RPCError(code: RPCError.refusedCode, message: "logged-out: Please log in.")
    for (action, asksAnew) in [("account.log-in", true), ("message.send", false)] {
      var outcomes: [Result<JSONValue, Refusal>] = []
      desk.demand(["action": .string(action)], for: Self.visitor("over"), id: "k") {
        outcomes.append($0)
      }
      let first = try #require(try gateway.commands().first)
      #expect(first.command["session"] == "over" && first.command["id"] == "k")
      gateway.link.answered(first.id, .failure(over))
      let again = try gateway.commands()
      #expect(again.count == (asksAnew ? 1 : 0))
      for call in again {
        #expect(call.command["session"] == nil && call.command["id"] == "k")
        gateway.link.answered(call.id, .success(["result": ["account": "a1"]]))
      }
      #expect(outcomes.count == 1 && ((try? outcomes[0].get()) != nil) == asksAnew)
    }
  }
}
