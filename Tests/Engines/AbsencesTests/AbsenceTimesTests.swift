import Absences
import Care
import CivilTime
import Moments
import Testing

@Suite("When an absence is on")
struct AbsenceTimesTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var days: Absence.Days
    var from: String
    var until: String
    var at: String
    var window: [String]
  }

  private static let everyDay = Absence.Days.weekly(Set(Weekday.allCases))

  /// In Oslo the clock goes from 02:00 to 03:00 on 29 March 2026, and from 03:00 back to 02:00 on 25 October 2026.
  static let samples: [Sample] = [
    Sample(
      testDescription: "A winter day", days: everyDay, from: "09:00", until: "16:00",
      at: "2026-11-23T06:00:00Z", window: ["2026-11-23T08:00:00Z", "2026-11-23T15:00:00Z"]),
    Sample(
      testDescription: "Within the grace it is the one that runs", days: everyDay, from: "09:00",
      until: "16:00", at: "2026-11-23T15:29:59Z",
      window: ["2026-11-23T08:00:00Z", "2026-11-23T15:00:00Z"]),
    Sample(
      testDescription: "At its limit it is the next", days: everyDay, from: "09:00",
      until: "16:00", at: "2026-11-23T15:30:00Z",
      window: ["2026-11-24T08:00:00Z", "2026-11-24T15:00:00Z"]),
    Sample(
      testDescription: "The next of the days of the week", days: .weekly([.monday, .friday]),
      from: "09:00", until: "16:00", at: "2026-11-24T09:00:00Z",
      window: ["2026-11-27T08:00:00Z", "2026-11-27T15:00:00Z"]),
    Sample(
      testDescription: "A single date", days: .once(CivilDateTime(year: 2026, month: 12, day: 24)),
      from: "14:00", until: "21:00", at: "2026-11-24T09:00:00Z",
      window: ["2026-12-24T13:00:00Z", "2026-12-24T20:00:00Z"]),
    Sample(
      testDescription: "A single date that is over",
      days: .once(CivilDateTime(year: 2026, month: 11, day: 22)), from: "14:00", until: "21:00",
      at: "2026-11-24T09:00:00Z", window: []),
    Sample(
      testDescription: "The day on which summer time begins", days: everyDay, from: "09:00",
      until: "16:00", at: "2026-03-29T05:00:00Z",
      window: ["2026-03-29T07:00:00Z", "2026-03-29T14:00:00Z"]),
    Sample(
      testDescription: "Around the hour that is left out", days: everyDay, from: "01:30",
      until: "04:00", at: "2026-03-29T00:00:00Z",
      window: ["2026-03-29T00:30:00Z", "2026-03-29T02:00:00Z"]),
    Sample(
      testDescription: "From within the hour that is left out to its end", days: everyDay,
      from: "02:30", until: "03:00", at: "2026-03-29T00:45:00Z",
      window: ["2026-03-29T01:30:00Z", "2026-03-29T02:00:00Z"]),
    Sample(
      testDescription: "The day on which summer time ends", days: everyDay, from: "09:00",
      until: "16:00", at: "2026-10-25T05:00:00Z",
      window: ["2026-10-25T08:00:00Z", "2026-10-25T15:00:00Z"]),
    Sample(
      testDescription: "Until an hour that comes twice: the first, so that somebody worries early",
      days: everyDay, from: "01:30", until: "02:30", at: "2026-10-24T23:40:00Z",
      window: ["2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z"]),
    Sample(
      testDescription: "From the first of an hour that comes twice", days: everyDay,
      from: "02:30", until: "03:30", at: "2026-10-25T00:40:00Z",
      window: ["2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"]),
  ]

  @Test("Windows by the clock on the wall", arguments: samples)
  func windows(sample: Sample) throws {
    let absence = try Family.dayCentre(sample.days, from: sample.from, until: sample.until)
    let times = try #require(
      AbsenceTimes(absence, zone: TimeZoneFile.load(name: "Europe/Oslo")))
    let expected = try sample.window.map { try Timestamp(iso8601: $0) }
    let found = times.window(atOrAfter: try Timestamp(iso8601: sample.at))
    #expect(found.map { [$0.from, $0.until] } ?? [] == expected)
    #expect(found.map { $0.limit == $0.until.advanced(byMilliseconds: 1_800_000) } ?? true)
  }

  @Test("A week of them, in order")
  func week() throws {
    let absence = try Family.dayCentre(.weekly([.monday, .wednesday]))
    let times = try #require(
      AbsenceTimes(absence, zone: TimeZoneFile.load(name: "Europe/Oslo")))
    let found = times.windows(atOrAfter: Family.start.utc, count: 3)
    #expect(
      found.map(\.from.iso8601) == [
        "2026-11-23T08:00:00.000Z", "2026-11-25T08:00:00.000Z", "2026-11-30T08:00:00.000Z",
      ])
  }
}
