import Care
import Moments
import Testing

@Suite struct DailyHoursTests {
  private func time(_ text: String) throws -> CivilDateTime {
    CivilDateTime(utc: try Timestamp(iso8601: text + "Z"))
  }

  @Test(
    "They begin with their first minute, and are over at their last, the day after where need be",
    arguments: [
      ("08:00-20:00", "2027-01-10T07:59:59", false, "2027-01-10T08:00:00"),
      ("08:00-20:00", "2027-01-10T08:00:00", true, "2027-01-10T20:00:00"),
      ("08:00-20:00", "2027-01-10T19:59:59", true, "2027-01-10T20:00:00"),
      ("08:00-20:00", "2027-01-10T20:00:00", false, "2027-01-11T08:00:00"),
      ("22:00-07:00", "2027-01-31T23:30:00", true, "2027-02-01T07:00:00"),
      ("22:00-07:00", "2027-01-31T06:59:30", true, "2027-01-31T07:00:00"),
      ("22:00-07:00", "2027-01-31T12:00:00", false, "2027-01-31T22:00:00"),
      ("00:00-12:00", "2027-12-31T23:59:00", false, "2028-01-01T00:00:00"),
    ])
  func turns(hours: String, at: String, isWithin: Bool, next: String) throws {
    let hours = try #require(DailyHours(hours))
    let local = try time(at)
    #expect(hours.contains(local) == isWithin)
    #expect((hours.minutesLeft(at: local) != nil) == isWithin)
    #expect(hours.nextTurn(after: local) == (try time(next)))
  }

  @Test(
    "They are written as they are read", arguments: ["08:00-20:00", "22:05-07:59", "00:00-23:59"])
  func text(hours: String) { #expect(DailyHours(hours)?.text == hours) }

  @Test(
    "Nothing else is hours",
    arguments: [
      "", "8-20", "08:00", "08:00-08:00", "24:00-08:00", "08:00-20:60", "+8:00-20:00",
      "08:00-20:+5", "08:00-20:00-", "08:00--20:00", "08:00:00-20:00:00", " 08:00-20:00",
      "08.00-20.00", "0８:00-20:00",
    ])
  func refused(text: String) { #expect(DailyHours(text) == nil) }
}
