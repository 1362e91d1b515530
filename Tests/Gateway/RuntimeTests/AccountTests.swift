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
import Privacy
import Testing
import Texts

@testable import Runtime

/// What people send with a password, and what is left of it.
@Suite("Accounts: secrets end at the runtime") @LoopActor struct AccountTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let numbers = Numbers()

  private static let owner = Asking.owner(Principal(channel: .local, name: "ole"))
  private static let page = Asking(
    Principal(channel: .plugin, name: "console"),
    .plugin(grants: Set(CommandRule.all.map(\.grant)).union(["read:account"])))

  private func makeRuntime(
    keeper: ScriptedCredentials? = ScriptedCredentials(), services: (any ServiceCaller)? = nil
  ) -> GatewayRuntime {
    GatewayRuntime.scripted(
      StoredState(residents: [Resident(id: "ada", name: "Ada", timeZone: "UTC")]), over: store,
      at: clock
    ) { parts in
      parts.room.credentials = keeper
      parts.room.services = services
    }
  }

  /// Sends a request as it comes over a socket.
  private func send(
    _ request: JSONValue, id: String? = nil, for asking: Asking = AccountTests.page,
    to runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    numbers.last += 1
    return await runtime.result(
      of: request, id: id ?? "c-\(numbers.last)", for: asking, at: clock)
  }

  private func ask(
    _ account: String, for asking: Asking, to runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    await withLoopContinuation { continuation in
      runtime.answer(.accountShow, params: ["account": .string(account)], asking: asking) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func code(_ answer: Result<JSONValue, CommandReply.Refusal>) -> String? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code.rawValue
  }

  private static let signUp: JSONValue = [
    "action": "account.sign-up", "email": "anna@example.org", "password": "seven red boats",
    "profile": ["name": "Anna"], "questions": ["My first dog?"], "answers": [" Rex  the First "],
    "label": "Firefox",
  ]

  private static func logIn(_ password: String) -> JSONValue {
    ["action": "account.log-in", "email": "ANNA@example.org", "password": .string(password)]
  }

  /// Signs Anna up; answers her id and the token.
  private func signedUp(
    on runtime: GatewayRuntime
  ) async throws -> (account: String, session: String, token: String) {
    let answer = try await send(Self.signUp, to: runtime).get()
    return (
      try #require(answer["account"]?.stringContent),
      try #require(answer["session"]?.stringContent),
      try #require(answer["token"]?.stringContent)
    )
  }

  private func own(_ account: String) -> Asking {
    Asking(
      Self.page.principal,
      .pluginFor(
        Account(id: AccountID(account), name: "Anna", role: .caregiver),
        grants: Set(CommandRule.all.map(\.grant)).union(["read:account", "read:contacts"])))
  }

  @Test("Who signs up gets a token, and neither it nor any secret is in what the disk gets")
  func secrets() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    #expect(anna.token.count == 64)
    let speaker = runtime.core.accounts.speaker(
      token: AccountGate.digest(anna.token), at: clock.now())
    #expect(speaker?.account.id.rawValue == anna.account && speaker?.session.id == anna.session)
    _ = await send(Self.logIn("a wrong guess"), to: runtime)
    let kept = store.records.map { record in
      String(decoding: record.input?.body ?? [], as: UTF8.self)
        + "\(record.changes)\(record.events)"
    }.joined()
    #expect(kept.contains("anna@example.org") && kept.contains("#rex the first"))
    for secret in [anna.token, "\"seven red boats\"", "Rex  the First", "a wrong guess"] {
      #expect(!kept.contains(secret), "\(secret)")
    }
  }

  @Test("A password is right or wrong; five wrong ones bring a pause, in which the right one waits")
  func passwords() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    let again = try await send(Self.logIn("seven red boats"), to: runtime).get()
    #expect(again["account"]?.stringContent == anna.account)
    #expect(again["token"]?.stringContent != anna.token)
    for _ in 0..<5 {
      #expect(code(await send(Self.logIn("six red boats"), to: runtime)) == "forbidden")
    }
    #expect(code(await send(Self.logIn("seven red boats"), to: runtime)) == "not-now")
    clock.moment = Moment(
      tick: clock.moment.tick.advanced(byMilliseconds: 61_000), utc: clock.moment.utc,
      quality: clock.moment.quality)
    #expect(try await send(Self.logIn("seven red boats"), to: runtime).get()["token"] != nil)
  }

  @Test("A password that others try first, or that is short, is none; no secret answer is empty")
  func weak() async throws {
    let runtime = makeRuntime()
    for password in ["short", "anna", "password1", "aaaaaaaaaa", ""] {
      let weak = Self.signUp.setting("password", to: .string(password))
      #expect(code(await send(weak, to: runtime)) == "invalid", "\(password)")
    }
    let empty = Self.signUp.setting("answers", to: [" "])
    #expect(code(await send(empty, to: runtime)) == "invalid")
    let long = Self.signUp.setting("password", to: .string(String(repeating: "x", count: 2000)))
    #expect(code(await send(long, to: runtime)) == "invalid")
    #expect(try await send(Self.signUp, to: runtime).get()["token"] != nil)
  }

  @Test("A new password needs the old one; the same change sent twice is done once")
  func change() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    func change(_ old: String, _ new: String) -> JSONValue {
      [
        "action": "account.set-password", "target": .string(anna.account),
        "password": .string(old), "newPassword": .string(new), "session": .string(anna.session),
      ]
    }
    let own = own(anna.account)
    #expect(
      code(await send(change("wrong", "eight blue cars"), for: own, to: runtime)) == "forbidden")
    #expect(
      code(await send(change("seven red boats", "short"), for: own, to: runtime)) == "invalid")
    let first = await send(
      change("seven red boats", "eight blue cars"), id: "x", for: own, to: runtime)
    let second = await send(
      change("seven red boats", "eight blue cars"), id: "x", for: own, to: runtime)
    #expect(try first.get() == second.get())
    #expect(
      code(await send(change("seven red boats", "nine green cars"), id: "x", for: own, to: runtime))
        == "conflict")
    #expect(try await send(Self.logIn("eight blue cars"), to: runtime).get()["token"] != nil)
    #expect(code(await send(Self.logIn("seven red boats"), to: runtime)) == "forbidden")
  }

  @Test(
    "An account is nobody's but whose it is: no plugin has it by itself, no other account, but a keeper"
  )
  func door() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    let page = try await ask(anna.account, for: Self.owner, to: runtime).get()
    #expect(page["email"] == "anna@example.org" && page["sessions"]?.arrayContent?.count == 1)
    #expect(code(await ask(anna.account, for: Self.page, to: runtime)) == "forbidden")
    #expect(code(await ask(anna.account, for: own("other"), to: runtime)) == "forbidden")
    #expect(try await ask(anna.account, for: own(anna.account), to: runtime).get()["id"] != nil)
    let removal: JSONValue = ["action": "account.remove", "target": .string(anna.account)]
    #expect(code(await send(removal, for: Self.page, to: runtime)) == "forbidden")
    #expect(code(await send(removal, for: own("other"), to: runtime)) == "forbidden")
    // Their own needs the password; a keeper does without.
    #expect(code(await send(removal, for: own(anna.account), to: runtime)) == "not-now")
    #expect(try await send(removal, for: Self.owner, to: runtime).get()["account"] != nil)
    #expect(code(await send(Self.logIn("seven red boats"), to: runtime)) == "unknown-target")
  }

  @Test("A code of eight letters that a resident is shown links the caregiver who types it in")
  func codes() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    let ada =
      try await send(
        Self.signUp.setting("email", to: "ada@example.org").setting("profile", to: ["name": "Ada"]),
        to: runtime
      ).get()["account"]?.stringContent ?? ""
    _ = try await send(
      [
        "action": "account.choose-role", "target": .string(ada), "role": "resident",
        "resident": "ada",
      ], for: Self.owner, to: runtime
    ).get()
    _ = try await send(
      ["action": "account.choose-role", "target": .string(anna.account), "role": "caregiver"],
      for: own(anna.account), to: runtime
    ).get()
    let shown = try await send(
      ["action": "account.show-code", "target": .string(ada)], for: own(ada), to: runtime
    ).get()["code"]?.stringContent
    let code = try #require(shown)
    #expect(code.count == 8 && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    func enter(_ code: String) async -> Result<JSONValue, CommandReply.Refusal> {
      await send(
        [
          "action": "account.enter-code", "target": .string(anna.account), "code": .string(code),
        ], for: own(anna.account), to: runtime)
    }
    #expect(self.code(await enter("00000000")) == "unknown-target")
    #expect(try await enter(code).get()["account"] != nil)
    #expect(runtime.core.accounts.account(AccountID(anna.account))?.residents == ["ada"])
    // It counts once.
    #expect(self.code(await enter(code)) == "unknown-target")
  }

  @Test("A gateway that cannot hash keeps no account, and says so")
  func keeperless() async throws {
    let runtime = makeRuntime(keeper: nil)
    #expect(code(await send(Self.signUp, to: runtime)) == "conflict")
  }

  /// Takes e-mails and refuses text messages.
  private final class Post: ServiceCaller {
    private(set) var messages: [AlarmMessage] = []
    func callService(
      _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
      completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
    ) {
      if let message = try? AlarmMessage(json: params) { messages.append(message) }
      completion(.success(["outcome": name == "notify.email" ? "taken" : "failed"]))
    }
  }

  @Test(
    "A code goes to the address that is known, is never in the answer, and lets a new password in")
  func forgotten() async throws {
    let post = Post()
    let runtime = makeRuntime(services: post)
    _ = try await signedUp(on: runtime)
    let answer = try await send(
      ["action": "account.send-code", "email": "anna@example.org"], to: runtime
    ).get()
    #expect(answer == ["sent": [["channel": "email", "to": "a…@example.org"]]], "\(answer)")
    let message = try #require(post.messages.first)
    #expect(message.address == "anna@example.org" && message.text.contains("Anna"))
    let code = message.text.split(separator: " ").filter { $0.allSatisfy(\.isNumber) }
    #expect(code.map(\.count) == [4, 4])
    func recovery(_ members: [JSONMember]) -> JSONValue {
      members.reduce(
        [
          "action": "account.recover", "email": "anna@example.org",
          "newPassword": "eight blue cars",
        ]
      ) { $0.setting($1.key, to: $1.value) }
    }
    func typed(_ code: String) -> JSONValue {
      recovery([JSONMember(key: "code", value: .string(code))])
    }
    #expect(self.code(await send(typed("0000 0000"), to: runtime)) == "forbidden")
    let entered = try await send(typed(code.joined(separator: " ")), to: runtime).get()
    #expect(entered["token"] != nil)
    #expect(try await send(Self.logIn("eight blue cars"), to: runtime).get()["token"] != nil)
    let kept = store.records.map { String(decoding: $0.input?.body ?? [], as: UTF8.self) }.joined()
    #expect(!kept.contains(code.joined()) && !kept.contains(code.joined(separator: " ")))
  }

  @Test(
    "Answers are known again however they are written; wrong or too few are not; without a way no code is sent"
  )
  func answered() async throws {
    let runtime = makeRuntime()
    _ = try await signedUp(on: runtime)
    #expect(
      code(
        await send(["action": "account.send-code", "email": "anna@example.org"], to: runtime))
        == "not-now")
    func recovery(_ answers: JSONValue) -> JSONValue {
      [
        "action": "account.recover", "email": "anna@example.org", "newPassword": "eight blue cars",
        "answers": answers,
      ]
    }
    for wrong: JSONValue in [["Rex"], ["rex the first", "more"], []] {
      #expect(code(await send(recovery(wrong), to: runtime)) != nil, "\(wrong)")
    }
    #expect(try await send(recovery(["REX the first "]), to: runtime).get()["token"] != nil)
    #expect(try await send(Self.logIn("eight blue cars"), to: runtime).get()["token"] != nil)
  }

  @Test(
    "Who looked at a resident is in the journal, of each kind once an hour; who asks for nothing of theirs is not"
  )
  func looks() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    let account = Account(
      id: AccountID(anna.account), name: "Anna", role: .caregiver, residents: ["ada"])
    let asking = Asking(Self.page.principal, .account(account), address: "192.0.2.7")
    func look(_ route: Route, _ params: JSONValue = .object([])) async {
      _ = await withLoopContinuation { continuation in
        runtime.answer(route, params: params, asking: asking) {
          continuation.resume(returning: $0)
        }
      }
    }
    func looked() -> [String] {
      store.records.flatMap(\.events).filter { $0.type == "account.looked" }
        .map { "\($0.subject) \(String(decoding: $0.body, as: UTF8.self))" }
    }
    await look(.health)
    await look(.settingsDescribe)
    #expect(looked() == [])
    await look(.residentsList)
    await look(.zonesList, ["resident": "ada"])
    await look(.zonesList, ["resident": "ben"])
    #expect(looked().count == 1, "\(looked())")
    #expect(
      looked()[0].hasPrefix("resident/ada ") && looked()[0].contains(#""kinds":["position"]"#))
    #expect(looked()[0].contains("Anna looked at how Ada is.") && looked()[0].contains("192.0.2.7"))
    await look(.routineList)
    #expect(looked().count == 2)
    // The owner's own questions are nobody's look.
    _ = await withLoopContinuation { continuation in
      runtime.answer(.residentsList, params: .object([]), asking: Self.owner) {
        continuation.resume(returning: $0)
      }
    }
    #expect(looked().count == 2)
  }

  @Test(
    "A screen is let in by a code that a caregiver is shown, and a program by a token of its own")
  func devices() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    let shown = try await send(
      ["action": "account.add-screen", "resident": "ada"], for: Self.owner, to: runtime
    ).get()
    let code = try #require(shown["code"]?.stringContent)
    #expect(code.count == 8 && shown["token"] == nil)
    let entered = try await send(
      ["action": "account.enter-screen", "code": .string(code), "label": "Kitchen"], to: runtime
    ).get()
    let screen = try #require(runtime.speaker(by: entered["token"]?.stringContent ?? ""))
    #expect(screen.account?.role == .resident && screen.account?.residents == ["ada"])
    let until = clock.now().utc.advanced(byMilliseconds: 86_400_000).iso8601
    let program = try await send(
      [
        "action": "account.add-program", "target": .string(anna.account), "label": "Report",
        "scope": ["position"], "until": .string(until), "password": "seven red boats",
      ], for: own(anna.account), to: runtime
    ).get()
    let speaker = try #require(runtime.speaker(by: program["token"]?.stringContent ?? ""))
    #expect(speaker.account?.scope == [.position])
    #expect(runtime.speaker(by: "") == nil && runtime.speaker(by: code) == nil)
  }

  @Test(
    "A browser lets another in by its code and the number; neither is kept, and a screen lets nobody in"
  )
  func browsers() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    var asking = own(anna.account)
    asking.session = anna.session
    let target = JSONValue.string(anna.account)
    let add: JSONValue = ["action": "account.add-browser", "target": target]
    let shown = try await send(add, for: asking, to: runtime).get()["code"]?.stringContent ?? ""
    #expect(shown.count == 32 && shown.allSatisfy(\.isHexDigit))
    let enter: JSONValue = ["action": "account.enter-browser", "code": .string(shown)]
    let entered = try await send(enter, to: runtime).get()
    let token = try #require(entered["token"]?.stringContent)
    #expect(entered["name"] == "Anna" && runtime.speaker(by: token) == nil)
    let admit: JSONValue = [
      "action": "account.admit-browser", "target": target, "number": entered["number"] ?? .null,
    ]
    #expect(code(await send(admit, to: runtime)) == "forbidden")
    #expect(code(await send(admit, for: own("bo"), to: runtime)) == "forbidden")
    _ = try await send(admit, for: asking, to: runtime).get()
    #expect(runtime.speaker(by: token)?.account?.id.rawValue == anna.account)
    let kept = store.records.map {
      String(decoding: $0.input?.body ?? [], as: UTF8.self) + "\($0.changes)\($0.events)"
    }.joined()
    #expect(!kept.contains(shown) && !kept.contains(token))
    // A screen in the home speaks for Ada's own account, and stands where anybody passes.
    _ = await send(
      ["action": "account.choose-role", "target": target, "role": "resident", "resident": "ada"],
      for: Self.owner, to: runtime)
    let made = try await send(
      ["action": "account.add-screen", "resident": "ada"], for: Self.owner, to: runtime
    ).get()
    let screen = try await send(
      ["action": "account.enter-screen", "code": made["code"] ?? .null], to: runtime
    ).get()
    let holder = try #require(runtime.speaker(by: screen["token"]?.stringContent ?? ""))
    asking.session = holder.session
    #expect(code(await send(add, for: asking, to: runtime)) == "forbidden")
  }

  @Test(
    "What takes away what calls for help is done for a caregiver who says it once more after being told, and once"
  )
  func confirmation() async throws {
    let runtime = makeRuntime()
    let account = Account(id: "a", name: "Anna", role: .caregiver, residents: ["ada"])
    var asking = Asking(Self.page.principal, .account(account), session: "s1")
    let off: JSONValue = ["action": "tracking.set", "target": "ada", "isOn": false]
    // Whoever says so at once was told nothing.
    asking.confirms = true
    #expect(code(await send(off, for: asking, to: runtime)) == "unconfirmed")
    var other = asking
    other.session = "s2"
    #expect(code(await send(off, for: other, to: runtime)) == "unconfirmed")
    asking.confirms = false
    #expect(code(await send(off, for: asking, to: runtime)) == "unconfirmed")
    asking.confirms = true
    let erase: JSONValue = ["action": "resident.erase", "target": "ada"]
    #expect(code(await send(erase, for: asking, to: runtime)) == "unconfirmed")
    #expect(code(await send(off, for: asking, to: runtime)) == nil)
    #expect(code(await send(off, for: asking, to: runtime)) == "unconfirmed")
    clock.moment = clock.moment.advanced(byMilliseconds: 300_000)
    #expect(code(await send(off, for: asking, to: runtime)) == "unconfirmed")
    // A session is needed: nobody else's word counts.
    asking.session = nil
    for _ in 0..<2 { #expect(code(await send(off, for: asking, to: runtime)) == "unconfirmed") }
  }

  @Test("Whoever signed up is looked after once a keeper says so, in a time zone that there is")
  func joins() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    func join(
      _ zone: String, for asking: Asking = Self.owner
    ) async -> Result<JSONValue, CommandReply.Refusal> {
      await send(
        [
          "action": "account.join", "target": .string(anna.account), "timeZone": .string(zone),
        ], for: asking, to: runtime)
    }
    #expect(code(await join("UTC", for: own(anna.account))) == "forbidden")
    #expect(code(await join("Europe/Atlantis")) == "invalid")
    #expect(try await join("UTC").get()["resident"] == "anna")
    #expect(runtime.core.household.residents.map(\.name) == ["Ada", "Anna"])
    #expect(runtime.speaker(by: anna.token)?.account?.residents == ["anna"])
  }

  @Test("Whoever tries one password for many accounts is slowed down, and nobody with a session")
  func spraying() async throws {
    let runtime = makeRuntime()
    let anna = try await signedUp(on: runtime)
    var page = Self.page
    page.address = "192.0.2.66"
    func logIn(_ number: Int) -> JSONValue {
      Self.logIn("summer2026").setting("email", to: .string("p\(number)@example.org"))
    }
    for number in 0..<EntryLimit.ofOne {
      #expect(code(await send(logIn(number), for: page, to: runtime)) == "unknown-target")
    }
    #expect(code(await send(Self.logIn("seven red boats"), for: page, to: runtime)) == "not-now")
    page.address = "192.0.2.8"
    #expect(
      try await send(Self.logIn("seven red boats"), for: page, to: runtime).get()["token"] != nil)
    page.address = "192.0.2.66"
    let profile: JSONValue = [
      "action": "account.put-profile", "target": .string(anna.account),
      "profile": ["name": "Anna Berg"],
    ]
    var own = own(anna.account)
    own.address = "192.0.2.66"
    #expect(code(await send(profile, for: own, to: runtime)) == nil)
    #expect(code(await send(Self.signUp, for: Self.owner, to: runtime)) == "conflict")
  }
}
