import Care
import Moments
import Testing
import Tracking

@testable import Proximity

@Suite("The home tag, from the air to the zone")
struct HomeTests {
  static let home = SafeZone(
    id: "home", resident: "mary", name: "Home", center: place(0), radiusMeters: 25, isHome: true)

  static func place(_ east: Double) -> Coordinate {
    guard let middle = Coordinate(latitudeDegrees: 10, longitudeDegrees: 20) else {
      preconditionFailure("no such place")
    }
    return middle.moved(meters: east, bearingDegrees: 90)
  }

  private func states(_ house: House) -> [String] {
    house.homeTags.map { "\($0.verdict.state.rawValue)@\(Int($0.second))" }
  }

  @Test("It is said when it is heard, every ten seconds, and when it falls silent")
  func verdicts() {
    var house = House(tags: [House.tag(.home)])
    house.hear("home", -70, from: 0, through: 35)
    house.wait(until: 1000)
    #expect(states(house) == ["heard@1", "heard@11", "heard@21", "heard@31", "silent@95"])
    #expect(house.homeTags.allSatisfy { $0.verdict.holdSeconds == 60 })
    #expect(
      house.homeTags[3].verdict.heard?.tick == House.start.advanced(byMilliseconds: 31_000).tick)
  }

  @Test("Only the device that moves with the resident says anything about home")
  func onlyCarried() {
    var house = House(tags: [House.tag(.home)], hearers: [House.carried, House.kitchen])
    house.hear("home", -50, from: 0, through: 60, by: "kitchen")
    #expect(states(house) == [])
  }

  @Test("Deaf ears make unknown, not silent")
  func deaf() {
    var house = House(tags: [House.tag(.home)])
    house.hear("home", -70, from: 0, through: 5)
    house.handle(.listening("phone", isListening: false))
    house.wait(until: 1000)
    #expect(states(house) == ["heard@1", "unknown@65"])
  }

  @Test("One advertisement, replayed now and then, never says that she is at home")
  func replayed() {
    var house = House(tags: [House.tag(.home)])
    house.hear("home", -30)
    house.wait(until: 500)
    house.hear("home", -30)
    house.wait(until: 1000)
    #expect(states(house) == ["silent@60"])
  }

  /// Mary sits at home while her receiver drifts, then walks off: zones as tracking sees them.
  private func day(isHeard: (Int) -> Bool) throws -> [String] {
    var house = House(tags: [House.tag(.home)])
    var followed = House.mary
    followed.gpsSource = "gps"
    let known = Care.House(residents: [followed], zones: [Self.home])
    func world() -> World { World(now: house.now, house: known, boot: "boot-1") }
    var tracking = TrackingEngine(stored: StoredState(), seed: 0, in: world())
    var story: [String] = []
    func tell(_ input: Input, _ second: Int) throws {
      let events = try tracking.handle(input, in: world())?.events ?? []
      story += events.filter { $0.lane == .alarm }.map { "\($0.type.rawValue)@\(second)" }
    }
    for second in 0..<1200 {
      house.wait(until: Double(second))
      let told = house.homeTags.count
      if isHeard(second) { house.hear("home", -80) }
      for entry in house.homeTags.dropFirst(told) {
        try tell(.signalled(.homeTag(entry.verdict, of: "mary")), second)
      }
      guard second.isMultiple(of: 5) else { continue }
      // Ten minutes at home with a drift of 120 m, then away at walking speed.
      let east = second < 300 ? 5.0 : second < 600 ? 120 : 120 + Double(second - 600) * 1.4
      let position = Self.place(east)
      let report = FixReport(
        source: "gps", mode: .threeDimensional, latitudeDegrees: position.latitudeDegrees,
        longitudeDegrees: position.longitudeDegrees, accuracyMeters: 4,
        receiverTime: house.now.utc)
      try tell(.observed(.fix(report)), second)
    }
    return story
  }

  @Test("Drifting is no exit while it is heard, and walking off is one")
  func wholeDay() throws {
    #expect(try day { $0 < 600 } == ["zone.left@630"])
    #expect(try day { _ in false } == ["zone.left@305"])
    #expect(try day { $0 < 330 } == ["zone.left@390"])
  }
}
