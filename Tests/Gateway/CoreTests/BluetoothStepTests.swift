import Care
import GlucoseValues
import JSON
import Moments
import Proximity
import Testing

@testable import Core

@Suite("Tags and meters in the core")
struct BluetoothStepTests {
  static let beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:"

  static func identity(_ minor: Int) throws -> TagIdentity { try TagIdentity("\(beacon)\(minor)") }

  static func tag(_ id: TagID, _ kind: Care.Tag.Kind, zone: ZoneID? = nil) -> Care.Tag {
    Care.Tag(id: id, resident: "mary", name: "The \(id)", kind: kind, zone: zone)
  }

  static func house(_ place: TagHearer.Place = .withResident) throws -> CoreFixture {
    var house = CoreFixture(
      configuration: CoreConfiguration(
        gateway: "test", hearers: [TagHearer(id: "bluetooth", place: place)]))
    house.perform(.putResident(CoreFixture.mary))
    house.perform(.putZone(CoreFixture.zone()))
    house.perform(
      .bluetooth(.putTag(tag("hall", .home), identities: [try identity(1)])))
    house.perform(
      .bluetooth(.putTag(tag("wallet", .wallet), identities: [try identity(2)])))
    house.step(.observation(.listening("bluetooth", isListening: true)))
    return house
  }

