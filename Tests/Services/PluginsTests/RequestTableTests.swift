import Loop
import LoopTestSupport
import PluginProtocol
import Testing

@testable import Plugins

@Suite("What the host asks of a plugin", .inVirtualTime)
@LoopActor
struct RequestTableTests {
  private let table = RequestTable()

  /// What became of requests, in the order in which it was told.
  private final class Told {
    var answers: [String] = []
    func note(_ name: String, _ answer: RequestTable.Answer) {
      let word =
        switch answer {
        case .result: "result"
        case .failure(let error): "error \(error.code)"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        }
      answers.append("\(name): \(word)")
    }
  }

  private let told = Told()

  private func ask(_ name: String, _ milliseconds: Int64) -> RPCID {
    table.add(timeoutMilliseconds: milliseconds) { [told] in told.note(name, $0) }
  }

  private static let gone = RequestTable.Answer.failure(RPCError(code: 7, message: "no paper"))

  @Test("An answer settles the request with its id, once; other ids settle nothing")
  func settled() async {
    let (first, second) = (ask("first", 100), ask("second", 100))
    #expect(first != second)
    #expect(
      !table.settle(.text("1"), with: Self.gone) && !table.settle(.number(99), with: Self.gone))
    #expect(table.settle(second, with: Self.gone))
    #expect(!table.settle(second, with: Self.gone))
    #expect(told.answers == ["second: error 7"])
    await EventLoop.pass(milliseconds: 1000)
    #expect(told.answers == ["second: error 7", "first: timed out"])
    #expect(!table.settle(first, with: Self.gone), "an answer that comes too late is none")
  }

  @Test("Each request ends at its own time, whatever was asked after it")
  func deadlines() async {
    for (name, milliseconds) in [("long", 300), ("short", 100), ("middle", 200)] as [(_, Int64)] {
      _ = ask(name, milliseconds)
    }
    await EventLoop.pass(milliseconds: 150)
    #expect(told.answers == ["short: timed out"])
    await EventLoop.pass(milliseconds: 500)
    #expect(told.answers == ["short: timed out", "middle: timed out", "long: timed out"])
  }

  @Test("What is given up is told once, and its time passes without another word")
  func cancelled() async {
    _ = (ask("first", 100), ask("second", 50))
    table.cancelAll()
    table.cancelAll()
    #expect(told.answers == ["first: cancelled", "second: cancelled"])
    await EventLoop.pass(milliseconds: 500)
    #expect(told.answers.count == 2)
  }

  @Test("Where one that timed out ends the plugin, those due with it are answered once")
  func cancelledWhileExpiring() async {
    _ = table.add(timeoutMilliseconds: 100) { [told, table] in
      told.note("batch", $0)
      table.cancelAll()
    }
    _ = ask("message to a guardian", 100)
    await EventLoop.pass(milliseconds: 500)
    #expect(told.answers == ["batch: timed out", "message to a guardian: cancelled"])
  }

  @Test("What is asked while others time out has its whole time")
  func askedWhileExpiring() async {
    _ = table.add(timeoutMilliseconds: 100) { [told, table] in
      told.note("first", $0)
      _ = table.add(timeoutMilliseconds: 100) { [told] in told.note("again", $0) }
    }
    await EventLoop.pass(milliseconds: 150)
    #expect(told.answers == ["first: timed out"])
    await EventLoop.pass(milliseconds: 100)
    #expect(told.answers == ["first: timed out", "again: timed out"])
  }
}
