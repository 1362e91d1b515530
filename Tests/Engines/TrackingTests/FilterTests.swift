import Bytes
import Care
import JSON
import Moments
import Testing

@testable import Tracking

@Suite struct FilterTests {
  private func reason(_ change: (inout FixReport) -> Void) -> String? {
    var scene = Scene()
    var report = Scene.report(Scene.home, time: scene.now.utc)
    change(&report)
    scene.handle(.fix(report))
    return scene.all(.fixRejected).first?.draft.text("reason")
  }

  @Test func everyUnusablePositionIsKeptWithItsReason() {
    #expect(reason { $0.mode = .none } == "no-fix")
    #expect(reason { $0.mode = .unknown } == "no-fix")
    #expect(reason { $0.latitudeDegrees = nil } == "no-position")
    #expect(reason { $0.latitudeDegrees = .nan } == "out-of-range")
    #expect(reason { $0.longitudeDegrees = .infinity } == "out-of-range")
    #expect(reason { $0.latitudeDegrees = 90.001 } == "out-of-range")
    #expect(reason { ($0.latitudeDegrees, $0.longitudeDegrees) = (0, 0) } == "null-island")
    #expect(reason { $0.accuracyMeters = 100.5 } == "inaccurate")
    #expect(reason { $0.accuracyMeters = .infinity } == "inaccurate")
    #expect(reason { $0.accuracyMeters = 100 } == nil)
  }

  @Test func numbersThatJSONCannotHoldAreKeptAsWords() throws {
    var scene = Scene()
    var report = Scene.report(Scene.home)
    report.latitudeDegrees = .nan
    report.accuracyMeters = -.infinity
    scene.handle(.fix(report))
    let rejected = try #require(scene.all(.fixRejected).first).draft
    #expect(rejected.text("latitude") == "nan")
    #expect(rejected.text("accuracyMeters") == "-inf")
    #expect(rejected == rejected)
  }

  @Test(arguments: [nil, 0.0, -1, Double.nan])
  func accuracyThatIsNoneMeansUnknown(accuracy: Double?) throws {
    var scene = Scene()
    scene.fix(0, east: 5, accuracy: accuracy)
    let accepted = try #require(scene.all(.fixAccepted).first).draft
    #expect(accepted.facts["accuracyMeters"] == nil)
  }

  @Test func aJumpAwayAndBackIsRejectedAndDelaysTheTrueFixByNothing() throws {
    var scene = Scene()
    scene.fix(0, east: 0)
    scene.fix(1, east: 300)
    #expect(scene.all(.fixAccepted).count == 1)
    scene.fix(2, east: 1)
    #expect(scene.all(.fixAccepted).map(\.second) == [0, 2])
    let rejected = try #require(scene.all(.fixRejected).first).draft
    #expect(rejected.text("reason") == "impossible-speed")
    // 300 m in one second, less 4 m of doubt at either end.
    #expect(abs((rejected.number("speedThereMetersPerSecond") ?? 0) - 292) < 2)
  }

  @Test func aJumpThatTheNextFixConfirmsIsBelievedWithIt() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(1, east: 300)
    scene.fix(2, east: 301)
    #expect(scene.all(.fixAccepted).count == 3)
    #expect(scene.all(.fixRejected).isEmpty)
    #expect(scene.types() == ["zone.left"])
  }

  @Test func aHeldFixWithinAZoneDoesNotEnterIt() {
    var scene = Scene()
    scene.fix(0, east: 500)
    scene.fix(1, east: 500)
    scene.fix(2, east: 5)
    scene.fix(3, east: 501)
    #expect(scene.types() == [])
  }

  @Test func aLieThatALateFixDisprovesIsNotConfirmedByTheLongPause() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.fix(1, east: 300)
    scene.fix(301, east: 6)
    #expect(scene.all(.fixRejected).map { $0.draft.text("reason") } == ["impossible-speed"])
  }

  @Test func aWrongFirstFixDoesNotLockTheTrueOnesOut() {
    var scene = Scene()
    scene.fix(0, at: Scene.place(-33, 151))
    for second in 1...5 { scene.fix(Double(second), east: 5) }
    #expect(scene.all(.fixAccepted).count == 6)
  }

  @Test func receiverTimeThatRepeatsOrGoesBackIsRejected() {
    var scene = Scene()
    let time = scene.now.utc
    for (second, shift) in [(0.0, 0), (1, 0), (2, -10_000), (3, 3000)] {
      let report = Scene.report(Scene.home, time: time.advanced(byMilliseconds: Int64(shift)))
      scene.report(second, report)
    }
    #expect(
      scene.all(.fixRejected).map { $0.draft.text("reason") } == ["time-repeated", "time-back"])
    #expect(scene.all(.fixAccepted).map(\.second) == [0, 3])
  }

  @Test(arguments: [-86_400_000 * 7168, -3_600_000, 3_600_000, 86_400_000 * 7168])
  func aNewTimeLineOfTheReceiverCostsOneFix(shift: Int64) {
    var scene = Scene()
    for second in 0...9 {
      let time = Scene.start.utc.advanced(byMilliseconds: Int64(second) * 1000)
      let shifted = second < 5 ? time : time.advanced(byMilliseconds: shift)
      scene.report(Double(second), Scene.report(Scene.home, time: shifted))
    }
    #expect(scene.all(.fixRejected).map(\.second) == [5])
    #expect(
      scene.all(.fixRejected).first?.draft.text("reason") == (shift < 0 ? "time-back" : "time-leap")
    )
    #expect(scene.all(.fixAccepted).count == 9)
  }

  @Test func twoReportsOfOneMeasurementDoNotConfirmEachOther() {
    var scene = Scene()
    scene.isReceiverClockSet = false
    scene.fix(0, east: 5)
    scene.fix(60, east: 300)
    scene.fix(60.05, east: 300)
    scene.fix(61, east: 5)
    #expect(scene.types() == [])
  }

  @Test func ordinaryWalkingIsNeverHeldOrRejected() {
    var random = SplitMix64(seed: 5)
    var scene = Scene()
    for second in 0..<2000 {
      let east = Double(second) * 1.5 + random.number(-8...8)
      scene.fix(Double(second), east: east, accuracy: 8)
    }
    #expect(scene.all(.fixAccepted).count == 2000)
  }
}

