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
  mutating func finishOpenID(
    _ device: AccountRequest.Device, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let identity = try step.command.provenIdentity()
    if let id = identity.connects {
      let account = try accounts.known(id)
      try accounts.connect(account, with: identity, at: step.now.utc)
      step.tell(account, .connected)
      step.reply(["account": .string(account.id.rawValue)])
      return
    }
    try enter(try accounts.entering(as: identity), device, .loggedIn, &step)
  }
}
