import Bytes
import Care
import JSON
import Moments
import Testing

@testable import Tracking

@Suite struct RecordTests {
  private func records(_ scene: Scene) -> [String] {
    scene.all(.locationRecorded).map { "\(Int($0.second)) \($0.draft.text("reason") ?? "")" }
  }

  private let anna = Principal(channel: .plugin, name: "mqtt/anna")

  @Test func theFirstGoodFixIsRecordedAtOnce() {
    var scene = Scene()
    scene.report(0, FixReport(source: "gps", mode: .none))
    scene.fix(7, east: 5)
    scene.fix(8, east: 5)
    #expect(records(scene) == ["7 tracking-started"])
    #expect(
      scene.changes.count { $0.row(LocationRecord.self, in: .locationRecord) != nil } == 1)
  }

  @Test func atHomeARecordIsWrittenEveryHour() {
    var scene = Scene()
    for second in 0...7300 { scene.fix(Double(second), east: 5) }
    #expect(records(scene) == ["0 tracking-started", "3600 aged", "7200 aged"])
    #expect(scene.all(.locationRecorded).last?.draft.number("minutesAtLocation") == 120)
  }

  @Test func movementWithinAZoneIsRecordedAtTheChecks() {
    var scene = Scene(zones: [Scene.zone(radius: 2000)])
    for second in 0...1000 { scene.fix(Double(second), east: Double(second), accuracy: nil) }
    #expect(records(scene) == ["0 tracking-started", "300 moved", "600 moved", "900 moved"])
    #expect(
      scene.all(.locationRecorded).last?.draft.number("distanceFromLastRecordMeters") ?? 0 > 290)
  }

  @Test(arguments: [(24.0, 1), (26.0, 2)])
  func onlyMoreThanTwentyFiveMetresCountAsMovement(east: Double, count: Int) {
    var scene = Scene(zones: [Scene.zone(radius: 500)])
    for second in 0...400 { scene.fix(Double(second), east: second < 10 ? 0 : east) }
    #expect(records(scene).count == count)
  }

  @Test func driftWithinTheDistanceIsNoMovement() {
    var random = SplitMix64(seed: 21)
    var scene = Scene(zones: [Scene.zone(radius: 500)])
    for second in 0..<21_600 {
      scene.fix(Double(second), east: random.number(-12...12), accuracy: 30)
    }
    #expect(records(scene).count == 6)
    #expect(records(scene).dropFirst().allSatisfy { $0.hasSuffix("aged") })
  }

  @Test func aPersonOutsideAndMovingIsRecordedEveryFifteenSeconds() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in 1...200 {
      scene.fix(Double(second), east: 5 + Double(second) * 1.5, accuracy: 5, speed: 1.5)
    }
    let moving = records(scene).filter { $0.hasSuffix("outside-moving") }
    let seconds = moving.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(seconds.count >= 10)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 == 15 })
    #expect(scene.all(.locationRecorded).last?.draft.number("awayFromHomeSeconds") ?? 0 > 100)
    #expect(scene.all(.locationRecorded).last?.draft.facts["zones"] == [])
  }

  @Test func movementIsSeenWithoutSpeedAndSittingIsNot() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for second in 1...100 { scene.fix(Double(second), east: Double(second) * 1.5) }
    let walking = records(scene).count
    var random = SplitMix64(seed: 4)
    for second in 101...1300 {
      scene.fix(Double(second), east: 150 + random.number(-2...2))
    }
    #expect(walking >= 2)
    #expect(records(scene).count <= walking + 2)
  }

  @Test func aReceiverThatSamplesExactlyEveryFifteenSecondsMissesNone() {
    var scene = Scene()
    scene.fix(0, east: 5)
    for step in 1...40 {
      let jitter = step % 2 == 0 ? 0.0 : 0.3
      scene.fix(Double(step) * 15 + jitter, east: Double(step) * 22, speed: 1.5)
    }
    #expect(records(scene).filter { $0.hasSuffix("outside-moving") }.count >= 34)
  }

  @Test func aRefreshIsAnsweredAtOnceFromAFreshFix() throws {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.wait(until: 20)
    scene.handle(.refreshRequested(by: anna))
    #expect(records(scene) == ["0 tracking-started", "20 refresh"])
    let event = try #require(scene.all(.locationRecorded).last).draft
    #expect(event.facts["requestedBy"] == ["plugin:mqtt/anna"])
  }

  @Test func aRefreshWithoutAFreshFixWaitsForTheNextAndSaysSo() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.wait(until: 100)
    scene.actions = []
    scene.handle(.refreshRequested(by: anna))
    #expect(scene.actions.count == 1)
    scene.wait(until: 170)
    #expect(scene.all(.locationUnavailable).map(\.second) == [160])
    scene.fix(200, east: 7)
    #expect(records(scene).last == "200 refresh")
    #expect(scene.all(.locationUnavailable).count == 1)
  }

  @Test func aRefreshWhileTrackingIsOffSaysWhy() {
    var scene = Scene()
    scene.handle(.switched(isOn: false))
    scene.handle(.refreshRequested(by: anna))
    #expect(scene.all(.locationUnavailable).first?.draft.explanation.contains("is off") == true)
  }

  @Test func switchingOnRecordsAtOnceAndSwitchingOffKeepsNothing() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.handle(.switched(isOn: false))
    let count = scene.events.count
    for second in 1...700 { scene.fix(Double(second), east: 300) }
    #expect(scene.events.count == count)
    #expect(scene.engine.nextWake == nil)
    scene.handle(.switched(isOn: true))
    scene.fix(701, east: 300)
    #expect(records(scene).last == "701 tracking-started")
    scene.fix(702, east: 300)
    #expect(scene.types() == ["zone.left"])
    #expect(scene.all(.trackingChanged).count == 2)
  }

  @Test func aCheckWithoutAFreshFixWaitsForOneAndAsksForIt() {
    var scene = Scene(zones: [Scene.zone(radius: 500)])
    scene.fix(0, east: 5)
    scene.actions = []
    scene.wait(until: 301)
    #expect(scene.actions.count == 1)
    scene.fix(310, east: 60)
    #expect(records(scene) == ["0 tracking-started", "310 moved"])
  }

  @Test func theSeriesHasAnEntryEveryFiveMinutesWhileThePositionIsKnown() {
    var scene = Scene()
    for second in 0...1500 { scene.fix(Double(second), east: 5) }
    scene.wait(until: 4000)
    #expect(
      scene.all(.locationSampled).map { Int($0.second) } == [300, 600, 900, 1200, 1500, 1800])
    let samples = scene.changes.count { $0.row(LocationRecord.self, in: .locationSample) != nil }
    #expect(samples == 6)
  }
}

