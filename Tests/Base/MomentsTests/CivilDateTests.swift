import Bytes
import Moments
import Testing

/// Dates of the calendar, and the ways in which they are written without a zone.
@Suite("Civil dates")
struct CivilDateTests {
  @Test(
    "Days are counted from 1970, over leap years and centuries without one",
    arguments: [
      (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017),
      (2026, 11, 20, 20_777), (2100, 3, 1, 47_541), (1900, 3, 1, -25_508),
      (1600, 1, 1, -135_140), (0, 3, 1, -719_468), (0, 2, 29, -719_469),
    ] as [(Int, Int, Int, Int64)])
  func days(year: Int, month: Int, day: Int, days: Int64) {
    let date = CivilDateTime(year: year, month: month, day: day)
    #expect(date.daysSinceEpoch == days)
    #expect(CivilDateTime(utc: .seconds(days * 86_400)) == date)
  }

  @Test("Four hundred years have 146,097 days, 97 of them a 29 February")
  func fourCenturies() {
    let years = 1800..<2200
    let days = years.flatMap { year in
      (1...12).map { CivilDateTime.daysInMonth($0, year: year) }
    }
    #expect(days.reduce(0, +) == 146_097)
    #expect(years.filter { CivilDateTime.isLeapYear($0) }.count == 97)
    #expect(
      [1800, 1900, 2000, 2100, 0, -4].map { CivilDateTime.isLeapYear($0) }
        == [false, false, true, false, true, true])
    #expect(CivilDateTime.daysInMonth(0, year: 2026) == 0)
    #expect(CivilDateTime.daysInMonth(13, year: 2026) == 0)
  }

  @Test("A moment and its civil time in UTC are two writings of one thing, before 1970 too")
  func bothWays() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2_000 {
      let time = Timestamp(
        milliseconds: Int64(random.next() % 1_000_000_000_000_000) - 500_000_000_000_000)
      let civil = CivilDateTime(utc: time)
      #expect(civil.asUTC == time)
      #expect((0...999).contains(civil.millisecond))
      var whole = civil
      whole.millisecond = 0
      #expect(whole.isOnTheCalendar)
    }
  }

  @Test("The largest part that differs decides which is earlier")
  func order() throws {
    let sorted = try [
      "2025-12-31T23:59:59", "2026-01-31T00:00:00", "2026-02-01T00:00:00", "2026-02-01T00:00:59",
      "2026-02-01T00:01:00", "2026-02-01T00:59:59", "2026-02-01T01:00:00", "2026-02-02T00:00:00",
    ].map { try CivilDateTime(localText: $0) }
    for (index, one) in sorted.enumerated() {
      for (place, other) in sorted.enumerated() { #expect((one < other) == (index < place)) }
    }
    var later = sorted[0]
    later.millisecond = 1
    #expect(sorted[0] < later && later < sorted[1])
  }

  @Test("A local time has seconds or none, with a T or a space before it")
  func localText() throws {
    let expected = CivilDateTime(year: 2028, month: 2, day: 29, hour: 8, minute: 5)
    for text in ["2028-02-29T08:05", "2028-02-29 08:05:00", "2028-02-29t08:05:00"] {
      #expect(try CivilDateTime(localText: text) == expected)
    }
    #expect(expected.localText == "2028-02-29T08:05:00")
    #expect(try CivilDateTime(localText: "2028-02-29T08:05:59").second == 59)
  }

  @Test(
    "A local time that is none is told where it does not fit, and a zone does not",
    arguments: [
      ("", .truncated, 0), ("2026-03-27", .truncated, 10), ("2026-03-27T08", .truncated, 13),
      ("2026-03-27T08:00:", .truncated, 17), ("2026-03-27T08:00:0", .truncated, 18),
      ("2026-03-27T08:00Z", .unexpectedByte, 16), ("2026-03-27T08:00:00Z", .tooLarge, 19),
      ("2026-03-27T08:00:00.5", .tooLarge, 19), ("2026-03-27_08:00", .unexpectedByte, 10),
      ("2026-02-29T00:00", .outOfRange, 16), ("2026-00-10T00:00", .outOfRange, 16),
      ("2026-13-10T00:00", .outOfRange, 16), ("2026-06-31T00:00", .outOfRange, 16),
      ("2026-06-00T00:00", .outOfRange, 16), ("2026-03-27T24:00", .outOfRange, 16),
      ("2026-03-27T08:60", .outOfRange, 16), ("2026-03-27T08:00:60", .outOfRange, 19),
      ("2026-3-27T08:00", .unexpectedByte, 6), ("２０26-03-27", .unexpectedByte, 0),
    ] as [(String, DecodeError.Code, Int)])
  func noLocalText(text: String, code: DecodeError.Code, offset: Int) {
    #expect(throws: DecodeError(code, at: offset)) { try CivilDateTime(localText: text) }
  }

  /// - Source: RFC 5545, sections 3.3.4 and 3.3.5.
  @Test("Calendars write dates without marks, and a date alone is its midnight")
  func iCalendar() throws {
    let date = CivilDateTime(year: 1998, month: 1, day: 19, hour: 2)
    #expect(date.iCalendarText == "19980119T020000" && date.iCalendarDate == "19980119")
    #expect(try CivilDateTime(iCalendarText: "19980119T020000") == date)
    #expect(
      try CivilDateTime(iCalendarText: "19980119") == CivilDateTime(year: 1998, month: 1, day: 19))
  }

  @Test(
    "What no calendar writes is told where it does not fit",
    arguments: [
      ("", .truncated, 0), ("2026032", .truncated, 7), ("20260327T0800", .truncated, 13),
      ("20260327T", .truncated, 9), ("20260327 080000", .unexpectedByte, 8),
      ("20260327t080000", .unexpectedByte, 8), ("2026-03-27", .unexpectedByte, 4),
      ("20260327T080000Z", .tooLarge, 15), ("20260230", .outOfRange, 8),
      ("20260327T240000", .outOfRange, 15),
    ] as [(String, DecodeError.Code, Int)])
  func noICalendar(text: String, code: DecodeError.Code, offset: Int) {
    #expect(throws: DecodeError(code, at: offset)) { try CivilDateTime(iCalendarText: text) }
  }

  @Test(
    "A division that rounds down leaves no rest below zero",
    arguments: [
      (7, 3, 2, 1), (-7, 3, -3, 2), (-6, 3, -2, 0), (-1, 86_400_000, -1, 86_399_999), (0, 3, 0, 0),
    ])
  func floored(number: Int, divisor: Int, quotient: Int, remainder: Int) {
    let result = number.flooredDivision(by: divisor)
    #expect(result.quotient == quotient && result.remainder == remainder)
  }
}
