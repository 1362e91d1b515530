import Care
import JSON
import Testing

@Suite("Changes of what is stored")
struct StateChangeTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")

  @Test("A change says as JSON what is done, where, and with what")
  func json() {
    let setting = StateChange.putSetting(resident: "mary", name: "language", value: "nb")
    #expect(
      setting.json.serialized
        == #"{"put":"setting","resident":"mary","name":"language","content":"nb"}"#)
    #expect(
      StateChange.removeSetting(resident: "mary", name: "language").json.serialized
        == #"{"remove":"setting","resident":"mary","name":"language"}"#)
    #expect(
      StateChange.putResident(Self.mary).json.serialized
        == #"{"put":"resident","content":\#(Self.mary.json.serialized)}"#)
    #expect(
      StateChange.removeZone("home").json.serialized == #"{"remove":"zone","id":"home"}"#)
    #expect(
      StateChange.removeEngineRow(engine: "a", subject: "b", name: "c").json.serialized
        == #"{"remove":"engine-row","engine":"a","subject":"b","name":"c"}"#)
  }

  @Test("Names of tables are words with hyphens, and rows without a key of ours are added")
  func words() {
    let table = Table(
      "blood_pressure", key: [], [.text("resident")], of: .resident("resident"), isChecked: false)
    let change = StateChange.put(Self.mary, in: table)
    #expect(
      change.json.serialized
        == #"{"add":"blood-pressure","content":\#(Self.mary.json.serialized)}"#)
  }

  @Test("Changes are the same when they do the same to the same table")
  func equality() {
    var other = Self.mary
    other.name = "Maria"
    #expect(StateChange.putResident(Self.mary) == .putResident(Self.mary))
    #expect(StateChange.putResident(Self.mary) != .putResident(other))
    #expect(StateChange.putResident(Self.mary) != .put(Self.mary, in: .guardian))
    #expect(StateChange.removeZone("a") != .removeBookmark("a"))
    let changes: Set<StateChange> = [
      .putResident(Self.mary), .putResident(Self.mary), .removeZone("a"), .removeZone("a"),
    ]
    #expect(changes.count == 2)
  }

  @Test("A row is read back as what it is, from its own table only")
  func rows() {
    let change = StateChange.putResident(Self.mary)
    #expect(change.row(Resident.self, in: .resident) == Self.mary)
    #expect(change.row(Guardian.self, in: .resident) == nil)
    #expect(change.row(Resident.self, in: .guardian) == nil)
    #expect(StateChange.removeZone("home").removedKey(from: .zone) == ["home"])
    #expect(StateChange.removeZone("home").removedKey(from: .bookmark) == nil)
    #expect(change.removedKey(from: .resident) == nil)
  }

  @Test("A zone takes along that leaving it is an alarm")
  func parts() {
    guard let center = Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7) else {
      Issue.record("59.9, 10.7 lies on Earth")
      return
    }
    var zone = SafeZone(
      id: "home", resident: "mary", name: "Home", center: center, radiusMeters: 25)
    zone.alarmsOnLeaving = true
    #expect(
      zone.partValues == [
        [
          .text("places"), .text("mary"), .text("leaving:home"),
          .text(#"{"alarmOnLeaving":true}"#),
        ]
      ])
    zone.alarmsOnLeaving = false
    #expect(zone.partValues.isEmpty)
    #expect(zone.columnValues.count == Table.zone.columns.count)
  }
}
