public import Bytes
public import JSON
public import Texts

/// How browsers come to trust the pages, best first.
public enum CertificateKind: String, CaseIterable, Sendable {
  /// A name of the owner's own, certified by an authority that every browser knows (ACME, DNS-01).
  case domain
  /// The gateway's name in the owner's tailnet, certified through Tailscale.
  case tailscale
  /// An authority of the home, made on the gateway, which people install on their devices once.
  case home
  /// Nobody vouches: each browser warns, and does without what needs trust.
  case selfSigned = "self-signed"

  /// What it is called, and who trusts it.
  public var words: Message {
    switch self {
    case .domain: Message("own domain, trusted by every browser")
    case .tailscale: Message("Tailscale, trusted by every browser")
    case .home: Message("authority of this home, trusted where it was installed")
    case .selfSigned: Message("signed by itself: browsers warn, and do not work offline or ring")
    }
  }
}

/// What was asked for, kept beside the certificate so that it can be renewed.
public struct CertificateOrder: Hashable, Sendable {
  /// How it is certified.
  public var kind: CertificateKind
  /// Names by which browsers find the pages, the first one in links.
  public var names: [String]
  /// Addresses that never change; nil for those that the gateway has when the certificate is made.
  public var addresses: [String]?
  /// How the own domain is proved; nil for other kinds.
  public var challenge: DNSChallenge?

  /// An order from its parts.
  public init(
    kind: CertificateKind, names: [String], addresses: [String]? = nil,
    challenge: DNSChallenge? = nil
  ) {
    self.kind = kind
    self.names = names
    self.addresses = addresses
    self.challenge = challenge
  }
}

/// How the owner's domain is proved: by a record in it (ACME, DNS-01).
public struct DNSChallenge: Hashable, Sendable {
  /// The provider as lego names it, such as `cloudflare`.
  public var provider: String
  /// A file with what the provider wants to know, lines of `NAME=VALUE`; nil where it wants nothing.
  public var credentialsFile: String?
  /// Where the authority writes before a certificate ends.
  public var email: String
  /// The authority's directory; nil for Let's Encrypt.
  public var server: String?
  /// The resolver that is asked whether the record is there, where what stands between says something else; nil for
  /// the servers of the domain.
  public var resolver: String?

  /// A challenge from its parts.
  public init(
    provider: String, credentialsFile: String?, email: String, server: String? = nil,
    resolver: String? = nil
  ) {
    self.provider = provider
    self.credentialsFile = credentialsFile
    self.email = email
    self.server = server
    self.resolver = resolver
  }
}

extension CertificateOrder {
  /// The order as it stands in its file; no secret is in it.
  public var json: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "names": .array(names.map { .string($0) }),
      "addresses": addresses.map { .array($0.map { .string($0) }) },
      "challenge": challenge.map { challenge in
        .object([
          "provider": .string(challenge.provider), "email": .string(challenge.email),
          "credentialsFile": challenge.credentialsFile.map { .string($0) },
          "server": challenge.server.map { .string($0) },
          "resolver": challenge.resolver.map { .string($0) },
        ])
      },
    ])
  }

  /// Reads an order.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    kind = try reader.word("kind", as: CertificateKind.self)
    names = try reader.strings("names")
    addresses = json["addresses"] == nil ? nil : try reader.strings("addresses")
    guard let challenge = json["challenge"] else { return }
    let inner = try JSONReader(challenge)
    self.challenge = DNSChallenge(
      provider: try inner.string("provider"),
      credentialsFile: try inner.optionalString("credentialsFile"),
      email: try inner.string("email"), server: try inner.optionalString("server"),
      resolver: try inner.optionalString("resolver"))
  }
}

extension CertificateOrder {
  /// What was asked for when the certificate in a file was made; nil for one that Homeward did not make.
  public static func behind(identityFile: String) -> CertificateOrder? {
    guard let folder = CertificateFolder(holding: identityFile),
      let bytes = try? folder.read(folder.orderFile)
    else { return nil }
    return try? CertificateOrder(json: JSONValue(parsing: bytes))
  }
}
