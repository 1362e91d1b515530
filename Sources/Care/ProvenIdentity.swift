public import Bytes
public import JSON

/// Who somebody is to an identity provider, which proved it just now.
///
/// Issuer and subject together name one person for good; everything else may be another's tomorrow.
///
/// - Source: OpenID Connect Core 1.0, section 5.7.
public struct ProvenIdentity: Hashable, Sendable {
  /// The provider's own address; at most 500 characters.
  public var issuer: String
  /// The person there; at most 255 characters.
  public var subject: String
  /// How the provider names them, for people to read; nil where it does not. It proves nothing.
  public var name: String?
  /// The account that is to be connected with it; nil where somebody logs in.
  public var connects: AccountID?

  /// An identity from its parts.
  public init(issuer: String, subject: String, name: String? = nil, connects: AccountID? = nil) {
    self.issuer = issuer
    self.subject = subject
    self.name = name
    self.connects = connects
  }
}

extension ProvenIdentity: JSONCodable {
  /// Reads `{issuer, subject, name?, connects?}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    issuer = try Self.text(reader, "issuer", 500)
    subject = try Self.text(reader, "subject", 255)
    name = try reader.optional("name") == nil ? nil : Self.text(reader, "name", 200)
    connects = try reader.optionalString("connects").map { AccountID($0) }
  }

  /// Something that names somebody, on one line.
  private static func text(
    _ reader: JSONReader, _ member: String, _ longest: Int
  ) throws(DecodeError) -> String {
    let text = try reader.string(member)
    guard (1...longest).contains(text.unicodeScalars.count),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw reader.error(.outOfRange, member) }
    return text
  }

  /// The identity as an object; what there is not is left out.
  public var json: JSONValue {
    .object([
      "issuer": .string(issuer), "subject": .string(subject), "name": name.map { .string($0) },
      "connects": connects.map { .string($0.rawValue) },
    ])
  }
}
