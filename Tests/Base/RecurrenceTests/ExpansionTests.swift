import CivilTime
import Recurrence
import Testing

@Suite("Rules become days and times")
struct ExpansionTests {
  struct Fact: CustomTestStringConvertible, Sendable {
    var start: String
    var rule: String
    var expected: [String]

    init(_ start: String, _ rule: String, _ expected: String...) {
      self.start = start
      self.rule = rule
      self.expected = expected
    }

    var testDescription: String { "\(rule) from \(start)" }
  }

  static let facts = [
    Fact("2026-03-01T08:00", "FREQ=DAILY;COUNT=2", "2026-03-01T08:00", "2026-03-02T08:00"),
    Fact("2026-02-27T08:00", "FREQ=DAILY;INTERVAL=3", "2026-02-27T08:00", "2026-03-02T08:00"),
    Fact(
      "2026-03-06T08:00", "FREQ=WEEKLY;BYDAY=MO,TH", "2026-03-09T08:00", "2026-03-12T08:00",
      "2026-03-16T08:00"),
    // The week's start decides which weeks every second one is: both are examples of RFC 5545.
    Fact(
      "1997-08-05T09:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05T09:00",
      "1997-08-10T09:00", "1997-08-19T09:00", "1997-08-24T09:00"),
    Fact(
      "1997-08-05T09:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05T09:00",
      "1997-08-17T09:00", "1997-08-19T09:00", "1997-08-31T09:00"),
    Fact(
      "2026-03-01T10:00", "FREQ=MONTHLY;BYDAY=3TU", "2026-03-17T10:00", "2026-04-21T10:00",
      "2026-05-19T10:00"),
    Fact("2026-03-01T10:00", "FREQ=MONTHLY;BYDAY=-1FR", "2026-03-27T10:00", "2026-04-24T10:00"),
    // A fifth Monday is not in every month.
    Fact("2026-03-01T10:00", "FREQ=MONTHLY;BYDAY=5MO", "2026-03-30T10:00", "2026-06-29T10:00"),
    Fact("2026-01-31T08:00", "FREQ=MONTHLY", "2026-01-31T08:00", "2026-03-31T08:00"),
    Fact(
      "2026-01-31T08:00", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31T08:00", "2026-02-28T08:00",
      "2026-03-31T08:00"),
    Fact(
      "2026-03-01T10:00", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2026-03-13T10:00",
      "2026-11-13T10:00"),
    // Weekdays by themselves and counted ones stand beside each other.
    Fact(
      "2026-03-01T10:00", "FREQ=MONTHLY;BYDAY=SU,2TU", "2026-03-01T10:00", "2026-03-08T10:00",
      "2026-03-10T10:00"),
    Fact(
      "1997-09-04T09:00", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04T09:00",
      "1997-10-07T09:00", "1997-11-06T09:00"),
    Fact(
      "1997-09-29T09:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29T09:00",
      "1997-10-30T09:00", "1997-11-27T09:00"),
    Fact("2024-02-29T08:00", "FREQ=YEARLY", "2024-02-29T08:00", "2028-02-29T08:00"),
    Fact("2096-02-29T08:00", "FREQ=YEARLY", "2096-02-29T08:00"),
    Fact("2026-05-10T08:00", "FREQ=YEARLY;BYMONTH=1,7", "2026-07-10T08:00", "2027-01-10T08:00"),
    Fact(
      "1997-05-19T09:00", "FREQ=YEARLY;BYDAY=20MO", "1997-05-19T09:00", "1998-05-18T09:00",
      "1999-05-17T09:00"),
    Fact("2026-01-01T09:00", "FREQ=YEARLY;BYDAY=-53TH", "2026-01-01T09:00", "2032-01-01T09:00"),
    Fact(
      "1996-11-05T09:00", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "1996-11-05T09:00", "2000-11-07T09:00", "2004-11-02T09:00"),
    Fact(
      "2026-03-01T06:00", "FREQ=HOURLY;INTERVAL=9", "2026-03-01T06:00", "2026-03-01T15:00",
      "2026-03-02T00:00", "2026-03-02T09:00"),
    Fact(
      "2026-03-01T06:10", "FREQ=HOURLY;BYHOUR=9,17;BYMINUTE=0,30", "2026-03-01T09:00",
      "2026-03-01T09:30", "2026-03-01T17:00", "2026-03-01T17:30", "2026-03-02T09:00"),
    Fact(
      "2026-03-01T21:00", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=15", "2026-03-02T08:15",
      "2026-03-02T20:15"),
    Fact(
      "2026-03-01T08:00", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;BYHOUR=8",
      "2032-02-29T08:00"),
    Fact("2026-03-01T08:00:30", "FREQ=DAILY", "2026-03-01T08:00:30", "2026-03-02T08:00:30"),
    Fact("2026-03-01T08:00", "FREQ=DAILY;UNTIL=20260302", "2026-03-01T08:00", "2026-03-02T08:00"),
    Fact(
      "2026-03-01T08:00", "FREQ=DAILY;UNTIL=20260302T080000", "2026-03-01T08:00", "2026-03-02T08:00"
    ),
    Fact("2026-03-01T08:00", "FREQ=DAILY;UNTIL=20260302T075959", "2026-03-01T08:00"),
    // Madrid is an hour ahead of UTC then.
    Fact(
      "2026-03-01T08:00", "FREQ=DAILY;UNTIL=20260302T070000Z", "2026-03-01T08:00",
      "2026-03-02T08:00"),
    Fact("2026-03-01T08:00", "FREQ=DAILY;UNTIL=20260302T065959Z", "2026-03-01T08:00"),
  ]

  @Test("A rule gives the times that RFC 5545 says", arguments: facts)
  func rule(_ fact: Fact) throws {
    let schedule = try Samples.schedule(fact.start, fact.rule)
    let keys = try Samples.keys(schedule, max(fact.expected.count, 2))
    #expect(Array(keys.prefix(fact.expected.count)) == fact.expected)
    let ends = fact.rule.contains("COUNT") || fact.rule.contains("UNTIL")
    if ends { #expect(keys.count == fact.expected.count) }
  }
}
