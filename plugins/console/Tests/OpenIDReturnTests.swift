import ConsoleRequests
import JSON
import Testing
import WebServer

@testable import homeward_plugin_console

/// The way back from an identity provider, as far as the pages decide about it.
@Suite struct OpenIDReturnTests {
  private static let binding = String(repeating: "b", count: 64)

  private func incoming(
    host: String, isEncrypted: Bool = true, cookie: String? = nil, body: String = ""
  ) throws -> Incoming {
    try Incoming(
      method: "POST", target: "/", body: Array(body.utf8), address: "192.0.2.7",
      isEncrypted: isEncrypted
    ) { name in
      switch name {
      case "Host": (host, 1)
      case "Cookie": (cookie, cookie == nil ? 0 : 1)
      default: (nil, 0)
      }
    }
  }

  @Test("A provider sends people back to the name that they came by, and to no address")
  func address() throws {
    let named = try incoming(host: "Homeward.local:8474")
    #expect(OpenIDReturn.address(named) == "https://homeward.local:8474/openid")
    let here = try incoming(host: "localhost:80", isEncrypted: false)
    #expect(OpenIDReturn.address(here) == "http://localhost:80/openid")
    for host in ["192.168.1.5:8474", "[::1]"] {
      #expect(OpenIDReturn.address(try incoming(host: host)) == nil)
    }
  }

  @Test("Where it leads back to is never what a browser sent")
  func redirect() throws {
    let sent = try incoming(
      host: "homeward.local", body: #"{"redirect": "https://evil.example/", "next": "/map"}"#)
    let command = try SentCommand(
      sent, as: "account.begin-openid", redirect: OpenIDReturn.address(sent))
    #expect(command.request["redirect"] == "https://homeward.local/openid")
    #expect(command.request["next"] == "/map")
  }

  @Test("That somebody means it is true or false, and nothing else")
  func confirmation() throws {
    func sent(_ body: String) throws -> SentCommand {
      try SentCommand(incoming(host: "homeward.local", body: body), as: "zone.remove")
    }
    #expect(try sent(#"{"confirms": true}"#).confirms && !sent("{}").confirms)
    for wrong in ["1", "\"true\"", "null", "[]"] {
      #expect(throws: SentCommand.Fault.unclear) { try sent("{\"confirms\": \(wrong)}") }
    }
    #expect(throws: SentCommand.Fault.unreadable) { try sent("[]") }
  }

  @Test(
    "What binds it to a browser is kept from scripts and from pages without TLS, for ten minutes")
  func cookie() throws {
    let cookie = Headers.binding(Self.binding, isEncrypted: true)
    let words = cookie.value.split(separator: "; ").map(String.init)
    #expect(
      words == [
        "__Host-homeward-openid=\(Self.binding)", "Path=/", "Max-Age=600", "HttpOnly",
        "SameSite=Lax", "Secure",
      ])
    #expect(Headers.binding(nil, isEncrypted: false).value.contains("=; Path=/; Max-Age=0;"))
    for (header, isRead) in [
      ("a=b; \(words[0])", true), ("\(words[0]); \(words[0])", false),
      ("homeward-openid=\(Self.binding)", false), ("__Host-homeward-openid=short", false),
    ] {
      let read = try incoming(host: "homeward.local", cookie: header)
      #expect((read.binding == Self.binding) == isRead, "\(header)")
    }
  }

  @Test(
    "Nobody is led on to another place than one of here",
    arguments: [
      ("/map?resident=mary", true), ("/", true), ("//evil.example", false), ("/\\evil", false),
      ("https://evil.example", false), ("javascript:x", false), ("", false), ("/a\r\nb", false),
    ])
  func next(path: String, isOwn: Bool) { #expect((Visit.ownPlace(path) != nil) == isOwn) }
}
