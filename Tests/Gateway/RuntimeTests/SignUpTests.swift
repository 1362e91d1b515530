import Care
import Door
import JSON
import Loop
import LoopTestSupport
import Testing

@testable import Runtime

/// Who makes an account by the pages.
@Suite("Accounts: who may sign up") @LoopActor struct SignUpTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let numbers = Numbers()

  private static let owner = Asking.owner(Principal(channel: .local, name: "ole"))
  private static let page = Asking(
    Principal(channel: .plugin, name: "console"),
    .plugin(grants: Set(CommandRule.all.map(\.grant))))
  private static let signUp: JSONValue = [
    "action": "account.sign-up", "email": "anna@example.org", "password": "seven red boats",
    "profile": ["name": "Anna"], "label": "Firefox",
  ]

  private func makeRuntime(signUp: SignUp) -> GatewayRuntime {
    GatewayRuntime.scripted(StoredState(residents: []), over: store, at: clock) { parts in
      parts.room.credentials = ScriptedCredentials()
      parts.signUp = signUp
    }
  }

  private func send(
    _ request: JSONValue, for asking: Asking = page, to runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    numbers.last += 1
    return await runtime.result(of: request, id: "c-\(numbers.last)", for: asking, at: clock)
  }

  private func code(_ answer: Result<JSONValue, CommandReply.Refusal>) -> String? {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code.rawValue
  }

  @Test(
    "Who may sign up the configuration says; an invitation is a keeper's to give, and counts once")
  func whoMaySignUp() async throws {
    let closed = makeRuntime(signUp: .nobody)
    #expect(code(await send(Self.signUp.setting("code", to: "x"), to: closed)) == "forbidden")
    #expect(try await send(Self.signUp, for: Self.owner, to: closed).get()["token"] == nil)
    let runtime = makeRuntime(signUp: .invited)
    #expect(code(await send(Self.signUp, to: runtime)) == "forbidden")
    #expect(code(await send(["action": "account.invite"], to: runtime)) == "forbidden")
    let invitation = try await send(
      ["action": "account.invite"], for: Self.owner, to: runtime
    ).get()["code"]?.stringContent
    let typed = try #require(invitation).prefix(4) + " " + (invitation ?? "").dropFirst(4)
    let wrong = Self.signUp.setting("code", to: "nothing")
    #expect(code(await send(wrong, to: runtime)) == "unknown-target")
    let right = Self.signUp.setting("code", to: .string(String(typed)))
    #expect(try await send(right, to: runtime).get()["token"] != nil)
    let other = right.setting("email", to: "bo@example.org")
      .setting("profile", to: ["name": "Bo"])
    #expect(code(await send(other, to: runtime)) == "unknown-target")
  }
}
