import Care
import ConsoleRequests
import Foundation
import JSON
import Moments
import Testing
import Texts

@testable import Certificates
@testable import homeward_plugin_console

@Suite struct ReachPageTests {
  private static let authority = """
    -----BEGIN CERTIFICATE-----
    YWJj
    -----END CERTIFICATE-----
    """
  private static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1"

  private func visit(
    _ way: Way = Way(), role: JSONValue? = nil, in language: Language = .en
  ) -> Visit {
    var visit = Visit(
      visitor: Visitor(address: "", language: language), path: [], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000), way: way)
    if let role {
      visit.answers.add(.success(["id": "anna", "role": role]), as: "account.show")
      visit.answers.add(.success([["id": "mary", "name": "Mary Miller"]]), as: "residents.list")
    }
    return visit
  }

  private func text(_ path: String, _ visit: Visit) throws -> String {
    let page = try #require(Page.at([path]))
    return page.content(visit).main.source
  }

  @Test("The pages say who may make an account, and ask for an invitation where one is needed")
  func whoMaySignUp() throws {
    let anybody = visit(Way())
    #expect(try text("log-in", anybody).contains("I have no account yet"))
    #expect(try !text("sign-up", anybody).contains("name=\"code\""))
    var invited = visit(Way(signUp: .invited))
    invited.fields = ["code": "ABcd\"2345"]
    #expect(try text("log-in", invited).contains("I have an invitation"))
    #expect(try text("sign-up", invited).contains("name=\"code\""))
    #expect(try text("sign-up", invited).contains("value=\"ABcd&quot;2345\""))
    let nobody = visit(Way(signUp: .nobody))
    for path in ["log-in", "sign-up"] {
      let page = try text(path, nobody)
      #expect(page.contains("Whoever keeps the gateway makes one for you."))
      #expect(!page.contains("account.sign-up") && !page.contains("/sign-up"))
    }
  }

  @Test(
    "What leads to the pages is known by what was asked for",
    arguments: [
      ("homeward.local", .home), ("homeward", .home), ("hub.tail1.ts.net", .tailscale),
      ("100.64.0.1", .tailscale), ("100.127.255.254", .tailscale), ("100.128.0.1", .address),
      ("100.63.0.1", .address), ("192.168.1.5", .address), ("[fd00::5]", .address),
      ("100.64.example.org", .domain), ("home.example.org", .domain), ("localhost", .thisMachine),
      ("127.0.0.1", .thisMachine), ("[::1]", .thisMachine),
    ] as [(String, Way.Road)])
  func roads(host: String, expected: Way.Road) {
    #expect(Way(host: host).road == expected)
    #expect(Way(host: host, isForwarded: true).road == .proxy)
  }

  @Test("The way from outside is for who cares, and says nothing of who is looked after")
  func reach() throws {
    let page = try #require(Page.at(["reach"]))
    #expect(page.isForAccounts && page.questions(visit(role: "caregiver")).isEmpty)
    #expect(page.shown(to: visit(role: "caregiver")).status == 200)
    #expect(page.shown(to: visit(role: "resident")).status == 404)
    let way = Way(
      host: "homeward.local", authority: "homeward.local:8474", isEncrypted: true,
      trust: PageTrust(authority: Self.authority, kind: .home))
    let said = try text("reach", visit(way, role: "caregiver"))
    #expect(said.contains("https://homeward.local:8474") && said.contains("href=\"/trust\""))
    #expect(said.contains("authority of this home") && said.contains("Never open a port"))
    #expect(!said.contains("Mary"))
    for (role, isThere) in [("caregiver", true), ("resident", false)] {
      let more = try text("more", visit(role: .string(role)))
      #expect(more.contains("href=\"/reach\"") == isThere, "\(role)")
    }
  }

  @Test("What only the gateway's own certificate is, is not said of a proxy's")
  func proxy() throws {
    let way = Way(isForwarded: true, trust: PageTrust(kind: .home))
    let said = try text("reach", visit(way, role: "caregiver"))
    #expect(said.contains("reverse proxy") && !said.contains("authority of this home"))
    #expect(!said.contains("href=\"/trust\""))
  }

  @Test("Without an authority of the home there is nothing to trust, and nobody is led there")
  func none() throws {
    let page = try #require(Page.at(["trust"]))
    #expect(!page.isForAccounts && page.isForEverybody)
    for role in [nil, "caregiver", "resident"] as [JSONValue?] {
      let (status, content) = page.shown(to: visit(role: role))
      #expect(status == 404 && !content.main.source.contains("authority.crt"))
    }
    #expect(try !text("log-in", visit()).contains("/trust"))
    let way = Way(trust: PageTrust(authority: Self.authority))
    #expect(page.shown(to: visit(way)).status == 200)
    #expect(try text("log-in", visit(way)).contains("href=\"/trust\""))
  }

  @Test("The steps of the own device come first, and those of each are the ones that set-up prints")
  func steps() throws {
    for language in [Language.en, .zh] {
      let way = Way(
        userAgent: Self.iPhone, trust: PageTrust(authority: Self.authority, kind: .home))
      let said = try text("trust", visit(way, in: language))
      let plain = said.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
      for device in TrustSteps.all {
        for words in [device.device] + device.steps {
          #expect(plain.contains(words.text(in: language)), "\(words.text(in: language))")
        }
      }
      let own = TrustSteps.all[0].device.text(in: language)
      let open = try #require(said.firstRange(of: "<h2>\(own)</h2>"))
      let folded = try #require(said.firstRange(of: "<details"))
      #expect(open.lowerBound < folded.lowerBound)
      #expect(said.ranges(of: "<details").count == TrustSteps.all.count - 1)
      #expect(said.contains("href=\"/authority.crt\"") && said.contains("BA:<wbr>78:<wbr>16"))
    }
    // Who says nothing of their device chooses.
    let unknown = Way(trust: PageTrust(authority: Self.authority))
    let said = try text("trust", visit(unknown))
    #expect(said.ranges(of: "<details").count == TrustSteps.all.count)
    // What somebody else made may vouch for more.
    #expect(!said.contains("for nothing else"))
  }

  @Test("Nothing of what a browser says of itself and asks for becomes markup")
  func escaping() throws {
    let evil = "<script>\"'&"
    let way = Way(
      host: evil, authority: evil, userAgent: "iPhone" + evil,
      trust: PageTrust(authority: Self.authority + evil))
    for (path, role) in [("reach", "caregiver" as JSONValue?), ("trust", nil), ("log-in", nil)] {
      for language in [Language.en, .zh] {
        let said = try text(path, visit(way, role: role, in: language))
        #expect(!said.contains("<script"), "\(path)")
        #expect(!said.contains(evil), "\(path)")
      }
    }
    // A text that is no certificate is no fingerprint.
    let none = try text("trust", visit(Way(trust: PageTrust(authority: evil))))
    #expect(!none.contains("SHA-256") && none.contains("href=\"/authority.crt\""))
  }

  @Test("Both pages are there in both languages, each sentence in its own")
  func languages() throws {
    let way = Way(trust: PageTrust(authority: Self.authority, kind: .selfSigned))
    for path in ["reach", "trust"] {
      let english = try text(path, visit(way, role: "caregiver"))
      let chinese = try text(path, visit(way, role: "caregiver", in: .zh))
      for sentence in english.matches(of: #/>([A-Z][^<>]{12,})</#) where !sentence.1.contains(":") {
        #expect(!chinese.contains(sentence.1), "\(sentence.1)")
      }
    }
  }

  @Test("How a certificate was made is read beside it, and nowhere else")
  func kind() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("homeward-reach-\(UUID().uuidString)")
    let tls = folder.appendingPathComponent("tls")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: tls, withIntermediateDirectories: true)
    func kind(_ name: String) throws -> CertificateKind? {
      let file = JSONValue.string(tls.appendingPathComponent(name).path)
      return try ConsoleSettings(["certificateFile": file, "keyFile": file]).certificateKind
    }
    #expect(try kind("pages.pem") == nil)
    try #"{"kind": "tailscale", "names": ["hub.tail1.ts.net"]}"#.write(
      to: tls.appendingPathComponent("certificate.json"), atomically: true, encoding: .utf8)
    #expect(try kind("pages.pem") == .tailscale && kind("other.pem") == nil)
    #expect(try ConsoleSettings([:]).certificateKind == nil)
  }
}
