import Care
import Moments
import Texts

/// The accounts, of each name and of each address one.
struct AccountBook: Hashable, Sendable {
  private var accounts: [AccountID: UserAccount] = [:]

  var rows: [EngineRow] { accounts.values.map(\.row) }

  /// Takes back one from its row.
  mutating func restore(_ account: UserAccount) { accounts[account.id] = account }

  // MARK: Who has an account

  /// An account by its id; nil where there is none.
  subscript(_ id: AccountID) -> UserAccount? { accounts[id] }

  /// Every account, the oldest first.
  var all: [UserAccount] {
    accounts.values.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  /// The account with which somebody logs in by an address; nil where there is none.
  func account(with email: String) -> UserAccount? {
    guard let address = EmailAddress(email) else { return nil }
    return accounts.values.first { $0.email?.folded == address.folded }
  }

  /// Nobody is found by an address that the provider tells: it may be anybody's there, and another's tomorrow.
  private func account(of identity: ProvenIdentity) -> UserAccount? {
    accounts.values.first {
      $0.openID?.issuer == identity.issuer && $0.openID?.subject == identity.subject
    }
  }

  /// A resident's own account, the oldest where there are several; nil where there is none.
  func own(of resident: ResidentID) -> UserAccount? {
    all.first { $0.role == .resident && $0.residents.contains(resident) }
  }

  /// The accounts of those who are linked to a resident, and the resident's own, by name.
  func accounts(linkedTo resident: ResidentID) -> [UserAccount] {
    accounts.values.filter { $0.residents.contains(resident) }
      .sorted { ($0.profile.name, $0.id) < ($1.profile.name, $1.id) }
  }

  func known(_ id: AccountID) throws(CommandReply.Refusal) -> UserAccount {
    guard let account = accounts[id] else {
      throw CommandReply.Refusal(.unknownTarget, Message("There is no such account."))
    }
    return account
  }

  /// The account that somebody wants to come into by an address.
  func entering(by email: String) throws(CommandReply.Refusal) -> UserAccount {
    guard let account = account(with: email), account.password != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message("Nobody has an account with this e-mail address. You can sign up with it."))
    }
    return account
  }

  /// The account that somebody wants to come into by an identity provider.
  func entering(as identity: ProvenIdentity) throws(CommandReply.Refusal) -> UserAccount {
    guard let account = account(of: identity) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "No account here is connected with this one yet. Log in with your password once, and connect it on the page \"Your account\". If you have no account here, make one first."
        ))
    }
    return account
  }

  /// The account of somebody who cares for others, or treats them.
  func whoSees(_ id: AccountID) throws(CommandReply.Refusal) -> UserAccount {
    let account = try known(id)
    guard account.role == .caregiver || account.role == .clinician else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "This is for those who care for others or treat them; {name} does neither.",
          ["name": account.profile.name]))
    }
    return account
  }

  /// The account of somebody who treats others.
  func clinician(_ id: AccountID) throws(CommandReply.Refusal) -> UserAccount {
    let account = try known(id)
    guard account.role == .clinician else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} is a caregiver or looked after, and sees more than a doctor does. Only a keeper of the gateway, or whoever is seen, ends that.",
          ["name": account.profile.name]))
    }
    return account
  }

  // MARK: What is free

  /// - Throws: that a resident has an account of their own already.
  ///
  /// - Parameter name: what the resident is called.
  func requireNone(
    of resident: ResidentID, _ name: String
  ) throws(CommandReply.Refusal) {
    guard let other = own(of: resident) else { return }
    throw CommandReply.Refusal(
      .conflict,
      Message(
        "{name} has an account already: {account}.",
        ["name": name, "account": other.profile.name]))
  }

  func requirePlace() throws(CommandReply.Refusal) {
    guard accounts.count < AccountRules.accountsAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "This gateway has {most} accounts, and no place for more. Whoever keeps it can remove one that nobody uses: homeward accounts remove.",
          ["most": AccountRules.accountsAtMost]))
    }
  }

  func requireFree(
    _ email: EmailAddress, besides id: AccountID?
  ) throws(CommandReply.Refusal) {
    guard account(with: email.text).map({ $0.id == id }) ?? true else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "There is an account with this e-mail address already. Log in with it, or have a new password sent."
        ))
    }
  }

  func requireFree(
    name: String, besides id: AccountID?
  ) throws(CommandReply.Refusal) {
    guard !isTaken(name: name, besides: id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("Another account has the name {name}. Please add something to it.", ["name": name]))
    }
  }

  /// A name that nobody has yet: the wanted one, or with a number behind it.
  private func freeName(for wanted: String) -> String {
    var name = wanted
    var number = 1
    while isTaken(name: name, besides: nil) {
      number += 1
      name = "\(wanted) \(number)"
    }
    return name
  }

  private func isTaken(name: String, besides id: AccountID?) -> Bool {
    let folded = name.lowercased()
    return accounts.values.contains { $0.profile.name.lowercased() == folded && $0.id != id }
  }

  // MARK: What becomes of one

  mutating func add(_ account: UserAccount) { accounts[account.id] = account }

  /// Changes what an account says of itself; nothing where there is none of that id.
  mutating func change(_ id: AccountID, _ change: (inout UserAccount) -> Void) {
    guard var account = accounts[id] else { return }
    change(&account)
    accounts[id] = account
  }

  /// Alerts until a time were looked at: never what has not happened yet, nor less than before.
  mutating func seeAlerts(
    _ id: AccountID, until: Timestamp, at now: Moment
  ) throws(CommandReply.Refusal) {
    let seen = max(try known(id).alertsSeen ?? until, until)
    accounts[id]?.alertsSeen = now.quality.isTrusted ? min(seen, now.utc) : seen
  }

  mutating func remove(_ id: AccountID) { accounts[id] = nil }

  /// Has an account see a resident.
  mutating func link(
    _ account: UserAccount, to resident: ResidentID
  ) throws(CommandReply.Refusal) {
    guard !account.residents.contains(resident) else { throw UserAccount.linkedAlready }
    guard account.residents.count < AccountRules.linksAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One account is linked to at most {most} residents.", ["most": AccountRules.linksAtMost]))
    }
    accounts[account.id]?.residents.insert(resident)
  }

  /// Has an account see a resident no longer.
  mutating func unlink(
    _ account: UserAccount, from resident: ResidentID
  ) throws(CommandReply.Refusal) {
    guard accounts[account.id]?.residents.remove(resident) != nil else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("{name} is not linked there.", ["name": account.profile.name]))
    }
  }

  /// Nobody is linked to a resident any more who is erased.
  ///
  /// - Returns: the resident's own accounts, which are to be removed.
  mutating func unlinkAll(from resident: ResidentID) -> [AccountID] {
    var own: [AccountID] = []
    for account in accounts.values where account.residents.contains(resident) {
      if account.role == .resident {
        own.append(account.id)
      } else {
        accounts[account.id]?.residents.remove(resident)
      }
    }
    return own
  }

  /// Connects an account with who somebody is to an identity provider.
  mutating func connect(
    _ account: UserAccount, with identity: ProvenIdentity, at now: Timestamp
  ) throws(CommandReply.Refusal) {
    if let other = self.account(of: identity), other.id != account.id {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Another account here is connected with this one already. Take it away there first, or choose another one."
        ))
    }
    accounts[account.id]?.openID = OpenIDConnection(
      issuer: identity.issuer, subject: identity.subject, name: identity.name, connected: now)
  }

  mutating func disconnect(_ id: AccountID) throws(CommandReply.Refusal) {
    guard try known(id).openID != nil else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("This account is connected with no other service."))
    }
    accounts[id]?.openID = nil
  }

  /// Gives an account its role. It is chosen once.
  mutating func choose(_ role: AccountRole, for id: AccountID) throws(CommandReply.Refusal) {
    let account = try known(id)
    guard account.role == nil || account.role == role && account.residents.isEmpty else {
      throw Self.chosenBefore
    }
    accounts[id]?.role = role
  }

  /// Makes an account for a screen in a resident's home, with which nobody can log in.
  mutating func addScreen(
    of person: Resident, _ language: Language, as id: AccountID, at now: Timestamp
  ) throws(CommandReply.Refusal) -> UserAccount {
    try requirePlace()
    let account = UserAccount(
      id: id, email: nil,
      profile: UserAccount.Profile(
        name: freeName(for: person.name), language: language.rawValue), role: .resident,
      residents: [person.id], password: nil, created: now)
    add(account)
    return account
  }

  /// Makes an account a resident's own.
  mutating func assign(_ resident: ResidentID, to id: AccountID) {
    accounts[id]?.role = .resident
    accounts[id]?.residents = [resident]
  }

  /// The rows that are another than before.
  func changes(since before: Self) -> [StateChange] {
    accounts.changes(since: before.accounts, \.row)
  }

  static let chosenBefore = CommandReply.Refusal(
    .conflict, Message("What this account is for was chosen before, and stays."))
}
