import Accounts
import Care
import JSON
import Moments
import Testing

/// Somebody forgot their password.
@Suite("Forgotten passwords") struct RecoveryTests {
  private static let device = AccountRequest.Device(label: "Phone")
  private static let email = "anna@example.org"
  private static let sent = Credentials(code: "digest")

  private static func recovery(isRight: Bool? = nil, code: String? = nil) -> Credentials {
    Credentials(isRight: isRight, password: "new hash", token: "new token", code: code)
  }

  private func home() throws -> (home: Home, anna: AccountID) {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    try home.ask(
      .setQuestions(anna, ["My first dog?", "My school?"]),
      Credentials(isRight: true, answers: ["a", "b"]))
    return (home, anna)
  }

  @Test("The questions are told, and never an answer")
  func questions() throws {
    var (home, _) = try home()
    #expect(
      try home.ask(.forgot(email: Self.email)) == ["questions": ["My first dog?", "My school?"]])
    #expect(home.refusal(of: .forgot(email: "nobody@example.org"))?.code == .unknownTarget)
  }

  @Test("With all answers right the new password counts, and every other session ends")
  func answers() throws {
    var (home, anna) = try home()
    let reply = try home.ask(.recover(email: Self.email, Self.device), Self.recovery(isRight: true))
    #expect(home.engine.account(anna)?.password == "new hash")
    #expect(home.engine.sessions(of: anna).map(\.id) == [reply["session"]?.stringContent])
    #expect(home.engine.speaker(token: "token of Anna", at: home.now) == nil)
    #expect(home.engine.speaker(token: "new token", at: home.now) != nil)
    #expect(home.events.first?.facts["change"] == "password")
  }

  @Test("A code counts for ten minutes and once; wrong ones count as wrong passwords do")
  func codes() throws {
    var (home, anna) = try home()
    try home.ask(.sendCode(email: Self.email), Self.sent)
    #expect(home.events.first?.facts["change"] == "code-sent")
    let wrong = home.refusal(
      of: .recover(email: Self.email, Self.device), Self.recovery(code: "other"))
    #expect(wrong?.code == .forbidden)
    home.pass(seconds: 599)
    var late = home
    late.pass(seconds: 1)
    #expect(
      late.refusal(of: .recover(email: Self.email, Self.device), Self.recovery(code: "digest"))?
        .code
        == .forbidden)
    try home.ask(.recover(email: Self.email, Self.device), Self.recovery(code: "digest"))
    #expect(home.engine.account(anna)?.password == "new hash")
    #expect(
      home.refusal(of: .recover(email: Self.email, Self.device), Self.recovery(code: "digest"))?
        .code
        == .forbidden)
    // Once more wrong, and then no more is looked at, not even what is right.
    try home.ask(.sendCode(email: Self.email), Self.sent)
    for _ in 0..<5 {
      _ = home.refusal(of: .recover(email: Self.email, Self.device), Self.recovery(isRight: false))
    }
    #expect(
      home.refusal(of: .recover(email: Self.email, Self.device), Self.recovery(code: "digest"))?
        .code
        == .notNow)
    #expect(home.refusal(of: .sendCode(email: Self.email), Self.sent)?.code == .notNow)
  }

  @Test("Neither answers nor code is nothing; a restart forgets a code")
  func nothing() throws {
    var (home, _) = try home()
    #expect(
      home.refusal(of: .recover(email: Self.email, Self.device), Self.recovery())?.code == .invalid)
    try home.ask(.sendCode(email: Self.email), Self.sent)
    var restarted = home.restarted
    #expect(
      restarted.refusal(
        of: .recover(email: Self.email, Self.device), Self.recovery(code: "digest"))?
        .code == .forbidden)
  }

  @Test(
    "Three codes in an hour, to every way that the account tells; of a resident to their guardians, too"
  )
  func ways() throws {
    var (home, anna) = try home()
    try home.ask(.putProfile(anna, UserAccount.Profile(name: "Anna", phone: "+4791234567")))
    let reply = try home.ask(.sendCode(email: Self.email), Self.sent)
    let ways = reply["ways"]?.arrayContent?.compactMap { $0["address"]?.stringContent }
    #expect(ways == [Self.email, "+4791234567"])
    for _ in 0..<2 { try home.ask(.sendCode(email: Self.email), Self.sent) }
    #expect(home.refusal(of: .sendCode(email: Self.email), Self.sent)?.code == .notNow)
    home.pass(seconds: 3_600)
    #expect(home.refusal(of: .sendCode(email: Self.email), Self.sent) == nil)
    let (ada, _) = try home.signUp("Ada")
    try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
    home.house.put(Guardian(id: "g", resident: "ada", name: "Gus", phone: "+4791234568"))
    home.house.put(Guardian(id: "h", resident: "bob", name: "Hal", phone: "+4791234569"))
    let own = try home.ask(.sendCode(email: "ada@example.org"), Self.sent)
    let told = own["ways"]?.arrayContent?.compactMap { $0["address"]?.stringContent }
    #expect(told == ["ada@example.org", "+4791234568"])
  }
}