  private func hear(_ tag: TagID, _ dBm: Int, at house: CoreFixture) throws -> CoreInput {
    let sighting = TagSighting(
      tag: tag, hearer: "bluetooth", strengthDBm: dBm, moment: house.now)
    return .observation(.sighting(try #require(sighting)))
  }

  /// Hears tags, and has a position, once a second for a while.
  private func pass(
    _ house: inout CoreFixture, seconds: Int, metersNorth: Double, hearing: [TagID]
  ) throws -> [Event] {
    var events: [Event] = []
    for _ in 0..<seconds {
      events += house.step(house.fix(metersNorth: metersNorth), afterSeconds: 1).events
      for tag in hearing { events += house.step(try hear(tag, -55, at: house)).events }
    }
    return events
  }

  @Test("What a tag is known by is kept through a restart, and its key is in no event")
  func stored() throws {
    var house = try Self.house()
    let key = "231d39c1d7cc1ab1aee224cd096db932"
    let secret = try TagIdentity("bthome:54:48:E6:8F:80:A5:\(key)")
    let result = house.perform(
      .bluetooth(.putTag(Self.tag("stick", .thing), identities: [secret])))
    #expect(result.reply == .done(["id": "stick"]))
    #expect(result.events.contains { $0.type == .recordChanged })
    #expect(!result.events.contains { $0.facts.serialized.contains(key) })
    let again = CoreFixture(
      stored: house.core.storedState, configuration: house.core.configuration, at: house.now)
    #expect(again.core.nearby.knownTags.map(\.id) == ["hall", "stick", "wallet"])
    #expect(again.core.nearby.knownTags[1].identities == [secret])
    #expect(!JSONValue.array(again.core.nearby.tagSummaries(of: nil)).serialized.contains(key))
  }

  @Test("Tags that contradict what is there are refused, and nothing changes")
  func refused() throws {
    var house = try Self.house()
    let known = try Self.identity(1)
    let before = house.core.storedState
    let wrong: [(Care.Tag, [TagIdentity]?, CommandReply.Refusal.Code)] = [
      (Self.tag("other", .keys), [known], .conflict),
      (Self.tag("other", .keys), [], .invalid),
      (Self.tag("other", .keys), nil, .invalid),
      (Self.tag("other", .home, zone: "nowhere"), [try Self.identity(9)], .unknownTarget),
      (Self.tag("other", .keys, zone: "home"), [try Self.identity(9)], .invalid),
      (Self.tag("Other!", .keys), [try Self.identity(9)], .invalid),
    ]
    for (tag, identities, code) in wrong {
      let result = house.perform(.bluetooth(.putTag(tag, identities: identities)))
      #expect(result.reply?.refusalCode == code, "\(tag) \(String(describing: identities))")
      #expect(result.events.isEmpty)
    }
    #expect(
      house.core.storedState.engineRows.filter { $0.engine == "bluetooth" }
        == before.engineRows.filter { $0.engine == "bluetooth" })
    #expect(house.perform(.bluetooth(.removeTag("nothing"))).reply?.refusalCode == .unknownTarget)
    // What was taken away just now comes back as it was known, and nothing else does.
    let wallet = Self.tag("wallet", .wallet)
    house.perform(.bluetooth(.removeTag("wallet")))
    let back = house.perform(.bluetooth(.putTag(wallet, identities: nil)))
    #expect(back.reply == .done(["id": "wallet"]))
    let never = house.perform(.bluetooth(.putTag(Self.tag("never", .keys), identities: nil)))
    #expect(never.reply?.refusalCode == .invalid)
  }

  @Test("A tag at home that is heard holds a resident inside whom positions would take out")
  func homeTag() throws {
    var heard = try Self.house()
    _ = try pass(&heard, seconds: 20, metersNorth: 0, hearing: ["hall"])
    let vetoed = try pass(&heard, seconds: 60, metersNorth: 110, hearing: ["hall"])
    #expect(!vetoed.contains { $0.type == .zoneLeft })
    var silent = try Self.house()
    _ = try pass(&silent, seconds: 20, metersNorth: 0, hearing: [])
    let left = try pass(&silent, seconds: 60, metersNorth: 110, hearing: [])
    #expect(left.contains { $0.type == .zoneLeft })
  }

  @Test("Who goes out while the device with them hears the wallet no more is without it")
  func leftWithout() throws {
    var house = try Self.house()
    house.perform(.bluetooth(.removeTag("hall")))
    house.perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", email: "anna@example.org")))
    _ = try pass(&house, seconds: 20, metersNorth: 0, hearing: ["wallet"])
    let out = try pass(&house, seconds: 300, metersNorth: 400, hearing: [])
    let left = try #require(out.first { $0.type == .zoneLeft })
    let without = try #require(out.first { $0.type == .leftWithout })
    #expect(without.facts["tag"] == "wallet")
    #expect(without.lane == .alarm)
    #expect(left.moment.tick < without.moment.tick)
    let told = house.results.flatMap(\.actions).filter {
      if case .notify(let message) = $0 { message.notice == .news } else { false }
    }
    #expect(told.count == 1)
    let back = try pass(&house, seconds: 60, metersNorth: 0, hearing: [])
    #expect(back.contains { $0.type == .leftWithoutOver })
  }

  @Test("A tag that is taken away is told of no more, and its rows go")
  func removed() throws {
    var house = try Self.house()
    _ = try pass(&house, seconds: 10, metersNorth: 0, hearing: ["wallet"])
    let result = house.perform(.bluetooth(.removeTag("wallet")))
    #expect(result.reply == .done(["removed": "wallet"]))
    #expect(!house.core.storedState.engineRows.contains { $0.name.hasSuffix("wallet") })
    #expect(house.step(try hear("wallet", -50, at: house), afterSeconds: 1).events.isEmpty)
    house.perform(.eraseResident("mary"))
    #expect(house.core.nearby.knownTags.isEmpty)
    #expect(house.core.storedState.engineRows.filter { $0.subject == "mary" }.isEmpty)
  }

  // MARK: Meters

  private static let address = BluetoothAddress("C0:11:22:33:44:55", kind: .random)

  private func reading(_ number: Int, at house: CoreFixture, of resident: ResidentID = "mary")
    throws -> GlucoseReading
  {
    GlucoseReading(
      id: GlucoseReadingID("meter-\(number)"), resident: resident,
      level: try GlucoseConcentration(withUnit: "\(100 + number) mg/dL"),
      time: house.now.utc.advanced(byMilliseconds: -60_000), receivedAt: house.now.utc,
      source: .meter, origin: "Meter",
      meterTime: MeterTime(base: "2026-11-20T10:00:00", offsetMinutes: 5, aheadSeconds: -3))
  }

  @Test("Readings and how far they reach are one change, and what came before comes once")
  func meter() throws {
    var house = try Self.house()
    let address = try #require(Self.address)
    let bookmark: JSONValue = ["glucose": ["newest": 2]]
    let report = MeterReport(
      meter: address, readings: [try reading(1, at: house), try reading(2, at: house)],
      bookmark: bookmark)
    // Nobody's meter brings nothing.
    #expect(house.step(.observation(.meter(report))).changes.isEmpty)
    house.perform(
      .bluetooth(.putMeter(GlucoseMeter(address: address, resident: "mary", name: "Meter"))))
    let first = house.step(.observation(.meter(report)))
    #expect(first.events.map(\.type) == [.glucoseRecorded, .glucoseRecorded])
    let isWhole = first.changes.contains {
      if case .putEngineRow(let row) = $0 { row.content == bookmark } else { false }
    }
    #expect(isWhole)
    let second = house.step(.observation(.meter(report)))
    #expect(!second.events.contains { $0.type == .glucoseRecorded })
    let again = CoreFixture(
      stored: house.core.storedState, configuration: house.core.configuration, at: house.now)
    let known = try #require(again.core.nearby.knownMeters.first)
    #expect(known.meter.address == address && known.bookmark == bookmark)
    #expect(again.core.storedState.readings.map(\.meterTime?.offsetMinutes) == [5, 5])
  }

  @Test("A meter that becomes another resident's is fetched from anew, and brings nobody else's")
  func handedOn() throws {
    var house = try Self.house()
    let address = try #require(Self.address)
    house.perform(
      .putResident(Resident(id: "tom", name: "Tom", timeZone: "Europe/Oslo")))
    house.perform(
      .bluetooth(.putMeter(GlucoseMeter(address: address, resident: "mary", name: "Meter"))))
    house.step(.observation(.meter(MeterReport(meter: address, bookmark: ["glucose": 1]))))
    house.perform(
      .bluetooth(.putMeter(GlucoseMeter(address: address, resident: "tom", name: "Meter"))))
    #expect(house.core.nearby.knownMeters.first?.bookmark == nil)
    let foreign = MeterReport(
      meter: address, readings: [try reading(1, at: house)], bookmark: ["glucose": 2])
    #expect(
      !house.step(.observation(.meter(foreign))).events.contains {
        $0.type == .glucoseRecorded
      })
    #expect(house.perform(.bluetooth(.removeMeter(address))).reply?.refusalCode == nil)
    #expect(house.core.nearby.knownMeters.isEmpty)
    #expect(!house.core.storedState.engineRows.contains { $0.name.hasPrefix("bookmark:") })
  }

