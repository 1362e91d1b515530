import Bytes
import Care
import CivilTime
import JSON
import Moments
import Testing

@testable import Reports

@Suite("Reports by e-mail")
struct ReportEngineTests {
  /// A Saturday, 28 November 2026, at noon in Oslo.
  private static let noon = CivilDateTime(year: 2026, month: 11, day: 28, hour: 11).asUTC
  private static let anna = Principal(channel: .local, name: "anna")

  private static func world(_ agrees: Bool?, at time: Timestamp = noon) -> World {
    var house = House(residents: [
      Resident(id: "mary", name: "Mary", timeZone: "UTC"),
      Resident(id: "ben", name: "Ben", timeZone: "UTC"),
    ])
    if let agrees {
      house.consents = [
        Consent(
          resident: "mary", kind: .reports, isGranted: agrees, by: "Mary", at: noon,
          principal: "local:anna")
      ]
    }
    return World(
      now: Moment(tick: .seconds(1000), utc: time, quality: .synchronised), house: house)
  }

  private static func order(
    _ id: String = "o", every: ReportOrder.Recurrence = .weekly,
    email: String = "practice@example.org", of resident: String = "mary"
  ) throws -> ReportOrder {
    try ReportOrder(json: [
      "id": .string(id), "resident": .string(resident), "kind": "doctor", "email": .string(email),
      "every": .string(every.rawValue), "by": "somebody else", "next": "2020-01-01T00:00:00Z",
      "fault": "none of theirs",
    ])
  }

  @discardableResult
  private static func ask(
    _ request: ReportOrderRequest, _ engine: inout ReportEngine, in world: World
  ) throws -> Outcome {
    let command = Command(
      id: "1", principal: anna, request: .feature(FeatureRequest(request.action, of: "", request)))
    return try #require(try engine.handle(.asked(command, sent: world.now.tick), in: world))
  }

  private static func engine(_ stored: StoredState = StoredState()) -> ReportEngine {
    ReportEngine(stored: stored, seed: 1, in: world(true))
  }

