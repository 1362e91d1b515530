import ConsoleRequests
import Door
import JSON
import TestSupport
import Testing
import Texts
import WebServer

@testable import homeward_plugin_console

@Suite struct RequestTests {
  private static let token = String(repeating: "a", count: 43)

  private func incoming(
    _ method: String = "GET", _ target: String = "/", isEncrypted: Bool = true,
    _ headers: [(String, String)] = []
  ) throws(Incoming.Fault) -> Incoming {
    let hasHost = headers.contains { $0.0 == "Host" }
    let all = (hasHost ? [] : [("Host", "homeward.local:8474")]) + headers
    return try Incoming(
      method: method, target: target, body: [], address: "192.0.2.7", isEncrypted: isEncrypted
    ) { name in
      let found = all.filter { $0.0.lowercased() == name.lowercased() }
      return (found.last?.1, found.count)
    }
  }

  private let gate = RequestGate(names: ["homeward.local", "localhost"], isEncrypted: true)

  private func status(
    _ method: String, _ target: String = "/", _ headers: [(String, String)] = []
  ) -> UInt32 {
    do throws(Incoming.Fault) {
      try gate.check(incoming(method, target, headers), takes: [target == "/" ? "GET" : "POST"])
      return 200
    } catch { return error.status }
  }

  @Test(
    "Pages are given under the gateway's own names, and by address (DNS rebinding)",
    arguments: [
      ("homeward.local", 200), ("HOMEWARD.local:8474", 200), ("localhost:1", 200),
      ("192.168.1.7:8474", 200), ("[fe80::1]:8474", 200), ("[::1]", 200), ("evil.example", 421),
      ("homeward.local.evil.example", 421), ("192.168.1.7.evil.example", 421),
      ("1.2.3.4.5", 421), ("999.1.1.1", 421), ("", 400), ("a b", 400), ("homeward.local:x", 400),
      ("homeward.local:99999", 400), ("user@homeward.local", 400), ("[::1", 400),
    ] as [(String, UInt32)])
  func hosts(host: String, expected: UInt32) {
    #expect(status("GET", "/", [("Host", host)]) == expected)
  }

