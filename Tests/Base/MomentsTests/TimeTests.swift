import Bytes
import Foundation
import Moments
import Testing

@Suite struct TimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-20T14:32:05.120Z", 1_795_185_125_120),
    ("2026-11-20T16:02:05.12+01:30", 1_795_185_125_120), ("1969-12-31T23:59:59.999Z", -1),
    ("2000-02-29t12:00:00z", 951_825_600_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.9994Z", 253_402_300_799_999),
  ])
  func iso8601IsRead(text: String, milliseconds: Int64) throws {
    #expect(try Timestamp(iso8601: text).milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx",
    "2026-01-01T00:00:00+1:00", "2026/01/01T00:00:00Z", "２０２６-01-01T00:00:00Z",
  ])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(throws: DecodeError.self) { try Timestamp(iso8601: text) }
  }

  @Test func everyDayOfEightCenturiesAgreesWithAnIndependentCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: Int64(-100_000), through: 150_000, by: 1) {
      let civil = CivilDateTime(utc: .seconds(day * 86_400))
      #expect(civil.daysSinceEpoch == day)
      if day.isMultiple(of: 97) {
        let parts = calendar.dateComponents(
          [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
        #expect([parts.year, parts.month, parts.day] == [civil.year, civil.month, civil.day])
      }
    }
  }

  @Test func writtenTimesReadBack() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let time = Timestamp(milliseconds: Int64(random.next() % 250_000_000_000_000))
      #expect(try Timestamp(iso8601: time.iso8601) == time)
    }
  }

  @Test func clocksSaturateInsteadOfOverflowing() {
    #expect(Tick(nanoseconds: .max - 1).advanced(byMilliseconds: 1).nanoseconds == .max)
    #expect(Tick(nanoseconds: 0).advanced(byMilliseconds: .min).nanoseconds == .min)
    #expect(Timestamp(milliseconds: .max).advanced(byMilliseconds: 5).milliseconds == .max)
    #expect(Timestamp(milliseconds: .min).milliseconds(since: Timestamp(milliseconds: 1)) == .min)
    #expect(Tick(nanoseconds: .max).milliseconds(since: Tick(nanoseconds: .min)) > 0)
  }

  @Test func theSoonestIsTheEarliestThatIsKnown() {
    let (early, late) = (Tick.seconds(1), Tick.seconds(2))
    #expect(Tick.soonest(late, early) == early)
    #expect(Tick.soonest(nil, late) == late)
    #expect(Tick.soonest(late, nil) == late)
    #expect(Tick.soonest(nil, nil) == nil)
    #expect(Tick.soonest([late, nil, early]) == early)
    #expect(Tick.soonest([]) == nil)
  }
}
