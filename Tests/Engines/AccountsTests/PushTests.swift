import Accounts
import Care
import JSON
import Moments
import Testing

@Suite("Browsers that are told while no page is open")
struct PushTests {
  private static let point = "B" + "A" + String(repeating: "x", count: 84) + "A"

  static func subscription(
    _ endpoint: String = "https://push.example.org/a1", wantsPlaces: Bool = false
  ) throws -> PushSubscription {
    try PushSubscription(
      json: [
        "endpoint": .string(endpoint), "expirationTime": .null,
        "keys": ["p256dh": .string(point), "auth": "AAECAwQFBgcICQoLDA0ODw"],
        "wantsPlaces": .bool(wantsPlaces),
      ])
  }

  /// Anna cares for Ada, Bea for nobody yet; what each one's browser is.
  private func house() throws -> (home: Home, anna: AccountID, browser: String) {
    var home = Home()
    let (anna, browser) = try home.signUp("Anna")
    try home.ask(.chooseRole(anna, .caregiver, resident: nil))
    try home.ask(.linking(anna, .link("ada")), as: nil)
    return (home, anna, browser)
  }

  private func told(_ home: Home, _ resident: ResidentID? = nil) -> [String] {
    home.engine.pushes(for: resident, session: nil, at: home.now).map {
      $0["push"]?["endpoint"]?.stringContent ?? ""
    }
  }

  @Test("Who cares for somebody is told in the browser that asked for it, also after a restart")
  func told() throws {
    var (home, anna, browser) = try house()
    try home.ask(.putPush(anna, session: browser, try Self.subscription(wantsPlaces: true)))
    #expect(home.told == ["account.changed push"])
    #expect(home.events.first?.facts["session"]?.stringContent == browser)
    #expect(!home.events.contains { $0.facts.serialized.contains("push.example.org") })
    #expect(told(home, "ada") == ["https://push.example.org/a1"])
    #expect(told(home, "bob").isEmpty)
    #expect(told(home.restarted, "ada") == told(home, "ada"))
    let shown = home.engine.sessions(of: anna).map(\.json)
    #expect(shown.first?["push"] == ["wantsPlaces": true], "keys are nobody's to see")
    #expect(home.engine.pushes(for: nil, session: "another", at: home.now).isEmpty)
  }

  @Test("Nobody is told who is logged out, unlinked, no caregiver or asked for it no longer")
  func ended() throws {
    let (begun, anna, browser) = try house()
    func after(_ request: AccountRequest, as account: String? = "page") throws -> [String] {
      var home = begun
      try home.ask(.putPush(anna, session: browser, try Self.subscription()))
      try home.ask(request, as: account)
      return told(home, "ada")
    }
    #expect(try after(.seen(anna, session: browser)).count == 1)
    #expect(try after(.endSession(anna, session: browser)).isEmpty)
    #expect(try after(.endPush(anna, session: browser)).isEmpty)
    #expect(try after(.linking(anna, .unlink("ada"))).isEmpty)
    #expect(try after(.pushGone(endpoint: "https://push.example.org/a1")).isEmpty)
    #expect(try after(.pushGone(endpoint: "https://push.example.org/b2")).count == 1)
    var home = begun
    try home.ask(.putPush(anna, session: browser, try Self.subscription()))
    home.pass(seconds: 31 * 86_400)
    #expect(told(home).isEmpty, "a browser that nobody used for thirty days is logged out")
  }

  @Test("A browser belongs to whoever logged in last")
  func moved() throws {
    var (home, anna, browser) = try house()
    let (bea, other) = try home.signUp("Bea")
    try home.ask(.chooseRole(bea, .caregiver, resident: nil))
    try home.ask(.putPush(anna, session: browser, try Self.subscription()))
    try home.ask(.putPush(bea, session: other, try Self.subscription()))
    #expect(told(home, "ada").isEmpty && told(home).count == 1)
    #expect(
      home.refusal(of: .putPush(bea, session: browser, try Self.subscription()))?.code
        == .unknownTarget, "nobody speaks for somebody else's browser")
    let program = Credentials(isRight: true, token: "a program's")
    let reply = try home.ask(
      .addProgram(
        anna, label: "Script", scope: [.position],
        until: home.now.utc.advanced(byMilliseconds: 86_400_000)), program)
    let script = try #require(reply["session"]?.stringContent)
    #expect(home.refusal(of: .putPush(anna, session: script, try Self.subscription())) != nil)
  }

  @Test(
    "What is no subscription is refused",
    arguments: [
      ("endpoint", "http://push.example.org/a"), ("endpoint", "https://push.example.org/a b"),
      ("endpoint", "https://push.example.org/" + String(repeating: "a", count: 1000)),
      ("p256dh", "BAAA"), ("p256dh", "C" + point.dropFirst()), ("p256dh", "*" + point.dropFirst()),
      ("auth", ""), ("auth", "AAECAwQFBgcICQoLDA0ODxA"), ("auth", "?"),
    ])
  func invalid(_ wrong: (member: String, text: String)) throws {
    var json = try Self.subscription().json
    if wrong.member == "endpoint" {
      json = json.setting("endpoint", to: .string(wrong.text))
    } else {
      let keys = try #require(json["keys"])
      json = json.setting("keys", to: keys.setting(wrong.member, to: .string(wrong.text)))
    }
    #expect(throws: (any Error).self) { try PushSubscription(json: json) }
    #expect(throws: Never.self) { try PushSubscription(json: Self.subscription().json) }
  }
}
