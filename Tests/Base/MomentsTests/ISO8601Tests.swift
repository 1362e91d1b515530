import Bytes
import JSON
import Moments
import Testing

/// Times as the world outside writes them.
///
/// - Source: RFC 3339, section 5.6.
@Suite("Times in ISO 8601")
struct ISO8601Tests {
  @Test(
    "The offset of a zone is taken off, over the ends of days, years and leap days",
    arguments: [
      ("2024-02-29T00:30:00+01:00", 1_709_163_000_000), ("2024-02-28T23:30:00Z", 1_709_163_000_000),
      ("2026-12-31T23:30:00-01:00", 1_798_763_400_000),
      ("2026-11-20 14:32:05+05:45", 1_795_164_425_000),
      ("2026-11-20T14:32:05-00:00", 1_795_185_125_000),
      ("2026-11-20T14:32:05-23:59", 1_795_271_465_000),
      ("2026-11-20T14:32:05.1Z", 1_795_185_125_100),
      ("2026-11-20T14:32:05.12Z", 1_795_185_125_120),
      ("2026-11-20T14:32:05.123999999Z", 1_795_185_125_123),
      ("1968-02-29T23:59:59.999Z", -57_974_400_001),
      ("0000-02-29T00:00:00Z", -62_162_121_600_000),
    ])
  func read(text: String, milliseconds: Int64) throws {
    #expect(try Timestamp(iso8601: text).milliseconds == milliseconds)
  }

  /// - Source: RFC 3339, section 5.8: the leap second at the end of 1990, here that of 2016.
  @Test("A leap second is the second that follows it, in every zone")
  func leapSecond() throws {
    let next = try Timestamp(iso8601: "2017-01-01T00:00:00Z")
    #expect(try Timestamp(iso8601: "2016-12-31T23:59:60Z") == next)
    #expect(try Timestamp(iso8601: "2016-12-31T15:59:60-08:00") == next)
    #expect(
      try Timestamp(iso8601: "2016-12-31T23:59:60.5Z") == next.advanced(byMilliseconds: 500))
  }

  @Test(
    "What does not fit is told where it stands",
    arguments: [
      ("2026-1", .truncated, 6), ("+2026-01-01T00:00:00Z", .unexpectedByte, 0),
      ("2026/01/01T00:00:00Z", .unexpectedByte, 4), ("2026-00-01T00:00:00Z", .outOfRange, 10),
      ("2026-01-00T00:00:00Z", .outOfRange, 10), ("2026-04-31T00:00:00Z", .outOfRange, 10),
      ("1900-02-29T00:00:00Z", .outOfRange, 10), ("2100-02-29T00:00:00Z", .outOfRange, 10),
      ("2026-01-01X00:00:00Z", .unexpectedByte, 10), ("2026-01-01T24:00:00Z", .outOfRange, 19),
      ("2026-01-01T00:60:00Z", .outOfRange, 19), ("2026-01-01T00:00:61Z", .outOfRange, 19),
      ("2026-01-01T00:00:00", .truncated, 19), ("2026-01-01T00:00:00.Z", .unexpectedByte, 20),
      ("2026-01-01T00:00:00,5Z", .unexpectedByte, 19), ("2026-01-01T00:00:00-", .truncated, 20),
      ("2026-01-01T00:00:00+1:00", .unexpectedByte, 21),
      ("2026-01-01T00:00:00+0100", .unexpectedByte, 22),
      ("2026-01-01T00:00:00+01", .truncated, 22), ("2026-01-01T00:00:00+24:00", .outOfRange, 25),
      ("2026-01-01T00:00:00+00:60", .outOfRange, 25),
      ("2026-01-01T00:00:00Z ", .unexpectedByte, 20),
    ] as [(String, DecodeError.Code, Int)])
  func refused(text: String, code: DecodeError.Code, offset: Int) {
    #expect(throws: DecodeError(code, at: offset)) { try Timestamp(iso8601: text) }
  }

  @Test(
    "Every moment that there is can be written, also beyond the years of four digits",
    arguments: [
      (-1, "1969-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
      (.max, "292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)])
  func written(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
  }

  @Test("A member that is no time is told with its path and the place in it")
  func member() throws {
    let reader = try JSONReader([
      "in": ["at": "2026-11-20T14:32:05Z", "bad": "2026-13-01T00:00:00Z", "none": .null, "n": 5]
    ]).object("in")
    #expect(try reader.timestamp("at").milliseconds == 1_795_185_125_000)
    #expect(try reader.optionalTimestamp("none") == nil)
    #expect(throws: DecodeError(.outOfRange, at: 10, field: "in.bad")) {
      try reader.timestamp("bad")
    }
    #expect(throws: DecodeError(.outOfRange, at: 10, field: "in.bad")) {
      try reader.optionalTimestamp("bad")
    }
    #expect(throws: DecodeError(.wrongType, at: 0, field: "in.n")) {
      try reader.optionalTimestamp("n")
    }
    #expect(throws: DecodeError(.missingField, at: 0, field: "in.none")) {
      try reader.timestamp("none")
    }
  }
}
