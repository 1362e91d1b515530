import CareReports
import CivilTime
import GlucoseValues
import JSON
import Moments
import ReportTestSupport
import TestSupport
import Testing
import Texts

@Suite struct ReportContentTests {
  private func document(
    _ kind: ReportRequest.Kind, unit: GlucoseUnit? = nil, zone: CivilTimeZone = .utc,
    _ change: (inout ReportAnswers) -> Void = { _ in }
  ) -> ReportDocument {
    var request = ReportSamples.request(kind, unit: unit)
    request.zone = zone
    var answers = ReportSamples.answers([])
    change(&answers)
    return ReportDocument(request, answers)
  }

  private func rows(_ document: ReportDocument, _ heading: String) -> [[String]]? {
    let tables = document.under(heading)?.compactMap { part -> [[String]]? in
      if case .table(_, let rows) = part { rows } else { nil }
    }
    return tables?.first
  }

  // MARK: Whom it is about

  @Test(arguments: [
    // Now is 2026-12-01 in UTC.
    ("1948-12-01", "Born on 1948-12-01 (78 years old)"),
    ("1948-12-02", "Born on 1948-12-02 (77 years old)"),
    ("1948-11-30", "Born on 1948-11-30 (78 years old)"),
    ("2025-11-30", "Born on 2025-11-30 (1 year old)"),
    ("2026-11-30", "Born on 2026-11-30 (0 years old)"),
    ("1948-02-29", "Born on 1948-02-29 (78 years old)"), ("soon", nil), (nil, nil),
  ])
  func ageIsInWholeYears(birth: String?, line: String?) {
    let found = document(.doctor) { answers in
      answers.replace(
        "profile.get", by: ["birthDate": birth.map { .string($0) } ?? .null])
    }
    #expect(found.lines.first { $0.hasPrefix("Born") } == line)
  }

  @Test func aBirthdayBeginsWhereTheResidentLives() throws {
    let zone = try TimeZoneFile.load(name: "Asia/Shanghai")
    for (time, years) in [("15:59:59.999", 77), ("16:00:00.000", 78)] {
      let now = try Timestamp(iso8601: "2026-12-01T\(time)Z")
      let request = ReportRequest(
        .missing, of: "mary", since: now, until: now, zone: zone, language: .en, now: now)
      let document = ReportDocument(request, ReportSamples.answers())
      #expect(document.lines.first == "Born on 1948-12-02 (\(years) years old)")
    }
  }

  @Test func whatNobodyToldOfAPersonHasNoLine() {
    let words: [(member: String, word: String, line: String?)] = [
      ("sex", "female", "Female"), ("sex", "male", "Male"), ("sex", "intersex", "Intersex"),
      ("sex", "?", nil), ("diabetes", "none", "No diabetes"),
      ("diabetes", "type-1", "Diabetes: Type 1"), ("diabetes", "type-2", "Diabetes: Type 2"),
      ("diabetes", "gestational", "Diabetes: In a pregnancy"),
      ("diabetes", "other", "Diabetes: Another one"), ("diabetes", "?", nil),
    ]
    for (member, word, line) in words {
      let found = document(.doctor) {
        $0.replace("profile.get", by: .object([member: .string(word)]))
      }
      // Without a whole name the one that they are called by.
      let lines = ["Mary", line, "From 2026-11-01 to 2026-11-30"].compactMap { $0 }
      #expect(found.lines == lines, "\(member) \(word)")
    }
    let unknown = document(.week) {
      $0.replace("profile.get", by: .null)
      $0.replace("residents.list", by: [["id": "ben", "name": "Ben"]])
    }
    #expect(unknown.title == "The week of mary")
    #expect(unknown.foot == "mary · made by Homeward on 2026-12-01 00:00 · no medical advice")
  }

  // MARK: The doctor's

