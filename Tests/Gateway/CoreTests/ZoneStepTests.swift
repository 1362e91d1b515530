import Care
import Core
import JSON
import Testing

/// What walks and commands about zones do to positions and alarms together.
@Suite struct ZoneStepTests {
  /// Mary with a home, and a sister a kilometre to the north.
  private func home() -> CoreFixture {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    fixture.perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", email: "anna@example.org")))
    stay(0, &fixture)
    return fixture
  }

  private func sister(at meters: Double = 1000) -> SafeZone {
    SafeZone(
      id: "sister", resident: "mary", name: "Sister",
      center: CoreFixture.zone().center.moved(meters: meters, bearingDegrees: 0), radiusMeters: 25)
  }

  /// Walks to a place in plausible steps, stays there, and answers the events about zones and alarms on the way.
  @discardableResult
  private func stay(_ meters: Double, _ fixture: inout CoreFixture) -> [String] {
    let before = fixture.results.count
    let last = fixture.core.household.zones(of: nil).isEmpty ? 0 : lastMeters(fixture)
    for step in 0...40 {
      let place = last + (meters - last) * Double(min(step, 30)) / 30
      fixture.step(fixture.fix(metersNorth: place), afterSeconds: 20)
    }
    return told(fixture, since: before)
  }

  private func lastMeters(_ fixture: CoreFixture) -> Double {
    let accepted = fixture.results.flatMap(\.events).last { $0.type == .fixAccepted }
    guard let latitude = accepted?.facts["latitude"]?.doubleContent else { return 0 }
    return (latitude - CoreFixture.zone().center.latitudeDegrees) * 111_195
  }

  private func told(_ fixture: CoreFixture, since before: Int) -> [String] {
    fixture.results.dropFirst(before).flatMap(\.events).compactMap { event in
      switch event.type {
      case .zoneLeft, .zoneEntered, .zoneCertain, .zoneChanged:
        "\(event.type.rawValue) \(event.facts["zone"]?.stringContent ?? "")"
      case .alarmRaised, .alarmResolved, .alarmRepeated: event.type.rawValue
      default: nil
      }
    }
  }

  @Test("From home to the sister and back: each walk is an alarm, each arrival its end")
  func thereAndBack() {
    var fixture = home()
    fixture.perform(.putZone(sister()))
    #expect(
      stay(1000, &fixture) == [
        "zone.left home", "alarm.raised", "zone.entered sister", "alarm.resolved",
      ])
    #expect(
      stay(0, &fixture) == [
        "zone.left sister", "alarm.raised", "zone.entered home", "alarm.resolved",
      ])
    #expect(fixture.core.alarms.summaries().isEmpty)
  }

  @Test("A zone added around a resident who is outside ends the alarm in the same step")
  func addedAround() {
    var fixture = home()
    stay(1000, &fixture)
    #expect(fixture.core.alarms.summaries().count == 1)
    let before = fixture.results.count
    fixture.perform(.putZone(sister()))
    #expect(
      told(fixture, since: before) == [
        "zone.certain sister", "zone.changed sister", "alarm.resolved",
      ])
    #expect(fixture.core.alarms.summaries().isEmpty)
  }

  @Test("The home moved to where the resident is ends the alarm in the same step")
  func movedAround() {
    var fixture = home()
    stay(1000, &fixture)
    var moved = CoreFixture.zone()
    moved.area = .circle(center: sister().center, radiusMeters: moved.radiusMeters)
    fixture.perform(.putZone(moved))
    #expect(fixture.core.alarms.summaries().isEmpty)
  }

  @Test("With one of two zones removed the alarm goes on; without the last it ends, and says why")
  func removed() throws {
    var fixture = home()
    fixture.perform(.putZone(sister(at: -3000)))
    stay(1000, &fixture)
    fixture.perform(.removeZone("home"))
    #expect(fixture.core.alarms.summaries().count == 1)
    let result = fixture.perform(.removeZone("sister"))
    let resolved = try #require(result.events.first { $0.type == .alarmResolved })
    #expect(
      resolved.facts["reason"]
        == "The last safe zone was removed: there is none to be outside of.")
    let changed = try #require(result.events.first { $0.type == .zoneChanged })
    #expect(changed.facts["zonesLeft"] == 0 && changed.facts["isOutside"] == false)
    #expect(fixture.core.alarms.summaries().isEmpty)
  }

  @Test(
    "A watched zone inside a larger one is an alarm of its own, and ends when it is watched no more"
  )
  func watched() {
    var fixture = home()
    fixture.perform(
      .putZone(CoreFixture.zone("village", name: "Village", radius: 5000, isHome: false)))
    var centre = sister()
    centre.alarmsOnLeaving = true
    stay(1000, &fixture)
    #expect(fixture.core.alarms.summaries().isEmpty)
    fixture.perform(.putZone(centre))
    #expect(stay(500, &fixture) == ["zone.left sister", "alarm.raised"])
    #expect(stay(0, &fixture) == ["zone.entered home"])
    centre.alarmsOnLeaving = false
    let before = fixture.results.count
    fixture.perform(.putZone(centre))
    #expect(told(fixture, since: before) == ["zone.changed sister", "alarm.resolved"])
  }

  @Test("With positions gone while outside, a zone drawn around the last one waits for the next")
  func positionsGone() {
    var fixture = home()
    stay(1000, &fixture)
    fixture.step(.wake, afterSeconds: 2000)
    fixture.perform(.putZone(sister()))
    #expect(fixture.core.alarms.summaries().contains { $0["kind"] == "zone" })
    for _ in 0..<3 { fixture.step(fixture.fix(metersNorth: 1000), afterSeconds: 20) }
    #expect(!fixture.core.alarms.summaries().contains { $0["kind"] == "zone" })
  }

  @Test("Another gateway run goes on with the alarm, and its first arrival in any zone ends it")
  func restart() {
    var fixture = home()
    fixture.perform(.putZone(sister()))
    stay(500, &fixture)
    #expect(fixture.core.alarms.summaries().count == 1)
    var next = CoreFixture(stored: fixture.core.storedState, seed: 4, at: fixture.now)
    next.step(.started(version: "0"))
    for step in 1...20 {
      next.step(next.fix(metersNorth: 500 + Double(step) * 25), afterSeconds: 20)
    }
    #expect(next.core.alarms.summaries().isEmpty)
  }
}
