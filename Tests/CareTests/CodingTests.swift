import Care
import JSON
import Moments
import Testing
import Texts

@Suite struct CodingTests {
  private let center = Coordinate(latitudeDegrees: -24.5, longitudeDegrees: 133.25)

  @Test func everyCommandReadsBackFromItsJSON() throws {
    let center = try #require(center)
    let requests: [Command.Request] = [
      .putResident(
        Resident(id: "mary", name: "李 \"M\" 🙂", timeZone: "Australia/Darwin", gpsSource: "gps")),
      .eraseResident("mary"),
      .putZone(
        SafeZone(
          id: "home", resident: "mary", name: "Home", center: center, radiusMeters: 25,
          exitMarginMeters: 40, isHome: true)),
      .removeZone("home"),
      .putBookmark(
        Bookmark(
          id: "shop", resident: "mary", name: "Shop", address: "1 Street", coordinate: center)),
      .removeBookmark("shop"),
      .putSetting(resident: "mary", name: "exitFixCount", value: 3),
      .setTracking(resident: "mary", isOn: false), .locate(resident: "mary"),
    ]
    for request in requests {
      var command = Command(
        id: "c-1", principal: Principal(channel: .plugin, name: "mqtt/anna"),
        expiresAt: Timestamp(milliseconds: 1_790_000_000_000), request: request)
      #expect(command.json["account"] == nil && command.json["address"] == nil)
      (command.account, command.address) = ("anna", "192.0.2.7")
      let parsed = try JSONValue(parsing: command.json.serializedBytes)
      #expect(try Command(json: parsed) == command)
    }
  }

  @Test func everyObservationReadsBackFromItsJSON() throws {
    let observations: [Observation] = [
      .fix(
        FixReport(
          source: "gps", mode: .threeDimensional, latitudeDegrees: 1.25, longitudeDegrees: -2,
          accuracyMeters: 4.5, altitudeMeters: 12, speedMetersPerSecond: 1.5, courseDegrees: 270,
          receiverTime: Timestamp(milliseconds: 1_790_000_000_120), satellitesUsed: 7,
          isSimulated: true)),
      .fix(FixReport(source: "gps", mode: .none)),
      .health(
        HealthReport(
          component: "gps/gps", state: .failed, code: "no-report", detail: Message(verbatim: "…"))),
      .clock(ClockReport(quality: .satellite, stepMilliseconds: -5)),
      .delivery(
        DeliveryReport(
          plugin: "sms", event: "e", recipient: "anna", channel: "sms", outcome: .failed,
          detail: "no credit")),
    ]
    for observation in observations {
      let parsed = try JSONValue(parsing: observation.json.serializedBytes)
      #expect(try Observation(json: parsed) == observation)
    }
  }

  @Test func storedStateReadsBackFromItsJSON() throws {
    let center = try #require(center)
    let state = StoredState(
      residents: [Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")],
      zones: [
        SafeZone(id: "home", resident: "mary", name: "Home", center: center, radiusMeters: 25)
      ],
      bookmarks: [Bookmark(id: "b", resident: "mary", name: "B", address: "", coordinate: center)],
      settings: [StoredState.Setting(resident: "mary", name: "exitFixCount", value: 3)],
      engineRows: [EngineRow(engine: "tracking", subject: "mary", name: "fix", content: ["a": 1.5])]
    )
    #expect(try StoredState(json: JSONValue(parsing: state.json.serializedBytes)) == state)
  }

  @Test func aFixOutsideEarthIsKeptButHasNoCoordinate() {
    for (latitude, longitude) in [(91.0, 0.0), (0, 181), (.nan, 0), (0, .infinity)] {
      let report = FixReport(
        source: "gps", mode: .twoDimensional, latitudeDegrees: latitude, longitudeDegrees: longitude
      )
      #expect(report.coordinate == nil)
    }
  }

  @Test func anEventIsACloudEventWithTheGatewaysTime() throws {
    let event = Event(
      id: "e-1", type: .zoneLeft, lane: .alarm, resident: "mary",
      moment: Moment(tick: .seconds(5), utc: Timestamp(milliseconds: 0), quality: .untrusted),
      facts: ["zoneName": "Home"])
    let encoded = event.cloudEvent(gateway: "hub", boot: "b")
    let parsed = try JSONValue(parsing: encoded.body)
    #expect(parsed["specversion"] == "1.0")
    #expect(parsed["source"] == "urn:homeward:gateway:hub")
    #expect(parsed["subject"] == "resident/mary")
    #expect(parsed["time"] == "1970-01-01T00:00:00.000Z")
    #expect(parsed["timequality"] == "untrusted")
    #expect(parsed["tick"] == "5000000000")
    #expect(parsed["data"]?["zoneName"] == "Home")
  }
}
