import CareReports
import Charts
import CivilTime
import Foundation
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@Suite("Reports")
struct ReportTests {
  private static let start = GlucoseSamples.start
  private static let now = start.advanced(byMilliseconds: 30 * 86_400_000)

  private func request(
    _ kind: ReportRequest.Kind, _ language: Language = .en, unit: GlucoseUnit? = nil,
    since: Timestamp = Self.start, until: Timestamp = Self.now
  ) -> ReportRequest {
    ReportRequest(
      kind, of: "mary", since: since, until: until, zone: .utc, unit: unit, language: language,
      now: Self.now)
  }

  private static let readings: [GlucoseReading] = (0..<60).map {
    GlucoseSamples.reading(
      $0 % 2 == 0 ? "\(90 + $0 % 7 * 10) mg/dL" : "\(5 + $0 % 4).\($0 % 10) mmol/L",
      minutes: $0 * 600, tag: $0 % 3 == 0 ? .beforeBreakfast : .afterLunch)
  }

  private static func answers(_ readings: [GlucoseReading] = Self.readings) -> ReportAnswers {
    var answers = ReportAnswers()
    answers.add(
      [
        [
          "id": "mary", "name": "Mary",
          "tracking": [
            "position": [
              "latitude": 40.01, "longitude": -74.01, "accuracyMeters": 12.2,
              "time": "2026-11-30T20:00:00.000Z",
            ]
          ],
        ]
      ], to: "residents.list")
    answers.add(
      ["name": "Mary Smith", "birthDate": "1948-12-02", "sex": "female", "diabetes": "type-2"],
      to: "profile.get")
    answers.add(.array(readings.map(\.json)), to: "glucose.query")
    answers.add(
      [
        [
          "id": "pill", "resident": "mary", "kind": "medicine", "title": "The white pill",
          "dose": "1 tablet", "lastDone": "2026-11-30T08:00:00.000Z",
        ], ["id": "other", "resident": "ben", "kind": "medicine", "title": "Not hers"],
      ], to: "routine.list")
    let due = ["done", "done", "missed", "not-now"].enumerated().map { index, state -> JSONValue in
      [
        "item": "pill", "resident": "mary", "slot": .string("s\(index)"),
        "due": .string("2026-11-0\(index + 2)T08:00:00.000Z"), "state": .string(state),
        "prompts": 1, "snoozes": 0, "isTold": false, "isLate": false,
        "changedAt": .string("2026-11-0\(index + 2)T08:05:00.000Z"),
      ]
    }
    answers.add(.array(due), to: "occurrences.query")
    answers.add(
      [
        [
          "id": "n", "resident": "mary", "kind": "diary", "title": "=1+1, soup",
          "text": "A plate \"full\"",
          "tags": ["soup"], "time": "2026-11-03T12:00:00.000Z",
          "changedAt": "2026-11-03T12:00:00.000Z",
        ]
      ], to: "notes.query")
    return answers
  }

  private func document(
    _ kind: ReportRequest.Kind, _ language: Language = .en,
    _ answers: ReportAnswers = Self.answers()
  ) -> ReportDocument {
    ReportDocument(request(kind, language), answers)
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
    var answers = Self.answers([])
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
      for question in request(kind).questions {
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
    var random = SystemSeed(state: 20_261_128)
    for _ in 0..<1000 {
      let from = Int64(random.next() % 36_000)
      let length = Int64(random.next() % 36_000)
      let since = Self.start.advanced(byMilliseconds: from * 60_000)
      let until = since.advanced(byMilliseconds: length * 60_000)
      let within = Self.readings.filter { $0.time >= since && $0.time < until }
      let unit: GlucoseUnit =
        random.next() % 2 == 0 ? .milligramsPerDecilitre : .millimolesPerLitre
      let document = ReportDocument(
        request(.doctor, unit: unit, since: since, until: until), Self.answers(within))
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

/// Numbers that look random and are the same each time.
private struct SystemSeed {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
