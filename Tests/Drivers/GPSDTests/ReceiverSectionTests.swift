import Care
import Configuration
import GPSD
import Loop
import Ports
import Testing

@Suite struct ReceiverSectionTests {
  private static let schema = ConfigurationSchema(drivers: [GPSDriver.Section.self])

  private func section(_ text: String, environment: [String: String] = [:]) throws
    -> GPSDriver.Section
  {
    let file = try Self.schema.read(text: text, path: "h.yaml")
    return try Self.schema.resolve(file: file, environment: environment, flags: [:])[
      GPSDriver.Section.self]
  }

  @Test func everyKeyIsTakenOver() throws {
    let receivers = try section(
      """
      gps:
        - {name: belt, host: "::1", port: 2950, device: /dev/ttyACM0, sampling: economy}
        - {name: car, intervalSeconds: 5, noReportSeconds: 90}
      """
    ).receivers
    #expect(receivers.map(\.name) == ["belt", "car"])
    #expect(receivers.map(\.host) == ["::1", "127.0.0.1"])
    #expect(receivers.map(\.port) == [2950, 2947])
    #expect(receivers.map(\.device) == ["/dev/ttyACM0", nil])
    #expect(receivers.map(\.sampling) == [.economy, .continuous])
    #expect(receivers.map(\.intervalSeconds) == [60, 5])
    #expect(receivers.map(\.noReportSeconds) == [30, 90])
  }

  @Test(
    "A compass moves with the first receiver of this machine; who sleeps longest says how long silence is meant",
    arguments: [
      ("[]", [], nil, nil), ("[{name: a, host: 192.0.2.1}]", ["a"], nil, nil),
      ("[{name: a, host: 192.0.2.1}, {name: b}, {name: c}]", ["a", "b", "c"], "b", nil),
      (
        "[{name: a, sampling: economy, intervalSeconds: 30}, {name: b, sampling: economy}]",
        ["a", "b"], "a", 180
      ),
    ] as [(String, [String], String?, Int?)])
  @LoopActor
  func devices(text: String, names: [String], own: String?, silence: Int?) throws {
    var devices = Devices()
    GPSDriver.add(try section("gps: " + text), to: &devices, in: Surroundings(clock: FixedClock()))
    #expect(devices.sources.map(\.id.rawValue) == names)
    #expect(devices.receivers.map(\.rawValue) == names)
    #expect(devices.receiverOfMachine?.rawValue == own)
    #expect(devices.longestSilenceSeconds == silence)
  }

  @Test func withoutASectionTheReceiverIsThatOfTheMachinesOwnGpsd() throws {
    #expect(try section("").receivers == [GPSDriver.Receiver(name: "gps")])
  }
}
