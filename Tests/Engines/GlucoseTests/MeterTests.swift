import Care
import CivilTime
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Glucose

@Suite("Meters, and what of the house is glucose's business")
struct MeterTests {
  private static let tom = Resident(id: "tom", name: "Tom", timeZone: "Europe/Oslo")

  /// Mary's home, where Tom lives as well.
  private static func home() -> Home {
    var home = Home()
    home.house.residents["tom"] = tom
    return home
  }

  private static func meter(_ number: UInt64, of resident: ResidentID = "mary") throws
    -> GlucoseMeter
  {
    let address = try #require(BluetoothAddress(bits: number))
    return GlucoseMeter(address: address, resident: resident, name: "Meter \(number)")
  }

  private static func put(_ meter: GlucoseMeter) -> Command.Request {
    .bluetooth(.putMeter(meter))
  }

  private static func remove(_ address: BluetoothAddress) -> Command.Request {
    .bluetooth(.removeMeter(address))
  }

  // MARK: What people ask

  @Test("A meter becomes a resident's, is told as a record, and outlives a restart")
  func added() throws {
    var home = Self.home()
    let meter = try Self.meter(7, of: "tom")
    let asked = home.ask(Self.put(meter))
    #expect(asked.reply == ["id": "00:00:00:00:00:07"])
    #expect(asked.changes == [.putEngineRow(Samples.row(of: meter))])
    let event = try #require(home.events.last)
    #expect(event.type == .recordChanged && event.lane == .record && event.resident == "tom")
    #expect(event.facts["action"] == "meter.put" && event.facts["by"] == "local:anna")
    #expect(event.facts["target"] == "00:00:00:00:00:07" && event.facts["content"] == meter.json)
    home.restart()
    #expect(home.engine.knownMeters.map(\.meter) == [meter, Samples.meter])
    #expect(home.engine.resident(of: meter.address) == "tom")
    #expect(home.engine.resident(of: Samples.strange) == nil)
  }

  @Test("A meter of nobody, one without a name, and one too many are refused")
  func refused() throws {
    var home = Home()
    var nameless = try Self.meter(1)
    nameless.name = " "
    #expect(home.ask(Self.put(nameless)).refusal?.code == .invalid)
    let foreign = home.ask(Self.put(try Self.meter(1, of: "nobody"))).refusal
    #expect(foreign?.code == .unknownTarget)
    for number in 2...UInt64(Meters.atMost) {
      #expect(home.ask(Self.put(try Self.meter(number))).refusal == nil, "\(number)")
    }
    let refusal = try #require(home.ask(Self.put(try Self.meter(100))).refusal)
    #expect(refusal.code == .conflict && refusal.message.description.contains("at most 16 meters"))
    // One that is there already is renamed all the same.
    var renamed = Samples.meter
    renamed.name = "Upstairs"
    #expect(home.ask(Self.put(renamed)).refusal == nil)
    #expect(home.engine.knownMeters.contains { $0.meter == renamed })
  }

