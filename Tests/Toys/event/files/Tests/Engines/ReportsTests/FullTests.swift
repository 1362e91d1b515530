import Care
import JSON
import Moments
import Reports
import Testing

/// Somebody is told when no further report can be ordered.
@Suite("All places of reports are taken")
struct FullTests {
  @Test("The order that takes the last place says so, as it is declared")
  func last() throws {
    let now = Moment(tick: .seconds(1000), utc: .seconds(1_795_000_000), quality: .synchronised)
    var house = House(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")])
    house.consents = [
      Consent(
        resident: "mary", kind: .reports, isGranted: true, by: "Mary", at: now.utc,
        principal: "local:anna")
    ]
    let world = World(now: now, house: house)
    var engine = ReportEngine(stored: StoredState(), seed: 1, in: world)
    var told: [[EventDraft]] = []
    for number in 1...10 {
      let request = ReportOrderRequest.order(
        try ReportOrder(json: [
          "id": .string("o\(number)"), "resident": "mary", "kind": "doctor",
          "email": "practice@example.org", "every": "weekly", "by": "",
          "next": "2020-01-01T00:00:00Z",
        ]))
      let command = Command(
        id: CommandID("\(number)"), principal: Principal(channel: .local, name: "anna"),
        request: .feature(FeatureRequest(request.action, of: "", request)))
      let outcome = try engine.handle(.asked(command, sent: now.tick), in: world)
      told.append(outcome?.events.filter { $0.type == "report.full" } ?? [])
    }
    #expect(told.dropLast().allSatisfy { $0.isEmpty })
    let facts = try #require(told.last?.first?.facts.objectContent)
    let declared = try #require(ReportEngine.events.first { $0.type == "report.full" })
    #expect(facts.map(\.key) == declared.facts.map(\.name))
  }
}
