import Care
import JSON
import Moments
import Testing

@testable import Tracking

@Suite struct EngineTests {
  @Test func theSummaryShowsWhereSomebodyIsAndSinceWhen() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    scene.report(80, FixReport(source: "gps", mode: .none))
    scene.handle(.sourceHealth(HealthReport(component: "gps/gps", state: .working)))
    let summary = scene.engine.summary
    #expect(summary["isOn"] == true)
    #expect(summary["outside"] == true)
    #expect(summary["position"]?["accuracyMeters"] == 4.0)
    let leaving = Scene.start.utc.advanced(byMilliseconds: 60_000).iso8601
    #expect(summary["leftHomeAt"]?.stringContent == leaving)
    let zone = summary["zones"]?.arrayContent?.first
    #expect(zone?["presence"] == "outside")
    #expect(zone?["since"]?.stringContent == leaving)
    #expect(summary["lastRecord"]?["reason"] == "outside-moving")
    #expect(summary["fixes"]?["accepted"] == 3)
    #expect(summary["fixes"]?["rejected"] == ["no-fix": 1])
    #expect(summary["receiver"]?["health"] == "working")
    #expect(summary["positionUnknown"] == nil)
  }

  @Test func theTimeAwayEndsWithAnyHomeAndSurvivesOtherZones() {
    let shop = Scene.zone(
      "shop", name: "Shop", at: Scene.home.moved(meters: 400, bearingDegrees: 90), isHome: false)
    var scene = Scene(zones: [Scene.zone(), shop])
    for (second, east) in [(0.0, 5.0), (60, 100), (75, 120), (400, 400)] {
      scene.fix(second, east: east)
    }
    #expect(scene.types() == ["zone.left", "zone.entered"])
    #expect(scene.engine.summary["leftHomeAt"] != nil)
    scene.fix(700, east: 5)
    #expect(scene.engine.summary["leftHomeAt"] == nil)
    #expect(scene.all(.zoneEntered).last?.draft.number("awaySeconds") == 640)
  }

  @Test func anotherReceiverStartsWithoutTheFaultsOfTheOld() {
    var scene = Scene()
    scene.wait(until: 100)
    var resident = Scene.mary
    resident.gpsSource = "spare"
    resident.name = "Mary Ann"
    scene.handle(.residentChanged(resident))
    #expect(scene.all(.faultCleared).map { $0.draft.text("component") } == ["gps/gps"])
    scene.wait(until: 159)
    #expect(scene.all(.faultRaised).count == 1)
    scene.wait(until: 161)
    #expect(scene.all(.faultRaised).last?.draft.text("component") == "gps/spare")
    #expect(scene.all(.faultRaised).last?.draft.explanation.hasPrefix("Mary Ann: ") == true)
  }

  @Test func changedSettingsHoldAtOnce() throws {
    var settings = TrackingSettings()
    try settings.set("exitFixCount", to: 3)
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.handle(.settingsChanged(settings))
    scene.fix(60, east: 100)
    scene.fix(75, east: 110)
    #expect(scene.types() == [])
    scene.fix(80, east: 120)
    let left = try #require(scene.all(.zoneLeft).first).draft
    #expect(
      left.explanation.contains(
        "three positions in a row, within 20 s, were 100 m, 110 m and 120 m"))
  }

  @Test func aPersonWhoStandsAtTheGateOfAZoneOutsideIsInDoubtToo() {
    var scene = Scene()
    scene.fix(0, east: 300)
    scene.fix(30, east: 300)
    for second in 60...800 { scene.fix(Double(second), east: 35, accuracy: 20) }
    #expect(scene.types() == ["zone.uncertain"])
    scene.fix(801, east: 60, accuracy: 5)
    #expect(scene.types() == ["zone.uncertain", "zone.certain"])
    #expect(scene.all(.zoneCertain).last?.draft.text("presence") == "outside")
  }

  @Test func namesInAnyScriptWithQuotesStayWhole() {
    var resident = Scene.mary
    resident.name = "王秀英 \"奶奶\" 🌸"
    var scene = Scene(zones: [Scene.zone(name: "家 \"东门\"")], resident: resident)
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    let text = scene.all(.zoneLeft).first?.draft.explanation ?? ""
    #expect(text.hasPrefix("王秀英 \"奶奶\" 🌸 left “家 \"东门\"”: two positions"))
  }

  @Test func everyAlarmAndRecordExplainsItself() {
    var scene = Scene()
    Walk(seed: 5, start: scene.now.utc).run(interval: 1, canBurst: true, in: &scene)
    let silent = scene.events.filter { $0.draft.lane != .trace && $0.draft.explanation.isEmpty }
    #expect(silent.isEmpty)
    #expect(scene.events.contains { $0.draft.lane == .alarm })
    #expect(scene.events.allSatisfy { $0.draft.resident == "mary" })
  }
}