  @Test("A header that has to come once and came twice is refused")
  func twice() {
    for name in ["Host", "Origin", "Sec-Fetch-Site", "Content-Type", "Authorization"] {
      #expect(
        status("GET", "/", [(name, "homeward.local"), (name, "homeward.local")]) == 400, "\(name)")
    }
  }

  @Test("What a page or a path does not take is refused, and it is said what it takes")
  func methods() {
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "POST"] {
      #expect(status(method) == 405, "\(method)")
    }
    #expect(Incoming.Fault(takes: ["GET", "HEAD"]).headers.map(\.value) == ["GET, HEAD"])
  }

  @Test(
    "What is asked is fetched, and what is done is sent",
    arguments: [
      ("zones/list", "zones.list", ["GET", "HEAD"]), ("zone/put", "zone.put", ["POST"]),
      ("openapi.json", "openapi.json", ["GET", "HEAD"]), ("zones.list", nil, ["GET", "HEAD"]),
      ("zone.put", nil, ["GET", "HEAD"]), ("nothing/here", "nothing.here", ["GET", "HEAD"]),
    ] as [(String, String?, [String])])
  func methods(rest: String, name: String?, takes: [String]) {
    let path = "api/v1/\(rest)".split(separator: "/").map(String.init)
    #expect(ProgramInterface.has(path))
    #expect(ProgramInterface.name(at: path) == name)
    #expect(ProgramInterface.methods(at: path) == takes)
  }

  private static let json = ("Content-Type", "application/json; charset=utf-8")
  private static let own = ("Origin", "https://homeward.local:8474")
  private static let cookie = ("Cookie", "__Host-homeward=\(token)")

  @Test(
    "What a page of somebody else makes a browser send is refused (CSRF)",
    arguments: [
      ([json, own, cookie], 200), ([json, own, cookie, ("Sec-Fetch-Site", "same-origin")], 200),
      ([json, cookie], 403), ([json, ("Origin", "https://evil.example"), cookie], 403),
      ([json, ("Origin", "null"), cookie], 403),
      ([json, ("Origin", "http://homeward.local:8474"), cookie], 403),
      ([json, ("Origin", "https://homeward.local"), cookie], 403),
      ([json, own, cookie, ("Sec-Fetch-Site", "cross-site")], 403),
      ([json, own, cookie, ("Sec-Fetch-Site", "same-site")], 403),
      ([json, cookie, ("Sec-Fetch-Site", "same-origin")], 403),
      ([own, cookie], 415), ([("Content-Type", "text/plain"), own, cookie], 415),
      ([("Content-Type", "application/x-www-form-urlencoded"), own, cookie], 415),
      ([json], 200), ([json, ("Origin", "https://evil.example")], 403),
      ([json, ("Authorization", "Bearer \(token)")], 200),
      ([json, ("Authorization", "Bearer \(token)"), ("Origin", "https://evil.example")], 200),
    ] as [([(String, String)], UInt32)])
  func origins(headers: [(String, String)], expected: UInt32) {
    #expect(status("POST", "/api/v1/zone/put", headers) == expected)
  }

  @Test(
    "A session is a token of one cookie, or a program's",
    arguments: [
      ("__Host-homeward=\(token)", token), ("a=b; __Host-homeward=\(token); c=d", token),
      ("homeward=\(token)", nil), ("__Host-homeward=\(token); __Host-homeward=other", nil),
      ("__Host-homeward=", nil), ("__Host-homeward=a\"b", nil), ("__Host-homeward=short", nil),
      ("x__Host-homeward=\(token)", nil), ("", nil),
      ("__Host-homeward=" + String(repeating: "a", count: 201), nil),
    ] as [(String, String?)])
  func cookies(header: String, expected: String?) throws {
    #expect(try incoming("GET", "/", [("Cookie", header)]).token == expected)
  }

  @Test("What stands in Authorization and is no token is refused, whatever the cookie says")
  func authorization() {
    for words in ["Basic YTpi", "Bearer", "Bearer a b", "Bearer \(Self.token)\""] {
      #expect(status("GET", "/", [("Authorization", words), Self.cookie]) == 401, "\(words)")
    }
  }

  @Test(
    "The language is the best of those that a browser asks for",
    arguments: [
      ("zh-CN,zh;q=0.9,en;q=0.8", [Language.zh, .zh, .en]), ("en;q=0.2, zh;q=0.9", [.zh, .en]),
      ("de-AT,de;q=0.9", []), ("", []), ("en", [.en]), (";;;,,,q=x", []),
    ] as [(String, [Language])])
  func languages(header: String, expected: [Language]) throws {
    #expect(try incoming("GET", "/", [("Accept-Language", header)]).languages == expected)
  }

  @Test(
    "Fields of an address are the parameters of the route, in the form that it takes",
    arguments: [
      (
        "events.query", "resident=mary&types=zone&types=alarm&limit=5",
        "{\"resident\":\"mary\",\"types\":[\"zone\",\"alarm\"],\"limit\":5}"
      ),
      ("locations.query", "resident=mary&series=true", "{\"resident\":\"mary\",\"series\":true}"),
      ("map.reverse", "at=%7B%22latitude%22:1%7D", "{\"at\":{\"latitude\":1}}"),
      ("residents.list", "", "{}"),
    ])
  func params(route: String, fields: String, expected: String) throws {
    let target = try #require(RequestTarget("/?" + fields))
    let params = try #require(Route.named(route)).params(from: target).get()
    #expect(params.serialized == expected)
  }

  @Test(
    "A field that the route does not know, or of another form, is named",
    arguments: [
      ("residents.list", "all=1", "all"), ("events.query", "limit=x", "limit"),
      ("events.query", "limit=1&limit=2", "limit"), ("locations.query", "series=yes", "series"),
      ("map.reverse", "at=1", "at"), ("map.reverse", "at=%7B", "at"),
    ])
  func wrongParams(route: String, fields: String, name: String) throws {
    let target = try #require(RequestTarget("/?" + fields))
    let params = try #require(Route.named(route)).params(from: target)
    #expect(params == .failure(WrongField(name: name)))
  }

  @Test(
    "With TLS a session never leaves the browser without it, and no name of elsewhere can set one")
  func session() {
    let cookie = Headers.session(Self.token, isEncrypted: true)
    #expect(cookie.name == "Set-Cookie" && cookie.value.hasPrefix("__Host-homeward=\(Self.token);"))
    let words = cookie.value.split(separator: "; ").dropFirst()
    #expect(Set(words) == ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax", "Secure"])
    #expect(!Headers.session(nil, isEncrypted: false).value.contains("Secure"))
  }

  @Test(
    "Browsers are told to come with TLS alone where the owner wants it, and it can be had",
    arguments: [
      (#"{"certificateFile": "c", "keyFile": "k", "strictTransport": true}"#, true),
      (#"{"certificateFile": "c", "keyFile": "k"}"#, false), (#"{"strictTransport": true}"#, false),
    ])
  func strictTransport(settings: String, isSent: Bool) throws {
    let settings = try ConsoleSettings(JSONValue(parsing: Array(settings.utf8)))
    #expect(settings.headers == (isSent ? [Headers.strictTransport] : []))
    #expect(Headers.strictTransport.value == "max-age=31536000")
  }

  @Test(
    "Scripts and styles are packed for whoever takes them so",
    arguments: [
      ("gzip", true), ("gzip, deflate, br", true), ("br;q=1.0, GZIP;q=0.5", true), (nil, false),
      ("", false), ("br", false), ("gzip;q=0", false), ("gzip; q=0.000", false), ("xgzip", false),
    ] as [(String?, Bool)])
  func packed(header: String?, isPacked: Bool) throws {
    let assets = Assets(folder: Checkout.path("plugins/console/web"))
    let (script, plain) = (
      try #require(assets.file("app.js", encodings: header)), try #require(assets["app.js"])
    )
    #expect(script.headers.contains(WebAnswer.Header("Content-Encoding", "gzip")) == isPacked)
    #expect(script.headers.contains(WebAnswer.Header("Vary", "Accept-Encoding")))
    #expect(isPacked ? script.body.count < plain.body.count / 2 : script == plain)
    #expect(assets.file("icon-192.png", encodings: header) == assets["icon-192.png"])
  }

  @Test("What is known by its tag is not sent again")
  func tags() {
    let tag = EntityTag(of: [1, 2, 3])
    #expect(tag.isAmong(tag.text) && tag.isAmong("*") && tag.isAmong("\"x\", W/\(tag.text)"))
    #expect(!tag.isAmong(nil) && !tag.isAmong("\"x\"") && !tag.isAmong(""))
    #expect(EntityTag(of: [1, 2]) != tag)
  }
}
