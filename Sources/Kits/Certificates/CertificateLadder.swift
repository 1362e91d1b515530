public import Texts

/// Which certificates are tried, best first.
public struct CertificateLadder: Hashable, Sendable {
  /// One of them.
  public enum Rung: Hashable, Sendable {
    /// It is tried.
    case attempt(CertificateOrder)
    /// It is not, because of this.
    case skipped(CertificateKind, Message)
  }

  /// The one that is wanted; nil for the best that can be had.
  public var wanted: CertificateKind?
  /// The owner's domain, and how it is proved; nil where there is none.
  public var domain: (name: String, challenge: DNSChallenge)? {
    get { name.flatMap { name in challenge.map { (name, $0) } } }
    set { (name, challenge) = (newValue?.name, newValue?.challenge) }
  }
  private var name: String?
  private var challenge: DNSChallenge?
  /// How Tailscale stands; nil where it is not installed.
  public var tailscale: TailscaleStatus?
  /// The names that the gateway has at home.
  public var localNames: [String]
  /// Addresses that never change; nil for those that it has.
  public var addresses: [String]?

  /// A ladder for a gateway with these names.
  public init(
    wanted: CertificateKind? = nil, tailscale: TailscaleStatus? = nil, localNames: [String],
    addresses: [String]? = nil
  ) {
    self.wanted = wanted
    self.tailscale = tailscale
    self.localNames = localNames
    self.addresses = addresses
  }

  /// The rungs in the order in which they are tried; the first that holds is it.
  public var rungs: [Rung] {
    let kinds = wanted.map { [$0] } ?? CertificateKind.allCases
    return kinds.map(rung)
  }

  private func rung(_ kind: CertificateKind) -> Rung {
    switch kind {
    case .domain:
      guard let domain else { return .skipped(kind, Message("no domain was named")) }
      return .attempt(
        CertificateOrder(kind: kind, names: [domain.name], challenge: domain.challenge))
    case .tailscale:
      guard let tailscale else { return .skipped(kind, Message("Tailscale is not installed")) }
      guard tailscale.isRunning else { return .skipped(kind, Message("Tailscale is not up")) }
      guard let name = tailscale.names.first else {
        return .skipped(kind, Message("HTTPS is not switched on for this tailnet"))
      }
      return .attempt(CertificateOrder(kind: kind, names: [name]))
    case .home, .selfSigned:
      guard !localNames.isEmpty else {
        return .skipped(kind, Message("this computer has no name"))
      }
      return .attempt(CertificateOrder(kind: kind, names: localNames, addresses: addresses))
    }
  }
}
