public import Bytes
public import Care
public import Moments
import Texts

/// Knows who may log in, which browsers and screens speak for them, and whom they are linked to.
///
/// Pure: hashes are made and compared outside, and what they came to stands beside the request
/// (``Care/Command/credentials``). An account or session that cannot be read is kept for a later version and lets nobody in.
public struct AccountEngine: Engine {
  /// What people ask, who is erased, and passwords that were wrong.
  public static var hears: InputKinds { [.asked, .changed, .signals] }

  /// What is told of accounts. What names somebody takes `contacts`.
  public static let events: [EventDeclaration] = AccountNews.declarations

  var accounts = AccountBook()
  var sessions = SessionBook()
  var links = Links()
  var invitations = Invitations()
  var screenCodes = LinkCodes()
  var recoveries = RecoveryCodes()
  var entries = Entries()
  var passwordTries = WrongTries()
  private var unreadable: [EngineRow] = []

  /// An engine over the rows of engine `accounts`; nothing of it is drawn by lot.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == UserAccount.engine {
      if let account = try? UserAccount(row: row) {
        accounts.restore(account)
      } else if let session = try? Session(row: row) {
        sessions.restore(session)
      } else if let request = try? LinkRequest(row: row) {
        links.restore(request)
      } else if let invitation = try? Invitation(row: row) {
        invitations.restore(invitation)
      } else {
        unreadable.append(row)
      }
    }
    sessions.findByTokens()
  }

  /// Adds the accounts, their sessions and what they ask each other, a row each.
  public func store(in state: inout StoredState) {
    let rows = accounts.rows + sessions.rows + links.rows + invitations.rows
    state.engineRows += rows.sorted { $0.name < $1.name } + unreadable
  }

  /// A request that came as JSON, as this engine knows it.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? {
    guard case .request(let action) = place, AccountRequest.isAction(action) else { return nil }
    return FeatureValue(try value.value(as: AccountRequest.self))
  }

  /// Takes one input.
  ///
  /// - Throws: why a request is refused; nothing changed then but what the refusal says.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    var attempt = self
    var outcome = Outcome()
    switch input {
    case .asked(let command, _):
      guard let request = try AccountRequest.asked(command.request) else { return nil }
      var step = AccountStep(command, in: world)
      try attempt.perform(request, &step)
      outcome = step.outcome
    case .changed(.erased(let resident)): attempt.erase(resident)
    case .signalled(.wrongTry(.password(let id))):
      outcome.events = attempt.countWrongPassword(id, in: world)
    case .signalled(.wrongTry(.linkCode(let id))):
      attempt.links.countWrongCode(id, at: world.now.tick)
    case .signalled(.wrongTry(.browser(let id))):
      outcome.events = attempt.keepOut(id, in: world)
    default: return nil
    }
    outcome.changes += attempt.finish(since: self)
    self = attempt
    return outcome
  }

  /// Whom a request is about: whose own account it is, or who is linked.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    guard let asked = try? AccountRequest(request) else { return nil }
    if let resident = asked.resident { return resident }
    let account = asked.account.flatMap { accounts[$0] }
    return account?.role == .resident ? account?.residents.first : nil
  }

  // MARK: What others know of accounts

  /// The account with which somebody logs in by an address; nil where there is none.
  public func account(with email: String) -> UserAccount? {
    accounts.account(with: email)
  }

  /// An account by its id; nil where there is none.
  public func account(_ id: AccountID) -> UserAccount? { accounts[id] }

  /// Every account, the oldest first.
  public var all: [UserAccount] { accounts.all }

  /// The sessions of an account, the newest first.
  public func sessions(of id: AccountID) -> [Session] { sessions.sessions(of: id) }

  /// Who speaks with a token, by its hash; nil where nobody does, or not any more.
  public func speaker(token: String, at now: Moment) -> (account: UserAccount, session: Session)? {
    guard let session = sessions.session(token: token, at: now),
      let account = accounts[session.account]
    else { return nil }
    return (account, session)
  }

  /// How long no password of an account is looked at, in milliseconds; 0 for not at all.
  public func pauseMilliseconds(of id: AccountID, at now: Tick) -> Int64 {
    passwordTries.pauseMilliseconds(of: id, at: now)
  }

  // MARK: What happens

  /// Forgets a resident: their own account goes, and nobody is linked to them any more.
  private mutating func erase(_ resident: ResidentID) {
    links.forget(resident)
    screenCodes.forget(resident)
    for own in accounts.unlinkAll(from: resident) { forget(own) }
  }

  /// Takes an account away with its sessions.
  mutating func forget(_ id: AccountID) {
    accounts.remove(id)
    passwordTries.forget(id)
    recoveries.forget(id)
    entries.forget(id)
    sessions.endAll(of: id, besides: nil)
    links.forget(id)
  }

  /// One more wrong password; at the fifth whoever is linked is told.
  private mutating func countWrongPassword(_ id: AccountID, in world: World) -> [EventDraft] {
    guard let account = accounts[id],
      let wrong = passwordTries.count(id, at: world.now.tick)
    else { return [] }
    return AccountNews(in: world).attack(on: account, wrong)
  }

  /// Somebody wrote another number than the browser shows that waits.
  private mutating func keepOut(_ id: AccountID, in world: World) -> [EventDraft] {
    guard let account = accounts[id], let guest = entries.forget(id)?.guest else { return [] }
    return [AccountNews(in: world).changed(account, .keptOut, from: guest.address)]
  }

  // MARK: The end of a step

  /// Writes what is another than before, and nothing else: a gateway may have thousands of sessions.
  private mutating func finish(since before: Self) -> [StateChange] {
    accounts.changes(since: before.accounts) + sessions.finish(since: before.sessions)
      + links.changes(since: before.links) + invitations.changes(since: before.invitations)
  }
}
