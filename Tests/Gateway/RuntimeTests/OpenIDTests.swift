import Accounts
import Bytes
import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Testing
import Texts

@testable import Runtime

/// The way to an identity provider and back: what is asked of the plugin, and what is made of its answer.
@Suite("Logging in by another service: to the provider and back") @LoopActor struct OpenIDTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let services = ScriptedServices()
  private let numbers = Numbers()

  private static let state = "0123456789abcdefABCDEF"
  private static let redirect = "https://homeward.local:8474/openid"
  private static let page = Asking(
    Principal(channel: .plugin, name: "console"),
    .plugin(grants: Set(CommandRule.all.map(\.grant)).union(["accounts", "read:entry"])))

  private func makeRuntime() -> GatewayRuntime {
    services.answers = [
      "openid.provider": .success(["name": "Family cloud"]),
      "openid.begin": .success([
        "url": "https://cloud.example/authorize?x=1", "state": .string(Self.state),
        "secrets": ["nonce": "n", "verifier": "v"],
      ]),
      "openid.finish": .success([
        "issuer": "https://cloud.example", "subject": "anna-7", "name": "anna@example.org",
      ]),
    ]
    return GatewayRuntime.scripted(
      StoredState(residents: [Resident(id: "ada", name: "Ada", timeZone: "UTC")]), over: store,
      at: clock
    ) { parts in
      parts.room.credentials = ScriptedCredentials()
      parts.room.services = services
    }
  }

  private func send(
    _ action: String, _ members: JSONValue, for asking: Asking = OpenIDTests.page,
    to runtime: GatewayRuntime
  ) async throws -> Result<JSONValue, CommandReply.Refusal> {
    numbers.last += 1
    return await runtime.result(
      of: members.setting("action", to: .string(action)), id: "c-\(numbers.last)", for: asking,
      at: clock)
  }

  private func code(_ answer: Result<JSONValue, CommandReply.Refusal>) -> String? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code.rawValue
  }

  /// Signs Anna up; who asks for her, by her session.
  private func anna(on runtime: GatewayRuntime) async throws -> Asking {
    let signUp: JSONValue = [
      "email": "anna@example.org", "password": "seven red boats", "profile": ["name": "Anna"],
      "questions": [], "answers": [],
    ]
    let answer = try await send("account.sign-up", signUp, to: runtime).get()
    let grants = Set(CommandRule.all.map(\.grant))
    return try #require(runtime.speaker(by: answer["token"]?.stringContent ?? ""))
      .asking(through: "console", grants.union(["accounts"]), from: "192.0.2.7")
  }

  /// What comes back from the provider in a browser.
  private func back(_ binding: JSONValue?, state: String = state) -> JSONValue {
    [
      "state": .string(state), "code": "c0de", "binding": binding ?? "none", "label": "Firefox",
    ]
  }

  private func connecting(_ asking: Asking, password: String = "seven red boats") -> JSONValue {
    [
      "target": .string(asking.account?.id.rawValue ?? ""), "password": .string(password),
      "redirect": .string(Self.redirect), "next": "/account",
    ]
  }

  private static let beginning: JSONValue = ["redirect": .string(redirect), "next": "/map"]

  @Test(
    "Anna connects her account with her password, and comes in by it; the plugin is told the same")
  func whole() async throws {
    let runtime = makeRuntime()
    let anna = try await anna(on: runtime)
    #expect(
      code(
        try await send(
          "account.connect-openid", connecting(anna, password: "wrong one"), for: anna, to: runtime)
      ) == "forbidden")
    #expect(services.calls.isEmpty)
    let led = try await send("account.connect-openid", connecting(anna), for: anna, to: runtime)
      .get()
    #expect(led["url"] == "https://cloud.example/authorize?x=1")
    #expect(led["binding"]?.stringContent?.count == 64)
    let connected = try await send(
      "account.finish-openid", back(led["binding"]), for: anna, to: runtime
    ).get()
    #expect(connected["next"] == "/account" && connected["token"] == nil)
    #expect(
      services.calls.map(\.name) == ["openid.begin", "openid.finish"]
        && services.calls[0].params == ["redirect": .string(Self.redirect)]
        && services.calls[1].params
          == [
            "redirect": .string(Self.redirect), "code": "c0de",
            "secrets": ["nonce": "n", "verifier": "v"],
          ]
    )
    let begun = try await send("account.begin-openid", Self.beginning, to: runtime).get()
    let entered = try await send("account.finish-openid", back(begun["binding"]), to: runtime).get()
    #expect(entered["next"] == "/map" && entered["account"] == connected["account"])
    let speaker = runtime.speaker(by: entered["token"]?.stringContent ?? "")
    #expect(speaker?.account?.id == anna.account?.id && speaker?.session != anna.session)
    // Neither code nor binding nor state is in what the disk gets.
    let kept = store.records.map { record in
      String(decoding: record.input?.body ?? [], as: UTF8.self)
        + "\(record.changes)\(record.events)"
    }.joined()
    for secret in [
      "c0de", Self.state, begun["binding"]?.stringContent ?? "",
      entered["token"]?.stringContent ?? "",
    ] { #expect(!kept.contains(secret)) }
    #expect(kept.contains("anna-7"))
  }

  @Test("Nobody comes back twice, in another browser, with another session, or too late")
  func others() async throws {
    let runtime = makeRuntime()
    let anna = try await anna(on: runtime)
    let led = try await send("account.connect-openid", connecting(anna), for: anna, to: runtime)
      .get()
    // Who has no session, or another's, connects nothing, and the plugin is not asked.
    var stranger = anna
    stranger.session = "another"
    for asking in [Self.page, stranger] {
      let answer = try await send(
        "account.finish-openid", back(led["binding"]), for: asking, to: runtime)
      #expect(code(answer) == "forbidden")
    }
    for other in [back("0"), back(led["binding"], state: "made up")] {
      let answer = try await send("account.finish-openid", other, for: anna, to: runtime)
      #expect(code(answer) == "forbidden")
    }
    #expect(services.calls.count == 1)
    let finishing = back(led["binding"])
    #expect(
      code(try await send("account.finish-openid", finishing, for: anna, to: runtime)) == nil)
    #expect(
      code(try await send("account.finish-openid", finishing, for: anna, to: runtime))
        == "forbidden")
    let begun = try await send("account.begin-openid", Self.beginning, to: runtime).get()
    clock.moment = clock.moment.advanced(byMilliseconds: OpenIDFlows.milliseconds)
    #expect(
      code(try await send("account.finish-openid", back(begun["binding"]), to: runtime))
        == "forbidden")
  }

  @Test("What the plugin cannot do is said in words that say what to do, and lets nobody in")
  func trouble() async throws {
    let runtime = makeRuntime()
    _ = try await anna(on: runtime)
    let finished = services.answers["openid.finish"]
    for failure in ["unreachable", "used", "clock", "refused", "untrusted", "?"] {
      let begun = try await send("account.begin-openid", Self.beginning, to: runtime).get()
      services.answers["openid.finish"] = .success(["failure": .string(failure)])
      let answer = try await send("account.finish-openid", back(begun["binding"]), to: runtime)
      guard case .failure(let refusal) = answer else {
        Issue.record("\(failure) let somebody in")
        continue
      }
      let words = refusal.message.text(in: .en)
      #expect(refusal.code == .notNow && words.contains("Please"))
    }
    for answer: JSONValue in [
      ["issuer": "https://cloud.example"], ["issuer": "i", "subject": ""],
      ["issuer": "i", "subject": "two\nlines"], ["issuer": "i", "subject": 7], .null,
    ] {
      clock.moment = clock.moment.advanced(byMilliseconds: 60_000)
      let begun = try await send("account.begin-openid", Self.beginning, to: runtime).get()
      services.answers["openid.finish"] = .success(answer)
      #expect(
        code(try await send("account.finish-openid", back(begun["binding"]), to: runtime))
          == "not-now")
    }
    services.answers["openid.finish"] = finished
    for answer: JSONValue in [
      ["failure": "unreachable"], ["url": "javascript:alert(1)", "state": .string(Self.state)],
      ["url": "https://cloud.example/", "state": "short"],
    ] {
      clock.moment = clock.moment.advanced(byMilliseconds: 60_000)
      services.answers["openid.begin"] = .success(answer)
      #expect(
        code(try await send("account.begin-openid", Self.beginning, to: runtime)) == "not-now")
    }
    services.answers["openid.begin"] = nil
    let missing = try await send("account.begin-openid", Self.beginning, to: runtime)
    #expect(code(missing) == "conflict")
  }

  @Test(
    "A provider sends nobody to a page without TLS elsewhere, and a keeper has no account to connect"
  )
  func places() async throws {
    let runtime = makeRuntime()
    let owner = Asking.owner(Principal(channel: .local, name: "ole"))
    for redirect in [
      "http://homeward.local/openid", "javascript:alert(1)", "http://localhost.evil.example/", "",
      "https://a b/", "http://127.0.0.1@evil.example/",
    ] {
      let members: JSONValue = ["redirect": .string(redirect)]
      #expect(
        code(try await send("account.begin-openid", members, for: owner, to: runtime)) == "invalid")
    }
    for redirect in ["http://localhost:8474/openid", "http://127.0.0.1/openid", Self.redirect] {
      let members: JSONValue = ["redirect": .string(redirect)]
      #expect(code(try await send("account.begin-openid", members, for: owner, to: runtime)) == nil)
    }
    let anna = try await anna(on: runtime)
    #expect(
      code(try await send("account.connect-openid", connecting(anna), for: owner, to: runtime))
        == "logged-out")
    #expect(
      code(try await send("account.connect-openid", connecting(anna), to: runtime)) == "logged-out")
  }

  @Test("The page asks before anybody is logged in what the button says")
  func provider() async throws {
    let runtime = makeRuntime()
    func ask(_ grants: Set<String>) async -> Result<JSONValue, CommandReply.Refusal> {
      await withLoopContinuation { continuation in
        runtime.answer(
          .openIDProvider, params: .object([]),
          asking: Asking(Self.page.principal, .plugin(grants: grants))
        ) { continuation.resume(returning: $0.map(\.content)) }
      }
    }
    #expect(code(await ask(["accounts"])) == "forbidden")
    #expect(try await ask(["accounts", "read:entry"]).get()["name"] == "Family cloud")
    services.answers["openid.provider"] = nil
    #expect(code(await ask(["accounts", "read:entry"])) == "conflict")
  }
}
