import Foundation
import Moments
import TestSupport
import Testing
import Texts

@testable import Certificates

/// A domain proved for real: lego speaks ACME with pebble, an authority for tests, which asks a server of names for the record.
@Suite struct ChallengeTests {
  private static let isInstalled = ["lego", "pebble", "pebble-challtestsrv", "curl"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  /// The authority and its server of names, and what lego puts records there with.
  private final class World {
    let directory: TemporaryDirectory
    let ports: [Int]
    private var children: [ChildProcess] = []

    init() throws {
      directory = try TemporaryDirectory()
      ports = try (0..<4).map { _ in try Self.freePort() }
      let other = CertificateMaker(
        folder: CertificateFolder(beside: directory.path(of: "server/x")),
        now: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000), group: nil
      ) { "/usr/bin/\($0)" }
      try FileManager.default.createDirectory(
        atPath: directory.path(of: "server"), withIntermediateDirectories: true)
      _ = try other.make(
        CertificateOrder(kind: .home, names: ["localhost"], addresses: ["127.0.0.1"]),
        replacesAuthority: true)
      let identity = other.folder.identityFile
      try directory.write(
        """
        {"pebble": {"listenAddress": "127.0.0.1:\(ports[0])", "managementListenAddress": "127.0.0.1:\(ports[1])",
         "certificate": "\(identity)", "privateKey": "\(identity)", "httpPort": 5002, "tlsPort": 5001,
         "certificateValidityPeriod": 7776000}}
        """, to: "pebble.json")
      let hook = try directory.write(
        """
        #!/bin/sh
        [ "$SECRET" = "of the provider" ] || exit 3
        [ "$1" = present ] && where=set-txt || where=clear-txt
        exec curl -sf -d "{\\"host\\":\\"$2\\",\\"value\\":\\"$3\\"}" http://127.0.0.1:\(ports[3])/$where
        """, to: "hook")
      chmod(hook, 0o755)
      let credentials = try directory.write(
        """
        SECRET=of the provider
        EXEC_PATH=\(hook)
        EXEC_POLLING_INTERVAL=1
        LEGO_CA_CERTIFICATES=\(other.folder.authorityFile)
        """, to: "credentials")
      chmod(credentials, 0o600)
      children = [
        try ChildProcess(
          "pebble-challtestsrv",
          [
            "-dns01", "127.0.0.1:\(ports[2])", "-http01", "", "-https01", "", "-tlsalpn01", "",
            "-management", "127.0.0.1:\(ports[3])",
          ], log: directory.path(of: "names.log")),
        try ChildProcess(
          "pebble",
          ["-config", directory.path(of: "pebble.json"), "-dnsserver", "127.0.0.1:\(ports[2])"],
          log: directory.path(of: "pebble.log"),
          environment: [
            "PATH": "/usr/bin:/bin", "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0",
          ]),
      ]
    }

    deinit { for child in children { child.kill() } }

    var isUp: Bool {
      let log = try? String(contentsOfFile: directory.path(of: "pebble.log"), encoding: .utf8)
      return log?.contains("ACME directory available") == true
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
  }

  @Test(
    "A domain is proved by a record in it, and certified; what the provider is told stays in its file",
    .enabled(if: isInstalled, "lego, pebble or curl is not installed"), .timeLimit(.minutes(2)))
  func domain() throws {
    let world = try World()
    try #require(Eventually.holds(withinSeconds: 30) { world.isUp })
    let folder = CertificateFolder(beside: world.directory.path(of: "homeward.yaml"))
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)
    func maker(later days: Int64 = 0) -> CertificateMaker {
      CertificateMaker(
        folder: folder, now: now.advanced(byMilliseconds: days * 86_400_000), group: nil
      ) { "/usr/bin/\($0)" }
    }
    var order = CertificateOrder(
      kind: .domain, names: ["home.example.org"],
      challenge: DNSChallenge(
        provider: "exec", credentialsFile: world.directory.path(of: "credentials"),
        email: "anna@example.org", server: "https://127.0.0.1:\(world.ports[0])/dir",
        resolver: "127.0.0.1:\(world.ports[2])"))
    let made = try maker().make(order, replacesAuthority: false)
    #expect(made.facts.names == ["home.example.org"] && made.facts.issuer.contains("Pebble"))
    let written = try String(contentsOfFile: folder.identityFile, encoding: .utf8)
    #expect(written.components(separatedBy: "BEGIN CERTIFICATE").count == 3, "with its authority")
    #expect(written.contains("PRIVATE KEY"))
    let kept = try String(contentsOfFile: folder.orderFile, encoding: .utf8)
    #expect(!kept.contains("of the provider") && getenv("SECRET") == nil)
    // A month before its end, and not before.
    #expect(try maker(later: 58).reason(toRenew: order) == nil)
    #expect(try maker(later: 61).reason(toRenew: order)?.text(in: .en) == "it ends soon")
    // An authority that cannot be reached leaves what there is.
    order.challenge?.server = "https://127.0.0.1:1/dir"
    #expect(throws: CertificateFault.self) { try maker().make(order, replacesAuthority: false) }
    #expect(try maker().facts() == made.facts)
  }
}
