import Care
import Door
import Testing

/// Every role, every route and every command, of everybody.
@Suite("Who may see and do what") struct MatrixTests {
  private static let subjects: [Subject] = [
    .resident("a"), .resident("b"), .gateway, .everybody, .account("own"), .account("other"),
  ]

  @Test("The table speaks of every permission once")
  func rows() {
    #expect(PermissionTable.rows.map(\.permission) == Permission.allCases)
    #expect(PermissionTable.seen == Set(Permission.allCases.filter(\.isToSee)))
  }

  @Test("Each line of the table is of a question or a command, which stands there once")
  func lines() {
    let words = PermissionTable.lines
    #expect(words.count == PermissionTable.routes.count + PermissionTable.actions.count)
    for line in words where line.count > 2 {
      for word in line.dropFirst(line[0] == "question" ? 3 : 2) {
        #expect(Permission(rawValue: word) != nil, "\(line)")
      }
    }
  }

  @Test("What each question takes is what was decided, and there is no other")
  func routes() {
    #expect(Set(Route.all.map(\.name)) == Set(PermissionTable.routes.keys))
    for route in Route.all {
      let row = PermissionTable.routes[route.name]
      #expect(row?.reach == route.reach && row?.needs == route.needs, "\(route)")
    }
  }

  @Test("What each command takes is what was decided, and there is no other")
  func actions() {
    #expect(Set(CommandRule.all.map(\.action)) == Set(PermissionTable.actions.keys))
    for rule in CommandRule.all {
      #expect(PermissionTable.actions[rule.action] == rule.needs, "\(rule.action)")
    }
  }

  @Test("Each permission is had by those whom the table names, of those whom it names")
  func permissions() {
    for asker in PermissionTable.askers where asker.grants == nil {
      for permission in Permission.allCases {
        for subject in Self.subjects {
          let decision = Policy.decide(asker.asking, permission, subject)
          #expect(
            Verdict(decision) == asker.personMay(permission, subject),
            "\(asker.words): \(permission), \(subject)")
        }
      }
    }
  }

  @Test("Every question is answered to those alone who may see what it tells, watching included")
  func questions() throws {
    var (wrong, count): ([String], Int) = ([], 0)
    for asker in PermissionTable.askers {
      for route in Route.all {
        let row = try #require(PermissionTable.routes[route.name])
        for named in Self.named(by: row.reach) {
          count += 1
          let verdict = Verdict(Policy.decide(asker.asking, route, naming: named))
          guard verdict != Self.expected(asker, route.name, row, named) else { continue }
          wrong.append("\(asker.words): \(route) of \(named as Any) is \(verdict)")
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(count > 30_000)
  }

  /// Whom a question of a reach can name.
  private static func named(by reach: Route.Reach) -> [Subject?] {
    switch reach {
    case .resident, .residents, .gatewayOrResident: [.resident("a"), .resident("b"), nil]
    case .account: [.account("own"), .account("other")]
    case .gateway, .found, .request: [nil]
    }
  }

  private static func expected(
    _ asker: Asker, _ name: String, _ row: (reach: Route.Reach, needs: Set<Permission>),
    _ named: Subject?
  ) -> Verdict {
    switch row.reach {
    case .request: .allowed
    case .gateway, .account: asker.mayAsk(row.needs, named ?? .gateway, name)
    case .gatewayOrResident: asker.mayAsk(row.needs, named ?? .gateway, name)
    case .resident, .residents: asker.mayAsk(row.needs, named ?? .resident("a"), name)
    // Whose it is shows when it is found; whoever may see it of nobody need not look.
    case .found: asker.mayAsk(row.needs, .resident("a"), name)
    }
  }

  @Test(
    "Every command is carried out for those alone who may do that, to everybody whom it touches")
  func commands() {
    let touched: [Set<Subject>] = [
      [.resident("a")], [.resident("b")], [.gateway], [.resident("a"), .resident("b")],
      [.resident("a"), .gateway], [.account("own")], [.account("other")],
      [.account("own"), .resident("a")], [],
    ]
    var (wrong, count): ([String], Int) = ([], 0)
    for asker in PermissionTable.askers {
      for rule in CommandRule.all {
        for subjects in touched {
          for disarms in [false, true] {
            count += 1
            let decision = Policy.decide(asker.asking, rule, disarms: disarms, subjects)
            let verdict = Verdict(decision)
            guard verdict != Self.expected(asker, rule.action, disarms, subjects) else { continue }
            wrong.append(
              "\(asker.words): \(rule.action) of \(subjects), "
                + "\(disarms ? "disarming" : "harmless"), is \(verdict)")
          }
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(count > 100_000)
  }

  private static func expected(
    _ asker: Asker, _ action: String, _ disarms: Bool, _ subjects: Set<Subject>
  ) -> Verdict {
    guard let permission = PermissionTable.actions[action] else { return .refused }
    if let grants = asker.grants, !grants.contains("command:\(action)") { return .refused }
    switch asker.role {
    case .owner: return .allowed
    case .plugin:
      let isTheirs = subjects.allSatisfy { asker.personMay(permission, $0) == .allowed }
      let hasOwn = subjects.isEmpty && asker.personMay(permission, .gateway) == .allowed
      return !disarms && (isTheirs && !subjects.isEmpty || hasOwn) ? .allowed : .refused
    case .guardian where disarms: return .refused
    case .caregiver, .resident, .guardian, .clinician: break
    }
    // What touches nobody is nobody's to do.
    return subjects.reduce(subjects.isEmpty ? .refused : .allowed) { verdict, subject in
      verdict.and(asker.personMay(permission, subject))
        .and(disarms ? asker.personMay(.disarm, subject) : .allowed)
    }
  }
}
