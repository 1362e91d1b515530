import Care
import CivilTime
import Households
import JSON
import Moments
import Testing
import Texts

/// Who lives in the house and what is set, without a core.
@Suite("Households")
struct HouseholdsEngineTests {
  private static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps")
  private static let ada = Guardian(
    id: "ada", resident: "mary", name: "Ada", phone: "+447700900123")
  private static let owner = Principal(channel: .local, name: "ole")

  private static func zone(_ id: ZoneID, isHome: Bool = false) throws -> SafeZone {
    let center = try #require(Coordinate(latitudeDegrees: 10, longitudeDegrees: 20))
    return SafeZone(
      id: id, resident: "mary", name: "\(id)", center: center, radiusMeters: 50, isHome: isHome)
  }

  private var engine: HouseholdsEngine
  private let world: World

  init() {
    let now = Moment(tick: .seconds(1), utc: .seconds(1_800_000_000), quality: .synchronised)
    world = World(now: now, house: House(), boot: "b")
    engine = HouseholdsEngine(stored: StoredState(), seed: 1, in: world)
  }

  @discardableResult
  private mutating func ask(_ request: Command.Request) throws -> Outcome {
    let command = Command(id: "c", principal: Self.owner, request: request)
    return try #require(try engine.handle(.asked(command, sent: world.now.tick), in: world))
  }

