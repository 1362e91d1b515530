import Accounts
import Care
import JSON
import Moments
import Testing

/// Who may make an account by an invitation.
@Suite("Invitations") struct InvitationTests {
  private static let week: Int64 = 7 * 86_400

  private static func signUp(_ name: String) -> AccountRequest {
    .signUp(
      email: "\(name)@example.org", UserAccount.Profile(name: name), questions: [],
      AccountRequest.Device())
  }

  private static func with(_ code: String?) -> Credentials {
    Credentials(password: "hash", token: "token", code: code)
  }

  @Test("An invitation lets one person in, once, over a restart, and another needs another")
  func once() throws {
    var home = Home()
    let until = try home.ask(.invite, Credentials(code: "c1"), as: nil)["until"]?.stringContent
    #expect(
      until == Home.start.utc.advanced(byMilliseconds: Self.week * 1000).iso8601)
    home = home.restarted
    #expect(home.refusal(of: Self.signUp("anna"), Self.with("c2"))?.code == .unknownTarget)
    #expect(home.engine.all.isEmpty)
    try home.ask(Self.signUp("anna"), Self.with("c1"))
    #expect(home.engine.all.map(\.profile.name) == ["anna"])
    #expect(!home.rows.contains { $0.name.hasPrefix("invitation:") })
    #expect(home.refusal(of: Self.signUp("bo"), Self.with("c1"))?.code == .unknownTarget)
  }

  @Test("Nobody but a keeper invites")
  func keepersAlone() {
    var home = Home()
    #expect(home.refusal(of: .invite, Credentials(code: "c1"))?.code == .forbidden)
    #expect(home.rows.isEmpty)
  }

  @Test("It counts for a week, longer only where nobody knows how late it is")
  func week() throws {
    var home = Home()
    try home.ask(.invite, Credentials(code: "c1"), as: nil)
    home.pass(seconds: Self.week)
    #expect(home.refusal(of: Self.signUp("anna"), Self.with("c1"))?.code == .unknownTarget)
    home.now = Moment(tick: home.now.tick, utc: home.now.utc, quality: .untrusted)
    try home.ask(Self.signUp("anna"), Self.with("c1"))
  }

  @Test("What is wrong with an account leaves the invitation as it was")
  func keptForTheNextTry() throws {
    var home = Home()
    _ = try home.signUp("Anna")
    try home.ask(.invite, Credentials(code: "c1"), as: nil)
    #expect(home.refusal(of: Self.signUp("anna"), Self.with("c1"))?.code == .conflict)
    try home.ask(Self.signUp("bo"), Self.with("c1"))
  }

  @Test("Twenty wait at most; of more the oldest goes, and those that are over go by themselves")
  func most() throws {
    var home = Home()
    for number in 1...21 {
      home.pass(seconds: 1)
      try home.ask(.invite, Credentials(code: "c\(number)"), as: nil)
    }
    #expect(home.rows.count { $0.name.hasPrefix("invitation:") } == 20)
    #expect(home.refusal(of: Self.signUp("anna"), Self.with("c1")) != nil)
    home.pass(seconds: Self.week)
    try home.ask(.invite, Credentials(code: "new"), as: nil)
    #expect(home.rows.count { $0.name.hasPrefix("invitation:") } == 1)
  }
}
