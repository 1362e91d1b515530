import Care
import Core
import Privacy
import Testing

/// Homes that were stay hidden for events of then, until the resident is erased.
@Suite struct PastHomeTests {
  private func house() -> CoreFixture {
    var house = CoreFixture()
    house.perform(.putResident(CoreFixture.mary))
    house.perform(.putZone(CoreFixture.zone()))
    return house
  }

  @Test("A home that is moved, removed, made smaller or no home any more is remembered")
  func remembered() {
    var other = CoreFixture.zone()
    other.isHome = false
    for (request, count) in [
      (.putZone(CoreFixture.zone(latitude: -25)), 1), (.removeZone("home"), 1),
      (.putZone(CoreFixture.zone(radius: 10)), 1), (.putZone(other), 1),
      (.putZone(CoreFixture.zone("new", name: "Cottage", latitude: -25)), 1),
      (.putZone(CoreFixture.zone(name: "Cottage", radius: 100)), 0),
    ] as [(Command.Request, Int)] {
      var house = house()
      house.perform(request)
      #expect(house.core.household.pastHomes.count == count, "\(request)")
      let again = CoreFixture(stored: house.core.storedState, seed: 2)
      #expect(again.core.household.pastHomes == house.core.household.pastHomes)
    }
  }

  @Test("Sixteen are remembered, and none of somebody who was erased")
  func bounded() {
    var house = house()
    for number in 1...20 {
      house.perform(.putZone(CoreFixture.zone(latitude: -24 - Double(number))))
    }
    #expect(house.core.household.pastHomes.count == 16)
    #expect(Set(house.core.household.pastHomes.map(\.generation)) == Set(4...19))
    house.perform(.eraseResident("mary"))
    #expect(house.core.household.pastHomes.isEmpty)
    #expect(!house.core.storedState.engineRows.contains { $0.engine == "homes" })
  }

  @Test("A step at a time away from home leaves no gap that nothing hides")
  func steps() throws {
    var house = house()
    let start = CoreFixture.zone().center
    for number in 1...30 {
      var zone = CoreFixture.zone()
      let center = start.moved(meters: Double(number) * 60, bearingDegrees: 90)
      zone.area = .circle(center: center, radiusMeters: zone.radiusMeters)
      house.perform(.putZone(zone))
    }
    let filter = PrivacyFilter(
      zones: house.core.household.zones(of: nil), past: house.core.household.pastHomes,
      gatewaySeed: 7, events: .all)
    for number in 0...30 {
      let home = start.moved(meters: Double(number) * 60, bearingDegrees: 90)
      #expect(filter.discs.contains { $0.contains(home) }, "\(number)")
    }
  }
}
