import Care
import Core
import Foundation
import JSON
import Moments
import Privacy
import Synchronization
import TestSupport
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
    let bytes = try #require(filter.filtered(event(type, facts), of: EventType(rawValue: type)))
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
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed, events: .all)
    let data = try filtered(
      filter, "zone.left",
      [
        "zone": "home", "zoneName": "Home", "latitude": 60.1, "longitude": 10.9,
        "accuracyMeters": 5, "speedMetersPerSecond": 1.5, "courseDegrees": 40,
        "distanceMeters": 21000, "beyondEdgeMeters": 20900, "radiusMeters": 100,
        "exitMarginMeters": 50, "center": ["latitude": 59.9, "longitude": 10.7],
        "fixes": [["latitude": 60.1, "longitude": 10.9]], "explanation": "21 km from home",
        "pair": [59.9, 10.7], "lat": 59.9, "homeAddress": "Storgata 1", "awaySeconds": 3,
      ])
    #expect(
      data == [
        "zone": "home", "latitude": 60.1, "longitude": 10.9, "accuracyMeters": 5, "awaySeconds": 3,
      ])
  }

  @Test("The sentence that raised an alarm about a zone stays, that of a fault goes")
  func alarmSentence() throws {
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed, events: .all)
    let far = "Mary left Home: two positions in a row were 91 m and 92 m from its centre."
    for (kind, text, isKept) in [("zone", far, false), ("fault", "gpsd is gone.", true)] {
      let facts: JSONValue = [
        "alarm": "a1", "tag": "A7K2", "kind": .string(kind), "text": .string(text),
        "explanation": .string(text),
        "position": [
          "latitude": .number(try #require(home).latitudeDegrees),
          "longitude": .number(try #require(home).longitudeDegrees), "accuracyMeters": 4,
          "ageSeconds": 3,
        ],
      ]
      let data = try filtered(filter, "alarm.raised", facts)
      #expect((data["text"] != nil) == isKept && (data["explanation"] != nil) == isKept)
      #expect(data["tag"] == "A7K2" && data["position"]?["ageSeconds"] == 3)
      #expect(data["position"]?["positionPrivacy"] == "approximate")
      #expect(data["position"]?["accuracyMeters"] == nil)
    }
  }

  @Test("What nobody has declared does not leave, in no type")
  func unknown() throws {
    let filter = PrivacyFilter(discs: [], events: .all)
    let facts: JSONValue = [
      "zone": "home", "text": "91 m from home", "new": ["pair": [59.9, 10.7]],
    ]
    #expect(try filtered(filter, "zone.left", facts) == ["zone": "home"])
    #expect(try filtered(filter, "zone.invented", facts) == .object([]))
    let body = event("zone.invented", facts)
    let everything = Clearance(Set(DataKind.allCases))
    let left = try #require(filter.filtered(body, of: "zone.invented", everything))
    #expect(try JSONValue(parsing: left)["data"] == .object([]))
  }

  @Test("Of a type that an engine declares leaves what it declared, to those who may see it")
  func declared() throws {
    let events = [
      EventDeclaration(
        "walk.begun", [.record], "Somebody walks.", [.whole("minutes", "How long.")],
        .places([.text("zoneName", "Where.")]))
    ]
    var source = PrivacyFilterSource(gatewaySeed: seed, events: events)
    let kept = source.filter(version: 1, zones: { [] }, past: { [] })
    let body = event("walk.begun", ["minutes": 4, "zoneName": "Home", "lat": 59.9])
    for filter in [PrivacyFilter(discs: [], events: EventDisclosures(events)), kept] {
      let plain = try #require(filter.filtered(body, of: "walk.begun"))
      #expect(try JSONValue(parsing: plain)["data"] == ["minutes": 4])
      let places = try #require(filter.filtered(body, of: "walk.begun", Clearance([.places])))
      #expect(try JSONValue(parsing: places)["data"] == ["minutes": 4, "zoneName": "Home"])
    }
    let without = try #require(
      PrivacyFilter(discs: [], events: .all).filtered(body, of: "walk.begun"))
    #expect(try JSONValue(parsing: without)["data"] == .object([]))
  }

  @Test("Whoever may see everything sees an event as it was stored, but for what nobody sees")
  func whole() throws {
    let events = [
      EventDeclaration(
        "walk.begun", [.record], "Somebody walks.", [.whole("minutes", "How long.")]),
      EventDeclaration("zone.changed", [.record], "A zone changed.", [.record("zone", "Which.")]),
    ]
    let filter = PrivacyFilter(discs: [], events: EventDisclosures(events))
    let everything = Clearance(Set(DataKind.allCases))
    let facts: JSONValue = ["minutes": 4, "zone": ["id": "home", "lat": 59.9], "lat": 59.9]
    #expect(
      filter.filtered(event("walk.begun", facts), of: "walk.begun", everything)
        == event("walk.begun", facts))
    let body = try #require(
      filter.filtered(event("zone.changed", facts), of: "zone.changed", everything))
    #expect(try JSONValue(parsing: body)["data"]?["lat"] == nil)
  }

  @Test("What engines declare is asked for once, and not before somebody needs a filter")
  func declaredLate() {
    let asked = Asked()
    var source = PrivacyFilterSource(gatewaySeed: seed, events: asked.events)
    #expect(asked.count.withLock { $0 } == 0)
    for version: UInt64 in [1, 1, 2] {
      _ = source.filter(version: version, zones: { [] }, past: { [] })
    }
    #expect(asked.count.withLock { $0 } == 1)
  }

  private final class Asked: Sendable {
    let count = Mutex(0)
    var events: [EventDeclaration] {
      count.withLock { $0 += 1 }
      return []
    }
  }

  @Test("The filter is made once for each change of zones, not for each event")
  func kept() throws {
    var source = PrivacyFilterSource(gatewaySeed: seed, events: [])
    let zones = [zone(try #require(home))]
    var asked = 0
    func filter(_ version: UInt64) -> PrivacyFilter {
      source.filter(
        version: version,
        zones: {
          asked += 1
          return zones
        }, past: { [] })
    }
    #expect(
      filter(1) == PrivacyFilter(zones: zones, gatewaySeed: seed, events: EventDisclosures([])))
    #expect(filter(1).discs.count == 1)
    #expect(asked == 1)
    _ = filter(2)
    #expect(asked == 2)
  }

  @Test func positionsInsideBecomeTheCentreHoweverDeepTheyStand() throws {
    let home = try #require(home)
    let filter = PrivacyFilter(zones: [zone(home)], gatewaySeed: seed, events: .all)
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
      ["action": "bookmark.put", "content": ["name": "Me", "coordinate": inside]])
    #expect(
      nested == ["action": "bookmark.put", "content": ["coordinate": veiled]])
  }

  @Test func theTruthGoesWithTheGrant() throws {
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed, events: .all)
    let body = event("zone.left", ["latitude": 59.913_868, "longitude": 10.752_245])
    #expect(filter.filtered(body, of: .zoneLeft, Clearance([.position])) == body)
    #expect(filter.filtered(body, of: .zoneLeft) != body)
  }

  @Test("Whoever may come to an SOS sees where, and never how far from home; of nothing else")
  func help() throws {
    let filter = PrivacyFilter(zones: [zone(try #require(home))], gatewaySeed: seed, events: .all)
    func seen(_ type: EventType, _ kind: String, _ stage: String) throws -> JSONValue {
      let data = try filtered(
        filter, type.rawValue,
        [
          "alarm": "a1", "kind": .string(kind), "stage": .string(stage), "ageSeconds": 3,
          "latitude": 59.913_868, "longitude": 10.752_245, "distanceMeters": 12,
        ])
      #expect(data["distanceMeters"] == nil)
      return data
    }
    for stage in ["dispatched", "acknowledged"] {
      #expect(try seen(.alarmLocation, "sos", stage)["latitude"] == 59.913_868)
    }
    for (type, kind, stage) in [
      (.alarmLocation, "sos", "prealarm"), (.alarmLocation, "sos", "resolved"),
      (.alarmLocation, "sos", "cancelled"), (.alarmLocation, "zone", "dispatched"),
      (.alarmLocation, "position", "acknowledged"), (.locationRecorded, "sos", "dispatched"),
      (.zoneLeft, "sos", "dispatched"),
    ] as [(EventType, String, String)] {
      let data = try seen(type, kind, stage)
      #expect(data["latitude"] != 59.913_868 && data["positionPrivacy"] == "approximate")
    }
  }

  @Test func bytesThatCannotBeReadDoNotLeave() throws {
    let filter = PrivacyFilter(discs: [], events: .all)
    let body = event("zone.left", ["latitude": 59.9, "longitude": 10.7])
    for end in 0..<body.count {
      #expect(filter.filtered(Array(body[..<end]), of: .zoneLeft) == nil)
    }
    #expect(filter.filtered(Array("{\"id\":\"x\"}".utf8), of: .zoneLeft) == nil)
  }

  @Test func eventsWithoutPlacesPassUnchanged() {
    let filter = PrivacyFilter(discs: [], events: .all)
    let body = event("fault.raised", ["code": "no-fix", "explanation": "The receiver is silent."])
    #expect(filter.filtered(body, of: .faultRaised) == body)
  }

  /// A year of days: mornings at home, a walk in a random direction, back. What leaves is attacked in five ways.
  @Test(arguments: 1...TestSize.count(whole: 8, usual: 3))
  func aYearOfOutputFindsTheHomeNoBetterThanTheDisc(home number: Int) throws {
    let seed = UInt64(number)
    let home = try #require(home)
    let filter = PrivacyFilter(zones: [zone(home)], gatewaySeed: seed, events: .all)
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

extension EventDisclosures {
  /// What all events tell.
  static let all = EventDisclosures(GatewayCore.events)
}
