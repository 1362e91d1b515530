import ConsoleRequests
import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct CodePageTests {
  private func visit(_ role: JSONValue = "caregiver", entry: JSONValue? = nil) -> Visit {
    var account: JSONValue = [
      "id": "anna", "role": role, "sessions": [], "profile": ["name": "Anna"],
    ]
    if let entry { account = account.setting("entry", to: entry) }
    return Visit(
      visitor: Visitor(address: "", language: .en), path: ["account"], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(account),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
      ]))
  }

  @Test(
    "Where another browser is let in, the page shows a code, then asks for the number, and shows none"
  )
  func entry() {
    let none = BrowserCard.card(visit()).source
    #expect(none.contains("account.add-browser") && !none.contains("data-waits"))
    let until: JSONValue = "2026-11-18T06:45:00.000Z"
    let shown = BrowserCard.card(visit(entry: ["state": "shown", "until": until])).source
    #expect(shown.contains("data-waits") && shown.contains("account.cancel-browser"))
    let asked = BrowserCard.card(
      visit(entry: [
        "state": "asked", "until": until, "label": "<b>Phone", "address": "192.0.2.7",
      ])
    ).source
    #expect(asked.contains("account.admit-browser") && asked.contains("192.0.2.7"))
    #expect(asked.contains("&lt;b&gt;Phone") && !asked.contains("id=\"qr\""))
  }

  @Test("A code is drawn as the address of the page on which it is entered, and is in no request")
  func drawing() throws {
    let answer: JSONValue = ["account": "mary", "code": "AbCd2345"]
    let drawn = QRPicture.added(
      to: answer, of: "account.show-code", at: "https://homeward.local:8474")
    let side = try #require(drawn["picture"]?["side"]?.integerContent)
    let path = try #require(drawn["picture"]?["path"]?.stringContent)
    #expect((29...61).contains(side) && path.hasPrefix("M4 4h7v1h-7z"))
    #expect(path.allSatisfy { "Mhvz -0123456789".contains($0) })
    // What the gateway knows of its pages counts before what the browser asked for, and goes no further.
    let told = QRPicture.added(
      to: answer.setting("pages", to: "https://home.example.org"), of: "account.show-code", at: nil)
    #expect(told["picture"] != nil && told["pages"] == nil)
    #expect(told["picture"] != drawn["picture"])
    #expect(QRPicture.added(to: answer, of: "account.show-code", at: nil) == answer)
    #expect(QRPicture.added(to: answer, of: "account.log-in", at: "https://home") == answer)
  }

  @Test(
    "Another device finds the pages by the way of this one, unless that leads to this machine alone"
  )
  func ways() {
    func address(_ host: String, _ isForwarded: Bool = false) -> String? {
      Way(
        host: host, authority: "\(host):8474", isEncrypted: true, isForwarded: isForwarded
      ).address
    }
    #expect(address("homeward.local") == "https://homeward.local:8474")
    #expect(address("192.168.1.5") == "https://192.168.1.5:8474")
    #expect(address("localhost") == nil && address("127.0.0.1") == nil)
    #expect(address("localhost", true) == "https://localhost:8474")
  }

  @Test("What a camera brings is entered, and sent when somebody presses")
  func entering() throws {
    let page = try #require(Page.at(["enter"]))
    #expect(!page.isForAccounts && !page.isForEverybody)
    let said = page.content(visit()).main.source
    #expect(said.contains("data-command=\"account.enter-browser\""))
    #expect(said.contains("data-brings=\"browser\"") && said.contains("data-brings=\"screen\""))
    let family = try #require(Page.at(["family"]))
    let own = family.content(visit()).main.source
    #expect(own.contains("data-brings=\"code\" autocapitalize=\"none\""))
    #expect(!said.contains("characters") && !own.contains("autocapitalize=\"characters\""))
    #expect(family.content(visit("resident")).main.source.contains("id=\"qr\""))
  }
}