  @Test("HI is an alarm, and no number")
  func beyondRange() throws {
    var house = try Self.house()
    let address = try #require(Self.address)
    house.perform(
      .bluetooth(.putMeter(GlucoseMeter(address: address, resident: "mary", name: "Meter"))))
    let showing = MeterReport.BeyondRange(
      end: .low, time: house.now.utc.advanced(byMilliseconds: -60_000))
    let result = house.step(
      .observation(.meter(MeterReport(meter: address, beyondRange: [showing], bookmark: [:]))))
    #expect(result.events.contains { $0.type == .alarmRaised })
    #expect(house.core.storedState.glucoseReadings.isEmpty)
  }

  @Test("Inputs of Bluetooth are recorded as they were")
  func recorded() throws {
    let house = try Self.house()
    let address = try #require(Self.address)
    let report = MeterReport(
      meter: address, readings: [try reading(1, at: house)],
      beyondRange: [MeterReport.BeyondRange(end: .high, time: house.now.utc)],
      bookmark: ["cgm": [:]])
    let meter = GlucoseMeter(address: address, resident: "mary", name: "Ümlaut")
    let requests: [BluetoothRequest] = [
      .putTag(Self.tag("a", .home, zone: "home"), identities: [try Self.identity(3)]),
      .putTag(Self.tag("a", .room), identities: nil), .removeTag("a"), .putMeter(meter),
      .removeMeter(address), .search(for: "mary", seconds: 15), .pairMeter(meter),
      .answerPairing(address, of: "mary", PairingReply(passkey: 12_345)),
      .answerPairing(address, of: "mary", PairingReply(isSame: true)),
    ]
    let inputs: [CoreInput] =
      [
        .observation(.meter(report)), .observation(.listening("bluetooth", isListening: false)),
        try hear("hall", -60, at: house),
      ]
      + requests.map {
        .command(
          Command(
            id: "c", principal: Principal(channel: .local, name: "anna"),
            request: .bluetooth($0)))
      }
    for input in inputs {
      let text = try JSONValue(parsing: Array(input.json.serialized.utf8))
      #expect(try CoreInput(json: text) == input)
    }
  }
}
