import Care
import GlucoseValues
import JSON

@testable import Glucose

/// Meters for tests, of a resident in UTC unless a test says otherwise.
enum Samples {
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
