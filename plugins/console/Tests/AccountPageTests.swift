import Care
import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct AccountPageTests {
  private func visit(
    _ role: JSONValue = "caregiver", email: JSONValue? = "anna@example.org",
    sessions: JSONValue = [], linked: JSONValue = []
  ) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: .en), path: ["account"], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(
          .object([
            "id": "anna", "role": role, "email": email, "sessions": sessions,
            "profile": ["name": "Anna"],
          ])), "residents.list": .success([["id": "mary", "name": "Mary"]]),
        "accounts.linked": .success(linked),
      ]))
  }

  private func source(_ path: String, _ visit: Visit) throws -> String {
    try #require(Page.at([path])).content(visit).main.source
  }

  @Test("A program is offered whatever one may be let do, and nothing that none is")
  func scope() {
    let offered = (ProgramScope.seen(visit()) + ProgramScope.done(visit())).map(\.permission)
    #expect(Set(offered).count == offered.count)
    let isToSee = ProgramScope.seen(visit()).allSatisfy(\.permission.isToSee)
    #expect(isToSee)
    #expect(
      Set(Permission.allCases).subtracting(offered)
        == [.account, .push, .entry, .logIn, .changeAccount, .administer, .disarm])
  }

  @Test(
    "Whoever comes in with a password changes the address, lets programs in and erases the account")
  func own() throws {
    let deeds = ["account.set-email", "account.add-program", "account.remove"]
    let (own, screen) = (
      try source("account", visit()), try source("account", visit("resident", email: nil))
    )
    for deed in deeds {
      #expect(own.contains("data-command=\"\(deed)\"") && !screen.contains(deed))
    }
    // What cannot be taken back is asked once more.
    #expect(own.contains("data-asks=\"Erase your account for good?"))
    // Ends are days to come, within the year that a token counts at most.
    let now = visit().now
    let ends = try own.matches(of: #/<option value="(\d{4}-[^"]+)"/#).map {
      try Timestamp(iso8601: String($0.1)).milliseconds(since: now) / 86_400_000
    }
    #expect(ends.count == 4 && ends.allSatisfy { (1..<366).contains($0) })
  }

  @Test(
    "A program stands among the sessions with its end and what it may, and all others are ended at once"
  )
  func sessions() throws {
    let this: JSONValue = ["id": "s1", "kind": "browser", "label": "Phone", "isThis": true]
    let program: JSONValue = [
      "id": "s2", "kind": "program", "label": "Report", "until": "2026-12-01T00:00:00Z",
      "scope": ["health", "position"],
    ]
    let both = try source("account", visit(sessions: [this, program]))
    #expect(both.contains("A program, until 2026-12-01"))
    #expect(both.contains("May: Where they are, and their zones, Readings of glucose"))
    #expect(both.contains("account.end-sessions") && both.contains("&quot;session&quot;:&quot;s1"))
    #expect(!(try source("account", visit(sessions: [this])).contains("account.end-sessions")))
  }

  @Test("Nobody is unlinked by one press, and nobody from themselves")
  func unlinking() throws {
    let linked: JSONValue = [
      ["account": "anna", "name": "Anna", "resident": "mary"],
      ["account": "bo", "name": "Bo", "resident": "mary"],
    ]
    let caregiver = try source("family", visit(linked: linked))
    #expect(caregiver.contains("data-asks=\"See no longer how Mary is?"))
    #expect(!caregiver.contains("account.dismiss"))
    let resident = try source("family", visit("resident", linked: linked))
    #expect(resident.contains("data-asks=\"Let Bo no longer see how you are?"))
    #expect(!resident.contains("account.unlink"))
  }

  @Test(
    "What was answered stands on the pages until it is put away, and what others are asked on one alone"
  )
  func requests() throws {
    func visit(_ request: JSONValue) -> Visit {
      var visit = self.visit()
      visit.answers = Answers([
        "account.show": .success(
          visit.account.setting(
            "requests",
            to: [
              request.setting("id", to: "r").setting("asked", to: "2026-11-18T10:00:00Z")
                .setting("fromName", to: "Anna").setting("toName", to: "Mary Own")
            ])), "residents.list": .success([["id": "mary", "name": "Mary"]]),
      ])
      return visit
    }
    let asked: JSONValue = ["from": "anna", "to": "m"]
    #expect(try source("family", visit(asked)).contains("data-waits"))
    #expect(!HomePage.page.content(visit(asked)).main.source.contains("Mary Own"))
    for (isAccepted, words): (JSONValue, String) in [(true, "said yes"), (false, "said no")] {
      let answered = visit(
        asked.setting(
          "answer", to: ["isAccepted": isAccepted, "time": "2026-11-18T11:00:00Z"]))
      for page in [try source("family", answered), HomePage.page.content(answered).main.source] {
        #expect(page.contains("Mary Own \(words)") && page.contains("account.withdraw-link"))
        #expect(!page.contains("data-waits"))
      }
    }
    let other: JSONValue = ["from": "m", "to": "anna"]
    #expect(HomePage.page.content(visit(other)).main.source.contains("account.answer-link"))
  }
}