  private mutating func refusal(_ request: Command.Request) -> CommandReply.Refusal.Code? {
    do {
      try ask(request)
      return nil
    } catch let error as CommandReply.Refusal {
      return error.code
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test("What is put is known at once, told to the others, noted and stored")
  mutating func put() throws {
    let outcome = try ask(.putResident(Self.mary))
    #expect(engine.house.people["mary"]?.name == "Mary")
    #expect(outcome.changed == [.resident("mary")])
    #expect(outcome.changes == [.putResident(Self.mary)])
    #expect(outcome.events.map(\.type) == [.recordChanged])
    let set = try ask(.putSetting(resident: "mary", name: "language", value: "zh"))
    #expect(set.changed == [.setting("mary", name: "language")])
    #expect(engine.house.language(of: "mary") == .zh)
    try ask(.putGuardian(Self.ada))
    var stored = StoredState()
    engine.store(in: &stored)
    #expect(stored.residents == [Self.mary] && stored.guardians == [Self.ada])
    let next = HouseholdsEngine(stored: stored, seed: 2, in: world)
    #expect(next.house.people == engine.house.people)
    #expect(next.house.guardians == engine.house.guardians)
  }

  @Test("What is refused has changed nothing")
  mutating func refused() throws {
    let version = engine.house.version
    #expect(try refusal(.putZone(Self.zone("home"))) == .unknownTarget)
    #expect(refusal(.putGuardian(Self.ada)) == .unknownTarget)
    #expect(refusal(.removeGuardian("ada")) == .unknownTarget)
    #expect(refusal(.eraseResident("mary")) == .unknownTarget)
    #expect(engine.house.version == version)
    try ask(.putResident(Self.mary))
    var other = Self.mary
    other.id = "anna"
    #expect(refusal(.putResident(other)) == .conflict)
    #expect(engine.house.residents.keys.sorted() == ["mary"])
  }

  @Test("There is one home: the zone marked last, and the others hear how a zone changed")
  mutating func homes() throws {
    try ask(.putResident(Self.mary))
    let first = try ask(.putZone(Self.zone("cottage", isHome: true)))
    guard case .zones("mary", let edit)? = first.changed.first else {
      Issue.record("nobody hears of the zone")
      return
    }
    #expect(edit.change == .added)
    let second = try ask(.putZone(Self.zone("flat", isHome: true)))
    #expect(engine.house.zones["cottage"]?.isHome == false)
    #expect(second.changes.count >= 2)
    var wider = try Self.zone("flat", isHome: true)
    wider.area = .circle(center: wider.center, radiusMeters: 80)
    let third = try ask(.putZone(wider))
    guard case .zones(_, let change)? = third.changed.first else { return }
    #expect(change.change == .enlarged)
  }

  @Test("Nothing of a resident is left when they are erased")
  mutating func erased() throws {
    try ask(.putResident(Self.mary))
    try ask(.putZone(Self.zone("home", isHome: true)))
    try ask(.putGuardian(Self.ada))
    try ask(.putSetting(resident: "mary", name: "language", value: "zh"))
    try ask(
      .putConsent(resident: "mary", kind: .camera, isGranted: false, by: "Ada"))
    let outcome = try ask(.eraseResident("mary"))
    #expect(outcome.changed == [.erased("mary")])
    #expect(outcome.identifiers != nil)
    // The one event that stays tells the id to nobody who does not know it.
    #expect(!outcome.events.contains { $0.facts.serialized.contains("mary") })
    var stored = StoredState()
    engine.store(in: &stored)
    #expect(stored == StoredState())
    #expect(engine.house.consents.isEmpty && engine.house.people.isEmpty)
  }

  @Test("What was refused is not used, and the rules of a zone make local time known")
  mutating func consentAndZones() throws {
    try ask(.putResident(Self.mary))
    try ask(.putConsent(resident: "mary", kind: .location, isGranted: false, by: "Ada"))
    #expect(engine.house.isRefused(.location, by: "mary"))
    #expect(throws: CommandReply.Refusal.self) {
      try engine.house.requireConsent(.location, of: "mary")
    }
    try engine.house.requireConsent(.camera, of: "mary")
    #expect(engine.house.people["mary"]?.zone == nil)
    let outcome = try engine.handle(.rules(of: "Etc/UTC", .utc), in: world)
    #expect(outcome?.changed == [.timeZone("Etc/UTC")])
    #expect(engine.house.people["mary"]?.zone != nil)
  }

  private mutating func care(_ guardian: Guardian) throws -> Outcome? {
    try engine.handle(.signalled(.cares(guardian)), in: world)
  }

  @Test("Whoever cares is a guardian from then on, once, under an id of their own")
  mutating func carers() throws {
    try ask(.putResident(Self.mary))
    try ask(.putGuardian(Self.ada))
    let carer = Guardian(
      id: "0199-account", resident: "mary", name: "Ada Ø. Smith", email: "ada@example.org")
    let added = try #require(try care(carer))
    #expect(engine.house.guardians.map(\.id) == ["ada", "ada-o-smith"])
    #expect(added.events.map(\.type) == [.recordChanged] && added.changed == [.guardians])
    // Who is one already, by address or by number, stays as they are.
    #expect(try care(carer) == nil)
    var same = carer
    (same.email, same.phone) = (nil, Self.ada.phone)
    #expect(try care(same) == nil)
    // The same person guards another under another id; a name without Latin letters has one, too.
    try ask(.putResident(Resident(id: "ben", name: "Ben", timeZone: "Etc/UTC")))
    var other = carer
    other.resident = "ben"
    #expect(try care(other) != nil)
    #expect(engine.house.guardians(of: "ben").map(\.id) == ["ada-o-smith-2"])
    let chinese = Guardian(id: "x", resident: "ben", name: "王芳", email: "fang@example.org")
    #expect(try care(chinese) != nil)
    #expect(engine.house.guardian("guardian")?.name == "王芳")
  }

  @Test("Whoever joins is a resident from then on")
  mutating func joins() throws {
    let outcome = try engine.handle(.signalled(.joins(Self.mary)), in: world)
    #expect(engine.house.residents["mary"]?.name == "Mary")
    #expect(
      outcome?.changes == [.putResident(Self.mary)] && outcome?.changed == [.resident("mary")])
  }

  @Test("Where there is no room for another guardian, or nobody of that id, nothing changes")
  mutating func noRoom() throws {
    try ask(.putResident(Self.mary))
    for number in 1...5 {
      try ask(
        .putGuardian(
          Guardian(
            id: GuardianID("g\(number)"), resident: "mary", name: "G",
            email: "g\(number)@example.org")))
    }
    let before = engine.house
    #expect(
      try care(Guardian(id: "x", resident: "mary", name: "Six", email: "six@example.org")) == nil)
    #expect(
      try care(Guardian(id: "x", resident: "eve", name: "Six", email: "six@example.org")) == nil)
    #expect(engine.house == before)
  }
}
