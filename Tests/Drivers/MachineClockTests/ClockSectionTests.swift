import Configuration
import MachineClock
import Testing

@Suite struct ClockSectionTests {
  @Test func theOwnerMayVouchForTheClock() throws {
    let schema = ConfigurationSchema(drivers: [ClockSection.self])
    #expect(GatewayConfiguration()[ClockSection.self].trust == .automatic)
    let file = try schema.read(text: "clock: {trust: system}", path: "h.yaml")
    let read = try schema.resolve(file: file, environment: [:], flags: [:])
    #expect(read[ClockSection.self].trust == .system)
    let error = #expect(throws: ConfigurationError.self) {
      try schema.read(text: "clock: {trust: automatc}", path: "h.yaml")
    }
    #expect(error?.description.contains("Did you mean \"automatic\"?") == true)
  }
}
