public import Care
public import Texts

/// Somebody with an account at the gateway, and those whom it is linked to.
public struct Account: Hashable, Sendable {
  /// Which one.
  public var id: AccountID
  /// The name of the account, as it is written down with what was done.
  public var name: String
  /// What it is for; nil until its owner chose.
  public var role: AccountRole?
  /// Whom it cares for; for one who is looked after, themselves.
  public var residents: Set<ResidentID>
  /// What whoever speaks for it may, of what it may; nil for all of it.
  public var scope: Set<Permission>?

  /// An account from its parts.
  public init(
    id: AccountID, name: String, role: AccountRole?, residents: Set<ResidentID> = [],
    scope: Set<Permission>? = nil
  ) {
    self.scope = scope
    self.id = id
    self.name = name
    self.role = role
    self.residents = residents
  }
}

/// Who asks, as the door knows them: never by what a request says of itself.
public struct Asking: Hashable, Sendable {
  /// What speaks for somebody.
  public enum Kind: Hashable, Sendable {
    /// A keeper of this machine, or the gateway itself.
    case owner
    /// An account whose token was checked.
    case account(Account)
    /// A guardian of one resident who answers through a plugin that has these grants.
    case guardian(of: ResidentID, through: Set<String>)
    /// A plugin with these grants, for whomever it names.
    case plugin(grants: Set<String>)
    /// A plugin with these grants that hands on an account's token, which was checked.
    case pluginFor(Account, grants: Set<String>)
  }

  /// What shows, besides who asks, that somebody means it.
  public enum Proof: Hashable, Sendable, CaseIterable {
    /// The PIN of a caregiver, judged just now.
    case caregiverPIN
    /// The same account said it once more, within the last minutes, after it was told what follows.
    case confirmation
  }

  /// Who is written down as having asked.
  public var principal: Principal
  /// What speaks for them.
  public var kind: Kind
  /// What else they showed; nil for nothing.
  public var proof: Proof?
  /// Whether they say that they mean it; what that is worth is seen by whether they were told before.
  public var confirms = false
  /// The address in the network that they ask from; nil where there is none.
  public var address: String?
  /// The id of the session that speaks; nil where none does.
  public var session: String?
  /// The language in which they read; nil where that is not known.
  public var language: Language?

  /// Somebody from their parts.
  public init(
    _ principal: Principal, _ kind: Kind, proof: Proof? = nil, address: String? = nil,
    session: String? = nil
  ) {
    self.session = session
    self.principal = principal
    self.kind = kind
    self.proof = proof
    self.address = address
  }

  /// A keeper of this machine, or the gateway itself.
  public static func owner(_ principal: Principal) -> Asking { Asking(principal, .owner) }

  /// The account that is spoken for; nil for none.
  public var account: Account? {
    switch kind {
    case .account(let account), .pluginFor(let account, _): account
    case .owner, .guardian, .plugin: nil
    }
  }

  /// A command with what is written down of who asks; whatever it says of that itself is forgotten.
  public func signed(_ command: Command) -> Command {
    var command = command
    command.account = account?.name
    command.address = address
    return command
  }

  /// Whether nothing is kept from whoever asks.
  public var isOwner: Bool { kind == .owner }

  /// The grants of the plugin that the request came through; nil where it came through none.
  public var grants: Set<String>? {
    switch kind {
    case .owner, .account: nil
    case .guardian(_, let grants), .plugin(let grants), .pluginFor(_, let grants): grants
    }
  }
}

/// Who speaks by a token: that of a session, or of a link in a message.
public struct SessionHolder: Hashable, Sendable {
  /// Who it is.
  public enum Speaker: Hashable, Sendable {
    /// An account.
    case account(Account)
    /// A guardian of one resident, who has no account, or did not log in.
    case guardian(of: ResidentID)
  }

  /// Who is spoken for.
  public var speaker: Speaker
  /// How those are known who answer alarms: the account's address, else its id; the guardian's id.
  public var person: String
  /// The id of the session; of a link, the alarm that it is about.
  public var session: String
  /// The language in which they read; nil where they did not say.
  public var language: Language?

  /// A holder from their parts.
  public init(account: Account, person: String, session: String, language: Language? = nil) {
    self.init(.account(account), person: person, session: session)
    self.language = language
  }

  /// The guardian to whom a message with a link went.
  public init(_ guardian: Guardian, told alarm: AlarmID) {
    self.init(
      .guardian(of: guardian.resident), person: guardian.id.rawValue, session: alarm.rawValue)
  }

  private init(_ speaker: Speaker, person: String, session: String) {
    self.speaker = speaker
    self.person = person
    self.session = session
  }

  /// The account that is spoken for; nil for a guardian by a link.
  public var account: Account? {
    if case .account(let account) = speaker { account } else { nil }
  }

  /// Who asks where a plugin with these grants hands the token on.
  public func asking(
    through plugin: String, _ grants: Set<String>, from address: String?
  ) -> Asking {
    let kind: Asking.Kind =
      switch speaker {
      case .account(let account): .pluginFor(account, grants: grants)
      case .guardian(let resident): .guardian(of: resident, through: grants)
      }
    var asking = Asking(
      Principal(channel: .plugin, name: "\(plugin)/\(person)"), kind, address: address,
      session: session)
    asking.language = language
    return asking
  }
}
