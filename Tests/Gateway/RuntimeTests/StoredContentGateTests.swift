import Care
import JSON
import Loop
import LoopTestSupport
import Ports
import Testing
import Texts

@testable import Runtime

/// Commands about what the store alone holds, one behind the other.
@Suite("The gate before the store", .inVirtualTime) @LoopActor struct StoredContentGateTests {
  /// What went on to the core, and what was answered, in their order.
  private final class Seen {
    var onward: [CommandID] = []
    var waiting: [@LoopActor (CommandReply) -> Void] = []
    var answers: [String] = []
    /// Kept while the store owes it answers.
    var gate: StoredContentGate?
  }
  private let seen = Seen()
  private let store = ScriptedStore()

  private func gate(holds: Bool = false) -> StoredContentGate {
    let gate = StoredContentGate(store: store) { [seen] command, reply in
      seen.onward.append(command.id)
      if holds { seen.waiting.append(reply) } else { reply(.done([:])) }
    }
    seen.gate = gate
    return gate
  }

  private static let refusal = CommandReply.Refusal(.forbidden, Message(verbatim: "No."))

  private func pass(_ number: Int, to gate: StoredContentGate, isRefused: Bool = false) {
    gate.pass(
      Command(
        id: CommandID("c\(number)"), principal: Principal(channel: .local, name: "anna"),
        request: .note(.remove(NoteID("n\(number)"), revision: nil))),
      check: { _ in isRefused ? Self.refusal : nil },
      reply: { [seen] reply in
        switch reply {
        case .done: seen.answers.append("c\(number) done")
        case .refused(let refusal): seen.answers.append("c\(number) \(refusal.code.rawValue)")
        }
      })
  }

  /// Lets the loop tell what the store has answered.
  private func settle(turns: Int = 10) async {
    for _ in 0..<turns {
      await withLoopContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
  }

  @Test(
    "The next one is looked up when the one before is answered, so that it knows what came of it")
  func order() async {
    let gate = gate(holds: true)
    for number in 1...3 { pass(number, to: gate) }
    await settle()
    #expect(seen.onward == ["c1"] && seen.answers.isEmpty)
    seen.waiting[0](.done([:]))
    await settle()
    #expect(seen.onward == ["c1", "c2"] && seen.answers == ["c1 done"])
    seen.waiting[1](.refused(Self.refusal))
    await settle()
    #expect(seen.onward == ["c1", "c2", "c3"])
    #expect(seen.answers == ["c1 done", "c2 \(CommandReply.Refusal.Code.forbidden.rawValue)"])
  }

  @Test("One that may not be done reaches no core, and holds nobody up")
  func refused() async {
    let gate = gate()
    for number in 1...4 { pass(number, to: gate, isRefused: number != 3) }
    await settle()
    #expect(seen.onward == ["c3"])
    #expect(seen.answers.count == 4 && seen.answers[2] == "c3 done")
    pass(5, to: gate)
    await settle()
    #expect(seen.onward == ["c3", "c5"])
  }

  @Test("More than may wait are refused at once, and those that wait are done in their order")
  func full() async {
    let gate = gate()
    let most = StoredContentGate.waitingAtMost
    // One is being looked up, so many wait, and one is too much.
    for number in 0...most + 1 { pass(number, to: gate) }
    #expect(seen.answers == ["c\(most + 1) \(CommandReply.Refusal.Code.notNow.rawValue)"])
    await settle(turns: 2 * most)
    #expect(seen.onward == (0...most).map { CommandID("c\($0)") })
    pass(most + 2, to: gate)
    await settle()
    #expect(seen.answers.last == "c\(most + 2) done")
  }
}