@Suite struct PositionUnknownTests {
  private func leave(_ scene: inout Scene) {
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    scene.events = []
  }

  @Test func noticeComesAfterFifteenMinutesAndAlarmAfterThirty() {
    var scene = Scene()
    leave(&scene)
    scene.wait(until: 10_000)
    #expect(scene.types() == ["position.unknown", "position.unknown"])
    #expect(scene.all(.positionUnknown).map { $0.draft.text("severity") } == ["notice", "alarm"])
    #expect(scene.all(.positionUnknown).map(\.second) == [975, 1875])
    scene.fix(10_001, east: 130)
    #expect(scene.types().last == "position.regained")
  }

  @Test func rejectedFixesDoNotCount() {
    var scene = Scene()
    leave(&scene)
    for second in 76...1000 { scene.fix(Double(second), east: 130, accuracy: 300) }
    #expect(scene.types() == ["position.unknown"])
  }

  @Test func atHomeSilenceIsNoUnknownPosition() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.wait(until: 50_000)
    #expect(scene.all(.positionUnknown).isEmpty)
  }

  @Test(arguments: [true, false])
  func theCountGoesOnOverARestart(isReboot: Bool) {
    var scene = Scene()
    leave(&scene)
    scene.wait(until: 900)
    if isReboot { scene.now.tick = .seconds(12) }
    scene.restart(boot: isReboot ? "boot-2" : "boot-1")
    for second: Int64 in [974, 975, 1874, 1875] {
      let then = Scene.start.utc.advanced(byMilliseconds: second * 1000)
      scene.now = scene.now.advanced(byMilliseconds: then.milliseconds(since: scene.now.utc))
      let before = scene.types().count
      scene.handle(.time)
      #expect(scene.types().count - before == (second % 2 == 1 ? 1 : 0), "\(second)")
    }
    #expect(scene.all(.positionUnknown).map { $0.draft.text("severity") } == ["notice", "alarm"])
  }
}
