import ConsoleRequests
import JSON
import Moments
import Testing
import Texts
import WebServer

@testable import homeward_plugin_console

@Suite("The gateway's own screen")
struct OwnScreenTests {
  private func visit(
    at path: String, isAtOwnScreen: Bool, kind: String? = nil, fields: [String: String] = [:]
  ) -> Visit {
    let account: JSONValue = [
      "id": "mary", "role": "resident", "profile": ["name": "Mary"],
      "sessions": [["id": "s", "isThis": true, "kind": .string(kind ?? ""), "label": "Kitchen"]],
    ]
    return Visit(
      visitor: Visitor(address: "127.0.0.1", language: .en, isAtOwnScreen: isAtOwnScreen),
      path: [path], fields: fields, now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers(kind == nil ? [:] : ["account.show": .success(account)]))
  }

  @Test(
    "Where nobody is logged in every page says there what to do, and elsewhere leads to the door",
    arguments: [
      ("/log-in", true, nil, [:], "/screen"), ("/enter", true, nil, [:], "/screen"),
      ("/about", true, nil, [:], "/screen"), ("/screen", true, nil, [:], nil),
      ("/screen", true, "screen", [:], "/"), ("/screen", true, "screen", ["new": "1"], nil),
      ("/log-in", true, "screen", [:], "/"), ("/about", true, "screen", [:], nil),
      ("/screen", false, nil, [:], "/enter"), ("/screen", false, "browser", ["new": "1"], "/enter"),
      ("/log-in", false, nil, [:], nil), ("/log-in", false, "browser", [:], "/"),
      ("/about", false, "browser", [:], nil),
    ] as [(String, Bool, String?, [String: String], String?)])
  func places(
    path: String, isAtOwnScreen: Bool, kind: String?, fields: [String: String], place: String?
  ) throws {
    let page = try #require(Page.at([String(path.dropFirst())]))
    let visit = visit(
      at: String(path.dropFirst()), isAtOwnScreen: isAtOwnScreen, kind: kind, fields: fields)
    #expect(page.placeInstead(visit) == place)
  }

  @Test("A screen is not logged out by whoever stands before it; a browser is")
  func logOut() {
    let words = "Log out"
    let screen = visit(at: "account", isAtOwnScreen: true, kind: "screen")
    #expect(!AccountCards.sessions(screen).source.contains(words))
    let browser = visit(at: "account", isAtOwnScreen: false, kind: "browser")
    #expect(AccountCards.sessions(browser).source.contains(words))
  }

  @Test("A screen's cookie is kept as long as browsers keep any, and another's for a month")
  func cookie() {
    let month = Headers.session("t", isEncrypted: false)
    #expect(month.value == "homeward=t; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")
    let long = Headers.session("t", isEncrypted: true, days: 400)
    #expect(
      long.value == "__Host-homeward=t; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure")
  }

  @Test("Its port is set beside that of everybody, with a certificate or without")
  func settings() throws {
    #expect(try ConsoleSettings(["screenPort": 8475]).screenPort == 8475)
    #expect(try ConsoleSettings(["port": 8474]).screenPort == nil)
  }
}
