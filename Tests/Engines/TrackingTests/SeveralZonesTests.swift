import Care
import JSON
import Testing

@testable import Tracking

/// Several zones of one resident, and zones that are added, moved, shrunk and removed around them.
@Suite struct SeveralZonesTests {
  static let sister = Scene.zone(
    "sister", name: "Sister", at: Scene.home.moved(meters: 1000, bearingDegrees: 90), isHome: false)
  static let village = Scene.zone("village", name: "Village", radius: 600, isHome: false)

  /// Type, zone, presence and whether the resident is outside of all zones.
  private func told(_ scene: Scene) -> [String] {
    scene.events.filter { $0.draft.lane == .alarm && $0.draft.text("zone") != nil }.map {
      let isOutside = $0.draft.facts["isOutside"]?.boolContent
      return [
        $0.draft.type.rawValue, $0.draft.text("zone") ?? "", $0.draft.text("presence") ?? "",
        isOutside.map { $0 ? "outside" : "in" } ?? "?",
      ].joined(separator: " ")
    }
  }

  @Test("From one zone to another each event says whether the resident is outside of all")
  func fromZoneToZone() {
    var scene = Scene(zones: [Scene.zone(), Self.sister])
    scene.fix(0, east: 5)
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    scene.fix(200, east: 1000)
    scene.fix(300, east: 700)
    scene.fix(315, east: 700)
    scene.fix(500, east: 5)
    #expect(
      told(scene).filter { !$0.hasPrefix("zone.crossed") } == [
        "zone.left home outside outside", "zone.entered sister inside in",
        "zone.left sister outside outside", "zone.entered home inside in",
      ])
  }

  @Test(
    "Leaving the home for the village around it is not being outside, and says where one still is")
  func nested() throws {
    var scene = Scene(zones: [Scene.zone(), Self.village])
    scene.fix(0, east: 5)
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    #expect(told(scene) == ["zone.left home outside in"])
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(left.explanation.hasSuffix("Mary is still in Village."))
    scene.fix(200, east: 900)
    scene.fix(215, east: 900)
    #expect(told(scene).last == "zone.left village outside outside")
  }

  @Test("Both zones left by the same two positions: both events know that there is none around")
  func bothAtOnce() {
    let garden = Scene.zone("garden", name: "Garden", radius: 40, isHome: false)
    var scene = Scene(zones: [Scene.zone(), garden])
    scene.fix(0, east: 5)
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    #expect(
      told(scene) == ["zone.left garden outside outside", "zone.left home outside outside"])
  }

  @Test("A zone drawn around a resident who is outside is settled at once by a fresh position")
  func addedAround() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 1000)
    scene.fix(75, east: 1000)
    scene.events = []
    scene.handle(.zonesChanged([Scene.zone(), Self.sister]))
    #expect(told(scene) == ["zone.certain sister inside in"])
    let certain = try #require(scene.all(.zoneCertain).first).draft
    #expect(certain.explanation == "Since the zones were changed: Mary is in Sister.")
    #expect(!scene.engine.isOutside)
    scene.fix(90, east: 1000)
    #expect(told(scene).count == 1)
    scene.fix(100, east: 1300)
    scene.fix(115, east: 1300)
    #expect(told(scene).last == "zone.left sister outside outside")
  }

  @Test("An old position brings nobody into a new zone; the next one does, and it is told")
  func addedAroundAnOldPosition() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 1000)
    scene.fix(75, east: 1000)
    scene.wait(until: 1200)
    scene.events = []
    scene.handle(.zonesChanged([Scene.zone(), Self.sister]))
    #expect(told(scene) == [])
    #expect(scene.engine.isOutside)
    scene.fix(1201, east: 1000)
    #expect(told(scene) == ["zone.certain sister inside in"])
  }

  @Test("A zone added elsewhere says nothing, then or later")
  func addedElsewhere() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.handle(.zonesChanged([Scene.zone(), Self.sister]))
    for second in 1...20 { scene.fix(Double(second), east: 5) }
    #expect(told(scene) == [])
  }

  @Test("A zone shrunk away from a resident is left by nobody, whom it tells to be outside at once")
  func shrunk() {
    var scene = Scene(zones: [Self.village])
    scene.fix(0, east: 300)
    scene.fix(1, east: 300)
    var small = Self.village
    small.area = .circle(center: small.center, radiusMeters: 100)
    scene.handle(.zonesChanged([small]))
    #expect(told(scene) == ["zone.certain village outside outside"])
  }

  @Test("A zone shrunk around a resident keeps them, up to the line of leaving")
  func shrunkAround() {
    var scene = Scene(zones: [Self.village])
    scene.fix(0, east: 100)
    var small = Self.village
    small.area = .circle(center: small.center, radiusMeters: 60)
    scene.handle(.zonesChanged([small]))
    #expect(told(scene) == [])
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    #expect(told(scene) == ["zone.left village outside outside"])
  }

  @Test("A renamed zone tells who is in it, by its new name")
  func renamed() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.handle(.zonesChanged([Scene.zone(name: "The house")]))
    #expect(told(scene) == ["zone.certain home inside in"])
    #expect(scene.all(.zoneCertain).first?.draft.text("zoneName") == "The house")
  }

  @Test("Doubt about a zone is over when the zone is widened around the resident")
  func doubtEndsWithTheChange() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in 1...700 { scene.fix(Double(second), east: 70, accuracy: 40) }
    #expect(told(scene) == ["zone.uncertain home uncertain in"])
    scene.handle(.zonesChanged([Scene.zone(radius: 200)]))
    #expect(told(scene).last == "zone.certain home inside in")
  }

  @Test(
    "Whom a tag at home holds is not taken out by a change of the zone",
    arguments: [[5.0, 120, 120], []])
  func heldByATag(positions: [Double]) {
    var scene = Scene()
    for (index, east) in positions.enumerated() {
      scene.handle(.homeTag(HomeTagTests.verdict(at: scene.now)))
      scene.fix(Double(index) * 10, east: east)
    }
    scene.wait(until: 400)
    scene.handle(.homeTag(HomeTagTests.verdict(at: scene.now)))
    #expect(!scene.engine.isOutside)
    scene.events = []
    scene.handle(.zonesChanged([Scene.zone(radius: 30)]))
    #expect(!scene.engine.isOutside)
    #expect(told(scene) == [])
  }

  @Test("Without the last zone nobody is outside")
  func lastZoneRemoved() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    #expect(scene.engine.isOutside)
    scene.handle(.zonesChanged([]))
    #expect(!scene.engine.isOutside)
  }

  @Test("What a change settled outlives a restart, in this boot and in another")
  func restarts() {
    for boot in ["boot-1", "boot-2"] as [BootID] {
      var scene = Scene()
      scene.fix(0, east: 5)
      scene.fix(60, east: 1000)
      scene.fix(75, east: 1000)
      scene.handle(.zonesChanged([Scene.zone(), Self.sister]))
      scene.restart(rows: scene.storedRows, boot: boot)
      #expect(!scene.engine.isOutside)
      scene.events = []
      scene.fix(90, east: 1300)
      scene.fix(105, east: 1300)
      #expect(told(scene) == ["zone.left sister outside outside"])
    }
  }

  @Test("Whose owner wants to know of every leaving says so in its events")
  func alarmOnLeaving() throws {
    var centre = Self.sister
    centre.alarmsOnLeaving = true
    var scene = Scene(zones: [Scene.zone(radius: 3000), centre])
    scene.fix(0, east: 1000)
    scene.fix(60, east: 1300)
    scene.fix(75, east: 1300)
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(left.facts["alarmOnLeaving"] == true && left.facts["isOutside"] == false)
  }
}
