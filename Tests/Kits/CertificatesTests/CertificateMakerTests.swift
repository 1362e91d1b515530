import Foundation
import Moments
import TestSupport
import Testing
import Texts

@testable import Certificates

/// Real certificates by the real certtool; OpenSSL, which has nothing to do with it, judges them.
@Suite struct CertificateMakerTests {
  private static let now = Timestamp(
    milliseconds: Int64(Date().timeIntervalSince1970) * 1000)

  private static func program(_ name: String) -> String? {
    let path = "/usr/bin/\(name)"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  private func maker(
    _ directory: TemporaryDirectory, now: Timestamp = CertificateMakerTests.now,
    find: @escaping @Sendable (String) -> String? = { CertificateMakerTests.program($0) }
  ) -> CertificateMaker {
    CertificateMaker(
      folder: CertificateFolder(beside: directory.path(of: "homeward.yaml")), now: now, group: nil,
      find: find)
  }

  private static func home(
    _ names: [String] = ["homeward.local", "homeward"], _ addresses: [String] = ["192.168.1.5"]
  ) -> CertificateOrder { CertificateOrder(kind: .home, names: names, addresses: addresses) }

  /// What OpenSSL thinks of a certificate for a name or an address; nil where it agrees.
  private func judge(
    _ file: String, trusting authority: String, _ option: String, _ name: String
  ) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = [
      "verify", "-x509_strict", "-purpose", "sslserver", "-no-CApath", "-CAfile", authority, option,
      name, file,
    ]
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : said
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.posixPermissions] as? Int ?? 0
  }

  @Test("A home's authority vouches for the home, and cannot for anything else")
  func home() throws {
    let directory = try TemporaryDirectory()
    let maker = maker(directory)
    let made = try maker.make(Self.home(), replacesAuthority: true)
    let folder = maker.folder
    #expect(made.isNewAuthority && made.facts.names == ["homeward.local", "homeward"])
    let days = made.facts.ends.milliseconds(since: made.facts.begins) / 86_400_000
    #expect((1...397).contains(days), "\(days)")
    for (option, name) in [
      ("-verify_hostname", "homeward.local"), ("-verify_hostname", "homeward"),
      ("-verify_ip", "192.168.1.5"),
    ] {
      let said = try judge(folder.identityFile, trusting: folder.authorityFile, option, name)
      #expect(said == nil, "\(said ?? "")")
    }
    #expect(
      try judge(
        folder.identityFile, trusting: folder.authorityFile, "-verify_hostname", "bank.example.org")?
        .contains("hostname mismatch") == true)
    // The key is root's alone, that of the pages the group's, and what is handed out has none.
    #expect(try mode(folder.authorityKey) == 0o600 && mode(folder.authority) == 0o700)
    #expect(try mode(folder.identityFile) == 0o640 && mode(folder.pages) == 0o750)
    let shown = try String(contentsOfFile: folder.authorityFile, encoding: .utf8)
    #expect(shown.hasPrefix("-----BEGIN CERTIFICATE") && !shown.contains("PRIVATE"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.authority)/work"))
    // Whoever stole the key could not be a bank.
    for (names, addresses) in [(["bank.example.org"], []), (["homeward.local"], ["8.8.8.8"])] {
      let work = try Workbench(folder: folder, certtool: "/usr/bin/certtool")
      let forged = try work.leaf(
        CertificateTemplate.leaf(names: names, addresses: addresses, now: Self.now), isSigned: true)
      work.clear()
      let file = directory.path(of: "forged.pem")
      try Data(forged).write(to: URL(fileURLWithPath: file))
      let said = try judge(
        file, trusting: folder.authorityFile, "-verify_hostname", names[0])
      #expect(said?.contains("permitted subtree violation") == true, "\(said ?? "it agrees")")
    }
  }

  @Test("A renewal is signed by the same authority; one for another name asks for a new one")
  func renewal() throws {
    let directory = try TemporaryDirectory()
    let first = maker(directory)
    let order = Self.home()
    #expect(try first.reason(toRenew: order)?.text(in: .en) == "there is none yet")
    let made = try first.make(order, replacesAuthority: true)
    let authority = try #require(try first.authority())
    let text = try String(contentsOfFile: first.folder.authorityFile, encoding: .utf8)
    #expect(
      CertificateFingerprint(pem: text) == CertificateFingerprint(digest: authority.fingerprint))
    #expect(try first.reason(toRenew: order) == nil && first.order() == order)
    #expect(CertificateOrder.behind(identityFile: first.folder.identityFile) == order)
    #expect(CertificateOrder.behind(identityFile: first.folder.authorityFile) == nil)
    let moved = Self.home(["homeward.local"], ["192.168.1.9"])
    #expect(try first.reason(toRenew: moved)?.text(in: .en).contains("192.168.1.9") == true)
    // Three months later.
    let later = maker(directory, now: Self.now.advanced(byMilliseconds: 125 * 86_400_000))
    #expect(try later.reason(toRenew: order)?.text(in: .en) == "it ends soon")
    let renewed = try later.make(order, replacesAuthority: false)
    #expect(!renewed.isNewAuthority && made.facts.ends < renewed.facts.ends)
    #expect(try later.authority() == authority && later.reason(toRenew: order) == nil)
    let foreign = Self.home(["hub.local"])
    #expect(throws: CertificateFault.self) { try later.make(foreign, replacesAuthority: false) }
    #expect(try later.facts() == renewed.facts, "what was there stays")
    #expect(try later.make(foreign, replacesAuthority: true).isNewAuthority)
    #expect(try later.authority()?.permittedNames == ["hub.local"])
    // A certificate never lives longer than who vouches for it.
    let old = maker(directory, now: Self.now.advanced(byMilliseconds: 3700 * 86_400_000))
    #expect(throws: CertificateFault.self) { try old.make(foreign, replacesAuthority: false) }
  }

  @Test("One that signs itself is trusted by nobody who was not told")
  func selfSigned() throws {
    let directory = try TemporaryDirectory()
    let maker = maker(directory)
    let order = CertificateOrder(kind: .selfSigned, names: ["homeward.local"])
    let made = try maker.make(order, replacesAuthority: false)
    #expect(made.facts.names == ["homeward.local"])
    #expect(try maker.authority() == nil)
    let elsewhere = try TemporaryDirectory()
    let other = self.maker(elsewhere)
    _ = try other.make(Self.home(), replacesAuthority: true)
    let said = try judge(
      maker.folder.identityFile, trusting: other.folder.authorityFile, "-verify_hostname",
      "homeward.local")
    #expect(said?.contains("self-signed certificate") == true, "\(said ?? "it agrees")")
  }

  @Test("What is missing is said, with what to do, and nothing is left behind")
  func missing() throws {
    let directory = try TemporaryDirectory()
    func fault(_ maker: CertificateMaker, _ order: CertificateOrder) -> String {
      let fault = #expect(throws: CertificateFault.self) {
        try maker.make(order, replacesAuthority: true)
      }
      return "\(fault?.reason.text(in: .en) ?? "") \(fault?.advice?.text(in: .en) ?? "")"
    }
    let challenge = DNSChallenge(
      provider: "exec", credentialsFile: directory.path(of: "no"), email: "anna@example.org")
    let domain = CertificateOrder(
      kind: .domain, names: ["home.example.org"], challenge: challenge)
    let bare = maker(directory) { _ in nil }
    #expect(fault(bare, Self.home()).contains("sudo apt install gnutls-bin"))
    let onlyTool = maker(directory) { $0 == "certtool" ? "/usr/bin/certtool" : nil }
    #expect(fault(onlyTool, domain).contains("sudo apt install lego"))
    let tailscale = CertificateOrder(kind: .tailscale, names: ["hub.tail1.ts.net"])
    #expect(fault(onlyTool, tailscale).contains("tailscale is not installed"))
    let early = maker(directory, now: .seconds(0))
    #expect(fault(early, Self.home()).contains("the clock is not set: it says 1970-01-01"))
    let withLego = maker(directory) { $0 == "lego" ? "/bin/true" : Self.program($0) }
    #expect(fault(withLego, domain).contains("No such file"))
    let open = try directory.write("A=secret\n", to: "open")
    chmod(open, 0o644)
    var opened = domain
    opened.challenge?.credentialsFile = open
    #expect(fault(withLego, opened).contains("chmod 600"))
    chmod(open, 0o600)
    #expect(fault(withLego, opened).contains("no certificate came"))
    #expect(!FileManager.default.fileExists(atPath: maker(directory).folder.identityFile))
    // A file where the folder should be.
    let other = try TemporaryDirectory()
    try other.write("", to: "tls")
    #expect(fault(maker(other), Self.home()).contains("Not a directory"))
  }

  @Test("A program that fails is quoted, and a broken order is told")
  func broken() throws {
    let directory = try TemporaryDirectory()
    let script = try directory.write(
      "#!/bin/sh\necho 'no such tailnet' >&2\nexit 3\n", to: "tailscale")
    chmod(script, 0o755)
    let maker = maker(directory) { $0 == "tailscale" ? script : Self.program($0) }
    let order = CertificateOrder(kind: .tailscale, names: ["hub.tail1.ts.net"])
    let fault = #expect(throws: CertificateFault.self) {
      try maker.make(order, replacesAuthority: false)
    }
    #expect(fault?.reason.text(in: .en) == "tailscale says: no such tailnet")
    #expect(maker.tailscale() == nil && maker.tailscale() == nil)
    try maker.folder.write(Array("{".utf8), to: maker.folder.orderFile, mode: 0o644)
    #expect(throws: CertificateFault.self) { try maker.order() }
  }
}
