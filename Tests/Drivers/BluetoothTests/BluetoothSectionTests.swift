import Bluetooth
import Care
import Configuration
import Testing

@Suite struct BluetoothSectionTests {
  private static let schema = ConfigurationSchema(drivers: [BluetoothSection.self])

  private func section(_ text: String, environment: [String: String] = [:]) throws
    -> BluetoothSection
  {
    let file = try Self.schema.read(text: text, path: "h.yaml")
    return try Self.schema.resolve(file: file, environment: environment, flags: [:])[
      BluetoothSection.self]
  }

  @Test func everyKeyIsTakenOver() throws {
    let read = try section(
      """
      bluetooth:
        source: hci
        adapters: [hci1]
        hciSocket: /s
        room: Hall
        rooms: [Kitchen, Bedroom]
        offsetDB: -6
      """)
    #expect(read.source == .hci && read.adapters == ["hci1"] && read.hciSocket == "/s")
    #expect(
      read.hearers == [
        TagHearer(id: "bluetooth", place: .room("Hall"), offsetDB: -6),
        TagHearer(id: "room/Kitchen", place: .room("Kitchen")),
        TagHearer(id: "room/Bedroom", place: .room("Bedroom")),
      ])
  }

  @Test("A radio that is not used hears nothing; other rooms do all the same")
  func unused() throws {
    #expect(try section("").hearers.isEmpty)
    #expect(try section("bluetooth: {rooms: [Kitchen]}").hearers.map(\.id) == ["room/Kitchen"])
    #expect(
      try section("bluetooth: {source: bluez}").hearers == [
        TagHearer(id: "bluetooth", place: .withResident)
      ])
  }

  @Test(arguments: [
    ("bluetooth: {source: bluetoothd}", "must be none or bluez or hci"),
    ("bluetooth: {offsetDB: 31}", "from -30 to 30; it is 31"),
    ("bluetooth: {hciSocket: here}", "must be a whole path"),
    ("bluetooth: {adapter: hci0}", "Did you mean \"adapters\"?"),
  ]) func aFaultHasASentence(text: String, sentence: String) {
    let error = #expect(throws: ConfigurationError.self) { try section(text) }
    #expect(error?.description.contains(sentence) == true)
  }
}
