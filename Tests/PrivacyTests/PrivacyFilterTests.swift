import CareModel
import Glibc
import Privacy
import Testing

@Suite struct PrivacyFilterTests {
  private let home = Coordinate(latitudeDegrees: 59.913_868, longitudeDegrees: 10.752_245)
  private let seed: UInt64 = 0x1234_5678_9ABC_DEF0

  private func zone(_ center: Coordinate, id: String = "home", radius: Double = 100) -> SafeZone {
    SafeZone(
      id: ZoneID(id), resident: "mary", name: "Home", center: center, radiusMeters: radius,
      isHome: true)
  }

  private func event(_ type: String, _ facts: JSONValue) -> [UInt8] {
    let event: JSONValue = ["specversion": "1.0", "id": "e1", "type": .string(type), "data": facts]
    return event.serializedBytes
  }

  private func filtered(_ filter: PrivacyFilter, _ type: String, _ facts: JSONValue) throws
    -> JSONValue
  {
    let bytes = try #require(filter.filtered(event(type, facts), hasPrecise: false))
    return try #require(try JSONValue(parsing: bytes)["data"])
  }

  @Test func theCentreIsDisplacedByTheSameEightyToFourHundredMetresEveryTime() throws {
    let home = try #require(home)
    for seed in UInt64(0)..<500 {
      let disc = PrivacyDisc.around(home: home, reachMeters: 150, key: "home", gatewaySeed: seed)
      let offset = disc.center.distanceMeters(to: home)
      #expect((79...404).contains(offset))
      #expect(disc.contains(home.moved(meters: 150, bearingDegrees: Double(seed))))
      let again = PrivacyDisc.around(home: home, reachMeters: 150, key: "home", gatewaySeed: seed)
      #expect(disc == again)
    }
  }

  @Test func theRadiusDoesNotTellHowFarTheCentreWasDisplaced() throws {
    let home = try #require(home)
    let radii = Set(
      (UInt64(0)..<100).map {
        PrivacyDisc.around(home: home, reachMeters: 150, key: "home", gatewaySeed: $0).radiusMeters
      })
    #expect(radii.count == 1)
  }

  @Test func twoResidentsOfOneHomeShareADisc() throws {
    let home = try #require(home)
    let zones = [zone(home), zone(home.moved(meters: 20, bearingDegrees: 50), id: "home-2")]
    #expect(PrivacyDisc.discs(of: zones, gatewaySeed: seed).count == 1)
  }

