import Accounts
import Care
import JSON
import Moments
import Testing

@Suite("Accounts")
struct AccountEngineTests {
  @Test("Somebody signs up, is logged in, and a restart forgets neither")
  func signUp() throws {
    var home = Home()
    let (account, session) = try home.signUp("Anna")
    #expect(home.told == ["account.changed signed-up"])
    #expect(home.changes.count == 2)
    for home in [home, home.restarted] {
      let speaker = try #require(home.engine.speaker(token: "token of Anna", at: home.now))
      #expect(speaker.account.id == account && speaker.session.id == session)
      #expect(speaker.account.profile.name == "Anna" && speaker.account.role == nil)
      #expect(speaker.account.residents.isEmpty, "nothing of anybody is visible before a link")
      #expect(home.engine.speaker(token: "token of anna", at: home.now) == nil)
      #expect(home.engine.account(with: "ANNA@example.org")?.id == account)
    }
  }

  @Test(
    "Whoever signs up for themselves is looked after as somebody new, once, and never a caregiver")
  func join() throws {
    var home = Home()
    let (account, _) = try home.signUp("Ada")
    let reply = try home.ask(.join(account, timeZone: "Europe/Oslo"))
    // There is an Ada already: another person has another id.
    #expect(reply["resident"] == "ada-2")
    #expect(home.engine.account(account)?.residents == ["ada-2"])
    #expect(
      home.events.first?.signal
        == .joins(Resident(id: "ada-2", name: "Ada", timeZone: "Europe/Oslo")))
    #expect(home.refusal(of: .join(account, timeZone: "Europe/Oslo"))?.code == .conflict)
    let (other, _) = try home.signUp("Anna")
    try home.ask(.chooseRole(other, .caregiver, resident: nil))
    #expect(home.refusal(of: .join(other, timeZone: "Europe/Oslo"))?.code == .conflict)
    let (third, _) = try home.signUp("王芳", email: "fang@example.org")
    #expect(home.refusal(of: .join(third, timeZone: ""))?.code == .invalid)
    #expect(try home.ask(.join(third, timeZone: "Asia/Shanghai"))["resident"] == "resident")
  }

  @Test("A keeper makes an account for somebody else, and logs in nowhere by it")
  func madeByKeeper() throws {
    var home = Home()
    let request = AccountRequest.signUp(
      email: "anna@example.org", UserAccount.Profile(name: "Anna"), questions: [],
      AccountRequest.Device())
    let reply = try home.ask(request, Credentials(password: "hash of Anna"), as: nil)
    let account = AccountID(reply["account"]?.stringContent ?? "")
    #expect(reply["session"] == nil && home.engine.sessions(of: account).isEmpty)
    #expect(try home.logIn("Anna")["session"] != nil)
  }

  @Test("No event of a change names anybody: whoever signs up may be a resident")
  func nameless() throws {
    var home = Home()
    let (account, _) = try home.signUp("Adelaide", email: "a@example.org")
    try home.ask(.putProfile(account, UserAccount.Profile(name: "Adelaide Smith")))
    #expect(
      !home.events.isEmpty && home.events.allSatisfy { !$0.facts.serialized.contains("Adelaide") })
  }

  @Test("No event and no answer holds a password, a token or their hashes")
  func secrets() throws {
    var home = Home()
    _ = try home.signUp("Anna")
    let facts = home.events.map(\.facts.serialized).joined()
    #expect(!facts.contains("hash of") && !facts.contains("token of"))
    let account = try #require(home.engine.account(with: "anna@example.org"))
    let shown = account.json.serialized + home.engine.sessions(of: account.id)[0].json.serialized
    #expect(!shown.contains("hash of") && !shown.contains("token of"))
  }

  @Test("An address is taken once, however it is written; so is a name")
  func taken() throws {
    var home = Home()
    _ = try home.signUp("Anna")
    #expect(throws: CommandReply.Refusal.self) { try home.signUp("Bea", email: "ANNA@example.org") }
    #expect(throws: CommandReply.Refusal.self) { try home.signUp("anna", email: "a@example.org") }
    #expect(home.engine.all.count == 1)
    let (bea, _) = try home.signUp("Bea")
    let right = Credentials(isRight: true)
    #expect(home.refusal(of: .setEmail(bea, "Anna@Example.org"), right)?.code == .conflict)
    for email in ["bea@new.example.org", "Bea@New.Example.org"] {
      #expect(home.refusal(of: .setEmail(bea, email), right) == nil)
      #expect(home.restarted.engine.account(bea)?.email?.text == email)
    }
    #expect(
      home.refusal(of: .putProfile(bea, UserAccount.Profile(name: "ANNA")))?.code == .conflict)
    #expect(home.refusal(of: .putProfile(bea, UserAccount.Profile(name: "bea"))) == nil)
  }

  @Test("Who has no account is offered to sign up, and a screen's account has no password to guess")
  func unknown() throws {
    var home = Home()
    let refusal = #expect(throws: CommandReply.Refusal.self) { _ = try home.logIn("Anna") }
    #expect(refusal?.code == .unknownTarget)
    #expect(home.engine.account(with: "nobody") == nil)
    _ = try home.signUp("Ada")
    let rows = home.rows.map { row in
      var row = row
      row.content = row.content.setting("password", to: .null)
      return row
    }
    var screen = Home(rows: rows)
    let none = #expect(throws: CommandReply.Refusal.self) { _ = try screen.logIn("Ada") }
    #expect(none?.code == .unknownTarget && screen.engine.account(with: "ada@example.org") != nil)
  }

  @Test("What does not fit is refused, and nothing is left of it")
  func badInput() throws {
    var home = Home()
    typealias Profile = UserAccount.Profile
    let good = Credentials(password: "h", token: "t")
    func signUp(
      _ email: String, _ profile: Profile, _ questions: [String] = [], label: String = ""
    ) -> AccountRequest {
      .signUp(email: email, profile, questions: questions, AccountRequest.Device(label: label))
    }
    let bad: [(AccountRequest, Credentials?)] = [
      (signUp("anna", Profile(name: "Anna")), good),
      (signUp("a@b.org\r\nBcc: c@d.org", Profile(name: "Anna")), good),
      (signUp("a@b.org", Profile(name: " ")), good),
      (signUp("a@b.org", Profile(name: "A\u{7}")), good),
      (signUp("a@b.org", Profile(name: String(repeating: "a", count: 201))), good),
      (signUp("a@b.org", Profile(name: "Anna", phone: "12")), good),
      (signUp("a@b.org", Profile(name: "Anna", birthYear: 48)), good),
      (signUp("a@b.org", Profile(name: "Anna", language: "tlh")), good),
      (signUp("a@b.org", Profile(name: "Anna"), ["Name of the dog?"]), good),
      (signUp("a@b.org", Profile(name: "Anna"), label: String(repeating: "a", count: 201)), good),
      (signUp("a@b.org", Profile(name: "Anna"), label: "a\nb"), good),
      (signUp("a@b.org", Profile(name: "Anna")), Credentials(token: "t")),
      (signUp("a@b.org", Profile(name: "Anna")), Credentials(password: "h")),
      (signUp("a@b.org", Profile(name: "Anna")), nil),
      (
        .signUp(
          email: "a@b.org", Profile(name: "Anna"), questions: [],
          AccountRequest.Device(kind: .screen)), good
      ),
    ]
    for (request, credentials) in bad {
      #expect(home.refusal(of: request, credentials) != nil, "\(request)")
      #expect(home.rows.isEmpty && home.events.isEmpty, "\(request)")
    }
    let twice = Credentials(password: "h", answers: ["x", "y"], token: "t")
    #expect(home.refusal(of: signUp("a@b.org", Profile(name: "A"), ["?", "?"]), twice) != nil)
    #expect(home.refusal(of: signUp("a@b.org", Profile(name: "A"), ["1?", "2?"]), twice) == nil)
  }

  @Test("Alerts that were looked at stay so: never less than before, and nothing that is to come")
  func seen() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    func seen() -> Int64? {
      home.restarted.engine.account(anna)?.alertsSeen.map { $0.milliseconds(since: home.now.utc) }
    }
    #expect(seen() == nil)
    try home.ask(.seeAlerts(anna, until: home.now.utc.advanced(byMilliseconds: -60_000)))
    #expect(seen() == -60_000 && home.events.isEmpty)
    try home.ask(.seeAlerts(anna, until: home.now.utc.advanced(byMilliseconds: -90_000)))
    #expect(seen() == -60_000 && home.changes.isEmpty)
    try home.ask(.seeAlerts(anna, until: home.now.utc.advanced(byMilliseconds: 60_000)))
    #expect(seen() == 0)
  }

  @Test("A role is chosen once; who of those looked after somebody is, only a keeper says")
  func role() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    let (ada, _) = try home.signUp("Ada")
    #expect(home.refusal(of: .chooseRole(anna, .caregiver, resident: nil)) == nil)
    #expect(home.refusal(of: .chooseRole(anna, .resident, resident: nil))?.code == .conflict)
    #expect(home.refusal(of: .chooseRole(ada, .resident, resident: "ada"))?.code == .forbidden)
    #expect(home.refusal(of: .chooseRole(ada, .resident, resident: "eve"), as: nil) != nil)
    #expect(home.refusal(of: .chooseRole(ada, .resident, resident: "ada"), as: nil) == nil)
    #expect(home.told == ["account.changed role"] && home.events[0].resident == "ada")
    #expect(home.restarted.engine.account(ada)?.residents == ["ada"])
    let (imposter, _) = try home.signUp("Eve")
    #expect(
      home.refusal(of: .chooseRole(imposter, .resident, resident: "ada"), as: nil)?.code
        == .conflict)
    #expect(home.refusal(of: .chooseRole("nobody", .resident, resident: nil)) != nil)
  }

  @Test("A new password ends every other session, and needs the old one of all but a keeper")
  func password() throws {
    var home = Home()
    let (anna, session) = try home.signUp("Anna")
    _ = try home.logIn("Anna")
    #expect(home.engine.sessions(of: anna).count == 2)
    let request = AccountRequest.setPassword(anna, keeping: session)
    for wrong in [Credentials(password: "new"), Credentials(isRight: false, password: "new"), nil] {
      #expect(home.refusal(of: request, wrong) != nil)
      #expect(home.engine.account(anna)?.password == "hash of Anna")
      #expect(home.engine.sessions(of: anna).count == 2)
    }
    #expect(home.refusal(of: request, Credentials(isRight: true, password: "new")) == nil)
    #expect(home.told == ["account.changed password"])
    #expect(home.engine.account(anna)?.password == "new")
    #expect(home.engine.sessions(of: anna).map(\.id) == [session])
    let byKeeper = AccountRequest.setPassword(anna, keeping: nil)
    #expect(home.refusal(of: byKeeper, Credentials(password: "newer"), as: nil) == nil)
    #expect(home.restarted.engine.sessions(of: anna).isEmpty)
  }

  @Test("Everything of an account goes with it, and everything of an erased resident's")
  func removed() throws {
    var home = Home()
    let (ada, _) = try home.signUp("Ada")
    try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
    let (anna, _) = try home.signUp("Anna")
    #expect(home.refusal(of: .remove(anna)) != nil)
    try home.ask(.remove(anna), Credentials(isRight: true))
    #expect(home.told == ["account.changed removed"])
    #expect(try home.erase("ada").count == 2, "the account and its session")
    #expect(home.rows.isEmpty && home.restarted.engine.all.isEmpty)
    #expect(home.engine.speaker(token: "token of Ada", at: home.now) == nil)
  }

  @Test("There are so many accounts, and no more")
  func full() throws {
    var home = Home()
    for number in 1...AccountRules.accountsAtMost { _ = try home.signUp("Anna\(number)") }
    let refusal = #expect(throws: CommandReply.Refusal.self) { _ = try home.signUp("Bea") }
    #expect(refusal?.code == .conflict)
  }

  @Test("Rows that cannot be read let nobody in, and stay for a version that can read them")
  func unreadable() throws {
    var home = Home()
    _ = try home.signUp("Anna")
    let good = home.rows
    for row in good {
      for content: JSONValue in [
        [:], .null, row.content.setting("id", to: "other"),
        row.name.hasPrefix("account:")
          ? row.content.setting("email", to: "nobody") : row.content.setting("token", to: 1),
      ] {
        var bad = row
        bad.content = content
        let others = good.filter { $0.name != row.name }
        #expect(Set(Home(rows: others + [bad]).rows) == Set(others + [bad]))
      }
      let orphan = Home(rows: good.filter { $0.name != row.name })
      #expect(orphan.engine.speaker(token: "token of Anna", at: home.now) == nil)
    }
  }

  @Test("A request means the same after it was written and read")
  func asJSON() throws {
    let device = AccountRequest.Device(kind: .browser, label: "Phone")
    let profile = UserAccount.Profile(
      name: "Anna", phone: "+4791234567", gender: .woman, birthYear: 1961, language: "zh")
    let requests: [AccountRequest] = [
      .signUp(email: "a@b.org", profile, questions: ["?"], device),
      .logIn(email: "a@b.org", device),
      .chooseRole("1", .resident, resident: "ada"), .chooseRole("1", .caregiver, resident: nil),
      .putProfile("1", profile), .setEmail("1", "a@b.org"), .setPassword("1", keeping: "s"),
      .setPassword("1", keeping: nil), .setQuestions("1", ["?", "!"]),
      .endSession("1", session: "s"), .endSessions("1", besides: "s"),
      .endSessions("1", besides: nil), .seen("1", session: "s"), .remove("1"),
      .linking("1", .showCode), .linking("1", .enterCode),
      .linking("1", .request(email: "a@b.org")),
      .linking("1", .answer(request: "r", isAccepted: true)), .linking("1", .link("ada")),
      .linking("1", .withdraw(request: "r")), .linking("1", .unlink("ada")),
      .chooseRole("1", .clinician, resident: nil), .showViewCode(of: "ada"),
      .endView(of: "ada", "1"),
    ]
    for request in requests {
      #expect(try AccountRequest(json: request.json) == request)
      let asked = try Command.Request(json: Command.Request.account(request).json)
      #expect(try AccountRequest(asked) == request)
    }
    #expect(throws: (any Error).self) { try AccountRequest(json: ["action": "account.other"]) }
    #expect(throws: (any Error).self) { try AccountRequest(json: ["action": "account.remove"]) }
  }

  @Test("Credentials are written and read with the command, for a replay")
  func credentials() throws {
    var command = Command(
      id: "1", principal: Principal(channel: .plugin, name: "console"),
      request: .account(.remove("1")))
    for credentials in [
      nil, Credentials(), Credentials(isRight: false),
      Credentials(isRight: true, password: "p", answers: ["a", "b"], token: "t"),
    ] {
      command.credentials = credentials
      #expect(try Command(json: command.json).credentials == credentials)
    }
  }
}
