import Care
import Configuration
import Foundation
import Loop
import LoopTestSupport
import TestSupport
import Testing

@testable import Thermometers

@Suite("The thermometers of the board", .inVirtualTime) @LoopActor
struct ThermometerTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func set(_ milliCelsius: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path(of: "thermal_zone0"), withIntermediateDirectories: true)
    try directory.write("\(milliCelsius)\n", to: "thermal_zone0/temp")
  }

  @Test("The owner says what is too hot, within what boards bear")
  func section() throws {
    let schema = ConfigurationSchema(drivers: [ThermometerDriver.Section.self])
    let file = try schema.read(text: "thermometers: {hotCelsius: 70}", path: "h.yaml")
    let read = try schema.resolve(file: file, environment: [:], flags: [:])
    #expect(read[ThermometerDriver.Section.self].hotCelsius == 70)
    #expect(throws: ConfigurationError.self) {
      try schema.read(text: "thermometers: {hotCelsius: 200}", path: "h.yaml")
    }
  }

  @Test("A board is too hot from 85 degrees on and well again below 75, looked at every minute")
  func heat() async throws {
    var told: [String] = []
    try set("84999")
    let source = ThermometerSource(hotCelsius: 85, folder: directory.path)
    source.start { observation in
      guard case .health(let report) = observation else { return }
      told.append("\(report.component) \(report.state) \(report.code)")
    }
    defer { source.stop() }
    #expect(told == ["heat/zone0 working "])
    for (heat, expected) in [
      ("85000", "failed too-hot"), ("75000", "failed too-hot"), ("74999", "working "),
    ] {
      try set(heat)
      await EventLoop.pass(milliseconds: 60_000)
      #expect(told.last == "heat/zone0 \(expected)", "\(heat)")
    }
    #expect(told.count == 4)
    // A figure that cannot be read is no report.
    try set("warm")
    await EventLoop.pass(milliseconds: 60_000)
    #expect(told.count == 4)
  }
}