  @Test("A meter that becomes another resident's is fetched from anew, and brings nobody else's")
  func handedOn() throws {
    var home = Self.home()
    home.measure("100 mg/dL", at: 5)
    #expect(home.engine.knownMeters.first?.bookmark == ["newest": 1])
    var meter = Samples.meter
    // Renamed, it goes on where it was.
    meter.name = "Upstairs"
    home.ask(Self.put(meter))
    #expect(home.engine.knownMeters.first?.bookmark == ["newest": 1])
    meter.resident = "tom"
    let asked = home.ask(Self.put(meter))
    let address = meter.address.written
    #expect(
      asked.changes == [
        .removeEngineRow(engine: "bluetooth", subject: "mary", name: "meter:\(address)"),
        .removeEngineRow(engine: "bluetooth", subject: "mary", name: "bookmark:\(address)"),
        .putEngineRow(Samples.row(of: meter)),
      ])
    #expect(home.engine.knownMeters.first?.bookmark == nil)
    home.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 6)]))
    #expect(home.readings.count == 1 && home.findings.isEmpty)
  }

  @Test("A meter that is taken away brings nothing more, and its rows go")
  func removed() throws {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    #expect(home.meterStore.count == 2)
    let asked = home.ask(Self.remove(Samples.meter.address))
    #expect(asked.reply == ["removed": .string(Samples.meter.address.written)])
    #expect(home.events.last?.facts["action"] == "meter.remove")
    #expect(home.events.last?.facts["content"] == Samples.meter.json)
    #expect(home.meterStore.isEmpty && home.engine.knownMeters.isEmpty)
    let again = home.ask(Self.remove(Samples.meter.address)).refusal
    #expect(again?.code == .unknownTarget)
    let isTaken = home.offer(.observed(.meter(Samples.report())))
    #expect(!isTaken)
    #expect(home.readings.count == 1)
  }

  // MARK: What meters say

  @Test("Readings, what was found in them, and how far they reach are one outcome, in that order")
  func fetched() throws {
    var home = Home()
    home.wait(until: 10)
    var foreign = GlucoseSamples.reading("50 mg/dL", minutes: 4)
    foreign.resident = "tom"
    let report = MeterReport(
      meter: Samples.meter.address,
      readings: [
        GlucoseSamples.reading("100 mg/dL", minutes: 2), foreign,
        GlucoseSamples.reading("50 mg/dL", minutes: 5, source: .hand),
      ],
      beyondRange: [MeterReport.BeyondRange(end: .low, time: home.now.utc)],
      bookmark: ["glucose": ["newest": 2]])
    let outcome = try #require(try home.engine.handle(.observed(.meter(report)), in: home.world))
    #expect(outcome.events.map(\.type) == [.glucoseRecorded, .glucoseVeryLow])
    #expect(outcome.events.last?.facts["origin"] == "meter-1")
    let changes = outcome.changes.map { change in
      switch change {
      case .put(let row): (row.content as? GlucoseReading)?.id.rawValue ?? "\(row)"
      case .putEngineRow(let row): "\(row.engine) \(row.name)"
      default: "\(change)"
      }
    }
    let bookmark = "bluetooth bookmark:\(Samples.meter.address.written)"
    #expect(changes == ["r2", "glucose state", "glucose state", bookmark])
    home.take(outcome)
    home.restart()
    #expect(home.engine.knownMeters.first?.bookmark == report.bookmark)
  }

  @Test("A meter that has nothing new says how far it was fetched all the same")
  func nothingNew() throws {
    var home = Home()
    let outcome = try #require(
      try home.engine.handle(.observed(.meter(Samples.report())), in: home.world))
    #expect(outcome.events.isEmpty && outcome.changes.count == 1)
    #expect(home.engine.knownMeters.first?.bookmark == ["newest": 0])
  }

  // MARK: What is stored

  @Test("Rows that cannot be read are kept, those of tags are left alone, and an erasure takes all")
  func rows() {
    func row(_ name: String, _ content: JSONValue, of subject: String = "mary") -> EngineRow {
      EngineRow(engine: "bluetooth", subject: subject, name: name, content: content)
    }
    let kept = [
      row("meter:C0:11:22:33:44:77", ["address": 7]), row("bookmark:nowhere", ["newest": 7]),
    ]
    let stored =
      [Samples.row(of: Samples.meter), row("tag:wallet", ["id": "wallet"])] + kept
      + [row("identities:wallet", ["identities": []]), row("meter:odd", [:], of: "tom")]
    var home = Self.home()
    home.engine = GlucoseEngine(
      stored: StoredState(engineRows: stored), seed: 7, in: home.world)
    #expect(
      home.held.engineRows == [Samples.row(of: Samples.meter)] + kept
        + [row("meter:odd", [:], of: "tom")])
    #expect(home.engine.nextWake == nil, "what a later version can read is not cleared away")
    home.erase()
    #expect(home.held.engineRows == [row("meter:odd", [:], of: "tom")])
    #expect(home.engine.knownMeters.isEmpty)
  }

  @Test("Every meter comes with the zone that its resident lives by, as far as it is known")
  func zones() {
    var home = Home()
    #expect(home.engine.knownMeters.map(\.zone) == [.utc])
    home.house.residents["mary"]?.timeZone = "Europe/Oslo"
    home.offer(.changed(.resident("mary")))
    #expect(home.engine.knownMeters.map(\.zone) == [nil])
    home.house.timeZones["Europe/Oslo"] = .utc
    home.offer(.changed(.timeZone("Europe/Oslo")))
    #expect(home.engine.knownMeters.map(\.zone) == [.utc])
  }

  // MARK: Whose business it is

  @Test("It knows whom a request concerns, and nobody of what is not there or not its own")
  func concerned() throws {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    let tag = Tag(id: "wallet", resident: "mary", name: "Wallet", kind: .wallet)
    let requests: [(Command.Request, ResidentID?)] = [
      (.glucose(.put(GlucoseSamples.reading("100 mg/dL", minutes: 1), revision: nil)), "mary"),
      (.glucose(.remove("r5", revision: nil)), "mary"),
      (.glucose(.remove("r6", revision: nil)), nil),
      (.glucose(.showing(.high, of: "tom", time: GlucoseSamples.start, by: "")), "tom"),
      (.glucose(.add([], to: "tom")), "tom"), (Self.put(try Self.meter(1, of: "tom")), "tom"),
      (Self.remove(Samples.meter.address), "mary"), (Self.remove(Samples.strange), nil),
      (.bluetooth(.putTag(tag, identities: nil)), nil), (.eraseResident("mary"), nil),
    ]
    for (request, resident) in requests {
      #expect(home.engine.resident(concernedBy: request) == resident, "\(request)")
    }
  }

  @Test(
    "What is none of its business changes nothing",
    arguments: [
      .changed(.guardians), .changed(.clock), .changed(.setting("mary", name: "fixCount")),
      .observed(.listening("hall", isListening: true)), .signalled(.alarmBegan),
      .asked(
        Command(
          id: "c", principal: Principal(channel: .local, name: "anna"),
          request: .bluetooth(.removeTag("wallet"))), sent: .seconds(1)),
      .settled(after: .wake),
    ] as [Input])
  func notItsBusiness(_ input: Input) {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    let (before, due) = (home.held, home.engine.nextWake)
    let isTaken = home.offer(input)
    #expect(!isTaken && home.held == before && home.engine.nextWake == due)
  }

  @Test("A start tells what a day without the gateway left untold")
  func started() {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    home.now = home.now.advanced(byMilliseconds: 2 * 86_400_000)
    home.restart()
    home.offer(.started(version: "1"))
    #expect(home.types == ["glucose.recorded", "glucose.month"])
  }

  @Test("Ids that are none and residents that nobody knows are refused, whoever brings the reading")
  func checked() {
    var home = Home()
    home.wait(until: 10)
    var spaced = GlucoseSamples.reading("100 mg/dL", minutes: 5, source: .file)
    spaced.id = "a b"
    let typed = GlucoseSamples.reading("100 mg/dL", minutes: 5, id: "A", source: .hand)
    for (request, code) in [
      (.put(typed, revision: nil), .invalid), (.add([spaced], to: "mary"), .invalid),
      (.add([], to: "nobody"), .unknownTarget),
      (.showing(.low, of: "nobody", time: home.now.utc, by: "Anna"), .unknownTarget),
    ] as [(GlucoseRequest, CommandReply.Refusal.Code)] {
      let asked = home.ask(request)
      #expect(asked.refusal?.code == code && asked.events.isEmpty, "\(request)")
    }
    #expect(home.readings.isEmpty && home.events.isEmpty)
  }

  // MARK: Limits

  @Test("Limits are taken together: one below the default of another counts all the same")
  func limitsTogether() {
    var home = Home(["glucoseHigh": "69 mg/dL", "glucoseLow": "60 mg/dL"])
    home.measure("69.5 mg/dL", at: 5)
    #expect(home.findings == ["glucose.high notice"])
  }

  @Test("The configuration's limits hold for whoever has none of their own")
  func usualLimits() {
    var home = Self.home()
    home.house.defaults = ["glucoseHigh": "200 mg/dL", "glucoseHighIs": "alarm"]
    home.house.settings["tom"] = ["glucoseHigh": "250 mg/dL"]
    home.offer(.changed(.setting("tom", name: "glucoseHigh")))
    #expect(home.engine.settings(of: "mary").value("glucoseHigh") == "200 mg/dL")
    #expect(home.engine.settings(of: "tom").value("glucoseHigh") == "250 mg/dL")
    #expect(home.engine.settings(of: "tom").value("glucoseHighIs") == "alarm")
  }
}
