import Bytes
import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Privacy
import Testing
import Texts

@testable import Runtime

/// The link in a message to a guardian: what it opens, to whom, and until when.
@Suite("Links in messages", .inVirtualTime) @LoopActor struct LinkTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let services = ScriptedServices()
  private let keeper = ScriptedCredentials()

  private static let owner = Asking.owner(Principal(channel: .local, name: "ole"))
  private static let grants: Set<String> = [
    "accounts", "read:alarms", "read:position", "read:contacts", "read:map",
    "command:alarm.acknowledge", "command:sos.cancel", "command:zone.put",
  ]

  private func makeRuntime(pages: String? = "https://home.example.org/") -> GatewayRuntime {
    let people = ["ada", "ben"].map {
      Resident(id: ResidentID($0), name: $0 == "ada" ? "Ada" : "Ben", timeZone: "UTC")
    }
    let guardians = [
      Guardian(
        id: "bo", resident: "ada", name: "Bo", phone: "+4791234567", email: "bo@example.org"),
      Guardian(id: "cy", resident: "ada", name: "Cy", email: "cy@example.org", isCaregiver: true),
      Guardian(id: "di", resident: "ben", name: "Di", email: "di@example.org"),
    ]
    for channel in ["sms", "email"] {
      services.answers["notify.\(channel)"] = .success(["outcome": "taken"])
    }
    let runtime = GatewayRuntime.scripted(
      StoredState(residents: people, guardians: guardians), over: store, at: clock
    ) { parts in
      parts.room.credentials = keeper
      parts.room.services = services
      parts.guardianLinks = pages.map { pages in
        GuardianLinks(to: pages) { [keeper] in keeper.mark($0, key: [7]) }
      }
    }
    runtime.observe(
      .ways(
        WaysReport(offers: [
          .init(channel: .sms, plugin: "sms-modem", isRunning: true),
          .init(channel: .email, plugin: "email", isRunning: true),
        ])))
    return runtime
  }

  private func perform(
    _ request: JSONValue, for asking: Asking, _ runtime: GatewayRuntime
  ) async throws -> CommandReply {
    await runtime.reply(
      to: try Command.Request(json: request), id: "c-\(request.serialized)", for: asking, at: clock)
  }

  /// Ada calls, and does not take it back.
  private func callForHelp(_ runtime: GatewayRuntime, _ why: String = "") async throws {
    _ = try await perform(
      ["action": "sos.raise", "target": "ada", "text": .string(why)], for: Self.owner, runtime)
    await EventLoop.pass(milliseconds: 20_000)
  }

  private func seen(
    by asking: Asking?, _ runtime: GatewayRuntime, _ route: Route = .alarmLinked
  ) async -> JSONValue? {
    guard let asking else { return nil }
    return await withLoopContinuation { continuation in
      runtime.answer(route, params: .object([]), asking: asking) {
        continuation.resume(returning: try? $0.get().content)
      }
    }
  }

  private func texts(_ channel: String) -> [String] {
    services.calls.filter { $0.name == "notify.\(channel)" }
      .compactMap { $0.params["text"]?.stringContent }
  }

  private func linkToken(in text: String?) -> String? {
    text?.firstMatch(of: /https:\/\/home\.example\.org\/g\/([0-9a-f]{32})/).map { String($0.1) }
  }

  private func asking(_ token: String?, _ runtime: GatewayRuntime) -> Asking? {
    token.flatMap { runtime.speaker(by: $0) }?.asking(through: "console", Self.grants, from: nil)
  }

  @Test("An e-mail has the link in it, a text message stays as it is and the link follows")
  func messages() async throws {
    let runtime = makeRuntime()
    try await callForHelp(runtime)
    #expect(texts("email").count == 2)
    let tokens = texts("email").compactMap { linkToken(in: $0) }
    #expect(Set(tokens).count == 2)
    #expect(texts("sms").count == 2)
    #expect(!(texts("sms").first ?? "").contains("https://home"))
    #expect(tokens.contains(linkToken(in: texts("sms").last) ?? ""))
    #expect(texts("sms").allSatisfy { $0.utf8.count <= 160 })
  }

  @Test("It opens the alarm for that guardian, who may say that they come, and nothing else")
  func opens() async throws {
    let runtime = makeRuntime()
    try await callForHelp(runtime)
    let asking = asking(linkToken(in: texts("sms").last), runtime)
    let seen = await seen(by: asking, runtime)
    #expect(seen?["residentName"] == "Ada" && seen?["kind"] == "sos" && seen?["isYours"] == false)
    let asked = try #require(asking)
    let id = try #require(seen?["alarm"])
    #expect(await self.seen(by: asked, runtime, .residentsList) == nil)
    #expect(await self.seen(by: asked, runtime, .guardiansList) == nil)
    for request: JSONValue in [
      ["action": "sos.cancel", "target": "ada"], ["action": "alarm.resolve", "reason": "over"],
    ] {
      guard case .refused = try await perform(request, for: asked, runtime) else {
        Issue.record("\(request.serialized)")
        continue
      }
    }
    let coming = try await perform(
      ["action": "alarm.acknowledge", "target": id], for: asked, runtime)
    guard case .done = coming else {
      Issue.record("\(coming)")
      return
    }
    let after = await self.seen(by: asked, runtime)
    #expect(after?["isYours"] == true && after?["acknowledgedByNames"] == ["Bo"])
  }

  @Test("It opens nothing after the alarm, for nobody else, and no token that was made up does")
  func ends() async throws {
    let runtime = makeRuntime()
    #expect(runtime.speaker(by: String(repeating: "0", count: 32)) == nil)
    try await callForHelp(runtime)
    let token = try #require(linkToken(in: texts("sms").last))
    #expect(asking(String(token.reversed()), runtime) == nil)
    #expect(asking(token.uppercased() == token ? "" : token.uppercased(), runtime) == nil)
    let asked = try #require(asking(token, runtime))
    let over = try await perform(
      ["action": "alarm.resolve", "by": "cy", "reason": "It was nothing."], for: Self.owner, runtime
    )
    guard case .done = over else {
      Issue.record("\(over)")
      return
    }
    #expect(asking(token, runtime) == nil)
    #expect(await seen(by: asked, runtime) == nil)
    // The next alarm has links of its own.
    try await callForHelp(runtime, "Again.")
    #expect(asking(token, runtime) == nil)
    // Nobody else comes by it: whoever keeps the gateway asks in other ways.
    #expect(await seen(by: Self.owner, runtime) == nil)
  }

  @Test("Where nobody reaches the pages there is no link, and messages are as ever")
  func none() async throws {
    let runtime = makeRuntime(pages: nil)
    try await callForHelp(runtime)
    #expect(texts("sms").count == 1)
    #expect(texts("email").count == 2 && texts("email").allSatisfy { !$0.contains("/g/") })
  }
}
