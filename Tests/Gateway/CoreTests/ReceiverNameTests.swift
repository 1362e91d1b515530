import Care
import Core
import JSON
import Testing
import Texts

@Suite("The receiver that moves with a resident")
struct ReceiverNameTests {
  private static let configured = CoreConfiguration(gateway: "hub", gpsSources: ["belt", "gps"])

  private func refusal(_ result: StepResult) -> CommandReply.Refusal? {
    guard case .refused(let refusal)? = result.reply else { return nil }
    return refusal
  }

  @Test("A receiver that is not configured is refused with those that are")
  func unknown() {
    var fixture = CoreFixture(configuration: Self.configured)
    var mary = CoreFixture.mary
    mary.gpsSource = "nope"
    let refused = refusal(fixture.perform(.putResident(mary)))
    #expect(refused?.code == .unknownTarget)
    #expect(refused?.message.description.contains("Configured are: belt, gps.") == true)
    for source in ["gps", "belt", nil] as [SourceID?] {
      mary.gpsSource = source
      #expect(refusal(fixture.perform(.putResident(mary))) == nil)
    }
    var open = CoreFixture()
    mary.gpsSource = "of-a-plugin"
    #expect(refusal(open.perform(.putResident(mary))) == nil)
  }

  @Test("Whose receiver is no longer configured can be changed, is shown, and the fault says why")
  func vanished() throws {
    var stored = StoredState()
    stored.residents = [CoreFixture.mary]
    var fixture = CoreFixture(
      stored: stored, configuration: CoreConfiguration(gateway: "hub", gpsSources: ["belt"]))
    fixture.step(.started(version: "0"))
    #expect(fixture.core.household.residentSummaries.first?["isReceiverMissing"] == true)
    var mary = CoreFixture.mary
    mary.name = "Mary Ann"
    #expect(refusal(fixture.perform(.putResident(mary))) == nil)
    let events = fixture.step(.wake, afterSeconds: 70).events
    let fault = try #require(events.first { $0.type == .faultRaised })
    #expect(
      fault.facts["detail"]?.stringContent?.contains("No receiver named \"gps\" is configured")
        == true)
    mary.gpsSource = "belt"
    #expect(refusal(fixture.perform(.putResident(mary))) == nil)
    #expect(fixture.core.household.residentSummaries.first?["isReceiverMissing"] == nil)
  }

  @Test("Which receivers there are is recorded with the run")
  func recorded() throws {
    #expect(try CoreConfiguration(json: Self.configured.json) == Self.configured)
    let open = CoreConfiguration(gateway: "hub")
    #expect(try CoreConfiguration(json: open.json) == open)
  }
}
