import JSON
import Moments
import Testing
import Texts

@testable import Certificates

@Suite struct CertificateFactsTests {
  /// What certtool 3.7.9 prints, shortened where nothing is read.
  private static let printed = """
    X.509 Certificate Information:
    \tVersion: 3
    \tSerial Number (hex): 116209bc2add8437db44625f74c158ddf0a9f1d4
    \tIssuer: CN=Homeward (homeward.local) 2026-11-27
    \tValidity:
    \t\tNot Before: Thu Nov 26 00:00:00 UTC 2026
    \t\tNot After: Wed May 26 12:30:01 UTC 2027
    \tSubject: CN=homeward.local
    \tExtensions:
    \t\tBasic Constraints (critical):
    \t\t\tCertificate Authority (CA): FALSE
    \t\tName Constraints (critical):
    \t\t\tPermitted:
    \t\t\t\tIPAddress: 10.0.0.0/8
    \t\t\t\tDNSname: homeward.local
    \t\tSubject Alternative Name (not critical):
    \t\t\tDNSname: homeward.local
    \t\t\tDNSname: homeward
    \t\t\tIPAddress: 192.168.1.5
    \t\tKey Usage (critical):
    \t\t\tDigital signature.
    \tSignature Algorithm: ECDSA-SHA256
    Other Information:
    \tFingerprint:
    \t\tsha1:86f05daf6491208688c2c3f29b3980f2cfd9f570
    \t\tsha256:81f0a3789e7ccbfec9c0e2b6852d0bd9230455b07d6f93765985742940cdc4d6

    """

  @Test("Times, names and addresses are read, and what an authority may vouch for apart from them")
  func read() throws {
    let facts = try #require(CertificateFacts(printed: Self.printed))
    #expect(facts.begins.iso8601 == "2026-11-26T00:00:00.000Z")
    #expect(facts.ends.iso8601 == "2027-05-26T12:30:01.000Z")
    #expect(facts.names == ["homeward.local", "homeward"] && facts.addresses == ["192.168.1.5"])
    #expect(facts.permittedNames == ["homeward.local"])
    #expect(facts.issuer == "CN=Homeward (homeward.local) 2026-11-27")
    #expect(facts.fingerprint.hasPrefix("81f0a378"))
    #expect(facts.permits("homeward.local") && facts.permits("a.homeward.local"))
    #expect(!facts.permits("nothomeward.local") && !facts.permits("local"))
  }

  @Test("What breaks off anywhere is nothing, or has the times that stood there")
  func prefixes() {
    for end in Self.printed.indices {
      guard let facts = CertificateFacts(printed: String(Self.printed[..<end])) else { continue }
      #expect(facts.begins.iso8601.hasPrefix("2026-11-26"))
    }
    for (old, new) in [
      ("May", "Mai"), ("UTC 2027", "CET 2027"), ("12:30:01", "12:30"), ("26 12", "x 12"),
    ] {
      let parts = Self.printed.split(separator: old, omittingEmptySubsequences: false)
      #expect(CertificateFacts(printed: parts.joined(separator: new)) == nil, "\(new)")
    }
  }

  @Test(
    "It is renewed when a third of its time is left, and while it does not count yet",
    arguments: [
      ("2026-11-25T23:59:59Z", true), ("2026-11-26T00:00:00Z", false),
      ("2027-03-26T00:00:00Z", false), ("2027-03-28T00:00:00Z", true),
      ("2027-05-27T00:00:00Z", true), ("2040-01-01T00:00:00Z", true),
    ])
  func due(now: String, expected: Bool) throws {
    let facts = try #require(CertificateFacts(printed: Self.printed))
    #expect(try facts.isDue(at: Timestamp(iso8601: now)) == expected)
  }

  @Test("An order is written and read")
  func order() throws {
    let orders = [
      CertificateOrder(kind: .home, names: ["homeward.local"]),
      CertificateOrder(kind: .selfSigned, names: ["h"], addresses: ["10.0.0.1"]),
      CertificateOrder(
        kind: .domain, names: ["home.example.org"],
        challenge: DNSChallenge(
          provider: "cloudflare", credentialsFile: "/x", email: "anna@example.org",
          server: "https://a",
          resolver: "1.1.1.1:53")),
    ]
    for order in orders { #expect(try CertificateOrder(json: order.json) == order) }
    #expect(throws: (any Error).self) {
      try CertificateOrder(json: ["kind": "paper", "names": []])
    }
  }

  @Test("Tailscale gives names only while it is up and its owner has switched HTTPS on")
  func tailscale() throws {
    let up: JSONValue = [
      "BackendState": "Running", "Self": ["DNSName": "hub.tail1.ts.net."],
      "CertDomains": ["hub.tail1.ts.net", "bad name"],
    ]
    #expect(TailscaleStatus(json: up).names == ["hub.tail1.ts.net"])
    #expect(TailscaleStatus(json: up.setting("BackendState", to: "Stopped")).names.isEmpty)
    #expect(TailscaleStatus(json: up.setting("CertDomains", to: .null)).names.isEmpty)
    #expect(TailscaleStatus(json: .null) == TailscaleStatus(json: ["CertDomains": 1]))
  }

  @Test("Credentials are lines of NAME=VALUE, and a fault never says what stands in one")
  func credentials() throws {
    let read = try DNSCredentials.parse("# mine\n\nA_1=x=y \nB=\n", "/c")
    #expect(read.map(\.name) == ["A_1", "B"] && read.map(\.value) == ["x=y ", ""])
    for text in ["A", "a=secret", "=secret", "export A=secret", "1A=secret", "A B=secret"] {
      let fault = #expect(throws: CertificateFault.self) { try DNSCredentials.parse(text, "/c") }
      let words = fault?.reason.text(in: .en) ?? ""
      #expect(words.contains("line 1 of /c") && !words.contains("secret"), "\(words)")
    }
  }

  @Test(
    "Names that may stand in a certificate",
    arguments: [
      ("homeward.local", true), ("home.example.org", true), ("h", true),
      ("xn--fiq228c.local", true),
      ("", false), ("Homeward", false), ("a..b", false), ("-a.b", false), ("a_b", false),
      ("a\"b", false), ("*.a", false), ("家.local", false), ("192.168.1.1", false),
      (String(repeating: "a", count: 64), false), ("a\n", false),
    ])
  func names(text: String, expected: Bool) {
    #expect(HomeNetwork.isName(text) == expected)
  }

  @Test("Addresses of a home are told from those of the internet")
  func addresses() {
    for address in ["10.1.2.3", "172.31.0.1", "192.168.178.2", "100.64.0.9", "fd00::1"] {
      #expect(HomeNetwork.isOfAHome(address), "\(address)")
    }
    for address in ["8.8.8.8", "172.32.0.1", "127.0.0.1", "2a00::1", "fe80::1", "x", ""] {
      #expect(!HomeNetwork.isOfAHome(address), "\(address)")
    }
    #expect(HomeNetwork.address("FD00:0::1") == "fd00::1" && HomeNetwork.address("1.2.3") == nil)
    #expect(HomeNetwork.addresses.allSatisfy { HomeNetwork.isOfAHome($0) })
  }
}
