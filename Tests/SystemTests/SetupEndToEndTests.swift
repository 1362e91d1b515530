import Foundation
import JSON
import TestSupport
import Testing

/// Set-up as an owner runs it: the real command line, daemon, pages and certtool; curl and OpenSSL look from outside.
@Suite struct SetupEndToEndTests {
  private static let password = "seven red boats"

  /// A gateway whose plugins are installed and not switched on.
  private final class House {
    let gateway: RunningGateway
    let port: Int
    var path: String { gateway.directory.path(of: "homeward.yaml") }

    init() throws {
      gateway = try RunningGateway(
        broker: nil, extra: "sound: {enabled: false}\n# the owner's words")
      port = try Self.freePort()
      let folder = gateway.directory.path(of: "plugins/console")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (from, to) in [
        (Checkout.path("plugins/console/plugin.json"), "plugin.json"),
        (Checkout.path("plugins/console/web"), "web"),
        (try BuiltProducts.path(of: "homeward-plugin-console"), "homeward-plugin-console"),
      ] {
        try FileManager.default.copyItem(atPath: from, toPath: "\(folder)/\(to)")
      }
    }

    deinit { gateway.kill() }

    /// Installs the plugin by which alarms appear while no page is open.
    func installPush() throws {
      let folder = gateway.directory.path(of: "plugins/webpush")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in [
        "plugin.json", "webpush.py", "messages.py", "texts.py", "web.py", "pluginkit.py",
      ] {
        // Some are links into the kit.
        let file = URL(fileURLWithPath: Checkout.path("plugins/webpush/\(name)"))
        try FileManager.default.copyItem(
          atPath: file.resolvingSymlinksInPath().path, toPath: "\(folder)/\(name)")
      }
    }

    private static func freePort() throws -> Int {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      try #require(isBound)
      return Int(UInt16(bigEndian: name.sin_port))
    }

    func homeward(_ words: [String]) throws -> (code: Int32, said: String) {
      let directory = try TemporaryDirectory()
      let program = try BuiltProducts.path(of: "homeward")
      let child = try ChildProcess(
        program, words + ["--config", path], log: directory.path(of: "log"))
      let code = child.wait()
      return (code, child.log)
    }

    /// Everything that set-up writes.
    func written() throws -> [String: Data] {
      let files = [
        "homeward.yaml", "tls/pages.pem", "tls/authority.pem", "tls/certificate.json",
        "authority/key.pem",
      ]
      return Dictionary(
        uniqueKeysWithValues: try files.map {
          ($0, try Data(contentsOf: URL(fileURLWithPath: gateway.directory.path(of: $0))))
        })
    }

    /// The status, or how curl ended, for a page by its name, by those who trust an authority.
    func curl(_ target: String, trusting authority: String?, _ more: [String] = []) throws -> String
    {
      let directory = try TemporaryDirectory()
      let trust = authority.map { ["--cacert", gateway.directory.path(of: $0)] } ?? []
      let child = try ChildProcess(
        "curl",
        [
          "-sS", "-o", directory.path(of: "body"), "-w", "%{http_code}", "--max-time", "20",
          "--resolve", "hub.local:\(port):127.0.0.1", "https://\(target)",
        ] + trust + more, log: directory.path(of: "log"))
      let code = child.wait()
      return code == 0 ? child.log : "curl \(code)"
    }

    /// The certificate that is served now, as OpenSSL reads it.
    func served() throws -> String {
      let directory = try TemporaryDirectory()
      let child = try ChildProcess(
        "sh",
        [
          "-c",
          "openssl s_client -connect 127.0.0.1:\(port) -servername hub.local </dev/null 2>/dev/null"
            + " | openssl x509 -noout -serial -enddate",
        ], log: directory.path(of: "log"))
      _ = child.wait()
      return child.log
    }
  }

