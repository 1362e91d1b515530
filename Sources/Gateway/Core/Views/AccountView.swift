public import Accounts
public import Care
public import JSON
public import Moments

/// What the parts outside of the core may know of accounts.
public struct AccountView: Sendable {
  private let engines: EngineSnapshot

  init(_ engines: EngineSnapshot) { self.engines = engines }

  /// The account with which somebody logs in by an address; nil where there is none.
  public func account(with email: String) -> UserAccount? {
    engines[AccountEngine.self].account(with: email)
  }

  /// An account by its id; nil where there is none.
  public func account(_ id: AccountID) -> UserAccount? { engines[AccountEngine.self].account(id) }

  /// Who speaks with a token, by its hash; nil where nobody does, or not any more.
  public func speaker(
    token: String, at now: Moment
  ) -> (account: UserAccount, session: Session)? {
    engines[AccountEngine.self].speaker(token: token, at: now)
  }

  /// Whom an account sees just now; see ``Accounts/AccountEngine/seen(by:in:)``.
  public func residentsSeen(by account: UserAccount) -> Set<ResidentID> {
    engines[AccountEngine.self].seen(by: account, in: engines.house)
  }

  /// Those whom an account is linked to, for pages that may not know where they are: `[{id, name, timeZone, isShown}]`.
  private func linkedResidents(of account: UserAccount) -> JSONValue {
    let seen = residentsSeen(by: account)
    return .array(
      engines.house.sortedResidents.filter { account.residents.contains($0.id) }.map { resident in
        [
          "id": .string(resident.id.rawValue), "name": .string(resident.name),
          "timeZone": .string(resident.timeZone), "isShown": .bool(seen.contains(resident.id)),
        ]
      })
  }

  /// What a session of an account is; nil where there is none of that id.
  public func kind(ofSession id: String, of account: AccountID) -> Session.Kind? {
    engines[AccountEngine.self].sessions(of: account).first { $0.id == id }?.kind
  }

  /// How long no password of an account is looked at, in milliseconds; 0 for not at all.
  public func pauseMilliseconds(of account: AccountID, at now: Moment) -> Int64 {
    engines[AccountEngine.self].pauseMilliseconds(of: account, at: now.tick)
  }

  /// Every account as a keeper sees it, the oldest first.
  public func summaries(at now: Moment) -> [JSONValue] {
    let engine = engines[AccountEngine.self]
    return engine.all.map { account in
      account.json
        .setting("sessions", to: .integer(Int64(engine.sessions(of: account.id).count)))
        .setting("isPaused", to: .bool(pauseMilliseconds(of: account.id, at: now) > 0))
    }
  }

  /// Whose accounts see a resident, or each of them: one for each who sees each.
  public func linkedAccounts(of resident: ResidentID?) -> [JSONValue] {
    let engine = engines[AccountEngine.self]
    return engines.house.sortedResidents.map(\.id).filter { resident == nil || $0 == resident }
      .flatMap { id in
        engine.accounts(linkedTo: id).map { account in
          .object([
            "account": .string(account.id.rawValue), "name": .string(account.profile.name),
            "email": account.email.map { .string($0.text) },
            "role": account.role.map { .string($0.rawValue) }, "resident": .string(id.rawValue),
          ])
        }
      }
  }

  /// The browsers that are told while no page is open; see ``Accounts/AccountEngine/pushes(for:session:at:)``.
  public func pushes(
    for resident: ResidentID?, session: String?, at now: Moment
  ) -> [JSONValue] { engines[AccountEngine.self].pushes(for: resident, session: session, at: now) }

  /// An account as whoever it belongs to sees it, with its sessions and who asks to be linked; nil where there is none.
  ///
  /// - Parameter session: the one that asks, which is marked; nil for none.
  public func page(
    of id: AccountID, spokenForBy session: String?, at now: Moment
  ) -> JSONValue? {
    let engine = engines[AccountEngine.self]
    guard let account = engine.account(id) else { return nil }
    let requests = engine.linkRequests(of: id).map { request in
      request.json
        .setting("fromName", to: .string(engine.account(request.from)?.profile.name ?? ""))
        .setting("toName", to: .string(engine.account(request.to)?.profile.name ?? ""))
    }
    let sessions = engine.sessions(of: id).map {
      $0.json.setting("isThis", to: .bool($0.id == session))
    }
    let page = account.json
      .setting("isPaused", to: .bool(pauseMilliseconds(of: id, at: now) > 0))
      .setting("sees", to: linkedResidents(of: account))
      .setting("sessions", to: .array(sessions))
      .setting("requests", to: .array(requests))
    return engine.entry(of: id, at: now).map { page.setting("entry", to: $0) } ?? page
  }
}
