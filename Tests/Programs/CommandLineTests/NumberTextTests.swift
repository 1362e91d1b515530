import Care
import CivilTime
import Moments
import Testing

@testable import homeward

@Suite("Numbers, lengths and places as they are typed and shown")
struct NumberTextTests {
  @Test(
    "A number has as many decimals as wanted, and zero has no sign",
    arguments: [
      (0.5, 0, "1"), (2.25, 1, "2.3"), (-0.04, 1, "0.0"), (-0.05, 1, "-0.1"), (12, 3, "12.000"),
      (0.00001, 5, "0.00001"), (59.9139, 5, "59.91390"), (-151.2153, 4, "-151.2153"),
      (999.96, 1, "1000.0"), (.nan, 1, "nan"), (1e300, 2, "1e+300"),
    ] as [(Double, Int, String)])
  func fixed(number: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(number, decimals) == text)
  }

  @Test(
    "A whole number is shown without a fraction",
    arguments: [(3, "3"), (-0.0, "0"), (3.25, "3.25"), (1e300, "1e+300")] as [(Double, String)])
  func short(number: Double, text: String) {
    #expect(NumberText.short(number) == text)
  }

  @Test(
    "Sizes are rounded down, so that nobody counts on more than there is",
    arguments: [
      (0, "0 kB"), (9_999_999, "9999 kB"), (10_000_000, "10 MB"), (9_999_999_999, "9999 MB"),
      (10_000_000_000, "10 GB"),
    ] as [(Int64, String)])
  func bytes(count: Int64, text: String) {
    #expect(NumberText.bytes(count) == text)
  }

  @Test(
    "A length is a number with m, ft or nothing behind it",
    arguments: [
      ("25", 25), (" 25 M ", 25), ("0.5m", 0.5), ("100ft", 30.48), ("", nil), ("m", nil),
      ("5 km", nil), ("inf", nil), ("nan", nil), ("25 m m", nil), ("25,5", nil),
    ] as [(String, Double?)])
  func length(text: String, meters: Double?) {
    #expect(NumberText.length(text) == meters)
  }

  @Test(
    "A place is two numbers with one comma, both on the globe",
    arguments: [
      ("59.9139,10.7522", true), (" -33.8568 , 151.2153 ", true), ("90,-180", true),
      ("91,0", false), ("0,181", false), ("59.9139", false), ("1,2,3", false), (",", false),
      ("nan,0", false), ("59,9139,10,7522", false), ("59.9N,10.7E", false), ("", false),
    ])
  func places(text: String, isPlace: Bool) {
    #expect((NumberText.placeFault(text) == nil) == isPlace)
  }

  @Test(
    "Feet are for whoever's locale is of the United States; the first variable that is set counts",
    arguments: [
      ([:], .metric), (["LANG": "en_US.UTF-8"], .imperial), (["LANG": "es_US"], .imperial),
      (["LANG": "en_GB.UTF-8"], .metric), (["LANG": "C.UTF-8"], .metric),
      (["LC_ALL": "", "LANG": "en_US.UTF-8"], .imperial),
      (["LC_MEASUREMENT": "nb_NO.UTF-8", "LANG": "en_US.UTF-8"], .metric),
      (["LC_ALL": "en_US", "LC_MEASUREMENT": "nb_NO.UTF-8"], .imperial),
    ] as [([String: String], LengthUnits)])
  func units(environment: [String: String], units: LengthUnits) {
    #expect(LengthUnits { environment[$0] } == units)
  }
}

@Suite("Times as they are typed and shown")
struct TimeDisplayTests {
  /// Noon by the clock of Oslo on the day on which it was set forward at two.
  private static let now = "2026-03-29T10:00:00Z"

  private func times() throws -> TimeDisplay {
    TimeDisplay(zone: try TimeZoneFile.load(name: "Europe/Oslo"))
  }

  @Test(
    "A time is read by the clock of the place, or with its own zone, or as so long ago",
    arguments: [
      ("today", "2026-03-28T23:00:00.000Z"), ("yesterday", "2026-03-27T23:00:00.000Z"),
      ("2026-03-29", "2026-03-28T23:00:00.000Z"), ("2026-03-30", "2026-03-29T22:00:00.000Z"),
      ("2026-03-29 01:59", "2026-03-29T00:59:00.000Z"),
      ("2026-03-29 02:30", "2026-03-29T01:30:00.000Z"),
      ("2026-03-29T12:00", "2026-03-29T10:00:00.000Z"),
      ("2026-03-29T12:00:05", "2026-03-29T10:00:05.000Z"),
      ("2026-10-25 02:30", "2026-10-25T00:30:00.000Z"),
      ("2026-03-29T10:00:00+05:30", "2026-03-29T04:30:00.000Z"),
      ("30s", "2026-03-29T09:59:30.000Z"), ("90m", "2026-03-29T08:30:00.000Z"),
      ("2h", "2026-03-29T08:00:00.000Z"), ("7d", "2026-03-22T10:00:00.000Z"),
    ])
  func read(text: String, moment: String) throws {
    let now = try Timestamp(iso8601: Self.now)
    #expect(try times().read(text, option: "since", now: now).iso8601 == moment)
  }

  @Test("Yesterday after the night in which the clock was set is the day of the calendar")
  func yesterday() throws {
    let now = try Timestamp(iso8601: "2026-03-29T22:30:00Z")
    let read = try times().read("yesterday", option: "since", now: now)
    #expect(read.iso8601 == "2026-03-28T23:00:00.000Z")
  }

  @Test(
    "What is no time is refused before anything is asked",
    arguments: [
      "", "m", "-5m", "1000001d", "99999999999999999999d", "2026-02-30", "2026-03-29 25:00",
      "tomorrow", "29.03.2026", "12:00", "Today",
    ])
  func refused(text: String) throws {
    let failure = try #require(throws: CommandFailure.self) {
      try times().read(text, option: "since", now: try Timestamp(iso8601: Self.now))
    }
    #expect(failure.exitCode == .usage)
  }

  @Test("A moment is shown by the clock of the place with its name; other texts stay as they are")
  func shown() throws {
    let times = try times()
    #expect(times.text("2026-07-01T10:05:09Z") == "2026-07-01 12:05:09 CEST")
    #expect(times.text("2026-01-01T22:59:59.999Z") == "2026-01-01 23:59:59 CET")
    #expect(times.text("never" as String?) == "never")
    #expect(times.text(nil as String?) == "-")
  }

  @Test("A zone that this machine does not have is passed over for the next one")
  func unknownZone() {
    let known = TimeDisplay(configuredZone: "Asia/Shanghai").zone
    #expect(known.name == "Asia/Shanghai")
    let other = TimeDisplay(configuredZone: "Nowhere/Land").zone
    #expect(other.name == TimeDisplay(configuredZone: nil).zone.name)
  }
}