  @Test(
    "Set up once, pages are trusted by who installed the home's authority; again, nothing changes; what ends soon is renewed",
    .timeLimit(.minutes(3)))
  func life() throws {
    let house = try House()
    try house.installPush()
    try house.gateway.start()
    let isUp = Eventually.holds(withinSeconds: 30) {
      FileManager.default.fileExists(atPath: house.gateway.socketPath)
    }
    try #require(isUp, "\(house.gateway.log)")
    let secret = try house.gateway.directory.write(Self.password + "\n", to: "password")
    let first = try house.homeward([
      "setup", "--yes", "--name", "Mary", "--guardian", "Anna", "--guardian-email",
      "anna@example.org", "--caregiver", "Anna", "--caregiver-email", "anna@example.org",
      "--caregiver-password-file", secret, "--pages", "yes", "--certificate", "home", "--host",
      "hub.local", "--address", "127.0.0.1", "--port", "\(house.port)",
    ])
    #expect(first.code == 0, "\(first.said)")
    #expect(first.said.contains("https://hub.local:\(house.port)"), "\(first.said)")
    #expect(first.said.contains("push services are told anna@example.org"), "\(first.said)")
    #expect(first.said.contains("https://hub.local:\(house.port)/trust"), "\(first.said)")
    let text = try String(contentsOfFile: house.path, encoding: .utf8)
    #expect(text.contains("- name: webpush") && text.contains("contact: \"anna@example.org\""))
    #expect(text.contains("# the owner's words") && !text.contains(Self.password))
    let written = try house.written()
    let again = try house.homeward([
      "setup", "--yes", "--name", "Mary", "--pages", "yes", "--caregiver", "Anna",
      "--caregiver-email", "ANNA@example.org",
    ])
    #expect(again.code == 0 && again.said.contains("Nothing changes"), "\(again.said)")
    #expect(again.said.contains("https://hub.local:\(house.port)"), "\(again.said)")
    #expect(try house.written() == written)
    // A debug build's libraries lie elsewhere.
    let open = text.replacingOccurrences(
      of: "readPaths: [", with: "readPaths: [\(SwiftRuntime.directory), ")
    try open.write(toFile: house.path, atomically: true, encoding: .utf8)
    house.gateway.stop()
    try house.gateway.start()
    let page = "hub.local:\(house.port)/log-in"
    let isServed = try Eventually.holds(withinSeconds: 30) {
      try house.curl(page, trusting: "tls/authority.pem") == "200"
    }
    try #require(isServed, "\(house.gateway.log)")
    let trust = "hub.local:\(house.port)/trust"
    #expect(try house.curl(trust, trusting: "tls/authority.pem") == "200")
    // Who did not install it is warned; who did is, for another gateway's name.
    #expect(try house.curl(page, trusting: nil) == "curl 60")
    #expect(try house.curl("127.0.0.1:\(house.port)/", trusting: "tls/authority.pem") == "303")
    #expect(try house.curl("localhost:\(house.port)/", trusting: "tls/authority.pem") == "curl 60")
    let body = #"{"email": "anna@example.org", "password": "\#(Self.password)", "label": "x"}"#
    #expect(
      try house.curl(
        "hub.local:\(house.port)/api/v1/account/log-in", trusting: "tls/authority.pem",
        ["-H", "Content-Type: application/json", "-d", body]) == "200")
    try renewal(house)
  }

  /// A certificate of ten days is taken over, then renewed by the command that the timer runs, and that one taken over.
  private func renewal(_ house: House) throws {
    let directory = house.gateway.directory
    let template = try directory.write(
      "cn = hub.local\ndns_name = hub.local\nip_address = 127.0.0.1\nexpiration_days = 10\n"
        + "tls_www_server\nsigning_key\n", to: "template")
    let key = directory.path(of: "authority/key.pem")
    let pages = directory.path(of: "tls/pages.pem")
    let made = try ChildProcess(
      "sh",
      [
        "-ec",
        """
        certtool --generate-privkey --key-type ecdsa --curve secp256r1 --no-text --outfile '\(pages).key'
        certtool --generate-certificate --load-privkey '\(pages).key' --load-ca-certificate '\(key)' \
          --load-ca-privkey '\(key)' --template '\(template)' --no-text --outfile '\(pages).new'
        cat '\(pages).key' >>'\(pages).new'
        mv '\(pages).new' '\(pages)'
        """,
      ], log: directory.path(of: "certtool.log"))
    #expect(made.wait() == 0, "\(made.log)")
    func serves(other than: String) throws -> Bool {
      try Eventually.holds(withinSeconds: 30) {
        let served = try house.served()
        return served.contains("notAfter") && served != than
      }
    }
    let before = try house.served()
    #expect(try serves(other: ""))
    let renewed = try house.homeward(["certificate", "renew", "--json"])
    #expect(renewed.code == 0 && renewed.said.contains("\"renewed\":true"), "\(renewed.said)")
    #expect(try serves(other: before), "\(house.gateway.log)")
    let kept = try house.homeward(["certificate", "renew", "--json"])
    #expect(kept.said.contains("\"renewed\":false"), "\(kept.said)")
    #expect(
      try Eventually.holds(withinSeconds: 30) {
        try house.curl("hub.local:\(house.port)/log-in", trusting: "tls/authority.pem") == "200"
      })
    // The daemon and its alarms never noticed.
    #expect(house.gateway.process?.isRunning == true)
  }
}
