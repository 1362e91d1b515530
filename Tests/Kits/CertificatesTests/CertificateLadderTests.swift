import Foundation
import FoundationXML
import JSON
import Testing
import Texts

@testable import Certificates

@Suite struct CertificateLadderTests {
  private static let challenge = DNSChallenge(
    provider: "exec", credentialsFile: nil, email: "anna@example.org")

  /// `domain+`, where it is tried; `domain-` where it is not.
  private func words(_ ladder: CertificateLadder) -> String {
    ladder.rungs.map { rung in
      switch rung {
      case .attempt(let order): "\(order.kind.rawValue)+\(order.names.joined(separator: ","))"
      case .skipped(let kind, _): "\(kind.rawValue)-"
      }
    }.joined(separator: " ")
  }

  @Test(
    "The best comes first, and what lacks is passed over",
    arguments: [
      (nil, false, nil, "domain- tailscale- home+h.local,h self-signed+h.local,h"),
      (nil, true, nil, "domain+home.example.org tailscale- home+h.local,h self-signed+h.local,h"),
      (nil, false, true, "domain- tailscale+h.t.ts.net home+h.local,h self-signed+h.local,h"),
      (nil, false, false, "domain- tailscale- home+h.local,h self-signed+h.local,h"),
      (.home, true, true, "home+h.local,h"), (.domain, false, true, "domain-"),
      (.tailscale, false, nil, "tailscale-"), (.selfSigned, true, true, "self-signed+h.local,h"),
    ] as [(CertificateKind?, Bool, Bool?, String)])
  func order(wanted: CertificateKind?, domain: Bool, tailscale: Bool?, expected: String) {
    var ladder = CertificateLadder(
      wanted: wanted,
      tailscale: tailscale.map { isUp in
        TailscaleStatus(
          json: ["BackendState": isUp ? "Running" : "Stopped", "CertDomains": ["h.t.ts.net"]])
      }, localNames: ["h.local", "h"])
    if domain { ladder.domain = ("home.example.org", Self.challenge) }
    #expect(words(ladder) == expected)
  }

  @Test("Without a name of its own a computer has no certificate of the home")
  func nameless() {
    #expect(words(CertificateLadder(localNames: [])) == "domain- tailscale- home- self-signed-")
  }

  @Test("What lego is told")
  func lego() {
    var challenge = Self.challenge
    let usual = [
      "--path", "/p", "--accept-tos", "--email", "anna@example.org", "--dns", "exec", "--domains",
      "a.example.org", "run",
    ]
    #expect(challenge.arguments(for: ["a.example.org"], keptIn: "/p") == usual)
    (challenge.server, challenge.resolver) = ("https://ca/dir", "1.1.1.1:53")
    #expect(
      challenge.arguments(for: ["a.example.org"], keptIn: "/p")[7...].prefix(5)
        == ["--server", "https://ca/dir", "--dns.resolvers", "1.1.1.1:53", "--dns.disable-cp"])
  }
}

@Suite struct LocalNameTests {
  @Test("What Avahi reads is XML with the type and the port of the pages")
  func service() throws {
    let text = LocalName.service(port: 8474)
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(parser.parserError.debugDescription)")
    #expect(text.contains("<type>_https._tcp</type>") && text.contains("<port>8474</port>"))
  }
}
