import CareReports
import Charts
import CivilTime
import Foundation
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import ReportTestSupport
import Testing
import Texts

@Suite("Reports")
struct ReportTests {
  private func document(
    _ kind: ReportRequest.Kind, _ language: Language = .en,
    _ answers: ReportAnswers = ReportSamples.answers()
  ) -> ReportDocument {
    ReportDocument(ReportSamples.request(kind, language), answers)
  }

  @Test("The doctor's report has readings, means, charts, medicine and the diary, and no advice")
  func doctor() {
    let document = document(.doctor)
    #expect(
      document.lines == [
        "Mary Smith", "Born on 1948-12-02 (77 years old)", "Female", "Diabetes: Type 2",
        "From 2026-11-01 to 2026-11-30",
      ])
    let charts = document.parts.compactMap { part -> String? in
      guard case .chart(let chart) = part else { return nil }
      return chart.title
    }
    #expect(
      charts == ["Readings in range", "Readings by the time of day", "Readings over the days"])
    let tables = document.parts.compactMap { part -> [[String]]? in
      guard case .table(_, let rows) = part else { return nil }
      return rows
    }
    #expect(tables.contains([["The white pill", "1 tablet", "2", "0", "1", "1"]]))
    #expect(tables.contains { $0.count == 60 })
    let csv = ReportCSV.text(document)
    #expect(csv.contains("2026-11-03 12:00,\"'=1+1, soup. A plate \"\"full\"\"\",soup\r\n"))
    #expect(
      csv.contains("no medical advice") == false && document.foot.contains("no medical advice"))
  }

  @Test("What was not answered stands there as missing, and is not taken for nothing")
  func missing() {
    var answers = ReportSamples.answers([])
    answers.refuse("occurrences.query", because: "The disk does not answer.")
    let document = document(.doctor, .en, answers)
    #expect(
      document.parts.contains(.doubt("This is missing here: The disk does not answer.")))
    #expect(document.parts.contains(.paragraph("There are no readings in this time.")))
    #expect(ReportCSV.text(document).contains("The white pill,1 tablet,–,–,–,–"))
    // Of what nobody answered nothing is claimed, in any report.
    let claims = [
      "There are no readings in this time.", "No medicine is planned.", "There was no alarm.",
      "Nobody was seen to leave the house.", "Nothing was written down in this time.",
      "No place is kept yet.", "Nobody is told of alarms.", "Nothing is planned yet.",
    ]
    for kind in ReportRequest.Kind.allCases {
      var silent = ReportAnswers()
      for question in ReportSamples.request(kind).questions {
        silent.refuse(question.route, because: "The disk does not answer.")
      }
      let text = ReportCSV.text(self.document(kind, .en, silent))
      for claim in claims { #expect(!text.contains(claim), "\(kind): \(claim)") }
      #expect(text.contains("This is missing here: The disk does not answer."))
    }
  }

  @Test("The sheet of a missing person says what is known, how old it is, and what nobody told")
  func sheet() {
    let document = document(.missing)
    #expect(document.title == "Missing person: Mary Smith")
    #expect(document.parts.contains(.doubt("There is no photograph.")))
    #expect(document.parts.contains(.doubt("This position is more than ten minutes old.")))
    #expect(document.parts.contains(.doubt("Nobody is told of alarms.")))
    let facts = document.parts.compactMap { part -> [ReportFact]? in
      guard case .facts(let facts) = part else { return nil }
      return facts
    }
    #expect(facts.first?.contains(ReportFact("How sure", "within 13 m")) == true)
    let csv = ReportCSV.text(document)
    #expect(csv.contains("The white pill,1 tablet,2026-11-30 08:00") && !csv.contains("Not hers"))
  }

  @Test("Both languages say the same things, and a document comes through as JSON")
  func languages() throws {
    for kind in ReportRequest.Kind.allCases {
      let (english, chinese) = (document(kind), document(kind, .zh))
      #expect(english.parts.count == chinese.parts.count, "\(kind)")
      #expect(chinese.language == "zh-Hans" && chinese.title != english.title)
      #expect(try ReportDocument(json: JSONValue(parsing: english.json.serialized)) == english)
      let html = ReportHTML.body(english) { "/picture/\($0)" }
      #expect(html.contains("<h1>\(english.title)</h1>"))
    }
    let html = ReportHTML.body(document(.doctor)) { $0 }
    #expect(html.contains("A plate &quot;full&quot;") && html.contains("scope=\"col\""))
  }

  @Test("In 1,000 random periods the facts of the report are those of the readings, in every form")
  func figures() throws {
    for period in ReportSamples.periods(1000) {
      let (within, unit) = (period.readings, period.unit)
      let document = period.document
      let facts = document.parts.compactMap { part -> [ReportFact]? in
        guard case .facts(let facts) = part else { return nil }
        return facts
      }.first
      guard !within.isEmpty else {
        #expect(facts == nil)
        continue
      }
      // Reckoned here once more, by nothing that the report uses.
      let levels = within.map(\.level.milligramsPerDecilitre)
      let mean = levels.reduce(0, +) / Double(levels.count)
      let shown = unit.shownDigits(GlucoseUnit.milligramsPerDecilitre.convert(mean, to: unit))
      let expected = ReportFact("Mean", "\(shown) \(unit.rawValue)")
      #expect(facts?.contains(expected) == true && facts?.first?.value == "\(within.count)")
      let (csv, html) = (ReportCSV.text(document), ReportHTML.body(document) { $0 })
      for fact in facts ?? [] {
        #expect(csv.contains("\(fact.name),\(fact.value)\r\n"))
        #expect(html.contains("<th scope=\"row\">\(fact.name)</th><td>\(fact.value)</td>"))
      }
    }
  }
}
