import Care
import JSON
import Testing

@testable import Accounts

/// Another browser of somebody who is logged in.
@Suite("A browser lets another one in") struct EntryTests {
  /// Anna, logged in on her computer, with a code on the screen.
  private static func shown() throws -> (home: Home, anna: AccountID) {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    try home.ask(.addBrowser(anna), Credentials(code: "c"))
    return (home, anna)
  }

  private static func enter(
    _ code: String = "c", token: String = "t"
  ) -> (AccountRequest, Credentials) {
    (.enterBrowser(label: "New phone"), Credentials(token: token, code: code))
  }

  private static func entered(
    _ home: inout Home, token: String = "t"
  ) throws -> (name: String?, number: String) {
    let (request, credentials) = enter(token: token)
    let reply = try home.ask(request, credentials, as: nil)
    return (reply["name"]?.stringContent, try #require(reply["number"]?.stringContent))
  }

  @Test("Who comes with the code is in once the number is written that it shows, and not before")
  func admitted() throws {
    var (home, anna) = try Self.shown()
    #expect(home.engine.entry(of: anna, at: home.now)?["state"] == "shown")
    let (name, number) = try Self.entered(&home)
    #expect(name == "Anna" && number.count == 2)
    #expect(home.engine.speaker(token: "t", at: home.now) == nil)
    let asked = try #require(home.engine.entry(of: anna, at: home.now))
    #expect(asked["state"] == "asked" && asked["label"] == "New phone")
    // The number stands on the other device alone.
    #expect(!asked.serialized.contains("number"))
    try home.ask(.admitBrowser(anna, number: " \(number)"), as: "Anna")
    #expect(home.told == ["account.changed browser"])
    let speaker = try #require(home.engine.speaker(token: "t", at: home.now))
    #expect(speaker.account.id == anna && speaker.session.kind == .browser)
    #expect(speaker.session.label == "New phone" && speaker.session.until == nil)
    #expect(home.restarted.engine.speaker(token: "t", at: home.now) != nil)
    #expect(home.engine.entry(of: anna, at: home.now) == nil)
    try home.ask(.endSession(anna, session: speaker.session.id), as: "Anna")
    #expect(home.engine.speaker(token: "t", at: home.now) == nil)
  }

  @Test(
    "At another number nobody is let in, by that code nor by another try, and it is written down")
  func wrongNumber() throws {
    var (home, anna) = try Self.shown()
    let number = try Self.entered(&home).number
    let wrong = number == "10" ? "11" : "10"
    #expect(home.refusal(of: .admitBrowser(anna, number: wrong), as: "Anna")?.code == .forbidden)
    #expect(home.told == ["account.changed kept-out"])
    let again = home.refusal(of: .admitBrowser(anna, number: number), as: "Anna")
    #expect(again?.code == .unknownTarget)
    #expect(home.engine.speaker(token: "t", at: home.now) == nil)
    let (request, credentials) = Self.enter()
    #expect(home.refusal(of: request, credentials, as: nil)?.code == .unknownTarget)
  }

  @Test(
    "A code counts once, for five minutes, until another is shown, and is no other kind of code")
  func codes() throws {
    let (home, anna) = try Self.shown()
    let (request, credentials) = Self.enter()
    func refusal(_ change: (inout Home) throws -> Void) throws -> CommandReply.Refusal.Code? {
      var home = home
      try change(&home)
      return home.refusal(of: request, credentials, as: nil)?.code
    }
    #expect(try refusal { $0.pass(seconds: 299) } == nil)
    #expect(try refusal { $0.pass(seconds: 300) } == .unknownTarget)
    #expect(try refusal { _ = try Self.entered(&$0) } == .unknownTarget)
    #expect(
      try refusal { try $0.ask(.addBrowser(anna), Credentials(code: "d")) } == .unknownTarget)
    #expect(try refusal { try $0.ask(.cancelBrowser(anna), as: "Anna") } == .unknownTarget)
    #expect(try refusal { try $0.ask(.endSessions(anna, besides: nil)) } == .unknownTarget)
    #expect(try refusal { $0 = $0.restarted } == .unknownTarget)
    #expect(
      try refusal {
        try $0.ask(.setPassword(anna, keeping: nil), Credentials(isRight: true, password: "h"))
      } == .unknownTarget)
    var other = home
    let entering = Credentials(token: "t", code: "c")
    #expect(other.refusal(of: .enterScreen(label: ""), entering, as: nil)?.code == .unknownTarget)
  }

  @Test("Who waits is let in within the five minutes of the code, or not at all")
  func late() throws {
    var (home, anna) = try Self.shown()
    home.pass(seconds: 200)
    let number = try Self.entered(&home).number
    home.pass(seconds: 100)
    #expect(home.engine.entry(of: anna, at: home.now) == nil)
    let late = home.refusal(of: .admitBrowser(anna, number: number), as: "Anna")
    #expect(late?.code == .unknownTarget)
  }

  @Test("A browser in which somebody is logged in becomes nobody else's")
  func swap() throws {
    var (home, anna) = try Self.shown()
    let (request, credentials) = Self.enter()
    #expect(home.refusal(of: request, credentials, as: "Bo")?.code == .conflict)
    #expect(home.engine.entry(of: anna, at: home.now)?["state"] == "shown")
  }

  @Test("Who wants in is kept out with a press, and that is written down")
  func keptOut() throws {
    var (home, anna) = try Self.shown()
    _ = try Self.entered(&home)
    try home.ask(.cancelBrowser(anna), as: "Anna")
    #expect(home.told == ["account.changed kept-out"])
    #expect(home.engine.entry(of: anna, at: home.now) == nil)
    try home.ask(.cancelBrowser(anna), as: "Anna")
    #expect(home.told == [])
  }

  @Test("The account of a screen, with which nobody logs in, lets no browser in")
  func screens() throws {
    var home = Home()
    try home.ask(.addScreen(for: "ada"), Credentials(code: "c"))
    try home.ask(.enterScreen(label: ""), Credentials(token: "s", code: "c"))
    let screen = try #require(home.engine.speaker(token: "s", at: home.now))
    #expect(
      home.refusal(of: .addBrowser(screen.account.id), Credentials(code: "d"))?.code == .conflict)
  }

  @Test("Numbers have two digits, and each comes about as often as the others")
  func numbers() {
    var counts: [String: Int] = [:]
    for number in 0..<9000 {
      let digits = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
      counts[Entry.Guest(label: "", token: digits + "f00").number, default: 0] += 1
    }
    #expect(Set(counts.keys) == Set((10...99).map(String.init)))
    #expect((counts.values.min() ?? 0) > 50 && (counts.values.max() ?? 0) < 160)
  }

  @Test("As often as anybody may guess while all codes are shown, nobody finds one")
  func arithmetic() {
    // One hundred tries a minute from everywhere together, five minutes, two hundred accounts, 128 bits.
    let tries = 100.0 * Double(Entry.milliseconds) / 60_000
    let chance = tries * Double(AccountRules.accountsAtMost) / 3.4e38
    #expect(chance < 1e-33)
  }
}
