import Accounts
import Care
import JSON
import Testing

/// Who comes in by an identity provider.
@Suite("Logging in by another service") struct OpenIDTests {
  private static let device = AccountRequest.Device(label: "Phone")

  private static func proof(
    _ subject: String, issuer: String = "https://cloud.example", connects id: AccountID? = nil,
    token: String? = "token by openid"
  ) -> Credentials {
    Credentials(
      token: id == nil ? token : nil,
      identity: ProvenIdentity(
        issuer: issuer, subject: subject, name: "anna@example.org", connects: id))
  }

  @Test("Whoever connected their account comes in by it, over a restart, and nobody else does")
  func connected() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a"))?.code == .unknownTarget)
    try home.ask(.finishOpenID(Self.device), Self.proof("a", connects: anna))
    #expect(home.events.map { $0.facts["change"] } == ["connected"])
    #expect(home.events.first?.facts["address"] == "192.0.2.7")
    #expect(home.engine.sessions(of: anna).count == 1)
    var later = home.restarted
    let reply = try later.ask(.finishOpenID(Self.device), Self.proof("a"))
    #expect(reply["account"]?.stringContent == anna.rawValue)
    #expect(later.events.map { $0.facts["change"] } == ["logged-in"])
    let speaker = later.engine.speaker(token: "token by openid", at: later.now)
    #expect(speaker?.account.id == anna && speaker?.session.label == "Phone")
    #expect(speaker?.session.kind == .browser)
    // By no address, no other person there, and no other provider's person of the same name.
    for other in [
      Self.proof("b"), Self.proof("A"), Self.proof("anna@example.org"),
      Self.proof("a", issuer: "https://evil.example"), Credentials(token: "t"),
    ] {
      #expect(later.refusal(of: .finishOpenID(Self.device), other) != nil)
    }
    #expect(later.engine.sessions(of: anna).count == 2)
  }

  @Test("Somebody at the provider is one account's, and an account is one person's there")
  func oneEach() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    let (bo, _) = try home.signUp("Bo")
    try home.ask(.finishOpenID(Self.device), Self.proof("a", connects: anna))
    #expect(
      home.refusal(of: .finishOpenID(Self.device), Self.proof("a", connects: bo))?.code
        == .conflict)
    try home.ask(.finishOpenID(Self.device), Self.proof("b", connects: anna))
    #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a"))?.code == .unknownTarget)
    try home.ask(.finishOpenID(Self.device), Self.proof("a", connects: bo))
    #expect(
      try home.ask(.finishOpenID(Self.device), Self.proof("a"))["account"]?.stringContent
        == bo.rawValue)
  }

  @Test("To be led to the provider for an account takes its password; wrong ones count")
  func leading() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    let request = AccountRequest.connectOpenID(anna)
    #expect(home.refusal(of: request)?.code == .notNow)
    for _ in 1...5 {
      #expect(home.refusal(of: request, Credentials(isRight: false))?.code == .forbidden)
    }
    #expect(home.events.contains { $0.type == .accountAttacked })
    #expect(home.refusal(of: request, Credentials(isRight: true))?.code == .notNow)
    // Nobody who guesses keeps out whoever comes in otherwise.
    try home.ask(.finishOpenID(Self.device), Self.proof("a", connects: anna))
    #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a")) == nil)
    try home.ask(request, Credentials(isRight: true))
    #expect(home.events.isEmpty && home.changes.isEmpty)
    #expect(try home.ask(.beginOpenID) == .object([]))
    #expect(home.refusal(of: .connectOpenID("nobody"), Credentials(isRight: true)) != nil)
  }

  @Test("It is taken away by its owner or a keeper, by a forgotten password, and with the account")
  func takenAway() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    let connecting = Self.proof("a", connects: anna)
    #expect(home.refusal(of: .disconnectOpenID(anna))?.code == .unknownTarget)
    try home.ask(.finishOpenID(Self.device), connecting)
    for keeper in ["page", nil] {
      try home.ask(.finishOpenID(Self.device), connecting)
      try home.ask(.disconnectOpenID(anna), as: keeper)
      #expect(home.events.map { $0.facts["change"] } == ["disconnected"])
      #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a")) != nil)
    }
    try home.ask(.finishOpenID(Self.device), connecting)
    try home.ask(
      .recover(email: "anna@example.org", Self.device),
      Credentials(isRight: true, password: "new", token: "recovered"))
    #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a")) != nil)
    try home.ask(.finishOpenID(Self.device), connecting)
    try home.ask(.remove(anna), as: nil)
    #expect(home.refusal(of: .finishOpenID(Self.device), Self.proof("a")) != nil)
    #expect(home.rows.isEmpty)
  }

  @Test("Who somebody is there is shown to nobody, how the provider names them to their owner")
  func shown() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    try home.ask(.finishOpenID(Self.device), Self.proof("secret-7", connects: anna))
    let shown = try #require(home.engine.account(anna)?.json["openID"])
    #expect(shown["name"] == "anna@example.org" && shown["issuer"] == "https://cloud.example")
    #expect(shown["subject"] == nil && shown["connected"] != nil)
    for event in home.events { #expect(!"\(event.facts)".contains("secret-7")) }
  }
}
