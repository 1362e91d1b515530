import Accounts
import Care
import JSON
import Moments
import Testing
import Texts

@Suite("Links between accounts")
struct LinkTests {
  /// Anna and Carl care; Ada's account is Ada's, and Bob's is Bob's.
  private struct Family {
    var home = Home()
    let anna, carl, ada, bob: AccountID

    init() throws {
      anna = try home.signUp("Anna").account
      carl = try home.signUp("Carl").account
      ada = try home.signUp("Ada").account
      bob = try home.signUp("Bob").account
      for id in [anna, carl] { try home.ask(.chooseRole(id, .caregiver, resident: nil)) }
      try home.ask(.chooseRole(ada, .resident, resident: "ada"), as: nil)
      try home.ask(.chooseRole(bob, .resident, resident: "bob"), as: nil)
    }

    func sees(_ id: AccountID) -> Set<ResidentID> { home.engine.account(id)?.residents ?? [] }

    mutating func request(_ from: AccountID, _ email: String) throws -> String {
      let reply = try home.ask(.linking(from, .request(email: email)))
      return try #require(reply["request"]?.stringContent)
    }
  }

  private static func code(_ digest: String) -> Credentials { Credentials(code: digest) }

  @Test("A code links whoever enters it, once, and both pages are told")
  func code() throws {
    var family = try Family()
    #expect(family.sees(family.anna) == [])
    try family.home.ask(.linking(family.ada, .showCode), Self.code("c"))
    #expect(family.home.changes.isEmpty, "no code is ever written down")
    try family.home.ask(.linking(family.anna, .enterCode), Self.code("c"))
    #expect(family.home.told == ["account.linked ada"])
    #expect(family.sees(family.anna) == ["ada"])
    #expect(
      family.home.refusal(of: .linking(family.carl, .enterCode), Self.code("c"))?.code
        == .unknownTarget)
    #expect(family.home.restarted.engine.account(family.anna)?.residents == ["ada"])
  }

  @Test("A code counts for ten minutes, and until another is shown")
  func codesEnd() throws {
    var family = try Family()
    try family.home.ask(.linking(family.ada, .showCode), Self.code("c"))
    try family.home.ask(.linking(family.ada, .showCode), Self.code("d"))
    #expect(family.home.refusal(of: .linking(family.anna, .enterCode), Self.code("c")) != nil)
    family.home.pass(seconds: 599)
    try family.home.ask(.linking(family.anna, .enterCode), Self.code("d"))
    try family.home.ask(.linking(family.ada, .showCode), Self.code("e"))
    family.home.pass(seconds: 600)
    #expect(family.home.refusal(of: .linking(family.carl, .enterCode), Self.code("e")) != nil)
  }

  @Test("After five wrong codes the right one is not looked at, for a while")
  func guessing() throws {
    var family = try Family()
    try family.home.ask(.linking(family.ada, .showCode), Self.code("c"))
    for guess in 1...5 {
      let refusal = family.home.refusal(
        of: .linking(family.anna, .enterCode), Self.code("guess \(guess)"))
      #expect(refusal?.code == .unknownTarget && family.home.events.isEmpty)
    }
    #expect(
      family.home.refusal(of: .linking(family.anna, .enterCode), Self.code("c"))?.code == .notNow)
    #expect(
      family.home.engine.pauseMilliseconds(of: family.anna, at: family.home.now.tick) == 0,
      "the password is another matter")
    family.home.pass(seconds: 60)
    try family.home.ask(.linking(family.anna, .enterCode), Self.code("c"))
    #expect(family.sees(family.anna) == ["ada"])
  }

  @Test("Only a resident's page shows a code, and only a caregiver enters one")
  func whoMay() throws {
    var family = try Family()
    let (new, _) = try family.home.signUp("Dora")
    for (id, linking) in [
      (family.anna, Linking.showCode), (new, .showCode), (family.bob, .enterCode),
      (new, .enterCode),
    ] {
      #expect(family.home.refusal(of: .linking(id, linking), Self.code("c"))?.code == .conflict)
    }
    #expect(family.home.refusal(of: .linking(family.ada, .showCode))?.code == .notNow)
    #expect(family.home.refusal(of: .linking(family.anna, .enterCode))?.code == .notNow)
  }

  @Test("Each side may ask the other; yes links, no does not, and both are told")
  func asking() throws {
    for isAccepted in [true, false] {
      var family = try Family()
      for (asker, asked, email) in [
        (family.anna, family.ada, "Ada@example.org"), (family.bob, family.carl, "carl@example.org"),
      ] {
        let request = try family.request(asker, email)
        let resident = asker == family.anna ? "ada" : "bob"
        #expect(family.home.told == ["account.asked \(resident)"])
        family.home = family.home.restarted
        for id in [asker, asked] {
          #expect(family.home.engine.linkRequests(of: id).map(\.id) == [request])
        }
        #expect(
          family.home.refusal(
            of: .linking(asker, .answer(request: request, isAccepted: true)))?.code
            == .unknownTarget, "nobody answers for the other")
        try family.home.ask(.linking(asked, .answer(request: request, isAccepted: isAccepted)))
        let answer = family.home.events[0].facts["answer"]?.stringContent
        #expect(answer == (isAccepted ? "accepted" : "declined"))
        #expect(family.home.events.count == (isAccepted ? 2 : 1))
        #expect(family.home.engine.linkRequests(of: asked).isEmpty)
        let sentence = family.home.events[0].facts["explanation"]?.stringContent ?? ""
        #expect(sentence.contains(isAccepted ? "said yes to" : "said no to"))
        #expect(
          family.home.refusal(of: .linking(asked, .answer(request: request, isAccepted: true)))
            != nil)
      }
      #expect(family.sees(family.anna) == (isAccepted ? ["ada"] : []))
      #expect(family.sees(family.carl) == (isAccepted ? ["bob"] : []))
    }
  }

  @Test("Whoever asked keeps the answer, also over a restart, until they put it away or ask again")
  func answered() throws {
    var family = try Family()
    let request = try family.request(family.anna, "ada@example.org")
    #expect(
      family.home.events[0].facts["explanation"] == "Anna asked Ada to be linked.")
    family.home.pass(seconds: 60)
    try family.home.ask(.linking(family.ada, .answer(request: request, isAccepted: false)))
    let now = family.home.now.utc
    family.home = family.home.restarted
    let kept = try #require(family.home.engine.linkRequests(of: family.anna).first)
    #expect(kept.answer?.isAccepted == false && kept.answer?.time == now)
    #expect(kept.json["answer"] == ["isAccepted": false, "time": .string(now.iso8601)])
    // It is Anna's to put away, and keeps nobody from asking again.
    for other in [family.ada, family.carl] {
      #expect(
        family.home.refusal(of: .linking(other, .withdraw(request: request)))?.code
          == .unknownTarget)
    }
    let again = try family.request(family.anna, "ada@example.org")
    #expect(family.home.engine.linkRequests(of: family.anna).map(\.id) == [again])
    try family.home.ask(.linking(family.ada, .answer(request: again, isAccepted: true)))
    #expect(family.home.engine.linkRequests(of: family.anna).first?.answer?.isAccepted == true)
    try family.home.ask(.linking(family.anna, .withdraw(request: again)))
    #expect(family.home.restarted.engine.linkRequests(of: family.anna).isEmpty)
  }

  @Test("A request of a version that kept no answers is one that waits")
  func older() throws {
    var family = try Family()
    let row = EngineRow(
      engine: "accounts", subject: "gateway", name: "link-request:r",
      content: [
        "id": "r", "from": .string(family.anna.rawValue), "to": .string(family.ada.rawValue),
        "asked": "2026-11-23T07:00:00.000Z",
      ])
    let house = family.home.house
    family.home = Home(rows: family.home.rows + [row], at: family.home.now)
    family.home.house = house
    #expect(family.home.engine.linkRequests(of: family.ada).map(\.answer) == [nil])
    try family.home.ask(.linking(family.ada, .answer(request: "r", isAccepted: true)))
    #expect(family.sees(family.anna) == ["ada"])
  }

  @Test("Who is of one kind, linked or asked already, or not there is refused with the reason")
  func refused() throws {
    var family = try Family()
    try family.home.ask(.linking(family.carl, .link("ada")), as: nil)
    _ = try family.request(family.anna, "ada@example.org")
    let (new, _) = try family.home.signUp("Dora")
    let cases: [(AccountID, String, CommandReply.Refusal.Code)] = [
      (family.anna, "carl@example.org", .conflict), (family.ada, "bob@example.org", .conflict),
      (family.anna, "anna@example.org", .conflict), (family.carl, "ada@example.org", .conflict),
      (family.ada, "carl@example.org", .conflict), (family.anna, "ada@example.org", .conflict),
      (family.ada, "anna@example.org", .conflict), (family.anna, "eve@example.org", .unknownTarget),
      (family.anna, "no address", .unknownTarget), (family.anna, "dora@example.org", .conflict),
      (new, "ada@example.org", .conflict), ("nobody", "ada@example.org", .unknownTarget),
    ]
    var words: Set<String> = []
    for (from, email, code) in cases {
      let refusal = family.home.refusal(of: .linking(from, .request(email: email)))
      #expect(refusal?.code == code, "\(from) \(email)")
      words.insert(refusal?.message.description ?? "")
    }
    #expect(words.count >= 7, "each reason in words of its own")
  }

  @Test("Who asked may withdraw it; nobody else")
  func withdrawn() throws {
    var family = try Family()
    let request = try family.request(family.anna, "ada@example.org")
    #expect(
      family.home.refusal(of: .linking(family.ada, .withdraw(request: request))) != nil)
    try family.home.ask(.linking(family.anna, .withdraw(request: request)))
    #expect(family.home.engine.linkRequests(of: family.ada).isEmpty)
    #expect(
      family.home.refusal(
        of: .linking(family.ada, .answer(request: request, isAccepted: true))) != nil)
  }

  @Test("A caregiver is unlinked from one and stays linked to another; what protects is told")
  func unlinked() throws {
    var family = try Family()
    for resident: ResidentID in ["ada", "bob"] {
      try family.home.ask(.linking(family.anna, .link(resident)), as: nil)
    }
    #expect(family.home.engine.accounts(linkedTo: "ada").map(\.id) == [family.ada, family.anna])
    try family.home.ask(.linking(family.anna, .unlink("ada")))
    #expect(family.home.told == ["account.linked ada"])
    #expect(family.home.events[0].facts["isLinked"] == false)
    #expect(family.sees(family.anna) == ["bob"])
    #expect(family.home.refusal(of: .linking(family.anna, .unlink("ada"))) != nil)
    #expect(family.home.refusal(of: .linking(family.ada, .unlink("ada")))?.code == .conflict)
    #expect(
      family.home.refusal(of: .linking(family.anna, .link("bob")), as: nil)?.code == .conflict)
    #expect(family.home.refusal(of: .linking(family.anna, .link("eve")), as: nil) != nil)
  }

  @Test("Whoever is linked guards the resident, reached by what their account tells")
  func guards() throws {
    var family = try Family()
    try family.home.ask(
      .putProfile(
        family.anna, UserAccount.Profile(name: "Anna", phone: "+4791234567", language: "zh")))
    try family.home.ask(.linking(family.anna, .link("ada")), as: nil)
    guard case .cares(let guardian) = family.home.events[0].signal else {
      Issue.record("no signal")
      return
    }
    #expect(guardian.resident == "ada" && guardian.name == "Anna" && guardian.language == "zh")
    #expect(guardian.email == "anna@example.org" && guardian.phone == "+4791234567")
    // Whoever sees an alarm on a page can end it there.
    #expect(guardian.isCaregiver)
    try family.home.ask(.linking(family.anna, .unlink("ada")), as: nil)
    #expect(family.home.events[0].signal == nil)
  }

  @Test("A resident's own page dismisses a caregiver, and nobody whom it does not know")
  func dismissed() throws {
    var family = try Family()
    for resident: ResidentID in ["ada", "bob"] {
      try family.home.ask(.linking(family.anna, .link(resident)), as: nil)
    }
    #expect(family.home.refusal(of: .linking(family.ada, .dismiss(family.anna))) == nil)
    #expect(family.home.told == ["account.linked ada"])
    #expect(family.sees(family.anna) == ["bob"])
    let again = family.home.refusal(of: .linking(family.ada, .dismiss(family.anna)))
    #expect(again?.code == .unknownTarget)
    #expect(
      family.home.refusal(of: .linking(family.anna, .dismiss(family.carl)))?.code == .conflict)
    #expect(family.home.refusal(of: .linking(family.ada, .dismiss("nobody"))) != nil)
  }

  @Test(
    "What is asked concerns the resident whose account it is, or who is named, and goes with them")
  func concerned() throws {
    let family = try Family()
    func resident(_ request: AccountRequest) -> ResidentID? {
      family.home.engine.resident(concernedBy: .account(request))
    }
    #expect(resident(.linking(family.ada, .showCode)) == "ada")
    #expect(resident(.linking(family.anna, .link("bob"))) == "bob")
    #expect(resident(.chooseRole(family.carl, .resident, resident: "bob")) == "bob")
    #expect(resident(.endSessions(family.anna, besides: nil)) == nil)
    #expect(resident(.logIn(email: "ada@example.org", AccountRequest.Device())) == nil)
  }

  @Test("With a resident the links go, with an account its requests")
  func erased() throws {
    var family = try Family()
    try family.home.ask(.linking(family.anna, .link("ada")), as: nil)
    _ = try family.request(family.carl, "ada@example.org")
    try family.home.ask(.linking(family.ada, .showCode), Self.code("c"))
    _ = try family.home.erase("ada")
    #expect(family.home.engine.account(family.ada) == nil)
    #expect(family.sees(family.anna) == [])
    #expect(family.home.engine.linkRequests(of: family.carl).isEmpty)
    #expect(family.home.refusal(of: .linking(family.carl, .enterCode), Self.code("c")) != nil)
    #expect(!family.home.rows.contains { $0.content.serialized.contains("\"ada\"") })
  }

  @Test("Nobody asks without end")
  func tooMany() throws {
    var family = try Family()
    for number in 1...AccountRules.requestsAtMost + 1 {
      let name = "R\(number)"
      family.home.house.residents[ResidentID("r\(number)")] = Resident(
        id: ResidentID("r\(number)"), name: name, timeZone: "Europe/Oslo")
      let (id, _) = try family.home.signUp(name)
      try family.home.ask(
        .chooseRole(id, .resident, resident: ResidentID("r\(number)")), as: nil)
    }
    for number in 1...AccountRules.requestsAtMost {
      _ = try family.request(family.anna, "r\(number)@example.org")
    }
    let last = "r\(AccountRules.requestsAtMost + 1)@example.org"
    #expect(
      family.home.refusal(of: .linking(family.anna, .request(email: last)))?.code == .conflict)
  }
}
