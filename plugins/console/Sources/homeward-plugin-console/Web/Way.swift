import Care
import Certificates
import ConsoleRequests

/// By which way a browser came to the pages, and what they know of the trust in them.
struct Way: Hashable, Sendable {
  /// The name or address that the browser asked for, as in an address, without its port.
  var host = "localhost"
  /// The same with its port, as it came.
  var authority = "localhost"
  /// Whether the browser talks by TLS.
  var isEncrypted = false
  /// Whether it came through a reverse proxy of the owner's, whose certificate the browser sees then.
  var isForwarded = false
  /// What the browser says of itself.
  var userAgent = ""
  /// What the gateway's own certificate is.
  var trust = PageTrust()
  /// Who may make an account.
  var signUp = SignUp.anybody
  /// Where the makers are told what should be better; nil where the owner set nothing.
  var feedback: String?
}

/// How browsers come to trust the pages.
struct PageTrust: Hashable, Sendable {
  /// The certificate of the home's own authority, as PEM; nil where there is none.
  var authority: String?
  /// How the certificate of the pages was made; nil where Homeward did not make it, and where there is none.
  var kind: CertificateKind?
}

extension Way {
  /// What kind of name leads here.
  enum Road: Hashable, Sendable {
    case proxy, tailscale, address, thisMachine, home, domain
  }

  /// The way of a request.
  init(
    _ incoming: Incoming, trust: PageTrust = PageTrust(), signUp: SignUp = .anybody,
    feedback: String? = nil
  ) {
    self.init(
      host: incoming.host, authority: incoming.authority, isEncrypted: incoming.isEncrypted,
      isForwarded: incoming.isForwarded, userAgent: incoming.userAgent, trust: trust,
      signUp: signUp, feedback: feedback)
  }

  /// Where another device finds the pages by the same way; nil where that leads no further than this machine.
  var address: String? {
    road == .thisMachine ? nil : "\(isEncrypted ? "https" : "http")://\(authority)"
  }

  /// How far what was asked for leads.
  var road: Road {
    if isForwarded { return .proxy }
    if host.hasSuffix(".ts.net") || isOfTailscale { return .tailscale }
    if host == "localhost" || host == "[::1]" || host.hasPrefix("127.") { return .thisMachine }
    if Incoming.isAddress(host) { return .address }
    return host.contains(".") && !host.hasSuffix(".local") ? .domain : .home
  }

  /// Whether the host is an address that Tailscale gives (100.64.0.0/10).
  private var isOfTailscale: Bool {
    guard Incoming.isAddress(host) else { return false }
    let parts = host.split(separator: ".").compactMap { UInt8($0) }
    return parts.count == 4 && parts[0] == 100 && parts[1] & 0xC0 == 0x40
  }
}
