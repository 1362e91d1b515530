import Bytes
import Care
import JSON
import Moments
import TestSupport
import Testing

@testable import Tracking

@Suite struct PropertyTests {
  private static let seeds: [UInt64] = TestSize.isWhole ? [1, 2, 4, 6] : [1, 4]

  private func story(_ scene: Scene) -> [String] {
    scene.events.filter { $0.draft.lane != .trace }.map {
      "\($0.second) \($0.draft.type.rawValue) \($0.draft.facts.serialized)"
    }
  }

  @Test(arguments: seeds)
  func neverLeftWithoutTwoOutsideFixesAndAlwaysInTurn(seed: UInt64) {
    var scene = Scene()
    let walk = Walk(seed: seed, start: scene.now.utc)
    walk.run(interval: 1, canBurst: true, in: &scene)
    for (_, left) in scene.all(.zoneLeft) {
      let fixes = left.facts["fixes"]?.arrayContent ?? []
      #expect(fixes.count == 2)
      for fix in fixes {
        let doubt = min(50, fix["accuracyMeters"]?.doubleContent ?? 20)
        #expect((fix["distanceMeters"]?.doubleContent ?? 0) > 75 + min(doubt, 3))
      }
    }
    let turns = scene.types().filter { ["zone.left", "zone.entered"].contains($0) }
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 != $1 })
    #expect(turns.first ?? "zone.left" == "zone.left")
  }

  @Test(arguments: seeds, [1, 15, 300])
  func oneLieAtATimeNeverMakesAnExit(seed: UInt64, interval: Int) {
    var scene = Scene()
    var random = SplitMix64(seed: seed)
    var wasLie = true
    for step in 0..<400 {
      let isLie = !wasLie && random.number(0...1) < 0.3
      wasLie = isLie
      let east = isLie ? random.number(150...900) : random.number(-10...10)
      scene.fix(Double(step * interval), east: east)
    }
    #expect(scene.all(.zoneLeft).isEmpty)
    #expect(scene.all(.zoneEntered).isEmpty)
  }

  @Test(arguments: seeds, [(1, false), (15, false), (300, true)])
  func everyTrueExitIsKnownWithinSixtySeconds(
    seed: UInt64, sampling: (interval: Int, canBurst: Bool)
  ) {
    var scene = Scene()
    let walk = Walk(seed: seed, start: scene.now.utc, hasFaults: false)
    walk.run(interval: sampling.interval, canBurst: sampling.canBurst, in: &scene)
    // Beyond 75 m, 9 m of stated error and 5 m of noise a fix must count as outside.
    var firstSampled: Double?
    var next = 0.0
    var wasInside = false
    var exits = 0
    for sample in walk.samples {
      let isSampled = sample.second >= next
      if isSampled { next = sample.second + Double(sampling.interval) }
      if sample.trueDistance < 20, isSampled { wasInside = true }
      if sample.trueDistance <= 90 { firstSampled = nil }
      guard sample.trueDistance > 90 else { continue }
      if isSampled { firstSampled = firstSampled ?? sample.second }
      guard let first = firstSampled, sample.second == first + 60, wasInside else { continue }
      exits += 1
      #expect(scene.types(until: sample.second).last == "zone.left", "\(sample.second)")
    }
    #expect(exits > 0)
  }

  @Test(arguments: seeds)
  func restartsAtAnyMomentChangeNothing(seed: UInt64) {
    var steady = Scene()
    let walk = Walk(seed: seed, start: steady.now.utc)
    walk.run(interval: 1, canBurst: true, in: &steady)
    var restarted = Scene()
    var random = SplitMix64(seed: seed &+ 100)
    var count = 0
    walk.run(interval: 1, canBurst: true, in: &restarted) { scene, sample in
      guard random.number(0...1) < 0.05 else { return }
      scene.wait(until: sample.second - 0.5)
      scene.restart()
      count += 1
    }
    #expect(count > 100)
    #expect(story(restarted) == story(steady))
    #expect(restarted.engine.rows == steady.engine.rows)
  }

  @Test(arguments: seeds)
  func restartsFromWhatIsOnDiskSwallowAndInventNoExitOrReturn(seed: UInt64) {
    var steady = Scene()
    let walk = Walk(seed: seed, start: steady.now.utc)
    walk.run(interval: 1, canBurst: true, in: &steady)
    var restarted = Scene()
    var random = SplitMix64(seed: seed &+ 200)
    walk.run(interval: 1, canBurst: true, in: &restarted) { scene, _ in
      guard random.number(0...1) < 0.02 else { return }
      let rows = scene.storedRows
      scene.restart(rows: rows)
    }
    func turns(_ scene: Scene) -> [String] {
      scene.events.filter { ["zone.left", "zone.entered"].contains($0.draft.type.rawValue) }.map {
        "\($0.second) \($0.draft.type.rawValue)"
      }
    }
    #expect(turns(restarted) == turns(steady))
  }

  @Test func whatHappenedWhileTheGatewayWasDownIsToldAfterwards() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.now = scene.now.advanced(byMilliseconds: 7_200_000)
    scene.restart(rows: scene.storedRows)
    scene.fix(7201, east: 400)
    scene.fix(7202, east: 400)
    #expect(scene.types() == ["zone.left"])
    scene.now = scene.now.advanced(byMilliseconds: 600_000)
    scene.restart(rows: scene.storedRows)
    scene.fix(7810, east: 5)
    #expect(scene.types() == ["zone.left", "zone.entered"])
    #expect(!scene.events.contains { $0.draft.text("code") == "no-report" })
  }

  @Test(arguments: [
    Int64(0), 1_000_000_000, -3_000_000_000_000, 86_400_000_000_000_000,
  ])
  func shiftingAllTicksChangesNothing(nanoseconds: Int64) {
    var here = Scene()
    var moment = Scene.start
    moment.tick.nanoseconds += nanoseconds
    var there = Scene(at: moment)
    let walk = Walk(seed: 77, start: here.now.utc)
    walk.run(interval: 1, canBurst: true, in: &here)
    walk.run(interval: 1, canBurst: true, in: &there)
    #expect(story(here) == story(there))
  }

  @Test(arguments: [Int64(1), 86_400, 31_536_000, -1_000_000_000])
  func shiftingUTCChangesOnlyTimes(seconds: Int64) {
    var here = Scene()
    var moment = Scene.start
    moment.utc = moment.utc.advanced(byMilliseconds: seconds * 1000)
    var there = Scene(at: moment)
    Walk(seed: 78, start: here.now.utc).run(interval: 1, canBurst: true, in: &here)
    Walk(seed: 78, start: there.now.utc).run(interval: 1, canBurst: true, in: &there)
    func kinds(_ scene: Scene) -> [String] {
      scene.events.map { "\($0.second) \($0.draft.type.rawValue) \($0.draft.explanation)" }
    }
    #expect(kinds(here) == kinds(there))
  }

  @Test func aWallClockThatStepsChangesNoDuration() {
    var steady = Scene()
    var stepped = Scene()
    let walk = Walk(seed: 79, start: steady.now.utc)
    walk.run(interval: 1, canBurst: true, in: &steady)
    walk.run(interval: 1, canBurst: true, in: &stepped) { scene, sample in
      if sample.second == 1000 { scene.now.utc = scene.now.utc.advanced(byMilliseconds: 3_600_000) }
    }
    #expect(stepped.types() == steady.types())
  }

  @Test func anUntrustedClockChangesNoDecisionAndIsLabelled() {
    var start = Scene.start
    start.quality = .untrusted
    start.utc = .seconds(10)
    var untrusted = Scene(at: start)
    var steady = Scene()
    let walk = Walk(seed: 80, start: steady.now.utc)
    walk.run(interval: 1, canBurst: true, in: &steady)
    walk.run(interval: 1, canBurst: true, in: &untrusted)
    #expect(untrusted.types() == steady.types())
    #expect(untrusted.all(.locationRecorded).first?.draft.text("timeQuality") == "untrusted")
  }

  @Test func timesFromBeforeTrustAreCorrectedOnceThereIsTrust() {
    var start = Scene.start
    start.quality = .untrusted
    start.utc = .seconds(10)
    var scene = Scene(at: start)
    scene.isReceiverClockSet = false
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    scene.now.utc = Scene.start.utc.advanced(byMilliseconds: 75_000)
    scene.now.quality = .synchronised
    scene.fix(90, east: 130)
    let leaving = Scene.start.utc.advanced(byMilliseconds: 60_000).iso8601
    #expect(scene.engine.summary["leftHomeAt"]?.stringContent == leaving)
  }

  @Test func afterARebootWithoutAClockDurationsAreFoundOnceThereIsTrust() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(60, east: 100)
    scene.fix(75, east: 120)
    scene.events = []
    let rows = scene.storedRows
    scene.now = Moment(tick: .seconds(5), utc: .seconds(0), quality: .untrusted)
    scene.restart(rows: rows, boot: "boot-2")
    scene.handle(.time)
    #expect(scene.types() == [])
    scene.restart(boot: "boot-2")
    scene.now = Moment(
      tick: .seconds(30), utc: Scene.start.utc.advanced(byMilliseconds: 3_600_000),
      quality: .synchronised)
    scene.handle(.time)
    #expect(scene.types() == ["position.unknown"])
    #expect(scene.all(.positionUnknown).first?.draft.text("severity") == "alarm")
    #expect(scene.all(.positionUnknown).first?.draft.number("unknownSeconds") == 3525)
  }

  @Test func aQuietReceiverAtOneHertzWritesRowsOnceAMinute() {
    var scene = Scene()
    for second in 0...20 { scene.fix(Double(second), east: 5) }
    scene.changes = []
    for second in 21...3000 { scene.fix(Double(second), east: 5) }
    let puts = scene.changes.filter { if case .putEngineRow = $0 { true } else { false } }
    #expect(puts.count < 55 * 6)
    #expect(puts.count >= 40)
  }

  @Test func rowsThatCannotBeReadAreToldAndTheRestIsKept() {
    var scene = Scene()
    scene.fix(0, east: 5)
    var rows = scene.engine.rows
    for index in rows.indices where rows[index].name == "record" {
      rows[index].content = ["boot": "boot-1", "time": "soon"]
    }
    scene.restart(rows: rows)
    scene.fix(60, east: 100)
    scene.fix(75, east: 100)
    #expect(scene.types() == ["zone.left"])
    #expect(scene.all(.faultRaised).map { $0.draft.text("code") } == ["state-unreadable"])
  }

  @Test func rowsSurviveTheirJSONText() throws {
    var scene = Scene()
    Walk(seed: 81, start: scene.now.utc, seconds: 1500).run(
      interval: 1, canBurst: true, in: &scene)
    let rows = try scene.engine.rows.map { row in
      EngineRow(
        engine: row.engine, subject: row.subject, name: row.name,
        content: try JSONValue(parsing: row.content.serialized))
    }
    let before = scene.engine.rows
    scene.restart(rows: rows)
    #expect(scene.engine.rows == before)
  }
}

extension Scene {
  /// Leaving and entering up to a second.
  func types(until second: Double) -> [String] {
    events.filter { $0.second <= second }.map(\.draft.type.rawValue).filter {
      ["zone.left", "zone.entered"].contains($0)
    }
  }
}
