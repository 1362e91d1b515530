import Care
import CivilTime
import GATTProfiles
import GlucoseValues
import JSON
import Loop
import Moments
import Ports
import Testing

@testable import Bluetooth

@Suite("Fetching from meters")
@LoopActor
struct MeterTests {
  private let address = BluetoothAddress("C0:11:22:33:44:55", kind: .random)

  /// A house whose clock shows 2026-11-18T11:06:40 UTC, and a meter that was set by it.
  private func house(ahead minutes: Int = 0) throws -> (Listening, PlayedMeter) {
    let house = Listening()
    let meter = PlayedMeter(try #require(address))
    meter.clock = try time(minutes: minutes)
    house.radio.meters[meter.address] = meter
    house.central.setMeters([try known(nil)])
    return (house, meter)
  }

  private func known(_ bookmark: JSONValue?) throws -> KnownMeter {
    KnownMeter(
      meter: GlucoseMeter(address: try #require(address), resident: "mary", name: "Meter"),
      bookmark: bookmark, zone: .utc)
  }

  private func time(minutes: Int) throws -> DateTime {
    let utc = Timestamp(milliseconds: 1_795_000_000_000 + Int64(minutes) * 60_000)
    return try #require(DateTime(CivilDateTime(utc: utc)))
  }

  private func record(_ number: UInt16, mgdL: Int, minutesAgo: Int, context: Bool = false) throws
    -> GlucoseMeasurement
  {
    GlucoseMeasurement(
      sequence: number, baseTime: try time(minutes: -minutesAgo),
      sample: .init(
        concentration: try #require(SFLOAT(mantissa: mgdL, exponent: -5)), unit: .kilogramsPerLitre,
        origin: GlucoseSampleOrigin(octet: 0x11)), contextFollows: context)
  }

  private func fill(_ meter: PlayedMeter) throws {
    meter.records = [
      try record(1, mgdL: 104, minutesAgo: 30),
      try record(2, mgdL: 187, minutesAgo: 20, context: true),
      try record(3, mgdL: 61, minutesAgo: 10),
    ]
    meter.contexts[2] = GlucoseContext(sequence: 2, mealCode: 2)
  }

  @Test("A meter that wakes is read to the end, and the next time only what is new")
  func incremental() throws {
    let (house, meter) = try house()
    try fill(meter)
    house.hear(meter.address)
    let readings = house.reports.flatMap(\.readings)
    #expect(readings.map(\.level.digits) == ["104", "187", "61"])
    #expect(readings.map { $0.tag?.word } == [nil, "after-meal", nil])
    #expect(readings.allSatisfy { $0.timeDoubts.isEmpty && $0.sample == .capillaryWholeBlood })
    #expect(readings.first?.time == Timestamp(milliseconds: 1_795_000_000_000 - 30 * 60_000))
    #expect(house.health(of: "meter/C0:11:22:33:44:55")?.state == .working)
    #expect(!meter.isConnected)
    // It advertises on for a while, and is left alone.
    house.hear(meter.address, afterMilliseconds: 1000)
    #expect(house.radio.connections == 1)
    // One that never sleeps is looked at ever more seldom.
    for _ in 0..<600 { house.hear(meter.address, afterMilliseconds: 1000) }
    #expect((4...6).contains(house.radio.connections))
    house.forget()
    meter.records.append(try record(4, mgdL: 99, minutesAgo: 1))
    house.hear(meter.address, afterMilliseconds: 60_000)
    #expect(house.reports.flatMap(\.readings).map(\.level.digits) == ["99"])
    #expect(meter.requests.last == [1, 3, 1, 4, 0])
    #expect(house.central.status["meters"]?.arrayContent?.first?["fetched"] == 4)
  }

  @Test("After a power cut what was stored is not fetched again, and what was not is")
  func restarted() throws {
    let (house, meter) = try house()
    try fill(meter)
    house.hear(meter.address)
    let stored = house.reports.last?.bookmark
    let ids = Set(house.reports.flatMap(\.readings).map(\.id))
    let again = Listening()
    again.radio.meters[meter.address] = meter
    again.central.setMeters([try known(stored)])
    again.hear(meter.address)
    #expect(again.reports.flatMap(\.readings).isEmpty)
    let lost = Listening()
    lost.radio.meters[meter.address] = meter
    lost.central.setMeters([try known(nil)])
    lost.hear(meter.address)
    #expect(Set(lost.reports.flatMap(\.readings).map(\.id)) == ids)
  }

  @Test("A link that breaks in the middle loses nothing and brings nothing twice")
  func broken() throws {
    let (house, meter) = try house()
    try fill(meter)
    meter.breaksAfter = 2
    house.hear(meter.address)
    #expect(house.central.status["meters"]?.arrayContent?.first?["state"] == "failed")
    house.hear(meter.address, afterMilliseconds: 60_000)
    let readings = house.reports.flatMap(\.readings)
    #expect(readings.map(\.level.digits).sorted() == ["104", "187", "61"])
    #expect(Set(readings.map(\.id)).count == 3)
    #expect(house.health(of: "meter/C0:11:22:33:44:55")?.state == .working)
  }

  @Test("A clock that is wrong is kept as it is, and doubted")
  func wrongClock() throws {
    let (house, meter) = try house(ahead: 30)
    meter.records = [try record(1, mgdL: 104, minutesAgo: -20)]
    house.hear(meter.address)
    let reading = try #require(house.reports.flatMap(\.readings).first)
    #expect(reading.timeDoubts == [.meterClock])
    #expect(reading.meterTime?.aheadSeconds == 1800)
    #expect(reading.time == Timestamp(milliseconds: 1_795_000_000_000 + 20 * 60_000))
    let status = house.central.status["meters"]?.arrayContent?.first
    #expect(status?["clockDifferenceSeconds"] == 1800)
  }

  @Test("Control solution, HI and NaN are no readings; HI and LO are told")
  func noReadings() throws {
    let (house, meter) = try house()
    var control = try record(1, mgdL: 104, minutesAgo: 30)
    control.sample?.origin = GlucoseSampleOrigin(octet: 0x4A)
    var high = try record(2, mgdL: 104, minutesAgo: 20)
    high.status = .resultTooHigh
    var none = try record(3, mgdL: 104, minutesAgo: 10)
    none.sample?.concentration = SFLOAT(bits: 0x07FF)
    meter.records = [control, high, none]
    house.hear(meter.address)
    #expect(house.reports.flatMap(\.readings).isEmpty)
    #expect(house.reports.flatMap(\.beyondRange).map(\.end) == [.high])
  }

  @Test("A meter that wants to be paired is a fault for somebody to mend")
  func notPaired() throws {
    let (house, meter) = try house()
    try fill(meter)
    meter.refusal = 0x05
    house.hear(meter.address)
    #expect(house.health(of: "meter/C0:11:22:33:44:55")?.state == .degraded)
    #expect(house.reports.isEmpty)
    meter.refusal = nil
    house.hear(meter.address, afterMilliseconds: 60_000)
    #expect(house.reports.flatMap(\.readings).count == 3)
    #expect(house.health(of: "meter/C0:11:22:33:44:55")?.state == .working)
  }

  @Test(
    "A meter that is connected since its pairing advertises no more, and is fetched from at once")
  func connected() throws {
    let house = Listening()
    let meter = PlayedMeter(try #require(address))
    meter.clock = try time(minutes: 0)
    try fill(meter)
    house.radio.meters[meter.address] = meter
    house.radio.devices = [
      BluetoothDevice(
        address: meter.address, adapters: ["hci0"], isBonded: true, isConnected: true)
    ]
    house.central.setMeters([try known(nil)])
    house.radio.drain()
    #expect(house.reports.flatMap(\.readings).count == 3)
    // The news of its own connection bring no second one.
    house.radio.tell(.device(try #require(house.radio.devices.first)))
    #expect(house.radio.connections == 1)
  }

  @Test("A device with the meter's address and without its keys is not believed")
  func imitated() throws {
    let (house, meter) = try house()
    try fill(meter)
    let stranger = BluetoothDevice(address: meter.address, adapters: ["hci0"])
    house.radio.devices = [stranger]
    house.hear(meter.address)
    #expect(house.radio.connections == 0)
    #expect(house.health(of: "meter/C0:11:22:33:44:55")?.state == .degraded)
    var paired = stranger
    paired.isBonded = true
    house.radio.devices = [paired]
    house.hear(meter.address, afterMilliseconds: 60_000)
    #expect(house.reports.flatMap(\.readings).count == 3)
  }

  @Test("A meter that cannot be reached is tried again, and not without end")
  func unreachable() throws {
    let house = Listening()
    let address = try #require(address)
    house.central.setMeters([try known(nil)])
    for _ in 0..<60 { house.hear(address, afterMilliseconds: 1000) }
    #expect((3...6).contains(house.radio.connections))
    house.central.setMeters([])
    house.hear(address, afterMilliseconds: 600_000)
    #expect(house.central.status["meters"] == [])
  }
}
