import Care
import Core
import JSON
import Moments
import PluginKit
import Testing
import Texts

@testable import homeward_plugin_console

@Suite("What settings may be is said in words that a family understands")
struct SettingWordsTests {
  private func visit(_ language: Language, _ settings: JSONValue = []) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: language), path: ["settings"], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(["id": "anna", "role": "caregiver", "profile": ["name": "Anna"]]),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
        "settings.describe": .success(settings),
      ]))
  }

  @Test("No setting of the gateway has a choice without words, in either language")
  func everyChoice() {
    // Units stand on meters as they are, and languages call themselves.
    let names: Set = ["mg/dL", "mmol/L", "English", "中文"]
    var count = 0
    for setting in GatewayCore.settings {
      guard case .choice(let choices) = setting.range else { continue }
      count += 1
      let said = [Language.en, .zh].map { language in
        choices.map { SettingWords.choice($0, of: setting.name, visit(language)) ?? "" }
      }
      for words in said {
        #expect(Set(words).count == choices.count && !words.contains(""), "\(setting.name)")
        #expect(Set(words).intersection(choices).isSubset(of: names), "\(setting.name)")
      }
      #expect(Set(said[0]).intersection(said[1]).isSubset(of: names), "\(setting.name)")
    }
    #expect(count > 10)
  }

  @Test("The page offers the words and sends what the gateway knows")
  func page() throws {
    let setting: JSONValue = [
      "name": "zoneSound", "group": "kinds", "kind": "choice", "choices": ["none", "high", "new"],
      "words": "What the room hears.", "default": "none", "value": "high",
    ]
    let said = try #require(Page.at(["settings"])).content(visit(.en, [setting])).main.source
    #expect(said.contains("<option value=\"none\">Nothing is heard</option>"))
    #expect(said.contains("<option value=\"high\" selected>The siren</option>"))
    // What a newer gateway may have besides is still to be chosen.
    #expect(said.contains("<option value=\"new\">new</option>"))
  }
}
