import Care
import JSON
import Moments
import Testing

@testable import Profiles

@Suite("Profiles")
struct ProfileEngineTests {
  private static let now = Moment(
    tick: .seconds(1000), utc: Timestamp(milliseconds: 1_795_521_600_000), quality: .synchronised)
  private static let world = World(
    now: now, house: House(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")]))

  private static func profile(_ members: JSONValue) throws -> HealthProfile {
    try HealthProfile(json: members)
  }

  private static func put(
    _ profile: HealthProfile, of resident: ResidentID = "mary", into engine: inout ProfileEngine
  ) throws -> Outcome? {
    let request = ProfileRequest(resident, profile)
    let command = Command(
      id: "1", principal: Principal(channel: .local, name: "anna"),
      request: .feature(FeatureRequest(ProfileRequest.action, of: resident.rawValue, request)))
    return try engine.handle(.asked(command, sent: now.tick), in: world)
  }

  @Test("A profile is kept whole, told once, and comes back after a start")
  func kept() throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    #expect(engine.profile(of: "mary") == HealthProfile())
    let profile = try Self.profile([
      "name": "Mary Smith", "birthDate": "1948-02-29", "sex": "female", "diabetes": "type-2",
    ])
    let outcome = try #require(try Self.put(profile, into: &engine))
    #expect(outcome.events.map(\.type) == [.profileChanged] && outcome.changes.count == 1)
    #expect(outcome.events[0].facts["explanation"] == "The profile of Mary was changed.")
    #expect(outcome.reply["changedAt"]?.stringContent == Self.now.utc.iso8601)
    let again = try #require(try Self.put(profile, into: &engine))
    #expect(again.events.isEmpty && again.changes.isEmpty)
    var state = StoredState()
    engine.store(in: &state)
    let restarted = ProfileEngine(stored: state, seed: 1, in: Self.world)
    #expect(restarted.profile(of: "mary") == engine.profile(of: "mary"))
    #expect(restarted.profile(of: "mary").diabetes == .type2)
    // What is told no longer is gone.
    _ = try Self.put(HealthProfile(), into: &engine)
    #expect(engine.profile(of: "mary").birthDate == nil)
  }

  @Test(
    "What no date of birth is, is refused, and nothing changes",
    arguments: [
      "1948-02-30", "48-02-03", "1899-12-31", "2026-12-31", "yesterday", "1948-02-03T10", "",
    ])
  func refused(_ date: String) throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    #expect(throws: CommandReply.Refusal.self) {
      try Self.put(try Self.profile(["birthDate": .string(date)]), into: &engine)
    }
    #expect(engine.profile(of: "mary") == HealthProfile())
  }

  @Test("Of nobody there is no profile, an unknown word is none, and what is erased is forgotten")
  func nobody() throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    #expect(throws: CommandReply.Refusal.self) {
      try Self.put(HealthProfile(), of: "nobody", into: &engine)
    }
    #expect(throws: (any Error).self) { try Self.profile(["diabetes": "type-3"]) }
    let profile = try Self.profile(["sex": "male"])
    _ = try Self.put(profile, into: &engine)
    #expect(try engine.handle(.changed(.erased("mary")), in: Self.world) != nil)
    #expect(engine.profile(of: "mary") == HealthProfile())
    #expect(try engine.handle(.time, in: Self.world) == nil)
  }

  @Test("A row of a later version stays as it is")
  func later() {
    var state = StoredState()
    let row = EngineRow(
      engine: "profile", subject: "mary", name: "health", content: ["sex": "unheard of"])
    state.engineRows = [row]
    var stored = StoredState()
    ProfileEngine(stored: state, seed: 1, in: Self.world).store(in: &stored)
    #expect(stored.engineRows == [row])
  }
}
