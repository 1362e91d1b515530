import Bytes
import Care
import JSON
import Moments
import Testing

@testable import Tracking

@Suite struct ZoneTests {
  @Test func leavingTakesTwoFixesBeyondRadiusMarginAndDoubt() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 80)
    #expect(scene.types() == [])
    scene.fix(72, east: 111)
    #expect(scene.types() == ["zone.left"])
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(
      left.explanation
        == "Mary left Home: two positions in a row, 12 s apart, were 80 m and 111 m from its centre, "
        + "beyond the 25 m radius plus 50 m margin and 4 m of doubt.")
    #expect(left.text("zone") == "home")
    #expect(left.text("zoneName") == "Home")
    #expect(left.text("presence") == "outside")
    #expect(left.number("thresholdMeters") == 79)
    #expect(left.number("confirmedAfterSeconds") == 12)
    #expect(left.number("insideSeconds") == 60)
    #expect(left.facts["fixes"]?.arrayContent?.count == 2)
  }

  @Test func whoCountsInFeetReadsFeet() throws {
    var settings = TrackingSettings()
    try settings.set("lengthUnits", to: "imperial")
    var scene = Scene(settings: settings)
    scene.fix(0, east: 5)
    scene.fix(60, east: 80)
    scene.fix(72, east: 111)
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(
      left.explanation
        == "Mary left Home: two positions in a row, 12 s apart, were 263 ft and 365 ft from its centre, "
        + "beyond the 82 ft radius plus 164 ft margin and 13 ft of doubt.")
    #expect(left.number("thresholdMeters") == 79)
  }

  @Test func theFirstOutsideFixAsksForABurst() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.actions = []
    scene.fix(10, east: 100)
    let until = scene.now.tick.advanced(byMilliseconds: 60_000)
    #expect(scene.actions == [.sampleBurst(source: "gps", until: until)])
  }

  @Test(arguments: [1.0, 15, 60, 300])
  func oneLyingFixThreeHundredMetresAwayNeverLeaves(interval: Double) {
    var scene = Scene()
    for step in 0..<20 { scene.fix(Double(step) * interval, east: step % 3 == 2 ? 300 : 3) }
    #expect(scene.types() == [])
  }

  @Test func aFixWithinTheMarginBreaksTheSeries() {
    var scene = Scene()
    for (second, east) in [(0.0, 5.0), (20, 85), (40, 60), (60, 85), (80, 60), (100, 85)] {
      scene.fix(second, east: east)
    }
    #expect(scene.types() == [])
    scene.fix(120, east: 85)
    #expect(scene.types() == ["zone.left"])
  }

  @Test func enteringTakesOneFixAndNoMargin() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    scene.fix(90, east: 26)
    #expect(scene.types() == ["zone.left"])
    scene.fix(100, east: 24)
    #expect(scene.types() == ["zone.left", "zone.entered"])
    let entered = try #require(scene.all(.zoneEntered).first).draft
    #expect(entered.number("awaySeconds") == 40)
    #expect(entered.explanation.hasPrefix("Mary came into Home after 40 s away"))
  }

  @Test func theFirstAnswerAboutAZoneIsSilent() {
    var inside = Scene()
    inside.fix(0, east: 5)
    #expect(inside.types() == [])
    var outside = Scene()
    outside.fix(0, east: 500)
    outside.fix(1, east: 500)
    #expect(outside.types() == [])
    outside.fix(600, east: 10)
    #expect(outside.types() == ["zone.entered"])
  }

  @Test func aFirstFixThatLiesInventsNoReturn() {
    var scene = Scene()
    scene.fix(0, east: 500)
    scene.fix(60, east: 5)
    scene.fix(61, east: 5)
    #expect(scene.types() == [])
  }

  @Test(arguments: [
    (50.0, 126.0, true), (50.0, 124.0, false), (90.0, 126.0, true), (0.0, 94.0, false),
  ])
  func theDoubtThatDelaysAnExitIsCapped(accuracy: Double, east: Double, leaves: Bool) {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(20, east: east, accuracy: accuracy)
    scene.fix(40, east: east, accuracy: accuracy)
    #expect(scene.types().contains("zone.left") == leaves)
  }

  @Test func missingAccuracyIsAssumedAndSaidSo() throws {
    var scene = Scene()
    scene.fix(0, east: 5, accuracy: nil)
    scene.fix(60, east: 94, accuracy: nil)
    scene.fix(75, east: 94, accuracy: 0)
    #expect(scene.types() == [])
    scene.fix(90, east: 97, accuracy: nil)
    scene.fix(105, east: 97, accuracy: 0)
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(left.facts["accuracyMeters"] == nil)
    #expect(left.number("assumedAccuracyMeters") == 20)
    #expect(left.explanation.hasSuffix("20 m of assumed doubt, since the receiver states none."))
  }

  @Test func lastingDoubtAtTheBorderIsToldOnceAndEnds() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in 1...1500 { scene.fix(Double(second), east: 70, accuracy: 40) }
    #expect(scene.types() == ["zone.uncertain"])
    let told = try #require(scene.all(.zoneUncertain).first)
    #expect(told.second == 601)
    #expect(told.draft.text("presence") == "uncertain")
    #expect(told.draft.text("lastPresence") == "inside")
    scene.fix(1501, east: 10)
    #expect(scene.types() == ["zone.uncertain", "zone.certain"])
    #expect(scene.all(.zoneCertain).first?.draft.text("presence") == "inside")
  }

  @Test func silenceAfterAFixNearTheBorderBecomesDoubtWithoutAnyInput() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 78)
    scene.wait(until: 3000)
    #expect(scene.all(.zoneUncertain).map(\.second) == [660])
  }

  @Test func silenceAfterACertainFixIsNoDoubtAboutTheZone() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.wait(until: 20_000)
    #expect(scene.types() == [])
  }

  @Test func anExitThatNothingConfirmsIsToldAsDoubtAfterTheWindow() throws {
    var scene = Scene()
    for second in 0...10 { scene.fix(Double(second), east: 5) }
    scene.fix(11, east: 60)
    scene.fix(12, east: 110)
    scene.wait(until: 200)
    let told = try #require(scene.all(.zoneUncertain).first)
    #expect(told.second == 72)
    #expect(told.draft.text("basis") == "unconfirmed-exit")
    scene.fix(201, east: 150)
    #expect(scene.types() == ["zone.uncertain", "zone.left"])
  }

  @Test func aPathThroughAZoneBetweenTwoFixesIsNoticed() throws {
    let shop = Scene.zone(
      "shop", name: "Shop", at: Scene.home.moved(meters: 400, bearingDegrees: 90), isHome: false)
    var scene = Scene(zones: [shop])
    scene.fix(0, east: 280)
    scene.fix(60, east: 300)
    scene.fix(180, east: 500)
    #expect(scene.types() == ["zone.crossed"])
    let crossed = try #require(scene.all(.zoneCrossed).first).draft
    #expect((crossed.number("closestMeters") ?? 99) < 1)
  }

  @Test func aPathThatPassesByOrTakesTooLongCrossesNothing() {
    let shop = Scene.zone("shop", at: Scene.home.moved(meters: 40, bearingDegrees: 0))
    var scene = Scene(zones: [shop])
    scene.fix(0, east: -100)
    scene.fix(60, east: -100)
    scene.fix(180, east: 100)
    let onTheWay = Scene.zone("shop")
    var slow = Scene(zones: [onTheWay])
    slow.fix(0, east: -100)
    slow.fix(60, east: -100)
    slow.fix(661, east: 100)
    #expect(scene.types() == [])
    #expect(slow.types() == [])
  }

  @Test func standingBesideAZoneCrossesNothing() {
    var scene = Scene()
    var random = SplitMix64(seed: 7)
    scene.fix(0, east: 200)
    scene.fix(60, east: 200)
    for second in 61...2000 {
      let drift = random.number(-6...6)
      scene.fix(Double(second), east: 34 + drift, accuracy: 6)
    }
    #expect(scene.all(.zoneCrossed).isEmpty)
  }

  @Test func zonesOnTheAntimeridianAndNearThePoleWork() {
    for center in [Scene.place(10, 179.9999), Scene.place(89.999, 40), Scene.place(-17, -180)] {
      var scene = Scene(zones: [Scene.zone(at: center)])
      scene.fix(0, at: center)
      for second in 1...6 {
        scene.fix(
          Double(second) * 15, at: center.moved(meters: Double(second) * 40, bearingDegrees: 90))
      }
      scene.fix(150, at: center.moved(meters: 10, bearingDegrees: 270))
      #expect(scene.types() == ["zone.left", "zone.entered"])
    }
  }

  // MARK: Changed zones

  @Test func aGrownZoneStillTellsTheExit() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.handle(.zonesChanged([Scene.zone(radius: 40)]))
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    #expect(scene.types() == ["zone.left"])
  }

  @Test func aZoneMovedAwayIsToldAtOnceAsCertaintyAndNotAsLeaving() {
    var scene = Scene()
    scene.fix(0, east: 5)
    let moved = Scene.zone(at: Scene.home.moved(meters: 900, bearingDegrees: 0))
    scene.handle(.zonesChanged([moved]))
    #expect(scene.types() == ["zone.certain"])
    scene.fix(1, east: 5)
    scene.fix(2, east: 5)
    #expect(scene.types() == ["zone.certain"])
    #expect(scene.all(.zoneCertain).first?.draft.text("basis") == "zone-changed")
    #expect(scene.all(.zoneCertain).first?.draft.text("presence") == "outside")
  }

  @Test func aRemovedZoneIsForgottenWithItsRow() {
    var scene = Scene()
    scene.fix(0, east: 5)
    #expect(scene.storedRows.map(\.name).contains("zone:home"))
    scene.handle(.zonesChanged([]))
    #expect(!scene.storedRows.map(\.name).contains("zone:home"))
    #expect(scene.engine.nextWake != nil)
    scene.fix(60, east: 300)
    scene.fix(75, east: 300)
    #expect(scene.types() == [])
  }

  @Test func tenThousandZonesKeepStateOnlyWhereThereIsSomethingToRemember() {
    var random = SplitMix64(seed: 3)
    let zones = (0..<10_000).map { index in
      Scene.zone(
        ZoneID("z\(index)"),
        at: Scene.home.moved(
          meters: random.number(2000...90_000), bearingDegrees: random.number(0...360)),
        isHome: false)
    }
    var scene = Scene(zones: zones + [Scene.zone()])
    for second in 0...5 { scene.fix(Double(second), east: 5) }
    #expect(scene.engine.zones.states.keys.sorted() == ["home"])
    #expect(scene.storedRows.filter { $0.name.hasPrefix("zone:") }.map(\.name) == ["zone:home"])
  }

  @Test func theQuickTestNeverHidesAZone() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<20_000 {
      let latitude = random.number(-90...90)
      let center = Scene.place(latitude, random.number(-180...180))
      let position = center.moved(
        meters: random.number(0...3000), bearingDegrees: random.number(0...360))
      let zone = Scene.zone(at: center, radius: random.number(1...2500))
      let accuracy = random.number(1...100)
      var filter = FixFilter()
      let verdicts = filter.judge(
        Scene.report(position, accuracy: accuracy), at: Scene.start, by: TrackingSettings())
      guard case .accepted(let fix)? = verdicts.first else { continue }
      let step = ZoneStep(fix: fix, previous: nil, settings: TrackingSettings())
      let distance = center.distanceMeters(to: position)
      if distance <= zone.radiusMeters + accuracy {
        let boxes = position.boxes(within: step.reachMeters)
        #expect(
          boxes.contains { box in zone.boxes.contains { $0.meets(box) } },
          "\(center) \(position)")
      }
    }
  }
}
