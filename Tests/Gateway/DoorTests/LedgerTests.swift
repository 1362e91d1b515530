import Care
import Door
import JSON
import Moments
import Testing
import Texts

/// What is remembered of commands: whose they were, what they asked for, and how many.
@Suite("The ledger of commands") struct LedgerTests {
  private static let now = Moment(
    tick: .seconds(1_000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)
  private static let anna = Principal(channel: .plugin, name: "mqtt/anna")
  private static let kiosk = Principal(channel: .plugin, name: "mqtt/kiosk")
  private static let locate = Command.Request.locate(resident: "mary")
  private static let help = Command.Request.alarm(
    .raise(resident: "mary", kind: .sos, trigger: .backend, text: ""))
  private static let done = CommandReply.done(["id": "x"])

  private func command(
    _ id: CommandID, by principal: Principal, _ request: Command.Request = locate,
    expiresIn seconds: Int64? = nil
  ) -> Command {
    Command(
      id: id, principal: principal,
      expiresAt: seconds.map { Self.now.utc.advanced(byMilliseconds: $0 * 1000) },
      request: request)
  }

  /// The ledger as the next run finds it.
  private func reread(_ ledger: CommandLedger) -> CommandLedger {
    CommandLedger(rows: ledger.rows)
  }

  @Test("An id is its sender's, and stands for one request")
  func ids() {
    var ledger = CommandLedger(rows: [])
    #expect(ledger.verdict(on: command("X", by: Self.anna)) == .new)
    _ = ledger.record(Self.done, to: command("X", by: Self.anna, expiresIn: 60), at: Self.now)
    for ledger in [ledger, reread(ledger)] {
      // When it expires is no part of what is asked.
      #expect(
        ledger.verdict(on: command("X", by: Self.anna, expiresIn: 90)) == .answered(Self.done))
      #expect(ledger.verdict(on: command("X", by: Self.anna, Self.help)) == .taken)
      #expect(ledger.verdict(on: command("X", by: Self.kiosk)) == .new)
      #expect(
        ledger.verdict(on: command("X", by: Principal(channel: .local, name: "mqtt/anna"))) == .new)
    }
  }

  @Test("What a PIN was worth is part of what is asked")
  func proofs() {
    var ledger = CommandLedger(rows: [])
    var cancel = command(
      "C", by: Self.anna, .alarm(.cancel(resident: "mary", pin: nil, message: nil)))
    cancel.pinProof = .verdict(.wrong)
    let refused = CommandReply.refused(
      CommandReply.Refusal(.forbidden, Message(verbatim: "No.")))
    _ = ledger.record(refused, to: cancel, at: Self.now)
    #expect(reread(ledger).verdict(on: cancel) == .answered(refused))
    cancel.pinProof = .verdict(.correct)
    #expect(ledger.verdict(on: cancel) == .taken)
  }

  @Test("What is answered once is written once")
  func rows() throws {
    var ledger = CommandLedger(rows: [])
    let asked = command("X", by: Self.anna, expiresIn: 60)
    let changes = ledger.record(Self.done, to: asked, at: Self.now)
    #expect(changes == ledger.rows.map { .putEngineRow($0) })
    #expect(ledger.rows.count == 1)
    #expect(ledger.record(.done("other"), to: asked, at: Self.now).isEmpty)
    #expect(reread(ledger) == ledger)
  }

  @Test(
    "A refusal that may pass is forgotten, unless others were told of it",
    arguments: [
      (.notNow, false), (.conflict, false), (.unknownTarget, false), (.expired, false),
      (.invalid, true), (.forbidden, true),
    ] as [(CommandReply.Refusal.Code, Bool)])
  func refusals(code: CommandReply.Refusal.Code, isKept: Bool) {
    let refused = CommandReply.refused(CommandReply.Refusal(code, Message(verbatim: "No.")))
    for isTold in [false, true] {
      var ledger = CommandLedger(rows: [])
      let asked = command("X", by: Self.anna)
      _ = ledger.record(refused, to: asked, isTold: isTold, at: Self.now)
      #expect(ledger.verdict(on: asked) == (isKept || isTold ? .answered(refused) : .new))
    }
  }

  @Test("An answer that an earlier version kept without saying whose is nobody's, and goes first")
  func old() {
    let row = EngineRow(
      engine: "core", subject: "gateway", name: "command:X", content: ["number": 7, "done": "x"])
    let stranger = EngineRow(engine: "core", subject: "gateway", name: "other", content: [:])
    var ledger = CommandLedger(rows: [row, stranger])
    #expect(ledger.verdict(on: command("X", by: Self.anna)) == .taken)
    let changes = ledger.record(Self.done, to: command("Y", by: Self.anna), at: Self.now)
    #expect(
      changes.contains(
        .removeEngineRow(engine: "core", subject: "gateway", name: "command:X")))
    #expect(ledger.verdict(on: command("X", by: Self.anna)) == .new)
    #expect(ledger.rows.first?.content["number"] == 8)
  }

  @Test("When there are too many of one, what has expired goes first, and then what came first")
  func room() {
    var ledger = CommandLedger(rows: [])
    for number in 0..<CommandLedger.mostOfOne {
      let seconds: Int64 = number == 100 ? -1 : 600
      _ = ledger.record(
        Self.done, to: command(CommandID("c\(number)"), by: Self.anna, expiresIn: seconds),
        at: Self.now)
    }
    #expect(ledger.rows.count == CommandLedger.mostOfOne)
    _ = ledger.record(Self.done, to: command("one", by: Self.anna, expiresIn: 600), at: Self.now)
    #expect(ledger.verdict(on: command("c100", by: Self.anna)) == .new)
    #expect(ledger.verdict(on: command("c0", by: Self.anna)) == .answered(Self.done))
    _ = ledger.record(Self.done, to: command("two", by: Self.anna, expiresIn: 600), at: Self.now)
    #expect(ledger.verdict(on: command("c0", by: Self.anna)) == .new)
    #expect(ledger.rows.count == CommandLedger.mostOfOne)
  }

  @Test("Nobody pushes out what somebody else sent, and no flood of one's own pushes out an SOS")
  func flood() {
    var ledger = CommandLedger(rows: [])
    func send(_ id: CommandID, by principal: Principal, _ request: Command.Request) {
      _ = ledger.record(
        Self.done, to: command(id, by: principal, request, expiresIn: 80_000), at: Self.now)
    }
    for person in [Self.anna, Self.kiosk] { send("R", by: person, Self.help) }
    for number in 0..<1100 {
      for flooder in [Self.kiosk, Principal(channel: .plugin, name: "mqtt/\(number)")] {
        send(CommandID("f\(number)"), by: flooder, Self.locate)
      }
    }
    for person in [Self.anna, Self.kiosk] {
      #expect(
        reread(ledger).verdict(on: command("R", by: person, Self.help)) == .answered(Self.done),
        "\(person.name)")
    }
    #expect(ledger.rows.count == CommandLedger.mostOfAll)
  }
}
