import Care
import Moments
import Testing

@testable import Tracking

/// Why the next position is written down, by how far and how old the last record is.
@Suite("A record follows the last one") struct LastRecordTests {
  private static let settings = TrackingSettings()
  private static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)
  private static let place = Coordinate(latitudeDegrees: 59.9, longitudeDegrees: 10.7)

  private static func record() throws -> LastRecord {
    LastRecord(
      stamp: Stamp(start), time: start.utc, coordinate: try #require(place),
      accuracyMeters: nil, reason: .trackingStarted)
  }

  /// A fix so many metres further north, so many milliseconds later.
  private static func fix(_ meters: Double, _ milliseconds: Int64) throws -> AcceptedFix {
    let north = Coordinate(latitudeDegrees: 59.9 + meters / 111_195, longitudeDegrees: 10.7)
    let now = start.advanced(byMilliseconds: milliseconds)
    return AcceptedFix(
      source: "gps", stamp: Stamp(now), time: now.utc, timeQuality: .synchronised,
      coordinate: try #require(north), isSimulated: false)
  }

  @Test(
    "It is written when it is far, or the last one old; half a second early counts",
    arguments: [
      (0.5, 0, nil), (1.5, 0, .moved), (0.5, -501, nil), (0.5, -500, .aged), (1.5, 0, .moved),
    ] as [(Double, Int64, RecordReason?)])
  func reason(shareOfDistance: Double, beforeMaximumAge: Int64, expected: RecordReason?) throws {
    let age =
      beforeMaximumAge == 0
      ? 0 : Self.settings.recordMaximumAgeSeconds * 1000 + beforeMaximumAge
    let fix = try Self.fix(shareOfDistance * Self.settings.recordDistanceMeters, age)
    let now = Self.start.advanced(byMilliseconds: age)
    #expect(try Self.record().reason(toWrite: fix, at: now, by: Self.settings) == expected)
  }

  @Test("Somebody who moves outside is recorded at the interval, half a second early or later")
  func outside() throws {
    let interval = Self.settings.outsideMovingIntervalSeconds * 1000
    let early = try Self.fix(0, interval - 501)
    let due = try Self.fix(0, interval - 500)
    #expect(try !Self.record().isOutsideRecordDue(early, by: Self.settings))
    #expect(try Self.record().isOutsideRecordDue(due, by: Self.settings))
  }
}
