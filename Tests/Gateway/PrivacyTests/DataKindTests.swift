import Care
import JSON
import Privacy
import Testing

@Suite("Kinds of data") struct DataKindTests {
  /// A member that one kind shows: type, facts around it, the path to it, and the kinds that it takes.
  private struct Case {
    var type: EventType
    var facts: JSONValue
    var path: [String]
    var kinds: Set<DataKind>
  }

  private static func record(_ action: String, _ content: JSONValue) -> JSONValue {
    ["action": .string(action), "target": "x", "content": content]
  }

  private static let cases: [Case] = [
    Case(type: .zoneLeft, facts: ["zoneName": "Home"], path: ["zoneName"], kinds: [.places]),
    Case(
      type: .zoneLeft, facts: ["distanceMeters": 9], path: ["distanceMeters"], kinds: [.position]),
    Case(
      type: .leftWithout, facts: ["tagName": "red wallet"], path: ["tagName"], kinds: [.places]),
    Case(
      type: .absenceBegan, facts: ["absenceName": "Club"], path: ["absenceName"], kinds: [.places]),
    Case(
      type: .recordChanged, facts: record("bookmark.put", ["name": "Clinic"]),
      path: ["content", "name"], kinds: [.places]),
    Case(
      type: .recordChanged, facts: record("guardian.put", ["phone": "+4791234567"]),
      path: ["content", "phone"], kinds: [.contacts]),
    Case(
      type: .recordChanged, facts: record("guardian.put", ["name": "Anna"]),
      path: ["content", "name"], kinds: [.contacts]),
    Case(
      type: .recordChanged, facts: ["by": "plugin:mqtt/anna"], path: ["by"], kinds: [.contacts]),
    Case(
      type: .alarmAcknowledged, facts: ["kind": "sos", "byName": "Anna"], path: ["byName"],
      kinds: [.contacts]),
    Case(
      type: .alarmDispatched, facts: ["kind": "sos", "explanation": "Being told: Anna."],
      path: ["explanation"], kinds: [.contacts]),
    Case(
      type: .alarmDispatched, facts: ["kind": "glucose", "explanation": "Being told: Anna."],
      path: ["explanation"], kinds: [.contacts, .health]),
    Case(
      type: .alarmRaised, facts: ["kind": "glucose", "text": "2.4 mmol/L"], path: ["text"],
      kinds: [.health]),
    Case(
      type: .alarmRaised, facts: ["kind": "zone", "text": "91 m from home"], path: ["text"],
      kinds: [.position]),
    Case(type: .alarmRaised, facts: ["kind": "sos", "text": "Help"], path: ["text"], kinds: []),
    Case(
      type: .alarmResolved, facts: ["kind": "sos", "reason": "she fell"], path: ["reason"],
      kinds: [.messages]),
    Case(type: .glucoseRecorded, facts: ["value": "5.6"], path: ["value"], kinds: [.health]),
    Case(type: .glucoseRecorded, facts: ["tag": "after wine"], path: ["tag"], kinds: [.health]),
    Case(type: .reminderDue, facts: ["title": "Heart pill"], path: ["title"], kinds: [.health]),
    Case(
      type: .recordChanged, facts: record("routine.put", ["title": "Heart pill"]),
      path: ["content", "title"], kinds: [.health]),
    Case(
      type: .messageSent, facts: ["text": "The key is under the mat"], path: ["text"],
      kinds: [.messages]),
    Case(
      type: .recordChanged, facts: record("note.put", ["text": "I am afraid."]),
      path: ["content", "text"], kinds: [.notes]),
    Case(
      type: .recordChanged,
      facts: record("setting.put", ["name": "fakeCallScript", "value": "Hi, it is me"]),
      path: ["content", "value"], kinds: [.messages]),
    Case(
      type: .recordChanged, facts: record("setting.put", ["name": "zoneAlarm", "value": false]),
      path: ["content", "value"], kinds: []),
    Case(
      type: .heartbeat, facts: ["guardians": [["id": "anna", "name": "Anna"]]],
      path: ["guardians", "0", "name"], kinds: [.contacts]),
    Case(
      type: .faultRaised, facts: ["namesPeople": true, "explanation": "Anna is lost"],
      path: ["explanation"], kinds: [.contacts]),
    Case(
      type: .faultRaised, facts: ["explanation": "The modem is gone."], path: ["explanation"],
      kinds: []),
  ]

