import Care
import JSON
import Moments
import Testing

@testable import Tracking

@Suite("A tag at home")
struct HomeTagTests {
  static func verdict(
    _ state: HomeTagVerdict.State = .heard, at moment: Moment, id: TagID = "beacon",
    zone: ZoneID? = nil
  ) -> HomeTagVerdict {
    HomeTagVerdict(
      tag: id, name: "the beacon", zone: zone, state: state, heard: moment, holdSeconds: 60)
  }

  /// Fixes once in five seconds along distances; the tag is heard every ten seconds in some of them.
  private func drift(
    _ scene: inout Scene, from start: Double, _ distances: [Double],
    heard: (Int) -> Bool = { _ in true }
  ) {
    for (index, east) in distances.enumerated() {
      let second = start + Double(index) * 5
      scene.wait(until: second)
      if index.isMultiple(of: 2), heard(index) {
        scene.handle(.homeTag(Self.verdict(at: scene.now)))
      }
      scene.fix(second, east: east)
    }
  }

  @Test("Positions that drift out to 120 m while it is heard make no exit, and no doubt")
  func driftIsHeld() {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5] + [Double](repeating: 120, count: 400) + [5])
    #expect(scene.types() == [])
    var bare = Scene()
    drift(&bare, from: 0, [5, 5] + [Double](repeating: 120, count: 10), heard: { _ in false })
    #expect(bare.types() == ["zone.left"])
  }

  @Test(
    "The limit is 150 m from the middle",
    arguments: [(149.0, false), (151.0, true), (400.0, true)])
  func limit(east: Double, leaves: Bool) {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5] + [Double](repeating: east, count: 6))
    #expect(scene.types().contains("zone.left") == leaves)
  }

  @Test("A tag that is stale leaves the decision to positions")
  func stale() {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5] + [Double](repeating: 120, count: 40), heard: { $0 < 10 })
    // Last heard at 40 s, it holds through 100 s; then two fixes are needed.
    #expect(scene.types() == ["zone.left"])
    #expect(scene.all(.zoneLeft).map { $0.second } == [110])
  }

  @Test("Silence that is told, and ears that are deaf, leave the decision to positions at once")
  func silent() {
    for state in [HomeTagVerdict.State.silent, .unknown] {
      var scene = Scene()
      drift(&scene, from: 0, [5, 5, 120, 120, 120])
      #expect(scene.types() == [])
      scene.handle(.homeTag(Self.verdict(state, at: scene.now)))
      drift(&scene, from: 25, [120, 120], heard: { _ in false })
      #expect(scene.types() == ["zone.left"])
    }
  }

  @Test(
    "Being carried along hides nobody: the tag is doubted, told, and overruled until positions agree"
  )
  func carriedAlong() throws {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5, 60, 100, 140, 160, 180, 200, 300, 300])
    #expect(scene.types() == ["zone.left"])
    let doubted = try #require(scene.all(.tagDoubted).first).draft
    #expect(scene.all(.tagDoubted).count == 1)
    #expect(doubted.text("tag") == "beacon")
    #expect(
      doubted.explanation == "the beacon is heard, although Mary is far from Home. Positions alone "
        + "count now. Look whether somebody carried it along, and put it back.")
    // On the way back it still counts for nothing: neither brings in, nor holds.
    drift(&scene, from: 60, [120, 100, 80, 60])
    #expect(scene.types() == ["zone.left"])
    drift(&scene, from: 80, [10, 10, 120, 120, 120])
    #expect(scene.types() == ["zone.left", "zone.entered"])
    #expect(scene.all(.tagDoubted).count == 1)
  }

  @Test("Riding off while it was heard a moment ago is no reason to doubt it")
  func ridingOff() {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5, 40, 80, 120, 160, 200, 240], heard: { $0 < 3 })
    #expect(scene.types() == ["zone.left"])
    #expect(scene.all(.tagDoubted).isEmpty)
  }

  @Test("Home is entered by the tag alone where no position reaches")
  func entersWithoutFix() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 300)
    scene.fix(90, east: 200)
    for second in stride(from: 100.0, through: 240, by: 10) {
      scene.wait(until: second)
      scene.handle(.homeTag(Self.verdict(at: scene.now)))
    }
    #expect(scene.types() == ["zone.left", "zone.entered"])
    let entered = try #require(scene.all(.zoneEntered).first)
    #expect(entered.second == 130)
    #expect(entered.draft.text("basis") == "home-tag")
    #expect(entered.draft.number("awaySeconds") == 70)
    #expect(
      entered.draft.explanation == "Mary came into Home after 70 s away: the beacon is heard there."
    )
    #expect(scene.engine.summary["leftHomeAt"] == nil)
    scene.wait(until: 9000)
    #expect(scene.types() == ["zone.left", "zone.entered"])
  }

  @Test("A gateway that starts indoors knows silently that its resident is at home")
  func startsIndoors() {
    var scene = Scene()
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(scene.types() == [])
    #expect(scene.engine.zones.inside == ["home"])
    scene.fix(300, east: 160)
    scene.fix(310, east: 170)
    #expect(scene.types() == ["zone.left"])
  }

  @Test("A position that could not be found becomes known by the tag")
  func regains() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 300)
    scene.wait(until: 1200)
    #expect(scene.types() == ["zone.left", "position.unknown"])
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(
      scene.types() == ["zone.left", "position.unknown", "zone.entered", "position.regained"])
    scene.wait(until: 9000)
    #expect(scene.types().count == 4)
  }

  @Test("An imitated tag brings nobody home from where nobody comes so fast")
  func spoofed() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for (second, east) in [(60.0, 300.0), (75, 400), (600, 3000), (660, 5000)] {
      scene.fix(second, east: east)
    }
    for second in stride(from: 670.0, through: 760, by: 10) {
      scene.wait(until: second)
      scene.handle(.homeTag(Self.verdict(at: scene.now)))
    }
    #expect(scene.types() == ["zone.left"])
    #expect(scene.all(.tagDoubted).map { $0.second } == [670])
    // Even when it could have been reached by now, what lied once is not believed.
    scene.wait(until: 4000)
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(!scene.types().contains("zone.entered"))
  }

  @Test("A fresh position outside outweighs the tag for coming home")
  func freshFixWaits() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in stride(from: 60.0, through: 400, by: 5) {
      scene.fix(second, east: second < 100 ? 300 : 110)
      scene.handle(.homeTag(Self.verdict(at: scene.now)))
    }
    #expect(scene.types() == ["zone.left"])
  }

  @Test("It ends the doubt that positions near the border have left")
  func endsDoubt() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in 1...700 { scene.fix(Double(second), east: 70, accuracy: 40) }
    #expect(scene.types() == ["zone.uncertain"])
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(scene.types() == ["zone.uncertain", "zone.certain"])
    for second in 701...1500 {
      scene.fix(Double(second), east: 70, accuracy: 40)
      if second % 10 == 0 { scene.handle(.homeTag(Self.verdict(at: scene.now))) }
    }
    #expect(scene.types() == ["zone.uncertain", "zone.certain"])
  }

  @Test("It speaks for its own zone, or for the only home; among several it brings into none")
  func whichZone() {
    let zones = [
      Scene.zone(), Scene.zone("shop", name: "Shop", at: Scene.place(10.05, 20), isHome: false),
      Scene.zone("farm", name: "Farm", at: Scene.place(10.1, 20)),
    ]
    var scene = Scene(zones: zones)
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(scene.engine.zones.inside == [])
    scene.handle(.homeTag(Self.verdict(at: scene.now, id: "till", zone: "shop")))
    #expect(scene.engine.zones.inside == ["shop"])
  }

  @Test("Set to 0 m, or with tracking off, it changes nothing")
  func switchedOff() throws {
    var settings = TrackingSettings()
    try settings.set("homeTagVetoMeters", to: 0)
    var scene = Scene(settings: settings)
    drift(&scene, from: 0, [5, 5, 120, 120, 120])
    #expect(scene.types() == ["zone.left"])
    var off = Scene()
    off.handle(.switched(isOn: false))
    off.handle(.homeTag(Self.verdict(at: off.now)))
    #expect(off.engine.zones.inside == [])
  }

  @Test("Restarts keep what it said and whether it is doubted")
  func restarts() {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5, 120, 120])
    let row = scene.engine.rows.first { $0.name == "home-tags" }
    #expect(row != nil)
    scene.restart()
    drift(&scene, from: 25, [120, 120, 120], heard: { _ in false })
    #expect(scene.types() == [])
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    drift(&scene, from: 45, [100, 160, 170])
    #expect(scene.types() == ["zone.left"])
    scene.restart(rows: scene.storedRows)
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(scene.engine.state.homeTags.tags.map(\.isDoubted) == [true])
    #expect(scene.types() == ["zone.left"])
  }

  @Test("After a reboot it is not believed until it is heard again")
  func reboot() {
    var scene = Scene()
    drift(&scene, from: 0, [5, 5])
    let rows = scene.engine.rows
    scene.now = Moment(tick: .seconds(5), utc: .seconds(0), quality: .untrusted)
    scene.restart(rows: rows, boot: "boot-2")
    #expect(scene.engine.vouchedZones(at: scene.now).isEmpty)
    scene.handle(.homeTag(Self.verdict(at: scene.now)))
    #expect(scene.engine.vouchedZones(at: scene.now) == ["home"])
  }

  @Test("No more tags are remembered than the limit allows")
  func limits() {
    var scene = Scene()
    for number in 100..<200 {
      scene.handle(.homeTag(Self.verdict(at: scene.now, id: TagID("tag-\(number)"))))
    }
    #expect(scene.engine.state.homeTags.tags.count == HomeTags.limit)
  }

  @Test("A person who truly walks away is never held beyond 150 m", arguments: 1...6)
  func neverHeldBeyond(seed: UInt64) throws {
    var scene = Scene()
    let walk = Walk(seed: seed, start: scene.now.utc, seconds: 2400, hasFaults: false)
    var farSince: Double?
    walk.run(interval: 1, canBurst: true, in: &scene) { scene, sample in
      scene.wait(until: sample.second)
      if Int(sample.second) % 10 == 0 { scene.handle(.homeTag(Self.verdict(at: scene.now))) }
      farSince = sample.trueDistance > 170 ? farSince ?? sample.second : nil
      if let farSince, sample.second - farSince > 10 {
        #expect(scene.engine.zones.inside.isEmpty)
      }
    }
  }
}
