import Accounts
import Care
import JSON
import Moments
import Testing

@Suite("Sessions and wrong passwords")
struct SessionTests {
  private static let day: Int64 = 86_400

  @Test("A browser stays logged in while it is used, and thirty days longer")
  func sliding() throws {
    var home = Home()
    let (anna, session) = try home.signUp("Anna")
    let isIn = { (home: Home) in home.engine.speaker(token: "token of Anna", at: home.now) != nil }
    for _ in 1...5 {
      home.pass(seconds: 20 * Self.day)
      #expect(isIn(home))
      try home.ask(.seen(anna, session: session))
      #expect(home.changes.count == 1 && home.events.isEmpty)
    }
    home.pass(seconds: 3_600)
    try home.ask(.seen(anna, session: session))
    #expect(home.changes.isEmpty, "once a day is enough")
    home.pass(seconds: 30 * Self.day - 3_601)
    #expect(isIn(home))
    home.pass(seconds: 1)
    #expect(!isIn(home) && !isIn(home.restarted))
  }

  @Test("While nobody knows the time nobody is logged out, and nothing is noted")
  func lostClock() throws {
    var home = Home()
    let (anna, session) = try home.signUp("Anna")
    home.now = Moment(tick: .seconds(1), utc: .seconds(0), quality: .untrusted)
    #expect(home.restarted.engine.speaker(token: "token of Anna", at: home.now) != nil)
    try home.ask(.seen(anna, session: session))
    #expect(home.changes.isEmpty)
  }

  @Test("Who logs out is out; the others stay")
  func logOut() throws {
    var home = Home()
    let (anna, first) = try home.signUp("Anna")
    let second = try #require(try home.logIn("Anna")["session"]?.stringContent)
    let (bea, other) = try home.signUp("Bea")
    #expect(
      home.refusal(of: .endSession(bea, session: first))?.code == .unknownTarget,
      "nobody ends somebody else's")
    try home.ask(.endSession(anna, session: first))
    #expect(home.told == ["account.changed logged-out"])
    #expect(home.engine.sessions(of: anna).map(\.id) == [second])
    #expect(home.refusal(of: .endSession(anna, session: first)) != nil)
    _ = try home.logIn("Anna", token: "third")
    try home.ask(.endSessions(anna, besides: second))
    #expect(home.engine.sessions(of: anna).map(\.id) == [second])
    try home.ask(.endSessions(anna, besides: nil))
    #expect(home.engine.sessions(of: anna).isEmpty)
    #expect(home.engine.sessions(of: bea).map(\.id) == [other])
  }

  @Test("Of too many browsers the one that was used least goes")
  func tooMany() throws {
    var home = Home()
    let (anna, first) = try home.signUp("Anna")
    for number in 2...AccountRules.sessionsAtMost {
      home.pass(seconds: 60)
      _ = try home.logIn("Anna", token: "t\(number)")
    }
    #expect(home.engine.sessions(of: anna).count == AccountRules.sessionsAtMost)
    home.pass(seconds: 60)
    _ = try home.logIn("Anna", token: "newest")
    let left = home.engine.sessions(of: anna)
    #expect(left.count == AccountRules.sessionsAtMost && !left.contains { $0.id == first })
    #expect(home.engine.speaker(token: "token of Anna", at: home.now) == nil)
    #expect(home.engine.speaker(token: "newest", at: home.now) != nil)
  }

  @Test("The fifth wrong password tells all who are linked, once; the tenth again")
  func alarming() throws {
    var home = Home()
    let (ada, _) = try home.signUp("Ada")
    try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
    var told: [[String]] = []
    for _ in 1...10 {
      #expect(throws: CommandReply.Refusal.self) { try home.logIn("Ada", isRight: false) }
      told.append(home.told)
      home.pass(seconds: 900)
    }
    let expected = (1...10).map { $0.isMultiple(of: 5) ? ["account.attacked ada"] : [] }
    #expect(told == expected)
    let news = home.events.compactMap(\.signal)
    guard case .news(.intrusion(let sentence), let resident) = try #require(news.first) else {
      Issue.record("guardians hear nothing of it: \(news)")
      return
    }
    #expect(news.count == 1 && resident == "ada" && sentence.contains("10"))
  }

  @Test("An account that sees nobody yet tells the gateway's keepers alone")
  func unlinked() throws {
    var home = Home()
    _ = try home.signUp("Anna")
    for _ in 1...5 {
      #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
    }
    #expect(home.told == ["account.attacked gateway"] && home.events[0].signal == nil)
  }

  @Test(
    "After five wrong ones no password is looked at for a minute, then two, and never for more than fifteen"
  )
  func pauses() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    for _ in 1...4 {
      #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
      #expect(home.engine.pauseMilliseconds(of: anna, at: home.now.tick) == 0)
    }
    for minutes: Int64 in [1, 2, 4, 8, 15, 15, 15] {
      #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
      #expect(home.engine.pauseMilliseconds(of: anna, at: home.now.tick) == minutes * 60_000)
      home.pass(seconds: minutes * 60 - 1)
      let refusal = #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna") }
      #expect(refusal?.code == .notNow && refusal?.signals == [], "the right one is not looked at")
      home.pass(seconds: 1)
    }
    _ = try home.logIn("Anna")
    #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
    #expect(home.engine.pauseMilliseconds(of: anna, at: home.now.tick) == 0)
  }

  @Test("After an hour wrong ones are forgotten; a right one forgets them at once")
  func forgotten() throws {
    for isRight in [true, false] {
      var home = Home()
      let (anna, _) = try home.signUp("Anna")
      for _ in 1...4 {
        #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
      }
      if isRight { _ = try home.logIn("Anna") } else { home.pass(seconds: 3_600) }
      #expect(throws: CommandReply.Refusal.self) { try home.logIn("Anna", isRight: false) }
      #expect(home.told == [])
      #expect(home.engine.pauseMilliseconds(of: anna, at: home.now.tick) == 0)
    }
  }

  @Test(
    "A password that others would try first is refused, a long one is not",
    arguments: [
      ("", false), ("1234567", false), ("12345678", false), ("password", false),
      ("Password1", false), ("anna@example.org", false), ("anna-lee", false), ("aaaaaaaaaa", false),
      ("qwertyuiop", false), (String(repeating: "ab", count: 101), false),
      ("correct horse", true), ("three old boats", true), ("妈妈的花园里有三棵树", true),
      ("passwordless hills", true),
    ])
  func passwords(_ password: String, _ isGood: Bool) {
    let refusal = AccountRules.refusal(
      ofPassword: password, for: "Anna@example.org", "Anna-Lee")
    #expect((refusal == nil) == isGood)
  }
}
