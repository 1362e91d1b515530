import Care
import JSON
import Moments
import Testing
import Texts

@testable import Protection

/// Who is told what, by which way and in which words.
@Suite("Messages about protections")
struct ProtectionMessageTests {
  private static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps")
  private static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)

  private var world: World
  private var engine: ProtectionEngine

  init() throws {
    world = World(now: Self.start, house: House(residents: [Self.mary]), boot: "b")
    world.tracked = ["mary"]
    world.identifiers = IdentifierGenerator(seed: 7)
    engine = ProtectionEngine(stored: StoredState(), seed: 1, in: world)
  }

  private static func guardian(
    _ id: GuardianID, phone: String? = nil, email: String? = nil, language: String? = nil
  ) -> Guardian {
    Guardian(
      id: id, resident: "mary", name: "\(id)", phone: phone, email: email, language: language)
  }

  private static func zone(_ id: ZoneID, alarmsOnLeaving: Bool = true) throws -> SafeZone {
    let center = try #require(Coordinate(latitudeDegrees: 10, longitudeDegrees: 20))
    return SafeZone(
      id: id, resident: "mary", name: "Zone \(id)", center: center, radiusMeters: 50,
      alarmsOnLeaving: alarmsOnLeaving)
  }

  /// What a command brings about that changes the world.
  private mutating func settle(
    _ request: Command.Request, _ change: (inout World) -> Void
  ) throws -> [EventDraft] {
    change(&world)
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "ole"), request: request)
    return try engine.handle(.settled(after: .command(command)), in: world)?.events ?? []
  }

  private mutating func live(_ seconds: Int64) throws -> [AlarmMessage] {
    world.now = world.now.advanced(byMilliseconds: seconds * 1000)
    return Self.messages(try engine.handle(.time, in: world))
  }

  private static func messages(_ outcome: Outcome?) -> [AlarmMessage] {
    (outcome?.actions ?? []).compactMap {
      if case .notify(let message) = $0 { message } else { nil }
    }
  }

  /// Lets somebody guard from the start.
  private mutating func begin(with guardians: [Guardian], zones: [SafeZone] = []) throws {
    for guardian in guardians { world.house.put(guardian) }
    for zone in zones { world.house.zones[zone.id] = zone }
    _ = try engine.handle(.arranged, in: world)
  }

  private mutating func trackingOff() throws -> [AlarmMessage] {
    _ = try settle(.setTracking(resident: "mary", isOn: false)) { $0.tracked = [] }
    return try live(3)
  }

  @Test("Each address is told once, in its guardian's language, and nobody is called")
  mutating func addresses() throws {
    try begin(with: [
      Self.guardian("ada", phone: "+447700900123", email: "family@example.org"),
      Self.guardian("ben", email: "family@example.org"),
      Self.guardian("fang", phone: "+447700900124", language: "zh"),
    ])
    let messages = try trackingOff()
    try #require(messages.count == 3)
    #expect(messages.map(\.address) == ["+447700900123", "family@example.org", "+447700900124"])
    #expect(messages.map(\.channel) == [.sms, .email, .sms])
    #expect(messages.map(\.language) == ["en", "en", "zh"])
    // A mail has room for the way back, a text message has not.
    #expect(messages.map { $0.text.contains("homeward tracking on") } == [false, true, false])
    #expect(messages.allSatisfy { $0.attempt == 1 && $0.alarm == messages[0].alarm })
    #expect(messages[2].text != messages[0].text && messages[0].text.utf16.count <= 160)
  }

  @Test("That there is something for the first time is no news")
  mutating func first() throws {
    try begin(with: [])
    let zone = try Self.zone("home")
    #expect(try settle(.putZone(zone)) { $0.house.zones["home"] = zone }.isEmpty)
    let ada = Self.guardian("ada", email: "ada@example.org")
    #expect(try settle(.putGuardian(ada)) { $0.house.put(ada) }.isEmpty)
    #expect(try live(60).isEmpty && engine.nextWake == nil)
  }

  @Test("An alarm on leaving that goes off is told, and the last zone that goes is told as that")
  mutating func zones() throws {
    let (home, club) = (try Self.zone("home"), try Self.zone("club"))
    try begin(
      with: [Self.guardian("ada", email: "ada@example.org")], zones: [home, club])
    let quiet = try Self.zone("club", alarmsOnLeaving: false)
    var events = try settle(.putZone(quiet)) { $0.house.zones["club"] = quiet }
    #expect(events.map { $0.facts["protection"] } == ["zone:club"])
    #expect(events.map(\.lane) == [.alarm])
    #expect(try live(3).map { $0.text.contains("Zone club") } == [true])
    // It is given back, which is told, too, in the lane of what is only recorded.
    events = try settle(.putZone(club)) { $0.house.zones["club"] = club }
    #expect(events.map { $0.facts["isOn"] } == [true] && events.map(\.lane) == [.record])
    events = try settle(.removeZone("club")) { $0.house.zones["club"] = nil }
    #expect(events.isEmpty)
    events = try settle(.removeZone("home")) { $0.house.zones["home"] = nil }
    #expect(events.map { $0.facts["protection"] } == ["zones"])
  }

  @Test("Of somebody who was erased no event stays, and who cared is told")
  mutating func erased() throws {
    try begin(with: [Self.guardian("ada", email: "ada@example.org")])
    let events = try settle(.eraseResident("mary")) { world in
      world.house.residents = [:]
      world.house.removeGuardians { _ in true }
      world.tracked = []
    }
    #expect(events.isEmpty)
    #expect(try live(3).map(\.guardian) == ["ada"])
  }

  @Test("What nobody answered before a start goes out again, and at once by a way that is new")
  mutating func startAndWays() throws {
    try begin(with: [Self.guardian("ada", email: "ada@example.org")])
    let message = try #require(try trackingOff().first)
    var stored = StoredState()
    engine.store(in: &stored)
    engine = ProtectionEngine(stored: stored, seed: 2, in: world)
    #expect(Self.messages(try engine.handle(.started(version: "0"), in: world)) == [message])
    let failed = DeliveryReport(
      plugin: "email", event: EventID(message.alarm.rawValue), recipient: "ada",
      channel: "email", outcome: .failed, notice: .news)
    _ = try engine.handle(.signalled(.reported(failed)), in: world)
    #expect(try live(1).isEmpty)
    let offer = WaysReport.Offer(channel: .email, plugin: "mail", isRunning: true)
    _ = try engine.handle(.observed(.ways(WaysReport(offers: [offer]))), in: world)
    #expect(engine.nextWake == world.now.tick)
    #expect(try live(0).map(\.attempt) == [2])
  }

  @Test("News go out in each guardian's language, once, and to nobody who is only called")
  mutating func news() throws {
    var called = Self.guardian("eve", phone: "+447700900125")
    called.withoutChannels = [.sms]
    try begin(with: [
      Self.guardian("ada", phone: "+447700900123", email: "ada@example.org"), called,
      Self.guardian("fang", phone: "+447700900124", language: "zh"),
    ])
    world.event = "e-1"
    let told = try engine.handle(
      .signalled(.news(.receipt(sender: "Ole"), of: "mary")), in: world)
    let messages = Self.messages(told)
    #expect(messages.map(\.guardian) == ["ada", "fang"])
    #expect(messages.map(\.channel) == [.email, .sms])
    #expect(messages.map(\.language) == ["en", "zh"])
    #expect(messages.first?.text == "Mary heard the message of Ole.")
    #expect(messages.last?.text != messages.first?.text)
    #expect(engine.nextWake == nil)
  }
}
