import Bytes
import Care
import JSON
import Moments
import TestSupport
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

  @Test("A profile stands in the place of one that could not be read, and other rows stay")
  func overUnreadable() throws {
    var state = StoredState()
    let other = EngineRow(engine: "profile", subject: "mary", name: "teeth", content: ["n": 32])
    state.engineRows = [
      EngineRow(engine: "profile", subject: "mary", name: "health", content: ["sex": "unheard of"]),
      other,
    ]
    var engine = ProfileEngine(stored: state, seed: 1, in: Self.world)
    _ = try Self.put(try Self.profile(["sex": "male"]), into: &engine)
    var stored = StoredState()
    engine.store(in: &stored)
    #expect(stored.engineRows.map(\.name) == ["health", "teeth"])
    #expect(stored.engineRows.first?.content["sex"] == "male" && stored.engineRows.last == other)
    #expect(try engine.handle(.changed(.erased("mary")), in: Self.world) != nil)
    stored = StoredState()
    engine.store(in: &stored)
    #expect(stored == StoredState())
  }

  /// It is noon in UTC on 24 November 2026.
  @Test(
    "A date of birth is on the calendar from 1900 on, and not beyond where it is tomorrow already",
    arguments: [
      ("1900-01-01", true, true), ("1899-12-31", false, false), ("2000-02-29", true, true),
      ("1900-02-29", false, false), ("2026-11-24", true, true), ("2026-11-25", true, true),
      ("2026-11-26", false, true), ("2200-12-31", false, true), ("2201-01-01", false, false),
      ("1948-3-7", false, false), ("1948-03-07 ", false, false), ("1948/03/07", false, false),
    ])
  func dates(date: String, isTaken: Bool, isTakenWithoutClock: Bool) throws {
    let profile = try Self.profile(["birthDate": .string(date)])
    var unsure = Self.now
    unsure.quality = .untrusted
    for (now, expected) in [(Self.now, isTaken), (unsure, isTakenWithoutClock)] {
      let refused = Asked { () throws(CommandReply.Refusal) -> Outcome in
        try profile.check(at: now)
        return Outcome()
      }.refusal
      #expect((refused == nil) == expected)
      #expect(expected || refused?.code == .invalid)
    }
  }

  @Test(
    "A name is on one line, and of two hundred characters at most",
    arguments: [
      ("王芳", true), (String(repeating: "x", count: 200), true), ("", false), ("  ", false),
      ("Mary\nSmith", false), (String(repeating: "x", count: 201), false),
    ])
  func names(name: String, isTaken: Bool) throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    let profile = try Self.profile(["name": .string(name)])
    if isTaken {
      #expect(try Self.put(profile, into: &engine)?.changes.count == 1)
    } else {
      #expect(throws: CommandReply.Refusal.self) { try Self.put(profile, into: &engine) }
      #expect(engine.profile(of: "mary") == HealthProfile())
    }
  }

  @Test("When it was changed is what the gateway says, and alone no change")
  func changedAt() throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    _ = try Self.put(
      try Self.profile(["sex": "male", "changedAt": "1999-01-01T00:00:00Z"]), into: &engine)
    #expect(engine.profile(of: "mary").changedAt == Self.now.utc)
    let again = try Self.put(
      try Self.profile(["sex": "male", "changedAt": "1999-01-01T00:00:00Z"]), into: &engine)
    #expect(again?.events.isEmpty == true && again?.changes.isEmpty == true)
  }

  @Test("A request that came as JSON is understood where it is one, and refused where it is not")
  func asJSON() throws {
    let request = ProfileRequest("mary", try Self.profile(["diabetes": "type-1"]))
    #expect(try ProfileRequest(json: JSONValue(parsing: request.json.serialized)) == request)
    let value = FeatureValue(json: request.json)
    let understood = try ProfileEngine.understood(value, at: .request(action: "profile.put"))
    #expect(try understood?.value(as: ProfileRequest.self) == request)
    #expect(try ProfileEngine.understood(value, at: .request(action: "report.put")) == nil)
    #expect(try ProfileEngine.understood(value, at: .meter) == nil)
    for (json, code, field) in [
      (["action": "profile.put", "target": "mary"], .missingField, "profile"),
      (["action": "profile.put", "profile": [:]], .missingField, "target"),
      (["action": "profile.get", "target": "mary", "profile": [:]], .unknownWord, "action"),
      (["action": "profile.put", "target": "mary", "profile": ["sex": "x"]], .unknownWord, "sex"),
    ] as [(JSONValue, DecodeError.Code, String)] {
      #expect(throws: DecodeError(code, at: 0, field: field)) {
        try ProfileEngine.understood(
          FeatureValue(json: json), at: .request(action: "profile.put"))
      }
    }
  }

  @Test("A request of its name with another content is refused, one of another name is not its own")
  func foreign() throws {
    var engine = ProfileEngine(stored: StoredState(), seed: 1, in: Self.world)
    func handle(_ action: String) throws -> Asked? {
      let feature = FeatureRequest(action, of: "mary", HealthProfile())
      let command = Command(
        id: "1", principal: Principal(channel: .local, name: "anna"), request: .feature(feature))
      return Asked(
        offering: .asked(command, sent: Self.now.tick), to: &engine, in: Self.world)
    }
    #expect(try handle("profile.put")?.refusal?.code == .invalid)
    #expect(try handle("report.put") == nil)
  }
}
