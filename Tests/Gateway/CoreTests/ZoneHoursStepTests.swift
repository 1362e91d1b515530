import Care
import CivilTime
import Core
import JSON
import Moments
import Testing

/// Zones that count at some hours of the day only.
@Suite struct ZoneHoursStepTests {
  /// Mary at home in Darwin, at 20:37:40, and a zone 400 m to the north.
  private func house(
    home: String? = nil, garden: String? = nil, knowsZone: Bool = true
  ) throws -> CoreFixture {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    if knowsZone {
      fixture.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
    }
    fixture.perform(.putResident(CoreFixture.mary))
    var zone = CoreFixture.zone()
    zone.hours = home.flatMap { DailyHours($0) }
    fixture.perform(.putZone(zone))
    if let garden {
      let center = zone.center.moved(meters: 400, bearingDegrees: 0)
      var zone = SafeZone(
        id: "garden", resident: "mary", name: "Garden", center: center, radiusMeters: 50)
      zone.hours = DailyHours(garden)
      fixture.perform(.putZone(zone))
    }
    fixture.perform(
      .putGuardian(
        Guardian(id: "anna", resident: "mary", name: "Anna", email: "anna@example.org")))
    for _ in 0..<3 { fixture.step(fixture.fix(metersNorth: 0), afterSeconds: 20) }
    return fixture
  }

  /// Walks in five minutes, then stays for so many.
  @discardableResult
  private func go(
    from start: Double, to end: Double, thenMinutes minutes: Int = 0, _ fixture: inout CoreFixture
  ) -> [String] {
    let before = fixture.results.count
    for step in 1...30 {
      let place = start + (end - start) * Double(step) / 30
      fixture.step(fixture.fix(metersNorth: place), afterSeconds: 10)
    }
    for _ in 0..<minutes { stayAMinute(end, &fixture) }
    return told(fixture, since: before)
  }

  private func stayAMinute(_ meters: Double, _ fixture: inout CoreFixture) {
    fixture.step(.wake, afterSeconds: 30)
    fixture.step(fixture.fix(metersNorth: meters), afterSeconds: 30)
  }

  /// Minutes without a position, as within a house.
  private func wait(minutes: Int, _ fixture: inout CoreFixture) -> [String] {
    let before = fixture.results.count
    for _ in 0..<minutes * 2 { fixture.step(.wake, afterSeconds: 30) }
    return told(fixture, since: before)
  }

  private func told(_ fixture: CoreFixture, since before: Int) -> [String] {
    fixture.results.dropFirst(before).flatMap(\.events).compactMap { event in
      switch event.type {
      case .zoneLeft, .zoneEntered, .zoneCertain:
        "\(event.type.rawValue) \(event.facts["zone"]?.stringContent ?? "")"
      case .zoneChanged:
        "\(event.facts["change"]?.stringContent ?? "") \(event.facts["zone"]?.stringContent ?? "")"
      case .alarmRaised where event.facts["kind"] == "zone": event.type.rawValue
      case .alarmResolved where event.facts["kind"] == "zone": event.type.rawValue
      default: nil
      }
    }
  }

  private func isAlarmed(_ fixture: CoreFixture) -> Bool {
    fixture.core.alarms.summaries().contains { $0["kind"] == "zone" }
  }

