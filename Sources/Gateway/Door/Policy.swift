public import Care

/// Who may see and do what, of whom: the one place where that is decided, for the socket, plugins and accounts alike.
public enum Policy {
  // MARK: One permission

  /// Whether somebody has a permission over somebody.
  public static func decide(
    _ asking: Asking, _ permission: Permission, _ subject: Subject
  ) -> Decision {
    switch asking.kind {
    case .owner: .allowed
    case .account(let account): decide(account, permission, subject)
    case .guardian(let resident, let grants):
      granted(permission, grants).and(
        guardians.contains(permission) && (subject == .resident(resident) || subject == .gateway)
          ? .allowed : .forbidden)
    case .plugin(let grants):
      granted(permission, grants)
        .and(subject.isAccount ? .forbidden : Self.ownRight(to: permission, grants))
    case .pluginFor(let account, let grants):
      granted(permission, grants).and(decide(account, permission, subject))
    }
  }

  private static func decide(
    _ account: Account, _ permission: Permission, _ subject: Subject
  ) -> Decision {
    guard account.scope?.contains(permission) ?? true else { return .forbidden }
    return switch subject {
    case .everybody: .forbidden
    case .account(let id):
      id == account.id && overThemselves.contains(permission) ? .allowed : .forbidden
    case .gateway: inTheHouse(account).contains(permission) ? .allowed : .forbidden
    case .resident(let id):
      if !account.residents.contains(id) {
        .forbidden
      } else if permission == .disarm, account.role != .clinician {
        .needsProof(proofs(of: account.role))
      } else {
        overResidents(account.role).contains(permission) ? .allowed : .forbidden
      }
    }
  }

  /// A plugin sees what it was granted to read. What it does is granted by the action: see ``decide(_:_:in:)``.
  private static func granted(_ permission: Permission, _ grants: Set<String>) -> Decision {
    guard let grant = permission.grant else { return .forbidden }
    return grants.contains(grant) ? .allowed : .notGranted(grant)
  }

  /// A plugin that asks for accounts has no right of its own: what is asked without a session is to get one.
  private static func ownRight(to permission: Permission, _ grants: Set<String>) -> Decision {
    grants.contains("accounts") && !atTheDoor.contains(permission) ? .loggedOut : .allowed
  }

  /// What somebody may who has not come in yet.
  private static let atTheDoor: Set<Permission> = [.logIn, .entry]

  // MARK: Questions

  /// Whether a question is answered that names a resident or an account, or nobody.
  ///
  /// Without a name, what is told of all is for whoever may see it of anybody: what they may not see is left out of the
  /// answer, and whose a thing is that is named by its id shows once it is found.
  ///
  /// - Parameter disarms: whether the parameter is given that takes away what calls for help.
  public static func decide(
    _ asking: Asking, _ route: Route, naming subject: Subject?, disarms: Bool = false
  ) -> Decision {
    if disarms {
      return decide(asking, route, naming: subject).and(decide(asking, .disarm, .gateway))
    }
    if let subject { return decide(asking, route, subject) }
    switch route.reach {
    case .gateway, .gatewayOrResident: return decide(asking, route, .gateway)
    case .account: return .forbidden
    case .request: return .allowed
    case .resident, .residents, .found: return decideOfAnybody(asking, route)
    }
  }

  /// Whether a question is answered about somebody.
  public static func decide(_ asking: Asking, _ route: Route, _ subject: Subject) -> Decision {
    if route.brings, case .pluginFor(let account, let grants) = asking.kind {
      let missing = route.grants.subtracting(grants).min()
      return route.needs.sorted { $0.rawValue < $1.rawValue }
        .reduce(missing.map { .notGranted($0) } ?? .allowed) { decision, permission in
          decision.and(decide(account, permission, subject))
        }
    }
    return route.needs.sorted { $0.rawValue < $1.rawValue }.reduce(.allowed) {
      decision, permission in
      decision.and(decide(asking, permission, subject))
    }
  }

  private static func decideOfAnybody(_ asking: Asking, _ route: Route) -> Decision {
    switch asking.kind {
    case .owner, .plugin: decide(asking, route, .everybody)
    case .guardian(let resident, _): decide(asking, route, .resident(resident))
    case .account(let account), .pluginFor(let account, _):
      account.residents.sorted().lazy.map { decide(asking, route, .resident($0)) }
        .first { $0 != .forbidden } ?? .forbidden
    }
  }

  // MARK: Commands

