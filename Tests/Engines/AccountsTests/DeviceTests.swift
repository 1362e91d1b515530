import Accounts
import Care
import JSON
import Moments
import Testing

/// Programs, and the screens of those who are looked after.
@Suite("What speaks without a password") struct DeviceTests {
  private static let day: Int64 = 86_400

  private static func program(
    _ account: AccountID, _ scope: Set<Permission> = [.position], inSeconds seconds: Int64 = day
  ) -> AccountRequest {
    .addProgram(
      account, label: "Backup", scope: scope,
      until: Home.start.utc.advanced(byMilliseconds: seconds * 1000))
  }

  private static let right = Credentials(isRight: true, token: "program's token")

  @Test(
    "A program speaks within its scope until its day, over a restart, and needs the password to be let in"
  )
  func programs() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    #expect(home.refusal(of: Self.program(anna), Credentials(token: "t"))?.code == .notNow)
    #expect(
      home.refusal(of: Self.program(anna), Credentials(isRight: false, token: "t"))?.code
        == .forbidden)
    try home.ask(Self.program(anna), Self.right)
    #expect(home.events.first?.facts["change"] == "program")
    var later = home.restarted
    let speaker = later.engine.speaker(token: "program's token", at: later.now)
    #expect(speaker?.session.scope == [.position] && speaker?.session.kind == .program)
    later.pass(seconds: Self.day - 1)
    #expect(later.engine.speaker(token: "program's token", at: later.now) != nil)
    later.pass(seconds: 1)
    #expect(later.engine.speaker(token: "program's token", at: later.now) == nil)
  }

  @Test("Without a scope, beyond what programs may, without an end or a clock there is no token")
  func noProgram() throws {
    var home = Home()
    let (anna, _) = try home.signUp("Anna")
    for scope: Set<Permission> in [
      [], [.administer], [.position, .disarm], [.changeAccount], [.logIn],
    ] {
      #expect(home.refusal(of: Self.program(anna, scope), Self.right)?.code == .invalid)
    }
    for seconds in [0, -1, 367 * Self.day] {
      #expect(
        home.refusal(of: Self.program(anna, inSeconds: seconds), Self.right)?.code == .invalid)
    }
    home.now = Moment(tick: home.now.tick, utc: home.now.utc, quality: .untrusted)
    #expect(home.refusal(of: Self.program(anna), Self.right)?.code == .notNow)
    #expect(home.engine.sessions(of: anna).count == 1)
  }

  @Test(
    "A screen speaks for a resident by a code, once, on an account with which nobody can log in")
  func screens() throws {
    var home = Home()
    try home.ask(.addScreen(for: "ada"), Credentials(code: "c"))
    let entering = Credentials(token: "screen's token", code: "c")
    #expect(
      home.refusal(of: .enterScreen(label: "Kitchen"), Credentials(token: "t", code: "d"))?.code
        == .unknownTarget)
    try home.ask(.enterScreen(label: "Kitchen"), entering)
    let speaker = try #require(home.engine.speaker(token: "screen's token", at: home.now))
    #expect(speaker.account.residents == ["ada"] && speaker.account.role == .resident)
    #expect(speaker.account.email == nil && speaker.account.password == nil)
    #expect(speaker.session.kind == .screen && speaker.session.label == "Kitchen")
    #expect(home.refusal(of: .enterScreen(label: "Kitchen"), entering)?.code == .unknownTarget)
    // A second one is let in on the same account, and a year later both still are.
    try home.ask(.addScreen(for: "ada"), Credentials(code: "e"))
    try home.ask(.enterScreen(label: "Bedroom"), Credentials(token: "other token", code: "e"))
    #expect(home.engine.sessions(of: speaker.account.id).count == 2)
    home.pass(seconds: 365 * Self.day)
    let restarted = home.restarted
    #expect(restarted.engine.speaker(token: "screen's token", at: home.now) != nil)
    _ = try home.erase("ada")
    #expect(home.engine.speaker(token: "screen's token", at: home.now) == nil)
  }

  @Test("A screen speaks the language of whom it speaks for", arguments: ["en", "zh"])
  func language(word: String) throws {
    var home = Home()
    home.house.settings["ada"] = ["language": .string(word)]
    try home.ask(.addScreen(for: "ada"), Credentials(code: "c"))
    try home.ask(.enterScreen(label: "Kitchen"), Credentials(token: "t", code: "c"))
    let speaker = try #require(home.engine.speaker(token: "t", at: home.now))
    #expect(speaker.account.profile.language == word)
  }

  @Test(
    "A code for a screen counts for ten minutes; a resident's own account is the screen's as well")
  func codes() throws {
    var home = Home()
    let (ada, _) = try home.signUp("Ada")
    try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
    try home.ask(.addScreen(for: "ada"), Credentials(code: "c"))
    var late = home
    late.pass(seconds: 600)
    let entering = Credentials(token: "t", code: "c")
    #expect(late.refusal(of: .enterScreen(label: ""), entering)?.code == .unknownTarget)
    let reply = try home.ask(.enterScreen(label: ""), entering)
    #expect(reply["account"]?.stringContent == ada.rawValue)
    #expect(home.refusal(of: .addScreen(for: "eve"), Credentials(code: "x")) != nil)
  }
}
