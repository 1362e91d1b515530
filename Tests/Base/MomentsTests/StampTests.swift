import Bytes
import JSON
import Moments
import Testing

/// What engines remember of a moment, over restarts and a clock that is believed only later.
@Suite("Stamps")
struct StampTests {
  private static let utc = Timestamp.seconds(1_800_000_000)

  private static func moment(
    tick: Int64, utcAfter seconds: Int64 = 0, _ quality: TimeQuality = .synchronised
  ) -> Moment {
    Moment(
      tick: .seconds(tick), utc: utc.advanced(byMilliseconds: seconds * 1000), quality: quality)
  }

  @Test(
    "After a restart the age is what UTC says, where it is trusted at both ends",
    arguments: [(60, 40), (100, 0), (3600, -3500), (0, 100), (-500, 100)] as [(Int64, Int64)])
  func rebase(seconds: Int64, tick: Int64) {
    var stamp = Stamp(Self.moment(tick: 5000))
    let now = Self.moment(tick: 100, utcAfter: seconds, .satellite)
    stamp.rebase(to: now)
    #expect(stamp.tick == .seconds(tick) && !stamp.isEstimated)
    #expect(stamp.age(at: now) == max(0, seconds) * 1000)
    #expect(stamp.utc == Self.utc && stamp.quality == .synchronised)
  }

  @Test("Without trust in the clock the age counts from the start, until trust comes")
  func estimated() {
    var stamp = Stamp(Self.moment(tick: 5000))
    let start = Self.moment(tick: 10, utcAfter: 9_999, .untrusted)
    stamp.rebase(to: start)
    #expect(stamp.isEstimated && stamp.tick == .seconds(10))
    #expect(stamp.age(at: Self.moment(tick: 70, .untrusted)) == 60_000)
    stamp.refine(at: Self.moment(tick: 80, utcAfter: 9_999, .untrusted))
    #expect(stamp.isEstimated && stamp.tick == .seconds(10))
    stamp.refine(at: Self.moment(tick: 200, utcAfter: 500))
    #expect(!stamp.isEstimated && stamp.tick == .seconds(-300) && stamp.utc == Self.utc)
    // Once it has its place it keeps it, whatever the clock says later.
    stamp.refine(at: Self.moment(tick: 300, utcAfter: 9_999))
    #expect(stamp.tick == .seconds(-300) && stamp.utc == Self.utc)
  }

  @Test("What nobody vouched for before a restart stays an estimate")
  func neverKnown() {
    var stamp = Stamp(Self.moment(tick: 5000, .untrusted))
    stamp.rebase(to: Self.moment(tick: 10, utcAfter: 60))
    let rebased = stamp
    #expect(stamp.isEstimated && stamp.tick == .seconds(10))
    stamp.refine(at: Self.moment(tick: 200, utcAfter: 500))
    #expect(stamp == rebased)
  }

  @Test("A label that nobody vouched for is put right by the clock of the same boot")
  func relabelled() {
    var stamp = Stamp(
      Moment(tick: .seconds(1000), utc: .seconds(5), quality: .untrusted))
    stamp.refine(at: Self.moment(tick: 1030, .untrusted))
    #expect(stamp.utc == .seconds(5))
    stamp.refine(at: Self.moment(tick: 1090, .hardwareClock))
    #expect(stamp.utc == Self.utc.advanced(byMilliseconds: -90_000))
    #expect(stamp.quality == .hardwareClock && stamp.tick == .seconds(1000))
    stamp.refine(at: Self.moment(tick: 1090, utcAfter: 77, .synchronised))
    #expect(stamp.utc == Self.utc.advanced(byMilliseconds: -90_000))
  }

  @Test("No age is below zero, and no wait overflows")
  func bounds() {
    let stamp = Stamp(Self.moment(tick: 1000))
    #expect(stamp.age(at: Self.moment(tick: 999)) == 0)
    #expect(stamp.age(at: Self.moment(tick: 1001)) == 1000)
    #expect(stamp.tick(after: 5) == .seconds(1005))
    #expect(stamp.tick(after: -5) == .seconds(995))
    #expect(stamp.tick(after: .max).nanoseconds == .max)
    #expect(stamp.tick(after: .min).nanoseconds == .min)
  }

  @Test("A stamp comes back as it was stored, an estimate as one")
  func json() throws {
    var stamp = Stamp(Self.moment(tick: -7, .hardwareClock))
    #expect(
      stamp.json.serialized
        == #"{"tick":-7000000000,"utc":1800000000000,"quality":"hardware-clock"}"#)
    #expect(try JSONReader(["at": stamp.json]).stamp("at") == stamp)
    stamp.isEstimated = true
    #expect(try Stamp(json: JSONValue(parsing: stamp.json.serialized)) == stamp)
  }

  @Test(
    "A stamp that is none names what does not fit",
    arguments: [
      (#"{"utc":1,"quality":"satellite"}"#, .missingField, "tick"),
      (#"{"tick":1.5,"utc":1,"quality":"satellite"}"#, .wrongType, "tick"),
      (#"{"tick":1,"utc":"1","quality":"satellite"}"#, .wrongType, "utc"),
      (#"{"tick":1,"utc":1,"quality":"sure"}"#, .unknownWord, "quality"),
      (#"{"tick":1,"utc":1,"quality":"satellite","estimated":1}"#, .wrongType, "estimated"),
    ] as [(String, DecodeError.Code, String)])
  func noStamp(text: String, code: DecodeError.Code, field: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: DecodeError(code, at: 0, field: field)) { try Stamp(json: json) }
  }

  @Test(
    "A product that 64 bits do not hold is the nearest that they do",
    arguments: [
      (.max, 2, .max), (.min, 2, .min), (.max, -2, .min), (.min, -1, .max), (3, -4, -12),
      (.min, 0, 0),
    ] as [(Int64, Int64, Int64)])
  func clamped(number: Int64, factor: Int64, product: Int64) {
    #expect(number.multipliedClamped(by: factor) == product)
  }

  @Test("Milliseconds between ticks are whole, and a negative span is one")
  func spans() {
    let tick = Tick(nanoseconds: 5_999_999)
    #expect(tick.wholeMilliseconds == 5)
    #expect(tick.milliseconds(since: .milliseconds(1)) == 4)
    #expect(Tick.milliseconds(1).milliseconds(since: .seconds(1)) == -999)
    #expect(Tick.milliseconds(.max).nanoseconds == .max)
  }
}
