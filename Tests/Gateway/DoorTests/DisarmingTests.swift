import Care
import Door
import JSON
import Testing

/// What takes away what calls for help wants more than a permission.
@Suite("A second proof") struct DisarmingTests {
  /// A household in which everything is Mary's, and Anna is the last who can be told.
  private struct Marys: Household {
    func subjects(of command: Command) -> Set<Subject> { [.resident("mary")] }
    func isLast(_ guardian: GuardianID) -> Bool { guardian == "anna" }
  }

  private static let caregiver = Account(
    id: "anna", name: "anna", role: .caregiver, residents: ["mary"])
  private static let resident = Account(
    id: "mary", name: "mary", role: .resident, residents: ["mary"])
  private static let principal = Principal(channel: .plugin, name: "console/anna")

  /// What disarms, and beside it what looks alike and does not.
  private static let pairs: [(disarms: Command.Request, harmless: Command.Request)] = [
    (.eraseResident("mary"), .putResident(Resident(id: "mary", name: "Mary", timeZone: "UTC"))),
    (.removeGuardian("anna"), .removeGuardian("ben")),
    (
      .setTracking(resident: "mary", isOn: false), .setTracking(resident: "mary", isOn: true)
    ),
    (
      .alarm(.setPIN(resident: "mary", kind: .okay, pin: "1234")),
      .alarm(.test(resident: "mary"))
    ),
    (
      .alarm(.disableEmergency(resident: "mary")),
      .alarm(.contactEmergency(resident: "mary", mode: .text))
    ),
    (
      .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"),
      .putConsent(resident: "mary", kind: .location, isGranted: true, by: "Mary")
    ),
    (
      .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"),
      .putConsent(resident: "mary", kind: .camera, isGranted: false, by: "Mary")
    ),
    (
      .putConsent(resident: "mary", kind: .calls, isGranted: false, by: "Mary"),
      .putConsent(resident: "mary", kind: .calls, isGranted: true, by: "Mary")
    ),
  ]

  private func decide(_ asking: Asking, _ request: Command.Request) -> Decision {
    Policy.decide(
      asking, Command(id: "c", principal: asking.principal, request: request), in: Marys())
  }

  @Test(
    "In which unit somebody reads their own levels is theirs to say, and nothing else that is set")
  func ownUnit() {
    let mary = Asking(Self.principal, .account(Self.resident))
    let unit = Command.Request.putSetting(
      resident: "mary", name: "glucoseUnit", value: "mmol/L")
    let limit = Command.Request.putSetting(
      resident: "mary", name: "prealarmSeconds", value: 60)
    #expect(decide(mary, unit) == .allowed && decide(mary, limit).refusal(with: nil) != nil)
    let other = Account(id: "ben", name: "ben", role: .resident, residents: ["ben"])
    #expect(decide(Asking(Self.principal, .account(other)), unit).refusal(with: nil) != nil)
    #expect(decide(Asking(Self.principal, .account(Self.caregiver)), limit) == .allowed)
  }

  @Test("The owner needs none")
  func owner() {
    for pair in Self.pairs {
      #expect(decide(.owner(Self.principal), pair.disarms) == .allowed)
    }
  }

  @Test("A caregiver's account needs one, and nothing more for what is harmless")
  func caregiver() {
    let asking = Asking(Self.principal, .account(Self.caregiver))
    for pair in Self.pairs {
      let decision = decide(asking, pair.disarms)
      #expect(decision == .needsProof([.caregiverPIN, .confirmation]), "\(pair.disarms)")
      #expect(decision.refusal(with: nil)?.code == .unconfirmed)
      #expect(decision.refusal(with: .caregiverPIN) == nil)
      #expect(decision.refusal(with: .confirmation) == nil)
      #expect(decide(asking, pair.harmless) == .allowed, "\(pair.harmless)")
    }
  }