  @Test func whatMeasuresBackToTheHomeIsLeftOutEverywhere() throws {
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed)
    let data = try filtered(
      filter, "zone.left",
      [
        "zone": "home", "zoneName": "Home", "latitude": 60.1, "longitude": 10.9,
        "accuracyMeters": 5, "speedMetersPerSecond": 1.5, "courseDegrees": 40,
        "distanceMeters": 21000, "beyondEdgeMeters": 20900, "radiusMeters": 100,
        "exitMarginMeters": 50, "center": ["latitude": 59.9, "longitude": 10.7],
        "fixes": [["latitude": 60.1, "longitude": 10.9]], "explanation": "21 km from home",
        "pair": [59.9, 10.7], "lat": 59.9, "homeAddress": "Storgata 1", "minutesAtLocation": 3,
      ])
    #expect(
      data == [
        "zone": "home", "zoneName": "Home", "latitude": 60.1, "longitude": 10.9,
        "accuracyMeters": 5, "speedMetersPerSecond": 1.5, "minutesAtLocation": 3,
      ])
  }

  @Test func positionsInsideBecomeTheCentreHoweverDeepTheyStand() throws {
    let home = try #require(home)
    let filter = PrivacyFilter(zones: [zone(home)], gatewaySeed: seed)
    let center = filter.discs[0].center
    let inside: JSONValue = [
      "latitude": .number(home.latitudeDegrees), "longitude": .number(home.longitudeDegrees),
      "accuracyMeters": 3, "altitudeMeters": 12,
    ]
    let veiled: JSONValue = [
      "latitude": .number(center.latitudeDegrees), "longitude": .number(center.longitudeDegrees),
      "positionPrivacy": "approximate",
    ]
    #expect(try filtered(filter, "location.recorded", inside) == veiled)
    let nested = try filtered(
      filter, "record.changed",
      ["bookmark": ["name": "Me", "coordinate": inside], "list": [inside]])
    #expect(nested == ["bookmark": ["name": "Me", "coordinate": veiled], "list": [veiled]])
  }

  @Test func theTruthGoesWithTheGrantOrDuringAnAlarm() throws {
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed)
    let body = event("zone.left", ["latitude": 59.913_868, "longitude": 10.752_245])
    #expect(filter.filtered(body, hasPrecise: true) == body)
    #expect(filter.filtered(body, hasPrecise: false) != body)
  }

  @Test func theTruthAboutAResidentInDangerGoesInTheAlarmLaneOnly() throws {
    let filter = PrivacyFilter(
      zones: [zone(try #require(home))], gatewaySeed: seed, residentsInDanger: ["ada"])
    let facts: JSONValue = ["latitude": 59.913_868, "longitude": 10.752_245]
    func body(_ lane: String, _ subject: String) throws -> [UInt8] {
      try JSONValue(parsing: event("alarm.location", facts)).setting("lane", to: .string(lane))
        .setting("subject", to: .string(subject)).serializedBytes
    }
    let alarm = try body("alarm", "resident/ada")
    #expect(filter.filtered(alarm, hasPrecise: false) == alarm)
    for (lane, subject) in [
      ("record", "resident/ada"), ("trace", "resident/ada"), ("alarm", "resident/mary"),
      ("alarm", "gateway"),
    ] {
      let other = try body(lane, subject)
      #expect(filter.filtered(other, hasPrecise: false) != other, "\(lane) \(subject)")
    }
  }

  @Test func bytesThatCannotBeReadDoNotLeave() throws {
    let filter = PrivacyFilter(discs: [])
    let body = event("zone.left", ["latitude": 59.9, "longitude": 10.7])
    for end in 0..<body.count {
      #expect(filter.filtered(Array(body[..<end]), hasPrecise: false) == nil)
    }
    #expect(filter.filtered(Array("{\"id\":\"x\"}".utf8), hasPrecise: false) == nil)
  }

  @Test func eventsWithoutPlacesPassUnchanged() {
    let filter = PrivacyFilter(discs: [])
    let body = event("fault.raised", ["code": "no-fix", "explanation": "The receiver is silent."])
    #expect(filter.filtered(body, hasPrecise: false) == body)
  }

  /// A year of days: mornings at home, a walk in a random direction, back. What leaves is attacked in five ways.
  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func aYearOfOutputFindsTheHomeNoBetterThanTheDisc(seed: UInt64) throws {
    let home = try #require(home)
    let filter = PrivacyFilter(zones: [zone(home)], gatewaySeed: seed)
    let disc = filter.discs[0]
    var random = Numbers(seed: seed)
    var seen: [Coordinate] = []
    for _ in 0..<365 {
      let bearing = random.unit() * 360
      for step in 0..<30 {
        let distance = step < 10 ? random.unit() * 60 : Double(step - 9) * 90
        let at = home.moved(meters: distance, bearingDegrees: bearing + random.unit() * 8)
        let facts: JSONValue = [
          "latitude": .number(at.latitudeDegrees), "longitude": .number(at.longitudeDegrees),
          "distanceMeters": .number(distance),
        ]
        let data = try filtered(filter, "fix.accepted", facts)
        #expect(data["distanceMeters"] == nil)
        seen.append(try #require(coordinate(data)))
      }
    }
    // Nothing exact is inside the disc: the one point there is its centre.
    let inside = Set(seen.filter { disc.contains($0) })
    #expect(inside == [disc.center])
    let outside = seen.filter { !disc.contains($0) }
    let nearest = outside.map { $0.distanceMeters(to: disc.center) }.min() ?? 0
    #expect(nearest >= disc.radiusMeters)
    // The most frequent point, and the middle of the ring of points nearest the disc, give the centre, not the home.
    let offset = disc.center.distanceMeters(to: home)
    let ring = outside.filter { $0.distanceMeters(to: disc.center) < disc.radiusMeters + 20 }
    let guess = try #require(fittedCentre(of: ring))
    #expect(guess.distanceMeters(to: disc.center) < 60)
    #expect(guess.distanceMeters(to: home) > offset - 60)
  }

  private func coordinate(_ data: JSONValue) -> Coordinate? {
    guard let latitude = data["latitude"]?.doubleContent,
      let longitude = data["longitude"]?.doubleContent
    else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// The centre of the circle that fits points best, by Gauss-Newton from their mean.
  private func fittedCentre(of points: [Coordinate]) -> Coordinate? {
    guard let origin = points.first else { return nil }
    let flat = points.map { $0.planeOffset(from: origin) }
    var x = flat.map(\.eastMeters).reduce(0, +) / Double(flat.count)
    var y = flat.map(\.northMeters).reduce(0, +) / Double(flat.count)
    for _ in 0..<100 {
      let distances = flat.map { hypot($0.eastMeters - x, $0.northMeters - y) }
      let radius = distances.reduce(0, +) / Double(flat.count)
      var (dx, dy) = (0.0, 0.0)
      for (point, distance) in zip(flat, distances) where distance > 0 {
        dx += (point.eastMeters - x) * (1 - radius / distance)
        dy += (point.northMeters - y) * (1 - radius / distance)
      }
      x += 2 * dx / Double(flat.count)
      y += 2 * dy / Double(flat.count)
    }
    return origin.moved(meters: hypot(x, y), bearingDegrees: atan2(x, y) * 180 / .pi)
  }
}

private struct Numbers {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}
