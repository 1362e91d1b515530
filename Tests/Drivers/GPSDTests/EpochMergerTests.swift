import Care
import Moments
import Testing

@testable import GPSD

@Suite struct EpochMergerTests {
  private func report(
    _ second: Int64?, _ mode: FixMode = .threeDimensional, latitude: Double? = 1,
    longitude: Double? = 2, device: String = "a", accuracy: Double? = nil, speed: Double? = nil
  ) -> PositionReport {
    PositionReport(
      device: device, mode: mode, time: second.map(Timestamp.seconds), latitudeDegrees: latitude,
      longitudeDegrees: longitude, accuracyMeters: accuracy, speedMetersPerSecond: speed)
  }

  private func epochs(_ reports: [PositionReport]) -> [FixReport] {
    var merger = EpochMerger(source: "gps")
    return reports.compactMap { merger.take($0) } + [merger.close()].compactMap { $0 }
  }

  @Test func reportsOfOneTimeBecomeOneFixWithTheLatestOfEachField() {
    let fixes = epochs([
      report(1, .twoDimensional, accuracy: 9, speed: 0.5), report(1, accuracy: 4),
      report(1, longitude: 3),
    ])
    #expect(
      fixes == [
        FixReport(
          source: "gps", mode: .threeDimensional, latitudeDegrees: 1, longitudeDegrees: 3,
          accuracyMeters: 4, speedMetersPerSecond: 0.5, receiverTime: .seconds(1))
      ])
  }

  @Test func anotherTimeBeginsAnotherEpochAlsoBackwards() {
    let times = epochs([report(5), report(6), report(4), report(4)]).map(\.receiverTime)
    #expect(times == [.seconds(5), .seconds(6), .seconds(4)])
  }

  @Test func devicesAreNeverMerged() {
    let fixes = epochs([report(1, device: "a"), report(1, latitude: 7, device: "b")])
    #expect(fixes.map(\.latitudeDegrees) == [1, 7])
  }

  @Test func aReportWithoutTimeJoinsWhatItDoesNotContradict() {
    #expect(epochs([report(nil), report(1)]).map(\.receiverTime) == [.seconds(1)])
    #expect(epochs([report(1), report(nil)]).map(\.receiverTime) == [.seconds(1)])
    #expect(epochs([report(nil, latitude: 8), report(1)]).count == 2)
    #expect(epochs([report(1), report(nil, .none, latitude: nil, longitude: nil)]).count == 2)
  }

  @Test func anEpochThatLosesItsFixHasNoPosition() {
    let fixes = epochs([report(1, accuracy: 3), report(1, .none, latitude: nil, longitude: nil)])
    #expect(fixes == [FixReport(source: "gps", mode: .none, receiverTime: .seconds(1))])
  }

  @Test func aModeThatIsNotSaidTakesNothingAway() {
    #expect(epochs([report(1), report(1, .unknown)]).map(\.mode) == [.threeDimensional])
  }

  @Test func aStragglerOfAClosedEpochIsNotASecondMeasurement() {
    var merger = EpochMerger(source: "gps")
    #expect(merger.take(report(1)) == nil)
    #expect(merger.close() != nil)
    #expect(merger.take(report(1, latitude: 1.1)) == nil)
    #expect(!merger.isOpen)
    #expect(merger.close() == nil)
  }

  @Test func aStragglerThatBringsTheFirstPositionIsTaken() {
    var merger = EpochMerger(source: "gps")
    #expect(merger.take(report(1, .none, latitude: nil, longitude: nil)) == nil)
    #expect(merger.close()?.mode == FixMode.none)
    #expect(merger.take(report(1)) == nil)
    #expect(merger.close()?.latitudeDegrees == 1)
  }

  @Test func satellitesBelongToTheirDevice() {
    var merger = EpochMerger(source: "gps")
    merger.noteSatellites(used: 7, device: "a")
    _ = merger.take(report(1, device: "a"))
    #expect(merger.take(report(1, device: "b"))?.satellitesUsed == 7)
    #expect(merger.close()?.satellitesUsed == nil)
  }

  @Test func oneSimulatedReportMarksTheEpoch() {
    var simulated = report(1)
    simulated.isSimulated = true
    #expect(epochs([simulated, report(1)]).map(\.isSimulated) == [true])
  }
}

@Suite struct ReceiverHealthTests {
  @Test func onlyChangesAreReported() {
    var health = ReceiverHealth(source: "gps", address: "127.0.0.1:2947")
    #expect(health.become(.starting)?.component == "gps/gps")
    #expect(health.become(.working)?.state == .working)
    #expect(health.become(.working) == nil)
    #expect(health.become(.noFix)?.code == "no-fix")
    #expect(health.become(.noReport(seconds: 10))?.code == "no-report")
  }

  @Test(arguments: [
    (days: Int64(0), rollover: Bool?.none), (7168, true), (-7168, true), (14_336, true),
    (7167, true), (7169, true), (2, false), (-2, false), (7170, false), (-400, false),
  ])
  func onlyWholeErasAreARollover(days: Int64, rollover: Bool?) {
    let ours = Timestamp.seconds(1_800_000_000)
    let receiver = ours.advanced(byMilliseconds: days * 86_400_000)
    let expected = rollover.map { ReceiverHealth.Condition.clockOff(days: days, isRollover: $0) }
    #expect(ReceiverHealth.Condition.clockOff(receiver: receiver, ours: ours) == expected)
  }

  @Test func timesAtTheEndsOfTheRangeDoNotTrap() {
    let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
    #expect(ReceiverHealth.Condition.clockOff(receiver: first, ours: last) != nil)
    #expect(ReceiverHealth.Condition.clockOff(receiver: last, ours: first) != nil)
  }
}

@Suite struct HorizontalErrorTests {
  @Test(arguments: [
    (eph: 4.0, epx: 1.0, epy: 1.0, expected: Double?.some(4)), (.nan, 3, 4, 5),
    (-1, 3, 4, 5), (.nan, .nan, 4, nil), (.infinity, -3, 4, nil), (.nan, 1e300, 1e300, nil),
    (0, 3, 4, 0),
  ])
  func ephIsHonouredElseBothAxes(eph: Double, epx: Double, epy: Double, expected: Double?) {
    let error = PositionReport.horizontalError(eph: eph, epx: epx, epy: epy)
    if let expected, let error { #expect(abs(error - expected) <= expected * 1e-12) }
    #expect((error == nil) == (expected == nil) || (error ?? 0) > 1e299)
  }
}