@Suite struct ReceiverClockTests {
  private func faults(_ scene: Scene) -> [String] {
    scene.events.filter { $0.draft.type.rawValue.hasPrefix("fault.") }.map {
      "\($0.draft.type.rawValue) \($0.draft.text("code") ?? "")"
    }
  }

  private func run(_ shifts: [Int64], quality: TimeQuality = .synchronised) -> Scene {
    var start = Scene.start
    start.quality = quality
    var scene = Scene(at: start)
    for (second, shift) in shifts.enumerated() {
      let time = start.utc.advanced(byMilliseconds: Int64(second) * 1000 + shift)
      scene.report(Double(second), Scene.report(Scene.home, time: time))
    }
    return scene
  }

  private static let rollover: Int64 = 1024 * 7 * 86_400_000

  @Test(arguments: [-2, -1, 1, 2])
  func aWeekRolloverIsToldOnceAndItsTimeNotBelieved(periods: Int64) throws {
    let scene = run([Int64](repeating: periods * Self.rollover + 3_600_000, count: 5))
    #expect(faults(scene) == ["fault.raised week-rollover"])
    #expect(scene.all(.faultRaised).first?.draft.text("component") == "gps/gps")
    let accepted = scene.all(.fixAccepted)
    #expect(accepted.count == 5)
    #expect(accepted.first?.draft.text("time") == Scene.start.utc.iso8601)
    #expect(scene.all(.locationRecorded).count == 1)
  }

  @Test func aRolloverThatIsRepairedIsCleared() {
    let shifts = [Int64](repeating: -Self.rollover, count: 3) + [Int64](repeating: 0, count: 3)
    #expect(faults(run(shifts)) == ["fault.raised week-rollover", "fault.cleared week-rollover"])
  }

  @Test func anyOtherDisagreementIsAWrongClock() {
    #expect(faults(run([3_600_000, 3_600_000])) == ["fault.raised clock-wrong"])
    #expect(faults(run([-31_000, -31_000])) == ["fault.raised clock-wrong"])
    #expect(faults(run([-29_000, 29_000])) == [])
  }

  @Test func withoutATrustedClockNobodyIsBlamed() {
    let scene = run([Int64](repeating: Self.rollover, count: 3), quality: .untrusted)
    #expect(faults(scene) == [])
    #expect(scene.all(.fixAccepted).count == 3)
    #expect(scene.all(.fixAccepted).first?.draft.text("timeQuality") == "untrusted")
  }

  @Test func absurdReceiverTimesDoNotTrap() {
    var scene = Scene()
    for (index, time) in [Int64.min, .max, 0, -1].enumerated() {
      let report = Scene.report(Scene.home, time: Timestamp(milliseconds: time))
      scene.report(Double(index), report)
    }
    #expect(!scene.events.isEmpty)
  }

  @Test func silenceAndLackOfPositionAreDifferentFaultsToldOnceEach() {
    var scene = Scene()
    scene.fix(0, east: 5)
    scene.wait(until: 500)
    #expect(faults(scene) == ["fault.raised no-report"])
    #expect(scene.all(.faultRaised).first?.second == 60)
    for second in 500...1200 {
      scene.report(Double(second), FixReport(source: "gps", mode: .none))
    }
    #expect(
      faults(scene) == [
        "fault.raised no-report", "fault.cleared no-report", "fault.raised no-fix",
      ])
    scene.fix(1201, east: 5)
    #expect(faults(scene).last == "fault.cleared no-fix")
    #expect(faults(scene).count == 4)
  }

  @Test func aReceiverThatNeverReportsIsAFaultToo() {
    var scene = Scene()
    scene.wait(until: 100)
    #expect(faults(scene) == ["fault.raised no-report"])
  }

  @Test func aResidentWithoutAReceiverMissesNone() {
    var resident = Scene.mary
    resident.gpsSource = nil
    var scene = Scene(resident: resident)
    scene.wait(until: 10_000)
    #expect(faults(scene) == [])
  }
}
