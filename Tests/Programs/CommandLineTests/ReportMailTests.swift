import Care
import ControlSocket
import Door
import JSON
import Reports
import Testing
import Texts

@Suite("Reports by e-mail on the command line")
struct ReportMailTests {
  private static func order(
    _ id: String, next: String?, isAllowed: Bool = true, fault: String? = nil
  ) -> JSONValue {
    .object([
      "id": .string(id), "resident": "mary", "kind": "week",
      "email": .string("\(id)@example.org"), "every": "weekly", "language": "en", "paper": "a4",
      "next": next.map { .string($0) }, "isAllowed": .bool(isAllowed),
      "fault": fault.map { .string($0) },
    ])
  }

  private static let past = "2026-01-05T07:00:00.000Z"
  private static let future = "2100-01-04T07:00:00.000Z"

  /// A gateway with these orders, whose post takes what goes to `good`.
  private func daemon(_ orders: [JSONValue]) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .reportsList: .success(.array(orders))
      case .reportMail:
        request.params["order"] == "good"
          ? .success([:])
          : .failure(ControlError(.refused, Message(verbatim: "No plugin sends e-mails.")))
      case .command: .success(["next": .string(Self.future)])
      case .mapReverse: .success(["place": .null])
      case .profileGet: .success(["name": "Mary Smith"])
      case .settingsList: .success(["glucoseUnit": "mmol/L"])
      default: .success([])
      }
    }
  }

  private func sent(_ daemon: FakeDaemon) async throws -> [ReportOrderRequest] {
    try (await daemon.commands).map { try ReportOrderRequest(json: $0) }
  }

  @Test("An order says where, how often and in which language, and when the first goes out")
  func order() async throws {
    let daemon = try await daemon([])
    let outcome = try daemon.tool.run([
      "report", "order", "--email", "practice@example.org", "--every", "monthly", "--language",
      "zh", "--paper", "letter",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output
        == "It goes to practice@example.org. The next one goes out at 2100-01-04 08:00:00 CET.\n")
    guard case .order(let order)? = try await sent(daemon).first else {
      Issue.record("nothing was ordered")
      return
    }
    #expect(order.resident == "mary" && order.email == "practice@example.org")
    #expect(order.kind == .doctor && order.every == .monthly && order.language == .zh)
    #expect(order.paper == .letter && order.id.count == 6)
    #expect(try daemon.tool.run(["report", "stop", "k3x9qa"]).code == 0)
    #expect(try await sent(daemon).last == .cancel("k3x9qa"))
    await daemon.stop()
  }

  @Test(
    "What is no order is refused before anything is sent",
    arguments: [
      (["order"], "--email ADDRESS"),
      (["order", "--email", "a@b", "--every", "daily"], "once | weekly | monthly"),
      (["order", "--email", "a@b", "--kind", "police"], "doctor | week"),
      (["order", "--email", "a@b", "--paper", "a5"], "a4 | letter"),
      (["order", "--email", "a@b", "--language", "xx"], "en | zh"), (["stop"], "ID is missing."),
    ])
  func refused(words: [String], sentence: String) async throws {
    let daemon = try await daemon([])
    let outcome = try daemon.tool.run(["report"] + words)
    #expect(outcome.code == 2 && outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("The list says that the person does not agree, or what was wrong the last time")
  func list() async throws {
    let daemon = try await daemon([
      Self.order("good", next: Self.future), Self.order("not", next: Self.past, isAllowed: false),
      Self.order("bad", next: Self.past, fault: "No network."),
    ])
    let lines = try daemon.tool.run(["report", "orders"]).output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("good  mary  week   good@example.org  weekly"))
    #expect(lines[1].contains("2100-01-04 08:00:00 CET"))
    #expect(lines[2].hasSuffix("  the person does not agree"))
    #expect(lines[3].hasSuffix("  No network."))
    await daemon.stop()
    let empty = try await self.daemon([])
    #expect(try empty.tool.run(["report", "orders"]).output == "No report goes out by e-mail.\n")
    await empty.stop()
  }

  @Test("What is due goes out, one fault keeps no other back, and each end is written down")
  func send() async throws {
    let daemon = try await daemon([
      Self.order("bad", next: Self.past), Self.order("good", next: Self.past),
      Self.order("later", next: Self.future), Self.order("not", next: Self.past, isAllowed: false),
      Self.order("never", next: nil),
    ])
    let outcome = try daemon.tool.run(["report", "send"])
    #expect(outcome.code == 1, "\(outcome)")
    #expect(
      outcome.output == "1 reports were sent.\nbad@example.org: No plugin sends e-mails.\n",
      "\(outcome)")
    #expect(
      try await sent(daemon) == [
        .settle("bad", fault: "No plugin sends e-mails."), .settle("good", fault: nil),
      ])
    let mails = await daemon.requests.filter { $0.method == .reportMail }
    #expect(mails.map { $0.params["order"] } == ["bad", "good"])
    #expect(mails.allSatisfy { $0.params["file"]?.stringContent?.hasPrefix("JVBERi0") == true })
    await daemon.stop()
    let idle = try await self.daemon([Self.order("later", next: Self.future)])
    let nothing = try idle.tool.run(["report", "send"])
    #expect(nothing.code == 0 && nothing.output == "0 reports were sent.\n")
    #expect(await idle.commands.isEmpty)
    await idle.stop()
  }
}
