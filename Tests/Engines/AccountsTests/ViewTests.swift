import Accounts
import Care
import JSON
import Moments
import Testing
import Texts

@Suite("What a doctor is let see")
struct ViewTests {
  /// Anna cares for Ada, who has an account; Dr. Lund treats people, in a browser of theirs.
  private struct Practice {
    var home = Home()
    let anna, ada, lund: AccountID
    let browser: String

    init(agrees: Bool? = true) throws {
      anna = try home.signUp("Anna").account
      ada = try home.signUp("Ada").account
      (lund, browser) = try home.signUp("Lund")
      try home.ask(.chooseRole(anna, .caregiver, resident: nil))
      try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
      try home.ask(.chooseRole(lund, .clinician, resident: nil))
      if let agrees { agree(agrees) }
    }

    mutating func agree(_ agrees: Bool) {
      home.house.consents = [
        Consent(
          resident: "ada", kind: .reports, isGranted: agrees, by: "Ada", at: home.now.utc,
          principal: "local:ole")
      ]
    }

    var seen: Set<ResidentID> {
      home.engine.account(lund).map { home.engine.seen(by: $0, in: home.house) } ?? []
    }
  }

  private static let code = Credentials(code: "c")

  @Test(
    "A caregiver shows a code that lets one doctor in, and no caregiver; a guardian they are not")
  func byCode() throws {
    var practice = try Practice()
    let reply = try practice.home.ask(.showViewCode(of: "ada"), Self.code)
    #expect(reply == ["resident": "ada"] && practice.home.changes.isEmpty)
    #expect(
      practice.home.refusal(of: .linking(practice.anna, .enterCode), Self.code)?.code
        == .unknownTarget)
    try practice.home.ask(.linking(practice.lund, .enterCode), Self.code)
    #expect(practice.seen == ["ada"])
    #expect(practice.home.told == ["account.linked ada"])
    let event = try #require(practice.home.events.first)
    #expect(event.signal == nil, "whoever treats somebody is not called at night")
    let sentence = event.facts["explanation"]?.stringContent ?? ""
    #expect(sentence.contains("who treats Ada"))
    #expect(
      practice.home.refusal(of: .linking(practice.lund, .enterCode), Self.code) != nil, "once")
    #expect(practice.home.restarted.engine.account(practice.lund)?.residents == ["ada"])
  }

  @Test("The code counts for ten minutes, and needs the resident's yes")
  func codesEnd() throws {
    var practice = try Practice()
    try practice.home.ask(.showViewCode(of: "ada"), Self.code)
    practice.home.pass(seconds: 600)
    #expect(practice.home.refusal(of: .linking(practice.lund, .enterCode), Self.code) != nil)
    for agrees in [false, nil] {
      var other = try Practice(agrees: agrees)
      #expect(other.home.refusal(of: .showViewCode(of: "ada"), Self.code)?.code == .forbidden)
    }
    #expect(
      practice.home.refusal(of: .showViewCode(of: "eve"), Self.code)?.code == .unknownTarget)
    #expect(practice.home.refusal(of: .showViewCode(of: "ada"))?.code == .notNow)
  }

  @Test("The resident's own code and a yes to a question let a doctor in, too")
  func byTheResident() throws {
    var practice = try Practice(agrees: nil)
    try practice.home.ask(.linking(practice.ada, .showCode), Self.code)
    try practice.home.ask(.linking(practice.lund, .enterCode), Self.code)
    #expect(practice.seen == ["ada"])
    var other = try Practice(agrees: nil)
    let reply = try other.home.ask(.linking(other.ada, .request(email: "lund@example.org")))
    let request = try #require(reply["request"]?.stringContent)
    try other.home.ask(.linking(other.lund, .answer(request: request, isAccepted: true)))
    #expect(other.seen == ["ada"])
    #expect(
      other.home.refusal(of: .linking(other.anna, .request(email: "lund@example.org")))?.code
        == .conflict, "neither is looked after")
  }

  @Test("Nothing is seen while the resident refuses, and again once they agree")
  func refusing() throws {
    var practice = try Practice()
    try practice.home.ask(.linking(practice.lund, .link("ada")), as: nil)
    #expect(practice.seen == ["ada"])
    practice.agree(false)
    #expect(practice.seen == [])
    practice.agree(true)
    #expect(practice.seen == ["ada"])
    let anna = try #require(practice.home.engine.account(practice.anna))
    practice.agree(false)
    #expect(practice.home.engine.seen(by: anna, in: practice.home.house) == anna.residents)
  }

  @Test("Who cares, the resident and the doctor end it; nobody ends a caregiver's link that way")
  func ending() throws {
    var practice = try Practice()
    for end in [
      AccountRequest.endView(of: "ada", practice.lund),
      .linking(practice.ada, .dismiss(practice.lund)),
      .linking(practice.lund, .unlink("ada")),
    ] {
      try practice.home.ask(.linking(practice.lund, .link("ada")), as: nil)
      try practice.home.ask(end)
      #expect(practice.seen == [])
      let sentence = practice.home.events.first?.facts["explanation"]?.stringContent ?? ""
      #expect(sentence.contains("no longer") && !sentence.contains("alarms"))
    }
    try practice.home.ask(.linking(practice.anna, .link("ada")), as: nil)
    #expect(practice.home.refusal(of: .endView(of: "ada", practice.anna))?.code == .conflict)
    #expect(practice.home.engine.account(practice.anna)?.residents == ["ada"])
    #expect(
      practice.home.refusal(of: .endView(of: "ada", practice.lund))?.code == .unknownTarget)
  }

  @Test(
    "A doctor logs in again after twelve hours, also who signed up before they said what they are")
  func sessions() throws {
    var practice = try Practice()
    let reply = try practice.home.logIn("Lund")
    let session = try #require(reply["session"]?.stringContent)
    func isThere(_ session: String, _ home: Home) -> Bool {
      let token = session == practice.browser ? "token of Lund" : "another token"
      return home.engine.speaker(token: token, at: home.now)?.session.id == session
    }
    practice.home.pass(seconds: 12 * 3600 - 1)
    #expect(isThere(session, practice.home) && isThere(practice.browser, practice.home))
    practice.home.pass(seconds: 1)
    #expect(!isThere(session, practice.home) && !isThere(practice.browser, practice.home))
    #expect(practice.home.engine.speaker(token: "token of Anna", at: practice.home.now) != nil)
  }

  @Test("An erased resident is seen by no doctor")
  func erased() throws {
    var practice = try Practice()
    try practice.home.ask(.linking(practice.lund, .link("ada")), as: nil)
    try practice.home.ask(.showViewCode(of: "ada"), Self.code)
    _ = try practice.home.erase("ada")
    #expect(practice.home.engine.account(practice.lund)?.residents == [])
    #expect(practice.home.refusal(of: .linking(practice.lund, .enterCode), Self.code) != nil)
  }
}
