import Bytes
import Care
import Core
import Glucose
import GlucoseValues
import JSON
import Moments
import Testing
import Texts

@Suite("Glucose through the core") struct GlucoseStepTests {
  private static func house() -> CoreFixture {
    var fixture = CoreFixture()
    fixture.step(.started(version: "test"))
    fixture.perform(.putResident(CoreFixture.mary))
    return fixture
  }

  private static func reading(
    _ level: String, _ id: GlucoseReadingID = "g1", secondsBefore: Int64 = 60,
    of resident: ResidentID = "mary"
  ) throws -> GlucoseReading {
    let time = CoreFixture.start.utc.advanced(byMilliseconds: -secondsBefore * 1000)
    return GlucoseReading(
      id: id, resident: resident, level: try GlucoseConcentration(withUnit: level), time: time,
      receivedAt: time, source: .hand, origin: "Anna")
  }

  private static func openAlarms(_ fixture: CoreFixture) -> [String] {
    fixture.core.alarms.summaries().compactMap { $0["kind"]?.stringContent }.filter {
      $0 == "glucose"
    }
  }

  @Test("A dangerous reading by hand becomes an alarm in its step, and a later one ends it")
  func alarm() throws {
    var fixture = Self.house()
    let low = fixture.perform(.glucose(.put(try Self.reading("2.9 mmol/L"), revision: 0)))
    #expect(low.reply == .done(["id": "g1", "revision": 1]))
    let types = low.events.map(\.type)
    #expect(types.contains(.glucoseRecorded) && types.contains(.glucoseVeryLow))
    #expect(Self.openAlarms(fixture) == ["glucose"])
    #expect(
      low.changes.contains {
        let reading = $0.row(GlucoseReading.self, in: .glucoseReading)
        return reading?.level.digits == "2.9" && reading?.revision == 1
      })
    fixture.now = fixture.now.advanced(byMilliseconds: 1_200_000)
    var later = try Self.reading("101 mg/dL", "g2")
    later.time = fixture.now.utc
    let settled = fixture.perform(.glucose(.put(later, revision: 0)))
    #expect(settled.events.map(\.type).contains(.glucoseSettled))
    #expect(Self.openAlarms(fixture).isEmpty)
  }

  @Test("A resident's limits are settings as all others, and hold at once")
  func settings() throws {
    var fixture = Self.house()
    for (name, value) in [("glucoseVeryLow", "60"), ("glucoseVeryLow", "90 mg/dL"), ("x", "1")] {
      let reply = fixture.perform(
        .putSetting(resident: "mary", name: name, value: .string(value))
      ).reply
      #expect(reply?.refusalCode == (name == "x" ? .unknownTarget : .invalid), "\(name)")
    }
    let wanted: JSONValue = "3.5 mmol/L"
    fixture.perform(.putSetting(resident: "mary", name: "glucoseVeryLow", value: wanted))
    #expect(fixture.core.settings.inForce(for: "mary")["glucoseVeryLow"] == wanted)
    #expect(fixture.core.settings.inForce(for: "mary")["glucoseLow"] == "70 mg/dL")
    fixture.perform(.glucose(.put(try Self.reading("3.4 mmol/L"), revision: nil)))
    #expect(Self.openAlarms(fixture) == ["glucose"])
    fixture.perform(.putSetting(resident: "mary", name: "glucoseVeryLow", value: .null))
    #expect(fixture.core.settings.inForce(for: "mary")["glucoseVeryLow"] == "54 mg/dL")
  }

  @Test("What is refused changes nothing but the news of a conflict")
  func refusals() throws {
    var fixture = Self.house()
    fixture.perform(.glucose(.put(try Self.reading("100 mg/dL"), revision: 0)))
    let before = fixture.core.storedState
    let conflict = fixture.perform(.glucose(.put(try Self.reading("101 mg/dL"), revision: 7)))
    #expect(conflict.reply?.refusalCode == .conflict)
    #expect(conflict.events.map(\.type) == [.changeConflict])
    for (request, code) in [
      (
        GlucoseRequest.put(try Self.reading("90 mg/dL", of: "nobody"), revision: nil),
        .unknownTarget
      ),
      (.put(try Self.reading("90 mg/dL", "a b"), revision: nil), .invalid),
      (.put(try Self.reading("90 mg/dL", "g3", secondsBefore: -7200), revision: nil), .invalid),
      (.remove("g9", revision: nil), .unknownTarget),
    ] as [(GlucoseRequest, CommandReply.Refusal.Code)] {
      #expect(fixture.perform(.glucose(request)).reply?.refusalCode == code, "\(request)")
    }
    #expect(fixture.core.storedState.glucoseReadings == before.glucoseReadings)
  }

  @Test("What only the store has is changed and removed by what the command brings of it")
  func stored() throws {
    var fixture = Self.house()
    var old = try Self.reading("100 mg/dL", "old", secondsBefore: 86_400)
    old.revision = 3
    let command = { (request: GlucoseRequest, id: CommandID) in
      Command(
        id: id, principal: Principal(channel: .local, name: "anna"), request: .glucose(request),
        stored: .glucose(old))
    }
    let conflict = fixture.step(.command(command(.remove("old", revision: 2), "c-a")))
    #expect(conflict.reply?.refusalCode == .conflict)
    let input = CoreInput.command(command(.remove("old", revision: 3), "c-b"))
    #expect(fixture.core.resident(concernedBy: input) == "mary")
    #expect(try CoreInput(json: input.json) == input)
    #expect(fixture.step(input).changes.contains(.removeGlucoseReading("old")))
  }

  @Test("A recorded input or state that does not fit is refused where it is read, by its member")
  func unfit() throws {
    let command = Command(
      id: "c", principal: Principal(channel: .local, name: "anna"),
      request: .glucose(.put(try Self.reading("100 mg/dL"), revision: 0)))
    let json = command.json
    let request = try #require(json["request"])
    for damaged in [
      json.setting("request", to: request.setting("reading", to: ["id": "g1"])),
      json.setting("request", to: request.setting("action", to: "glucose.measure")),
      json.setting("storedReading", to: ["id": "g1"]),
    ] {
      #expect(throws: DecodeError.self) { try CoreInput(json: ["command": damaged]) }
    }
    #expect(throws: DecodeError.self) {
      try CoreInput(json: ["observation": ["kind": "meter", "meter": "C0:11:22:33:44:55"]])
    }
    // What was written in another order, or with more than is known, is kept as the feature writes it.
    let odd: JSONValue = .object([
      JSONMember(key: "more", value: 1),
      JSONMember(key: "reading", value: try #require(request["reading"])),
      JSONMember(key: "revision", value: 0), JSONMember(key: "action", value: "glucose.put"),
    ])
    let read = try CoreInput(json: ["command": json.setting("request", to: odd)])
    #expect(read.json == CoreInput.command(command).json)
    let start: JSONValue = [
      "configuration": CoreConfiguration(gateway: "test", language: .en).json,
      "state": StoredState().json.setting("glucoseReadings", to: [["id": "g1"]]),
    ]
    #expect(throws: DecodeError.self) {
      try RunReplay(
        startState: start.serializedBytes, seed: 1, boot: "b", at: CoreFixture.start)
    }
  }

  @Test("A core from the stored state goes on, and an erased resident leaves no reading")
  func restart() throws {
    var fixture = Self.house()
    fixture.perform(.glucose(.put(try Self.reading("50 mg/dL"), revision: 0)))
    let state = try StoredState(json: fixture.core.storedState.json)
    #expect(state.readings.map(\.id) == ["g1"])
    var again = CoreFixture(stored: state, at: fixture.now)
    again.step(.started(version: "test"))
    #expect(again.core.storedState.glucoseReadings == state.glucoseReadings)
    #expect(Self.openAlarms(again) == ["glucose"])
    // The same level within a quarter of an hour is no news, as the state was kept.
    let same = again.perform(
      .glucose(.put(try Self.reading("50 mg/dL", "g2"), revision: 0)), id: "again")
    #expect(!same.events.map(\.type).contains(.glucoseVeryLow))
    again.perform(.eraseResident("mary"), id: "erase")
    #expect(again.core.storedState.glucoseReadings.isEmpty)
    #expect(!again.core.storedState.engineRows.contains { $0.engine == "glucose" })
  }
}