  /// Whether a command is carried out.
  public static func decide(
    _ asking: Asking, _ command: Command, in household: some Household
  ) -> Decision {
    guard !asking.isOwner else { return .allowed }
    guard let rule = CommandRule.of(command.request.action) else { return .forbidden }
    let disarms = rule.disarms(command.request, household)
    return decide(
      asking, rule, needing: rule.eases(command.request) ?? rule.needs, disarms: disarms,
      household.subjects(of: command))
  }

  /// Whether something is done to somebody; to all of them, or not at all.
  public static func decide(
    _ asking: Asking, _ rule: CommandRule, disarms: Bool, _ subjects: Set<Subject>
  ) -> Decision {
    decide(asking, rule, needing: rule.needs, disarms: disarms, subjects)
  }

  private static func decide(
    _ asking: Asking, _ rule: CommandRule, needing needed: Permission, disarms: Bool,
    _ subjects: Set<Subject>
  ) -> Decision {
    switch asking.kind {
    case .owner: return .allowed
    case .account(let account): return decide(account, needed, disarms: disarms, subjects)
    case .guardian(let resident, let grants):
      let isTheirs = !subjects.isEmpty && subjects.isSubset(of: [.resident(resident), .gateway])
      return granted(rule, grants).and(
        isTheirs && !disarms && guardians.contains(needed) ? .allowed : .forbidden)
    case .plugin(let grants):
      return granted(rule, grants).and(ownRight(to: needed, grants)).and(
        disarms ? .neverByPlugin : subjects.contains(where: \.isAccount) ? .forbidden : .allowed)
    case .pluginFor(let account, let grants):
      return granted(rule, grants).and(decide(account, needed, disarms: disarms, subjects))
    }
  }

  private static func decide(
    _ account: Account, _ needed: Permission, disarms: Bool, _ subjects: Set<Subject>
  ) -> Decision {
    subjects.reduce(subjects.isEmpty ? .forbidden : .allowed) { decision, subject in
      decision.and(decide(account, needed, subject))
        .and(disarms ? decide(account, .disarm, subject) : .allowed)
    }
  }

  private static func granted(_ rule: CommandRule, _ grants: Set<String>) -> Decision {
    grants.contains(rule.grant) ? .allowed : .notGranted(rule.grant)
  }

  // MARK: Who may what

  /// What an account may of those whom it is linked to.
  private static func overResidents(_ role: AccountRole?) -> Set<Permission> {
    switch role {
    case nil: []
    case .resident: overThemselvesAsResident
    case .caregiver: overWhomTheyCareFor
    case .clinician: overWhomTheyTreat
    }
  }

  private static let overThemselvesAsResident: Set<Permission> = {
    let seen = Set(Permission.allCases.filter(\.isToSee)).subtracting([
      .map, .gateway, .account, .push, .entry,
    ])
    return seen.union([
      .callForHelp, .useRoom, .guide, .answerRoutine, .sendMessages, .changeNotes, .changeReadings,
      .consent,
    ])
  }()

  private static let overWhomTheyCareFor = overThemselvesAsResident.union([
    .answerAlarms, .changePeople, .changePlaces, .changeRoutine, .changeSettings, .changeDevices,
  ])

  /// How somebody is, and nothing of where they are, with whom, or what is said.
  private static let overWhomTheyTreat: Set<Permission> = [.health, .routine, .notes, .settings]

  /// Which notes whoever asks is shown: whoever treats somebody reads the diary, and no memos.
  public static func noteKinds(shownTo asking: Asking) -> Set<Note.Kind> {
    asking.account?.role == .clinician ? [.diary] : Set(Note.Kind.allCases)
  }

  /// What an account may of the gateway, its rooms, and alarms of which nobody knows whose they are.
  ///
  /// Anybody may sign up and say that they care: only whoever was linked to somebody has any business in the house.
  private static func inTheHouse(_ account: Account) -> Set<Permission> {
    guard !account.residents.isEmpty else { return atTheDoor }
    return switch account.role {
    case nil, .clinician: atTheDoor
    case .resident: atTheDoor.union([.map, .gateway, .useRoom])
    case .caregiver: atTheDoor.union([.map, .gateway, .useRoom, .alarms, .answerAlarms])
    }
  }

  /// What an account may of itself.
  private static let overThemselves: Set<Permission> = [.account, .changeAccount]

  /// What a guardian may who has no account: answer the alarms that they are told of, with the map to find somebody.
  private static let guardians: Set<Permission> = [.alarms, .answerAlarms, .map]

  /// What shows that an account means to take away what calls for help. Somebody who is looked after may be talked into
  /// saying something twice.
  private static func proofs(of role: AccountRole?) -> Set<Asking.Proof> {
    switch role {
    case .resident, .clinician, nil: [.caregiverPIN]
    case .caregiver: [.caregiverPIN, .confirmation]
    }
  }
}
