import Care
import Foundation
import Glucose
import GlucoseValues
import Moments
import Ports
import TestSupport
import Testing

@testable import Store

@Suite("Glucose readings in the store") struct GlucoseStoreTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options { .test(directory.path(of: "store")) }

  init() throws { directory = try TemporaryDirectory() }

  private static func reading(
    _ number: Int64, _ level: String = "5.60 mmol/L", of resident: ResidentID = "mary"
  ) throws -> GlucoseReading {
    GlucoseReading(
      id: GlucoseReadingID("\(resident)-\(number)"), resident: resident,
      level: try GlucoseConcentration(withUnit: level), tag: .own("nach dem 🍵"),
      time: Timestamp(milliseconds: 1_790_000_000_000 + number),
      receivedAt: .seconds(1_790_000_900),
      source: .meter, origin: "AA:BB", timeDoubts: [.meterClock], sensor: .continuous,
      sample: .capillaryPlasma, revision: 2)
  }

  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")

  @Test(
    "A reading comes back as it was received, the newest first, and from a new start on by time")
  func roundTrip() async throws {
    let store = try SQLiteStore.open(options)
    let readings = try (1...5).map { try Self.reading($0) }
    await store.commit(
      StepRecord(
        changes: [.putResident(Self.mary)] + readings.reversed().map { .putGlucoseReading($0) }))
    #expect(try await store.glucoseReading("mary-3") == readings[2])
    #expect(readings[2].level.digits == "5.60")
    #expect(try await store.glucoseReadings(GlucoseQuery(resident: "mary")) == readings.reversed())
    let some = GlucoseQuery(
      resident: "mary", since: readings[1].time, until: readings[4].time, limit: 2)
    #expect(try await store.glucoseReadings(some) == [readings[3], readings[2]])
    var changed = readings[0]
    changed.tag = .listed(.fasting)
    await store.commit(
      StepRecord(changes: [.putGlucoseReading(changed), .removeGlucoseReading("mary-5")]))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.readings == [changed] + readings[1...3])
    await again.close()
  }

  @Test(
    "A graph has points: what is near is one, in mg/dL whatever the unit, and what is doubtful is none"
  )
  func series() async throws {
    let store = try SQLiteStore.open(options)
    var readings = try ["100 mg/dL", "5.0 mmol/L", "200 mg/dL", "90 mg/dL"].enumerated().map {
      try Self.reading(Int64($0.offset) * 60_000, $0.element)
    }
    for index in readings.indices { readings[index].timeDoubts = [] }
    readings[2].timeDoubts = [.meterClock]
    // What somebody wrote is no member, however much it looks like one.
    readings[0].tag = .own(#""level":"9","unit":"mmol/L","timeDoubts":["meter-clock"]"#)
    await store.commit(
      StepRecord(
        changes: [.putResident(Self.mary)] + readings.map { .putGlucoseReading($0) }))
    let whole = GlucoseSeriesQuery(
      resident: "mary", since: readings[0].time,
      until: readings[3].time.advanced(byMilliseconds: 1),
      stepMilliseconds: 1)
    let each = try await store.glucoseSeries(whole)
    #expect(each.map(\.time) == [0, 1, 3].map { readings[$0].time })
    #expect(each.map(\.count) == [1, 1, 1] && each[0].mean == 100 && each[2].lowest == 90)
    #expect(abs(each[1].mean - 90.078) < 1e-9 && each[1].mean == each[1].highest)
    var coarse = whole
    coarse.stepMilliseconds = 86_400_000
    let one = try #require(try await store.glucoseSeries(coarse).first)
    #expect(one.count == 3 && one.lowest == 90 && one.highest == 100)
    #expect(abs(one.mean - (100 + 90.078 + 90) / 3) < 1e-9)
    coarse.until = coarse.since
    #expect(try await store.glucoseSeries(coarse).isEmpty)
    #expect(try await store.glucoseBegin(of: "mary") == readings[0].time)
    #expect(try await store.glucoseBegin(of: "ben") == nil)
    await store.close()
  }

  @Test("A run starts with the newest ten thousand; older ones stay and are found by their time")
  func bounded() async throws {
    let store = try SQLiteStore.open(options)
    let count: Int64 = 10_050
    var changes: [StateChange] = [.putResident(Self.mary)]
    for number in 1...count { changes.append(.putGlucoseReading(try Self.reading(number))) }
    await store.commit(StepRecord(changes: changes))
    await store.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.readings.count == 10_000)
    #expect(again.loaded.readings.first?.id == "mary-51")
    let oldest = GlucoseQuery(resident: "mary", until: try Self.reading(51).time)
    #expect(try await again.glucoseReadings(oldest).count == 50)
    await again.close()
  }

  @Test("A damaged row costs itself, and erasing a resident leaves others' readings")
  func damageAndErasure() async throws {
    let store = try SQLiteStore.open(options)
    await store.commit(
      StepRecord(changes: [
        .putResident(Self.mary),
        .putResident(Resident(id: "bob", name: "Bob", timeZone: "Europe/Oslo")),
        .putGlucoseReading(try Self.reading(1)), .putGlucoseReading(try Self.reading(2)),
        .putGlucoseReading(try Self.reading(1, of: "bob")),
      ]))
    await store.close()
    let file = try Connection(path: options.carePath, mode: .readWrite, vfs: options.vfs)
    try file.run("UPDATE glucose_reading SET content = '{' WHERE id = 'mary-1'")
    file.close()
    let again = try SQLiteStore.open(options)
    #expect(again.loaded.readings.map(\.id) == ["bob-1", "mary-2"])
    #expect(try await again.glucoseReading("mary-1") == nil)
    await again.commit(StepRecord(changes: [.eraseResident("mary")]))
    await again.close()
    let last = try SQLiteStore.open(options)
    #expect(last.loaded.readings.map(\.id) == ["bob-1"])
    await last.close()
  }
}

extension SQLiteStore {
  func glucoseReadings(_ query: GlucoseQuery) async throws -> [GlucoseReading] {
    try await withCheckedContinuation { continuation in
      glucoseReadings(query) { continuation.resume(returning: $0) }
    }.get().elements.map { try $0.value() }
  }

  func glucoseSeries(_ query: GlucoseSeriesQuery) async throws -> [GlucosePoint] {
    try await withCheckedContinuation { continuation in
      glucoseSeries(query) { continuation.resume(returning: $0) }
    }.get()
  }

  func glucoseBegin(of resident: ResidentID) async throws -> Timestamp? {
    try await withCheckedContinuation { continuation in
      glucoseBegin(of: resident) { continuation.resume(returning: $0) }
    }.get()
  }

  func glucoseReading(_ id: GlucoseReadingID) async throws -> GlucoseReading? {
    try await withCheckedContinuation { continuation in
      glucoseReading(id.rawValue) { continuation.resume(returning: $0) }
    }.get().map { try $0.value() }
  }
}
