import JSON
import Moments
import PluginKit
import Testing
import Texts

@testable import homeward_plugin_console

@Suite("Readings of glucose are shown and written down in the resident's unit")
struct GlucosePageTests {
  private func visit(_ unit: JSONValue, readings: JSONValue = [Self.first, Self.second]) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: .en), path: [], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success([
          "id": "anna", "role": "caregiver", "profile": ["name": "Anna"], "sessions": [],
        ]),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
        "settings mary": .success(.object(["glucoseUnit": unit])),
        "glucose.query": .success(readings), "glucose mary": .success([Self.first]),
        "routine.list": .success([]), "messages.query": .success([]),
      ]))
  }

  private static let first: JSONValue = [
    "id": "one", "resident": "mary", "level": "101", "unit": "mg/dL", "source": "hand",
    "time": "2026-11-18T06:40:00.000Z", "receivedAt": "2026-11-18T06:40:00.000Z",
  ]
  private static let second: JSONValue = [
    "id": "two", "resident": "mary", "level": "7.0", "unit": "mmol/L", "source": "meter",
    "time": "2026-11-17T06:40:00.000Z", "receivedAt": "2026-11-17T06:40:00.000Z",
  ]

  private func source(_ path: [String], _ visit: Visit) throws -> String {
    try #require(Page.at(path)).content(visit).main.source
  }

  @Test(
    "Levels are converted as a meter of that unit would show them, and stay as they came where none is set",
    arguments: [
      ("mmol/L", "5.6 mmol/L", "7.0 mmol/L"), ("mg/dL", "101 mg/dL", "126 mg/dL"),
      ("as-received", "101 mg/dL", "7.0 mmol/L"),
    ])
  func shown(unit: String, first: String, second: String) throws {
    let said = try source(["glucose"], visit(.string(unit)))
    #expect(said.contains(">\(first)<") && said.contains(">\(second)<"))
    #expect(try source([], visit(.string(unit))).contains("Glucose \(first)"))
  }

  @Test("A reading is written down in that unit; nobody guesses one that is not set")
  func entered() throws {
    let moles = try source(["glucose"], visit("mmol/L"))
    #expect(moles.contains("Level in mmol/L") && moles.contains("data-unit=\"mmol/L\""))
    #expect(moles.contains("&quot;unit&quot;:&quot;mmol/L&quot;"))
    #expect(!moles.contains("reading.unit"))
    let received = try source(["glucose"], visit("as-received"))
    #expect(received.contains("<option selected>mg/dL</option>"))
    let empty = try source(["glucose"], visit("as-received", readings: []))
    #expect(empty.contains("<option value=\"\">Please choose</option>"))
  }

  @Test("The unit is asked for whomever the page is about")
  func asked() throws {
    for path in [[], ["glucose"]] {
      var visit = visit("mg/dL")
      visit.answers = Answers([
        "account.show": .success(["id": "anna", "role": "caregiver"]),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
      ])
      let questions = try #require(Page.at(path)).questions(visit)
      #expect(questions.contains { $0.route == "settings.list" && $0.name == "settings mary" })
    }
  }
}
