import Bytes
import Care
import Foundation
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct AboutPageTests {
  private func about(_ way: Way, account: JSONValue? = nil) throws -> String {
    var visit = Visit(
      visitor: Visitor(address: "", language: .en), path: [], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000), way: way)
    if let account {
      visit.answers.add(.success(account), as: "account.show")
      visit.answers.add(.success([["id": "mary", "name": "Mary Miller"]]), as: "residents.list")
    }
    let page = try #require(Page.at(["about"]))
    #expect(!page.isForAccounts && page.isForEverybody)
    return page.content(visit).main.source
  }

  @Test(
    "What is written to the makers is begun with version and browser, and says nothing of anybody")
  func feedback() throws {
    let account: JSONValue = ["id": "anna", "role": "caregiver", "profile": ["name": "Anna"]]
    let way = Way(userAgent: "Mozilla/5.0 \"<&? é", feedback: "help+home@example.org")
    let page = try about(way, account: account)
    let link = try #require(page.firstMatch(of: #/href="(mailto:[^"]*)"/#)?.output.1)
    let parts = try #require(URLComponents(string: String(link).replacing("&amp;", with: "&")))
    #expect(parts.path == "help+home@example.org")
    let fields = Dictionary(
      uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    #expect(fields["subject"] == "Homeward \(Release.version)")
    #expect(
      fields["body"]?.hasSuffix("\n\n\nHomeward \(Release.version), \(way.userAgent)") == true)
    #expect(!page.contains("Mary") && !page.contains("Anna"))
    #expect(page.contains("It goes to help+home@example.org."))
    #expect(try about(Way()).contains("href=\"mailto:?subject=Homeward%20"))
  }

  @Test("Everybody whose library a program links is thanked, with its licence")
  func credits() throws {
    let table = try String(
      contentsOfFile: Checkout.path("Sources/Dependencies.md"), encoding: .utf8)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { !["Library", "---"].contains($0[0]) }
    let linked = rows.map { [$0[0], $0[$0.count == 7 ? 3 : 2]] }
    #expect(rows.count > 20)
    let thanked = Credit.all.flatMap { credit in credit.libraries.map { [$0, credit.licence] } }
    #expect(Set(linked) == Set(thanked))
    let names = Credit.all.map { $0.name.lowercased() }
    #expect(names == names.sorted())
    let page = try about(Way())
    for credit in Credit.all { #expect(page.contains("<strong>\(credit.name)</strong>")) }
  }

  @Test("What the owner sets as the makers' address is one")
  func address() throws {
    #expect(throws: RPCError.self) { try ConsoleSettings(["feedback": "help at home"]) }
    #expect(try ConsoleSettings(["feedback": "help@example.org"]).feedback == "help@example.org")
  }
}