  @Test func levelsAreInTheUnitThatIsAskedForOrThatOfTheNewest() {
    let readings = [
      GlucoseSamples.reading("5.6 mmol/L", minutes: 60, tag: .afterBreakfast),
      GlucoseSamples.reading("90 mg/dL", minutes: 0),
    ]
    let units: [(unit: GlucoseUnit?, levels: [String])] = [
      (nil, ["5.0 mmol/L", "5.6 mmol/L"]), (.millimolesPerLitre, ["5.0 mmol/L", "5.6 mmol/L"]),
      (.milligramsPerDecilitre, ["90 mg/dL", "101 mg/dL"]),
    ]
    for (unit, levels) in units {
      let found = document(.doctor, unit: unit) {
        $0.add(.array(readings.map(\.json)), to: "glucose.query")
      }
      #expect(
        found.under("All readings") == [
          .table(
            header: ["When", "Level", "Tag"],
            rows: [
              ["2026-11-01 00:00", levels[0], ""],
              ["2026-11-01 01:00", levels[1], "after breakfast"],
            ])
        ])
    }
  }

  @Test func aReadingOfDoubtfulTimeIsListedAndNotCounted() throws {
    let readings = [
      GlucoseSamples.reading("90 mg/dL", minutes: 0),
      GlucoseSamples.reading("400 mg/dL", minutes: 60, doubts: [.meterClock]),
    ]
    let found = document(.doctor) {
      $0.add(.array(readings.map(\.json)), to: "glucose.query")
    }
    #expect(
      rows(found, "All readings") == [
        ["2026-11-01 00:00", "90 mg/dL", ""],
        ["2026-11-01 01:00 (time in doubt)", "400 mg/dL", ""],
      ])
    let glucose = try #require(found.under("Glucose"))
    #expect(
      glucose.contains(
        .doubt("1 reading has a doubtful time and is not counted. Look at its date.")))
    let facts = glucose.compactMap { part -> [ReportFact]? in
      if case .facts(let facts) = part { facts } else { nil }
    }
    #expect(facts.first?.contains(ReportFact("Readings", "1")) == true)
    #expect(facts.first?.contains(ReportFact("Highest", "90 mg/dL")) == true)
  }

  @Test func theDiaryIsInTheOrderOfTimeAndOfThePlaceWhereTheResidentLives() throws {
    func note(_ time: String, _ title: String, _ text: String, _ tags: JSONValue) -> JSONValue {
      [
        "id": .string(time), "resident": "mary", "kind": "diary", "title": .string(title),
        "text": .string(text), "tags": tags, "time": .string(time), "changedAt": .string(time),
      ]
    }
    let zone = try TimeZoneFile.load(name: "Europe/Oslo")
    let found = document(.doctor, zone: zone) {
      $0.replace(
        "notes.query",
        by: [
          note("2026-11-03T12:00:00.000Z", "Soup", "A plate", ["lunch", "warm"]),
          note("2026-11-02T23:30:00.000Z", "", "Milk", []),
          note("2026-11-02T07:00:00.000Z", "Walk", "", ["out"]), "no note",
        ])
    }
    #expect(
      found.under("Diary") == [
        .table(
          header: ["When", "What it was", "Tags"],
          rows: [
            ["2026-11-02 08:00", "Walk", "out"], ["2026-11-03 00:30", "Milk", ""],
            ["2026-11-03 13:00", "Soup. A plate", "lunch, warm"],
          ])
      ])
    let empty = document(.doctor) { $0.replace("notes.query", by: []) }
    #expect(empty.under("Diary") == [.paragraph("Nothing was written down in this time.")])
  }

  private func occurrence(
    _ due: String, _ state: String, item: String = "pill", isLate: Bool = false
  ) -> JSONValue {
    [
      "item": .string(item), "resident": "mary", "slot": .string(due), "due": .string(due),
      "state": .string(state), "prompts": 1, "snoozes": 0, "isTold": false,
      "isLate": .bool(isLate), "changedAt": .string(due),
    ]
  }

  @Test func dueTimesAreCountedByWhatBecameOfThem() {
    let occurrences: JSONValue = [
      occurrence("2026-11-01T08:00:00.000Z", "done"),
      occurrence("2026-11-02T08:00:00.000Z", "done", isLate: true),
      occurrence("2026-11-03T08:00:00.000Z", "missed"),
      occurrence("2026-11-04T08:00:00.000Z", "not-now"),
      occurrence("2026-11-05T08:00:00.000Z", "skipped"),
      occurrence("2026-11-06T08:00:00.000Z", "cancelled"),
      occurrence("2026-11-07T08:00:00.000Z", "pending"),
      occurrence("2026-11-08T08:00:00.000Z", "done", item: "other"),
      // After the end of the time that is told.
      occurrence("2026-12-01T00:00:00.001Z", "missed"),
    ]
    let doctor = document(.doctor) { $0.replace("occurrences.query", by: occurrences) }
    #expect(
      doctor.under("Medicine") == [
        .table(
          header: ["Medicine", "Dose", "Done", "Of these late", "Missed", "Declined"],
          rows: [["The white pill", "1 tablet", "2", "1", "1", "2"]])
      ])
    let week = document(.week) { $0.replace("occurrences.query", by: occurrences) }
    #expect(
      week.under("What recurs") == [
        .table(
          header: ["What", "Done", "Missed", "Declined"],
          rows: [["The white pill", "2", "1", "2"]])
      ])
    let nothing = document(.doctor) { $0.replace("routine.list", by: []) }
    #expect(nothing.under("Medicine") == [.paragraph("No medicine is planned.")])
  }

  // MARK: The week's

  private func event(_ type: String, _ time: String, _ data: JSONValue) -> JSONValue {
    ["type": .string(type), "time": .string(time), "data": data]
  }

  @Test func alarmsAreThoseThatEndedInTheOrderOfTimeAndNoTests() {
    let found = document(.week) {
      $0.add(
        [
          event(
            "alarm.resolved", "2026-11-03T10:00:00.000Z",
            ["kind": "sos", "explanation": "Anna was there."]),
          event("alarm.raised", "2026-11-03T09:59:00.000Z", ["explanation": "SOS"]),
          event(
            "alarm.cancelled", "2026-11-02T09:00:00.000Z",
            ["kind": "fall", "explanation": "Mary cancelled it."]),
          event(
            "alarm.resolved", "2026-11-04T10:00:00.000Z", ["kind": "test", "explanation": "T"]),
        ], to: "events.query")
    }
    #expect(
      found.under("Alarms") == [
        .table(
          header: ["When", "What happened"],
          rows: [
            ["2026-11-02 09:00", "Mary cancelled it."], ["2026-11-03 10:00", "Anna was there."],
          ])
      ])
    let tested = document(.week) {
      $0.add(
        [event("alarm.resolved", "2026-11-04T10:00:00.000Z", ["kind": "test"])],
        to: "events.query")
    }
    #expect(tested.under("Alarms") == [.paragraph("There was no alarm.")])
  }

  @Test func leavingsOfHomeAreCountedByTheDayWhereTheResidentLives() throws {
    let home: JSONValue = ["isHome": true]
    let events: JSONValue = [
      event("zone.left", "2026-11-03T15:00:00.000Z", home),
      event("zone.left", "2026-11-02T23:30:00.000Z", home),
      event("zone.left", "2026-11-03T10:00:00.000Z", home),
      event("zone.left", "2026-11-03T11:00:00.000Z", ["isHome": false]),
      event("zone.left", "2026-11-03T12:00:00.000Z", .object([])),
      event("zone.entered", "2026-11-03T10:30:00.000Z", home),
    ]
    let zones: [(zone: CivilTimeZone, rows: [[String]])] = [
      (.utc, [["2026-11-02", "1"], ["2026-11-03", "2"]]),
      (try TimeZoneFile.load(name: "Europe/Oslo"), [["2026-11-03", "3"]]),
    ]
    for (zone, rows) in zones {
      let found = document(.week, zone: zone) { $0.add(events, to: "events.query") }
      #expect(
        found.under("Out of the house") == [.table(header: ["Day", "How often"], rows: rows)])
    }
    let none = document(.week)
    #expect(
      none.under("Out of the house") == [.paragraph("Nobody was seen to leave the house.")])
  }

  @Test func aWeekWithoutReadingsSaysNothingOfGlucose() {
    #expect(document(.week).under("Glucose") == nil)
    let found = document(.week) {
      $0.add([GlucoseSamples.reading("90 mg/dL", minutes: 0).json], to: "glucose.query")
    }
    #expect(found.under("Glucose")?.isEmpty == false)
    #expect(found.under("All readings") == nil)
  }
}
