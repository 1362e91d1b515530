import Care
import CivilTime
import GlucoseValues
import JSON
import Moments

@testable import Glucose

/// Readings for tests, of a resident in UTC unless a test says otherwise.
enum Samples {
  static let start = CivilDateTime(year: 2026, month: 11, day: 1).asUTC

  static func level(_ text: String) -> GlucoseConcentration {
    // Levels of tests are plausible; a wrong one shows in every comparison.
    (try? GlucoseConcentration(withUnit: text)) ?? fallback
  }

  private static let fallback: GlucoseConcentration = {
    guard
      let level = try? GlucoseConcentration(
        significand: 999, exponent: 0, unit: .milligramsPerDecilitre)
    else { preconditionFailure("999 mg/dL is a level") }
    return level
  }()

  /// A reading so many minutes after the start.
  static func reading(
    _ text: String, minutes: Int, tag: GlucoseTag.Listed? = nil, id: String? = nil,
    sensor: GlucoseReading.Sensor = .fingerStick, doubts: [GlucoseReading.TimeDoubt] = [],
    source: GlucoseReading.Source = .meter
  ) -> GlucoseReading {
    let time = start.advanced(byMilliseconds: Int64(minutes) * 60_000)
    return GlucoseReading(
      id: GlucoseReadingID(id ?? "r\(minutes)"), resident: "mary", level: level(text),
      tag: tag.map(GlucoseTag.listed), time: time, receivedAt: time, source: source,
      origin: "meter-1", timeDoubts: doubts, sensor: sensor, revision: 1)
  }

  // MARK: Meters

  private static func address(_ text: String) -> BluetoothAddress {
    guard let address = BluetoothAddress(text, kind: .random) else {
      preconditionFailure("\(text) is an address")
    }
    return address
  }

  /// Mary's meter.
  static let meter = GlucoseMeter(
    address: address("C0:11:22:33:44:55"), resident: "mary", name: "meter-1")
  /// A meter that nobody has put.
  static let strange = address("C0:11:22:33:44:66")

  /// A meter as it is stored.
  static func row(of meter: GlucoseMeter) -> EngineRow {
    EngineRow(
      engine: "bluetooth", subject: meter.resident.rawValue,
      name: "meter:\(meter.address.written)", content: meter.json)
  }

  /// What was fetched from the meter of Mary; of anybody else it is a meter that nobody has put.
  static func report(
    _ readings: [GlucoseReading] = [], of resident: ResidentID = "mary",
    beyondRange: [MeterReport.BeyondRange] = []
  ) -> MeterReport {
    MeterReport(
      meter: resident == "mary" ? meter.address : strange, readings: readings,
      beyondRange: beyondRange, bookmark: ["newest": .integer(Int64(readings.count))])
  }
}