  @Test("A garden by day: who is still there when its hours are over is outside, until home")
  func byDay() throws {
    var fixture = try house(garden: "08:00-21:00")
    #expect(
      go(from: 0, to: 400, thenMinutes: 12, &fixture) == [
        "zone.left home", "alarm.raised", "zone.entered garden", "alarm.resolved",
      ])
    #expect(
      go(from: 400, to: 400, thenMinutes: 8, &fixture) == ["hours-over garden", "alarm.raised"])
    let changed = try #require(
      fixture.results.flatMap(\.events).last { $0.type == .zoneChanged })
    #expect(changed.lane == .alarm && changed.facts["isOutside"] == true)
    #expect(
      changed.facts["explanation"]
        == "Garden does not count as safe for Mary any more (08:00-21:00). Mary is outside of all safe zones."
    )
    // The garden is no way to end it now, and home is.
    #expect(go(from: 400, to: 300, &fixture) == [])
    #expect(go(from: 300, to: 400, &fixture) == [])
    #expect(go(from: 400, to: 0, &fixture) == ["zone.entered home", "alarm.resolved"])
  }

  @Test("Within another zone nothing happens when hours begin or are over")
  func elsewhere() throws {
    var fixture = try house(garden: "20:45-21:00")
    #expect(
      go(from: 0, to: 0, thenMinutes: 30, &fixture) == ["hours-began garden", "hours-over garden"])
    #expect(!isAlarmed(fixture))
    let lanes = fixture.results.flatMap(\.events).filter { $0.type == .zoneChanged }.map(\.lane)
    #expect(lanes.suffix(2) == [.record, .record])
  }

  @Test("A home that counts at night: by day nobody is told who goes, at night everybody is")
  func atNight() throws {
    var fixture = try house(home: "21:00-07:00")
    #expect(go(from: 0, to: 300, &fixture) == [])
    #expect(go(from: 300, to: 0, &fixture) == [])
    #expect(go(from: 0, to: 0, thenMinutes: 20, &fixture) == ["hours-began home"])
    #expect(go(from: 0, to: 300, &fixture) == ["zone.left home", "alarm.raised"])
  }

  @Test(
    "Who is not at home when its hours begin is an alarm, and who is, without a position, is none")
  func begins() throws {
    var out = try house(home: "21:00-07:00")
    #expect(
      go(from: 0, to: 300, thenMinutes: 25, &out) == ["hours-began home", "alarm.raised"])
    #expect(go(from: 300, to: 0, &out) == ["zone.entered home", "alarm.resolved"])
    var within = try house(home: "21:00-07:00")
    #expect(wait(minutes: 40, &within) == ["hours-began home"])
    #expect(!isAlarmed(within))
  }

  @Test("Hours that are over end no alarm: whoever is missing is waited for by the last zone")
  func missing() throws {
    var fixture = try house(home: "19:00-21:00")
    #expect(go(from: 0, to: 300, thenMinutes: 30, &fixture) == ["zone.left home", "alarm.raised"])
    #expect(
      go(from: 300, to: 0, thenMinutes: 3, &fixture) == [
        "zone.entered home", "alarm.resolved", "hours-over home",
      ])
    #expect(go(from: 0, to: 300, &fixture) == [])
  }

  @Test("While nobody knows the time, zones with hours do not count beside one that always does")
  func unknownTime() throws {
    var fixture = try house(garden: "08:00-21:00", knowsZone: false)
    #expect(go(from: 0, to: 400, &fixture) == ["zone.left home", "alarm.raised"])
    var alone = try house(home: "08:00-09:00", knowsZone: false)
    #expect(go(from: 0, to: 400, &alone) == ["zone.left home", "alarm.raised"])
  }

  @Test("A planned absence explains that somebody is out when hours are over")
  func absent() throws {
    var fixture = try house(garden: "08:00-21:00")
    fixture.perform(
      .absence(
        .put(
          Absence(
            id: "party", resident: "mary", name: "Party", days: .weekly([.wednesday]),
            from: try #require(TimeOfDay(text: "20:30")),
            until: try #require(TimeOfDay(text: "22:00")), graceMinutes: 30, zone: nil))))
    go(from: 0, to: 400, thenMinutes: 25, &fixture)
    #expect(!isAlarmed(fixture))
  }

  @Test("Hours that were over while the gateway was off are over when it starts")
  func restart() throws {
    var fixture = try house(garden: "08:00-21:00")
    go(from: 0, to: 400, &fixture)
    #expect(!isAlarmed(fixture))
    var next = CoreFixture(
      stored: fixture.core.storedState, seed: 4, at: fixture.now.advanced(byMilliseconds: 1_800_000)
    )
    next.step(.started(version: "0"))
    next.step(.timeZone(name: "Australia/Darwin", file: RoutineStepTests.darwin))
    for _ in 0..<3 { stayAMinute(400, &next) }
    #expect(isAlarmed(next))
  }

  @Test("Changed hours hold at once, and are told")
  func changed() throws {
    var fixture = try house(garden: "08:00-21:00")
    go(from: 0, to: 400, &fixture)
    let before = fixture.results.count
    var garden = try #require(fixture.core.household.zones(of: "mary").first { $0.id == "garden" })
    garden.hours = DailyHours("08:00-20:00")
    fixture.perform(.putZone(garden))
    #expect(told(fixture, since: before).first == "hours-changed garden")
    #expect(
      fixture.results.last?.events.first { $0.type == .zoneChanged }?.facts["isOutside"] == true)
  }
}
