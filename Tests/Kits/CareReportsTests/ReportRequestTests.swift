import CareReports
import JSON
import Moments
import ReportTestSupport
import Testing

@Suite struct ReportRequestTests {
  @Test func everyReportAsksForWhatItTellsAndForNobodyElse() {
    let expected: [ReportRequest.Kind: [String]] = [
      .doctor: [
        "residents.list", "profile.get", "glucose.query", "routine.list", "occurrences.query",
        "notes.query",
      ],
      .week: [
        "residents.list", "glucose.query", "routine.list", "occurrences.query", "events.query",
      ],
      .missing: [
        "residents.list", "profile.get", "bookmarks.list", "guidance.places", "routine.list",
        "guardians.list", "notes.query",
      ],
    ]
    for kind in ReportRequest.Kind.allCases {
      let request = ReportSamples.request(kind)
      #expect(request.questions.map(\.route) == expected[kind])
      for question in request.questions {
        let name = "\(kind) \(question.route)"
        #expect(question.params["resident"] == "mary", "\(name)")
        // What grows with time is asked in parts, and only of the time of the report.
        #expect(question.isList == question.route.hasSuffix(".query"), "\(name)")
        let isOfATime = question.isList && kind != .missing
        #expect(
          question.params["since"] == (isOfATime ? .string(request.since.iso8601) : nil),
          "\(name)")
        #expect(
          question.params["until"] == (isOfATime ? .string(request.until.iso8601) : nil),
          "\(name)")
      }
    }
  }

  @Test func ofNotesAndEventsOnlyThoseOfTheReportAreAskedFor() {
    func params(_ kind: ReportRequest.Kind, _ route: String) -> JSONValue? {
      ReportSamples.request(kind).questions.first { $0.route == route }?.params
    }
    #expect(params(.doctor, "notes.query")?["kind"] == "diary")
    #expect(params(.missing, "notes.query")?["kind"] == "portrait")
    #expect(params(.missing, "notes.query")?["limit"] == 1)
    #expect(params(.week, "events.query")?["types"] == ["alarm", "zone"])
  }

  @Test func partsOfAnAnswerBecomeOneListAndARefusalIsNoAnswer() {
    var answers = ReportAnswers()
    #expect(answers["glucose.query"] == .null && answers.list("glucose.query").isEmpty)
    answers.add([1, 2], to: "glucose.query")
    answers.add([], to: "glucose.query")
    answers.add([3], to: "glucose.query")
    #expect(answers.list("glucose.query") == [1, 2, 3])
    answers.add(["name": "Mary"], to: "profile.get")
    answers.add(["name": "Mary Smith"], to: "profile.get")
    #expect(answers["profile.get"] == ["name": "Mary Smith"])
    #expect(answers.list("profile.get").isEmpty)
    answers.replace("glucose.query", by: [4])
    #expect(answers.list("glucose.query") == [4])
    answers.refuse("notes.query", because: "No.")
    #expect(answers.refusal("notes.query") == "No." && answers.refusal("profile.get") == nil)
    #expect(answers.list("notes.query").isEmpty)
  }
}