  private static let combinations: [Set<DataKind>] = (0..<(1 << DataKind.allCases.count)).map {
    bits in
    Set(DataKind.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
  }

  private func seen(_ one: Case, _ kinds: Set<DataKind>) throws -> JSONValue? {
    let event: JSONValue = ["type": .string(one.type.rawValue), "data": one.facts]
    let bytes = try #require(
      PrivacyFilter(discs: [], events: .all).filtered(
        event.serializedBytes, of: one.type, Clearance(kinds)))
    var value = try JSONValue(parsing: bytes)["data"]
    for step in one.path {
      value = Int(step).map { value?.arrayContent?[$0] } ?? value?[step]
    }
    return value
  }

  @Test("A member leaves with the kinds that it takes and with no others, whatever else is granted")
  func each() throws {
    for one in Self.cases {
      for kinds in Self.combinations {
        let all = kinds.contains(.position) ? kinds.union([.places]) : kinds
        let isSeen = try seen(one, kinds) != nil
        #expect(isSeen == one.kinds.isSubset(of: all), "\(one.type) \(one.path) \(kinds)")
      }
    }
  }

  @Test("An address for pushes is a key, and no plugin gets it")
  func push() throws {
    let one = Case(
      type: .recordChanged,
      facts: Self.record("guardian.put", ["id": "anna", "push": "pover://user@token/"]),
      path: ["content", "push"], kinds: [])
    #expect(try seen(one, Set(DataKind.allCases)) == nil)
  }

  // MARK: Homes that are and were

  private func home(_ meters: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7))
      .moved(meters: meters, bearingDegrees: 90)
  }

  private func zone(_ meters: Double) throws -> SafeZone {
    SafeZone(
      id: "home", resident: "mary", name: "Home", center: try home(meters), radiusMeters: 100,
      isHome: true)
  }

  private func past(_ meters: Double, _ generation: Int64 = 0) throws -> PastHome {
    PastHome(
      zone: "home", generation: generation, center: try home(meters), reachMeters: 150)
  }

  @Test("What happened at the home of then is hidden when it is told after the move")
  func moved() throws {
    let (old, new) = (try home(0), try home(5000))
    let before = PrivacyDisc.discs(of: [try zone(0)], gatewaySeed: 7)
    let after = PrivacyDisc.discs(of: [try zone(5000)], past: [try past(0)], gatewaySeed: 7)
    #expect(after.count == 2)
    #expect(after.contains { $0.center == before[0].center && $0.contains(old) })
    #expect(after.contains { $0.contains(new) })
  }

  @Test("A home that moved is displaced otherwise: the old address does not give the new one away")
  func otherwise() throws {
    let (was, isNow) = (try home(0), try home(5000))
    let discs = PrivacyDisc.discs(of: [try zone(5000)], past: [try past(0)], gatewaySeed: 7)
    let old = try #require(discs.first { $0.contains(was) })
    let new = try #require(discs.first { $0.contains(isNow) })
    #expect(old.center.moved(meters: 5000, bearingDegrees: 90).distanceMeters(to: new.center) > 20)
  }

  @Test(
    "A home that is moved a little keeps its disc, so that two centres do not tell more than one")
  func nudged() throws {
    let before = PrivacyDisc.discs(of: [try zone(0)], gatewaySeed: 7)
    let after = PrivacyDisc.discs(of: [try zone(60)], past: [try past(0)], gatewaySeed: 7)
    #expect(after.map(\.center) == before.map(\.center))
    #expect(after[0].contains(try home(60 + 150)))
  }
}
