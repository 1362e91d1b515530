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
    for setting in ResidentSettings.all {
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

  @Test("No setting's sentence has a word for programs in it, whatever it may be")
  func everySentence() {
    for setting in ResidentSettings.all {
      guard case .choice(let choices) = setting.range else { continue }
      // What is a word of every day as well may stand in a sentence, but never as a code that is explained.
      for language in [Language.en, .zh] {
        let words = setting.words.text(in: language)
        for choice in choices {
          #expect(!words.contains("\(choice):") && !words.contains("\(choice)："), "\(setting.name)")
        }
      }
    }
  }

  @Test("Every group of settings has a heading in words, one of a newer gateway as well")
  func everyGroup() throws {
    let page = try #require(Page.at(["settings"]))
    for language in [Language.en, .zh] {
      let names = Setting.Group.allCases.map(\.rawValue) + ["unheard-of"]
      let headings = names.map { SettingWords.group($0, visit(language)) }
      #expect(Set(headings).count == names.count && Set(headings).isDisjoint(with: names))
      for (name, heading) in zip(names, headings) where name != "resident" {
        let setting: JSONValue = [
          "name": "any", "group": .string(name), "kind": "flag", "words": "?", "value": true,
        ]
        let said = page.content(visit(language, [setting])).main.source
        #expect(said.contains("<summary><h2>\(heading)</h2></summary>"), "\(name)")
      }
    }
    let headings = [Language.en, .zh].map { language in
      Setting.Group.allCases.map { SettingWords.group($0.rawValue, visit(language)) }
    }
    #expect(Set(headings[0]).isDisjoint(with: headings[1]))
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