  @Test("Nothing goes out unless the person agrees: not asked and refused are both no")
  func consent() throws {
    for agrees in [nil, false] as [Bool?] {
      var engine = Self.engine()
      let world = Self.world(agrees)
      let refusal = #expect(throws: CommandReply.Refusal.self) {
        try Self.ask(.order(try Self.order()), &engine, in: world)
      }
      #expect(refusal?.code == .forbidden && engine.listed(of: nil, in: world.house).isEmpty)
    }
    var engine = Self.engine()
    try Self.ask(.order(try Self.order()), &engine, in: Self.world(true))
    #expect(engine.listed(of: "mary", in: Self.world(true).house)[0]["isAllowed"] == true)
    // Who no longer agrees has the order, and nothing goes out.
    #expect(engine.listed(of: "mary", in: Self.world(false).house)[0]["isAllowed"] == false)
    #expect(engine.listed(of: "ben", in: Self.world(true).house).isEmpty)
  }

  @Test(
    "When it goes out is the gateway's to say: once at once, on Mondays, on the first of a month",
    arguments: [
      (.once, "2026-11-28T11:00:00.000Z"), (.weekly, "2026-11-30T08:00:00.000Z"),
      (.monthly, "2026-12-01T08:00:00.000Z"),
    ] as [(ReportOrder.Recurrence, String)])
  func next(_ every: ReportOrder.Recurrence, _ expected: String) throws {
    var engine = Self.engine()
    let outcome = try Self.ask(
      .order(try Self.order(every: every)), &engine, in: Self.world(true))
    #expect(outcome.reply["next"]?.stringContent == expected)
    #expect(outcome.reply["by"] == "local:anna" && outcome.reply["fault"] == nil)
    #expect(outcome.events.map(\.type) == [.reportChanged])
    #expect(
      outcome.events[0].facts["explanation"]
        == "Reports about Mary go to practice@example.org by e-mail.")
  }

  @Test("The next one is the one after now, over changes of clocks and years")
  func following() throws {
    let weekly = try Self.order(every: .weekly)
    let monthly = try Self.order(every: .monthly)
    for (order, now, expected) in [
      (weekly, "2026-11-30T08:00:00.000Z", "2026-12-07T08:00:00.000Z"),
      (weekly, "2026-11-30T07:59:59.999Z", "2026-11-30T08:00:00.000Z"),
      (monthly, "2026-12-01T08:00:00.000Z", "2027-01-01T08:00:00.000Z"),
      (monthly, "2028-02-01T09:00:00.000Z", "2028-03-01T08:00:00.000Z"),
    ] {
      #expect(order.following(try Timestamp(iso8601: now), in: .utc).iso8601 == expected)
    }
  }

  @Test("What was sent once is gone; what comes again goes on, and says when it could not be sent")
  func settled() throws {
    var engine = Self.engine()
    let world = Self.world(true)
    try Self.ask(.order(try Self.order("once", every: .once)), &engine, in: world)
    try Self.ask(.order(try Self.order("again")), &engine, in: world)
    let failed = try Self.ask(.settle("again", fault: "no network"), &engine, in: world)
    #expect(failed.events[0].facts["change"] == "failed")
    // The same trouble is told once.
    #expect(try Self.ask(.settle("again", fault: "no network"), &engine, in: world).events.isEmpty)
    #expect(engine.listed(of: nil, in: world.house)[0]["fault"] == "no network")
    // However long it is.
    let long = String(repeating: "x", count: 900)
    #expect(try Self.ask(.settle("once", fault: long), &engine, in: world).events.count == 1)
    #expect(try Self.ask(.settle("once", fault: long), &engine, in: world).events.isEmpty)
    let later = Self.world(true, at: try Timestamp(iso8601: "2026-11-30T08:05:00Z"))
    try Self.ask(.settle("again", fault: nil), &engine, in: later)
    try Self.ask(.settle("once", fault: nil), &engine, in: later)
    let listed = engine.listed(of: nil, in: world.house)
    #expect(listed.count == 1 && listed[0]["fault"] == nil)
    #expect(listed[0]["next"] == "2026-12-07T08:00:00.000Z")
    #expect(listed[0]["sentAt"] == "2026-11-30T08:05:00.000Z")
    #expect(throws: CommandReply.Refusal.self) {
      try Self.ask(.settle("once", fault: nil), &engine, in: later)
    }
  }

  @Test("It is kept, cancelled, and erased with the resident")
  func kept() throws {
    var engine = Self.engine()
    let world = Self.world(true)
    try Self.ask(.order(try Self.order("a")), &engine, in: world)
    try Self.ask(.order(try Self.order("b")), &engine, in: world)
    let cancelled = try Self.ask(.cancel("a"), &engine, in: world)
    #expect(cancelled.events[0].facts["change"] == "cancelled" && cancelled.changes.count == 1)
    var state = StoredState()
    engine.store(in: &state)
    var restarted = Self.engine(state)
    #expect(restarted.listed(of: nil, in: world.house) == engine.listed(of: nil, in: world.house))
    #expect(try restarted.handle(.changed(.erased("mary")), in: world) != nil)
    #expect(restarted.listed(of: nil, in: world.house).isEmpty)
  }

  @Test(
    "What is no address, no language or no paper is refused, and so is the eleventh",
    arguments: ["", "practice", "a@b", "two@example.org, three@example.org", "a@b\r\nBcc: c@d.org"])
  func refused(_ email: String) throws {
    var engine = Self.engine()
    let world = Self.world(true)
    #expect(throws: CommandReply.Refusal.self) {
      try Self.ask(.order(try Self.order(email: email)), &engine, in: world)
    }
    for number in 0..<10 {
      try Self.ask(.order(try Self.order("o\(number)")), &engine, in: world)
    }
    try Self.ask(.order(try Self.order("o3", every: .once)), &engine, in: world)
    #expect(throws: CommandReply.Refusal.self) {
      try Self.ask(.order(try Self.order("o10")), &engine, in: world)
    }
    let unsure = World(
      now: Moment(tick: .seconds(1), utc: Self.noon, quality: .untrusted), house: world.house)
    #expect(throws: CommandReply.Refusal.self) {
      try Self.ask(.order(try Self.order("o3")), &engine, in: unsure)
    }
    for (name, word) in [("paper", "a3"), ("language", "de"), ("every", "hourly")] {
      let order = try Self.order("o3").json.setting(name, to: .string(word))
      #expect(throws: DecodeError.self) { _ = try ReportOrder(json: order) }
    }
  }
}
