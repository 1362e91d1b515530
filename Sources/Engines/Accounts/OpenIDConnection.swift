public import Bytes
import Care
public import JSON
public import Moments
import Texts

/// By whom, of those whom an identity provider knows, an account is logged in too.
public struct OpenIDConnection: Hashable, Sendable {
  /// The provider.
  public var issuer: String
  /// The person there, as the provider tells them apart.
  public var subject: String
  /// How the provider named them, for their owner to know them by; nil where it did not.
  public var name: String?
  /// Since when.
  public var connected: Timestamp

  /// What of it whoever it belongs to sees: `{issuer, name?, connected}`.
  var told: JSONValue {
    .object([
      "issuer": .string(issuer), "name": name.map { .string($0) },
      "connected": .string(connected.iso8601),
    ])
  }
}

extension OpenIDConnection: JSONCodable {
  /// Reads `{issuer, subject, name?, connected}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    issuer = try reader.string("issuer")
    subject = try reader.string("subject")
    name = try reader.optionalString("name")
    connected = try reader.timestamp("connected")
  }

  /// The connection as it is read.
  public var json: JSONValue { told.setting("subject", to: .string(subject)) }
}

/// Who comes in by an identity provider: whoever connected their account with it before, by their password.
extension AccountEngine {
  /// Nobody is found by an address that the provider tells: it may be anybody's there, and another's tomorrow.
  private func account(of identity: ProvenIdentity) -> UserAccount? {
    accounts.values.first {
      $0.openID?.issuer == identity.issuer && $0.openID?.subject == identity.subject
    }
  }

  mutating func finishOpenID(
    _ device: AccountRequest.Device, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let identity = command.credentials?.identity else {
      throw CommandReply.Refusal(
        .notNow, Message("It cannot be asked who you are just now. Please try again."))
    }
    if let id = identity.connects {
      return try connect(try known(id), identity, command, in: world, &outcome)
    }
    guard let account = account(of: identity) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "No account here is connected with this one yet. Log in with your password once, and connect it on the page \"Your account\". If you have no account here, make one first."
        ))
    }
    try enter(account, device, .loggedIn, command, in: world, &outcome)
  }

  private mutating func connect(
    _ account: UserAccount, _ identity: ProvenIdentity, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    if let other = self.account(of: identity), other.id != account.id {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Another account here is connected with this one already. Take it away there first, or choose another one."
        ))
    }
    accounts[account.id]?.openID = OpenIDConnection(
      issuer: identity.issuer, subject: identity.subject, name: identity.name,
      connected: world.now.utc)
    outcome.events.append(AccountNews(in: world).changed(account, .connected, by: command))
    outcome.reply = ["account": .string(account.id.rawValue)]
  }

  mutating func disconnectOpenID(_ id: AccountID) throws(CommandReply.Refusal) {
    guard try known(id).openID != nil else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("This account is connected with no other service."))
    }
    accounts[id]?.openID = nil
  }
}