  @Test("Whoever is looked after cannot be talked into it: a caregiver has to be there")
  func resident() {
    let asking = Asking(Self.principal, .account(Self.resident))
    let refuses = decide(
      asking, .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"))
    #expect(refuses == .needsProof([.caregiverPIN]))
    #expect(refuses.refusal(with: .confirmation)?.code == .forbidden)
    #expect(decide(asking, .eraseResident("mary")).refusal(with: .caregiverPIN) != nil)
  }

  @Test(
    "A plugin by itself never does it, whatever it was granted; for an account it does what that may"
  )
  func plugin() {
    for pair in Self.pairs {
      let grants: Set = ["command:\(pair.disarms.action)", "command:\(pair.harmless.action)"]
      let alone = Asking(Self.principal, .plugin(grants: grants), proof: .caregiverPIN)
      #expect(decide(alone, pair.disarms).refusal(with: alone.proof)?.code == .forbidden)
      #expect(decide(alone, pair.harmless) == .allowed, "\(pair.harmless)")
      let handing = Asking(Self.principal, .pluginFor(Self.caregiver, grants: grants))
      #expect(decide(handing, pair.disarms) == .needsProof([.caregiverPIN, .confirmation]))
      let other = Asking(Self.principal, .pluginFor(Self.caregiver, grants: ["command:locate"]))
      #expect(decide(other, pair.disarms).refusal(with: .caregiverPIN)?.code == .forbidden)
      #expect(decide(other, pair.harmless).refusal(with: nil)?.code == .forbidden)
    }
  }

  @Test("A guardian without an account never does it, whatever they show")
  func guardian() {
    for pair in Self.pairs {
      let grants: Set = ["command:\(pair.disarms.action)"]
      for proof in Asking.Proof.allCases {
        let asking = Asking(Self.principal, .guardian(of: "mary", through: grants), proof: proof)
        let refusal = decide(asking, pair.disarms).refusal(with: proof)
        #expect(refusal?.code == .forbidden, "\(pair.disarms) with \(proof)")
      }
    }
  }

  @Test("What plugins do every day needs none")
  func everyday() {
    let requests: [Command.Request] = [
      .alarm(.acknowledge(alarm: "A7K2", by: nil)),
      .alarm(.resolve(alarm: "A7K2", by: nil, reason: "found")),
      .alarm(.cancel(resident: "mary", pin: "1234", message: nil)),
      .routine(.answer("pill", slot: nil, .done)), .note(.read("m")),
      .locate(resident: "mary"), .removeZone("park"), .alarm(.silence),
    ]
    for request in requests {
      let asking = Asking(Self.principal, .plugin(grants: ["command:\(request.action)"]))
      #expect(decide(asking, request) == .allowed, "\(request)")
      let other = Asking(Self.principal, .plugin(grants: ["command:other.thing"]))
      #expect(decide(other, request).refusal(with: nil)?.code == .forbidden)
    }
  }

  @Test(
    "What speaks for an account within a scope may nothing beyond it, and nothing that the account may not"
  )
  func scope() {
    var program = Self.caregiver
    program.scope = [.position, .administer]
    let asking = Asking(Self.principal, .account(program))
    for permission in Permission.allCases {
      let decision = Policy.decide(asking, permission, .resident("mary"))
      #expect((decision == .allowed) == (permission == .position), "\(permission)")
    }
    #expect(Policy.decide(asking, .administer, .gateway) != .allowed)
    #expect(Policy.decide(asking, .account, .account("anna")) != .allowed)
  }

  @Test(
    "Whoever signed up and is linked to nobody has no business in the house, whatever they say they are"
  )
  func strangers() {
    for role: AccountRole? in AccountRole.allCases + [nil] {
      let asking = Asking(Self.principal, .account(Account(id: "x", name: "X", role: role)))
      for permission in Permission.allCases {
        let decision = Policy.decide(asking, permission, .gateway)
        let isAtTheDoor = permission == .logIn || permission == .entry
        #expect((decision == .allowed) == isAtTheDoor, "\(permission)")
        #expect(Policy.decide(asking, permission, .resident("mary")) != .allowed)
      }
      #expect(decide(asking, .alarm(.silence)) != .allowed)
    }
  }
}
