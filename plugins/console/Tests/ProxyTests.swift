import ConsoleRequests
import JSON
import Testing
import WebServer

@testable import homeward_plugin_console

@Suite struct ProxyTests {
  private static let token = String(repeating: "a", count: 43)

  private func incoming(
    from peer: String, isEncrypted: Bool = false, proxies: Set<String>,
    _ headers: [(String, String)]
  ) throws(Incoming.Fault) -> Incoming {
    let all = [("Host", "home.example.org")] + headers
    return try Incoming(
      method: "POST", target: "/api/v1/zone/put", body: [], address: peer,
      isEncrypted: isEncrypted, proxies: proxies
    ) { name in
      let found = all.filter { $0.0.lowercased() == name.lowercased() }
      return (found.last?.1, found.count)
    }
  }

  @Test(
    "Of those that forwarded the last one counts that is no proxy of the owner's",
    arguments: [
      ("10.0.0.2", "203.0.113.9", "203.0.113.9"), ("10.0.0.2", nil, "10.0.0.2"),
      ("10.0.0.2", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
      ("10.0.0.2", "203.0.113.9, 10.0.0.3", "203.0.113.9"),
      ("10.0.0.2", "10.0.0.3,10.0.0.2", "10.0.0.3"),
      ("10.0.0.2", "2001:DB8::1", "2001:db8::1"), ("10.0.0.2", "[2001:db8::1]", "2001:db8::1"),
      ("10.0.0.2", "::ffff:203.0.113.9", "203.0.113.9"), ("10.0.0.2", "unknown", "10.0.0.2"),
      ("10.0.0.2", "203.0.113.9, <script>", "10.0.0.2"), ("10.0.0.2", ",,", "10.0.0.2"),
      ("10.0.0.2", "203.0.113.9:4711", "10.0.0.2"),
      ("203.0.113.7", "127.0.0.1", "203.0.113.7"), ("203.0.113.7", "10.0.0.2", "203.0.113.7"),
    ] as [(String, String?, String)])
  func origin(peer: String, forwarded: String?, expected: String) throws {
    let headers = forwarded.map { [("X-Forwarded-For", $0)] } ?? []
    let read = try incoming(from: peer, proxies: ["10.0.0.2", "10.0.0.3"], headers)
    #expect(read.address == expected)
  }

  @Test(
    "That a proxy does TLS is believed of it and of nobody else, and decides about cookie and page")
  func scheme() throws {
    let gate = RequestGate(
      names: ["home.example.org"], isEncrypted: false, proxies: ["127.0.0.1"])
    let headers = [
      ("X-Forwarded-Proto", "https"), ("Origin", "https://home.example.org"),
      ("Content-Type", "application/json"), ("Cookie", "__Host-homeward=\(Self.token)"),
    ]
    let proxied = try incoming(from: "127.0.0.1", proxies: gate.proxies, headers)
    #expect(proxied.isEncrypted && proxied.token == Self.token)
    try gate.check(proxied, takes: ["POST"])
    let stranger = try incoming(from: "127.0.0.2", proxies: gate.proxies, headers)
    #expect(!stranger.isEncrypted && stranger.token == nil)
    #expect(throws: Incoming.Fault.self) { try gate.check(stranger, takes: ["POST"]) }
    // One that came twice is nobody's.
    let twice = try incoming(
      from: "127.0.0.1", proxies: gate.proxies,
      headers + [("X-Forwarded-Proto", "https"), ("X-Forwarded-For", "1.1.1.1")]
        + [("X-Forwarded-For", "2.2.2.2")])
    #expect(!twice.isEncrypted && twice.address == "127.0.0.1")
    // What came by TLS stays so, whatever is said of it.
    let plain = try incoming(
      from: "127.0.0.1", isEncrypted: true, proxies: gate.proxies, [("X-Forwarded-Proto", "http")])
    #expect(plain.isEncrypted)
  }

  @Test(
    "The port without TLS leads to the pages, hands out the authority, and nothing else",
    arguments: [
      ("GET", "/", "hub.local", 307, "https://hub.local:8474/"),
      ("HEAD", "/g/abc?x=1", "HUB.local:80", 307, "https://hub.local:8474/g/abc?x=1"),
      ("GET", "/alerts", "192.168.1.5", 307, "https://192.168.1.5:8474/alerts"),
      ("GET", "/", "[fd00::1]:80", 307, "https://[fd00::1]:8474/"),
      ("GET", "/", "evil.example", 400, nil), ("GET", "/", nil, 400, nil),
      ("POST", "/", "hub.local", 400, nil), ("GET", "//evil.example/", "hub.local", nil, nil),
      ("GET", "/\r\nSet-Cookie: a=b", "hub.local", 400, nil),
      ("GET", "http://x/", "hub.local", 400, nil),
      ("GET", "/authority.crt", "hub.local", 200, nil),
      ("GET", "/authority.crt", "evil.example", 400, nil),
    ] as [(String, String, String?, UInt32?, String?)])
  func redirect(
    method: String, target: String, host: String?, status: UInt32?, location: String?
  ) {
    let redirect = Redirect(
      gate: RequestGate(names: ["hub.local"], isEncrypted: true), port: 8474, authority: "PEM")
    let answer = redirect.answer(method, target, host: host)
    let found = answer.headers.first { $0.name == "Location" }?.value
    if let status { #expect(answer.status == status && found == location) }
    // Wherever it leads, it leads to this gateway.
    if let found { #expect(found.hasPrefix("https://") && !found.hasPrefix("https://evil")) }
    if let found, let host {
      #expect(
        Incoming.host(of: String(found.dropFirst(8).prefix { $0 != "/" }))
          == Incoming.host(of: host))
    }
    #expect(answer.headers.allSatisfy { !$0.value.contains("\n") && $0.name != "Set-Cookie" })
    #expect((answer.status == 200) == (String(decoding: answer.body, as: UTF8.self) == "PEM"))
  }

  @Test("What is wrong with the settings is said before anything is served")
  func settings() throws {
    #expect(throws: (any Error).self) { try ConsoleSettings(["redirectPort": 8480]) }
    let read = try ConsoleSettings(["proxies": ["::ffff:10.0.0.2", "FD00::1"]])
    #expect(read.proxies == ["10.0.0.2", "fd00::1"] && read.redirectPort == nil)
  }
}
