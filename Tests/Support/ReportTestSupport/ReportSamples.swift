public import CareReports
import CivilTime
import GlucoseFigures
public import GlucoseValues
import JSON
public import Moments
import TestSupport
public import Texts

/// Reports of somebody invented, of thirty days.
public enum ReportSamples {
  private static let start = GlucoseSamples.start
  private static let now = start.advanced(byMilliseconds: 30 * 86_400_000)

  /// A request for one.
  public static func request(
    _ kind: ReportRequest.Kind, _ language: Language = .en, unit: GlucoseUnit? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil
  ) -> ReportRequest {
    ReportRequest(
      kind, of: "mary", since: since ?? start, until: until ?? now, zone: .utc, unit: unit,
      language: language, now: now)
  }

  /// Sixty readings, in both units.
  public static let readings: [GlucoseReading] = (0..<60).map {
    GlucoseSamples.reading(
      $0 % 2 == 0 ? "\(90 + $0 % 7 * 10) mg/dL" : "\(5 + $0 % 4).\($0 % 10) mmol/L",
      minutes: $0 * 600, tag: $0 % 3 == 0 ? .beforeBreakfast : .afterLunch)
  }

  /// What the gateway would answer.
  public static func answers(_ readings: [GlucoseReading] = readings) -> ReportAnswers {
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

  /// A report of a time that was chosen at random.
  public struct Period: Sendable {
    /// What was measured in it.
    public var readings: [GlucoseReading]
    /// In which unit it is told.
    public var unit: GlucoseUnit
    /// The doctor's report of it.
    public var document: ReportDocument
  }

  /// Times that look random and are the same each time.
  public static func periods(_ count: Int, _ language: Language = .en) -> [Period] {
    var random = Seed(state: 20_261_128)
    return (0..<count).map { _ in
      let from = Int64(random.next() % 36_000)
      let length = Int64(random.next() % 36_000)
      let since = start.advanced(byMilliseconds: from * 60_000)
      let until = since.advanced(byMilliseconds: length * 60_000)
      let within = readings.filter { $0.time >= since && $0.time < until }
      let unit: GlucoseUnit =
        random.next() % 2 == 0 ? .milligramsPerDecilitre : .millimolesPerLitre
      let document = ReportDocument(
        request(.doctor, language, unit: unit, since: since, until: until), answers(within))
      return Period(readings: within, unit: unit, document: document)
    }
  }

  private struct Seed {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
