import Bytes
import CivilTime
import Moments
import Testing

@Suite("Stretches of one offset")
struct StretchTests {
  private static func moment(_ text: String) throws -> Timestamp { try Timestamp(iso8601: text) }

  @Test(
    "A stretch begins and ends where the clock changes, in the file's years and in those of its rule",
    arguments: [
      // Europe: the last Sundays of March and October, at 01:00 UTC.
      (
        "Europe/Madrid", "2026-07-01T00:00:00Z", "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z",
        7200
      ),
      (
        "Europe/Madrid", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z",
        7200
      ),
      (
        "Europe/Madrid", "2026-03-29T00:59:59Z", "2025-10-26T01:00:00Z", "2026-03-29T01:00:00Z",
        3600
      ),
      (
        "Europe/Madrid", "2090-07-01T00:00:00Z", "2090-03-26T01:00:00Z", "2090-10-29T01:00:00Z",
        7200
      ),
      (
        "Europe/Madrid", "2090-12-31T23:59:59Z", "2090-10-29T01:00:00Z", "2091-03-25T01:00:00Z",
        3600
      ),
      // Samoa left out 30 December 2011.
      (
        "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2012-03-31T14:00:00Z",
        50_400
      ),
    ])
  func change(zone: String, at: String, start: String, end: String, offset: Int) throws {
    let stretch = try TimeZoneFile.load(name: zone).stretch(at: try Self.moment(at))
    #expect(Timestamp.seconds(stretch.startSeconds) == (try Self.moment(start)))
    #expect(Timestamp.seconds(stretch.endSeconds) == (try Self.moment(end)))
    #expect(stretch.offsetSeconds == offset)
  }

  @Test("A zone without changes is one stretch")
  func withoutChanges() {
    let stretch = CivilTimeZone.utc.stretch(at: Timestamp(milliseconds: .max))
    #expect(stretch.startSeconds == .min && stretch.endSeconds == .max)
    #expect(stretch.offsetSeconds == 0)
    #expect(CivilTimeZone.utc.offsets(from: .seconds(5), through: .seconds(-5)) == 0...0)
  }

  @Test("The offsets between two moments are those that hold there, both ends included")
  func offsets() throws {
    let madrid = try TimeZoneFile.load(name: "Europe/Madrid")
    func between(_ start: String, _ end: String) throws -> ClosedRange<Int> {
      madrid.offsets(from: try Self.moment(start), through: try Self.moment(end))
    }
    #expect(try between("2026-03-28T00:00:00Z", "2026-03-29T00:59:59Z") == 3600...3600)
    #expect(try between("2026-03-28T00:00:00Z", "2026-03-29T01:00:00Z") == 3600...7200)
    #expect(try between("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z") == 7200...7200)
    #expect(try between("2090-03-25T00:00:00Z", "2090-03-27T00:00:00Z") == 3600...7200)
    #expect(try between("2090-10-25T00:00:00Z", "2090-10-31T00:00:00Z") == 3600...7200)
  }

  @Test("Local times in seconds mean what those in parts mean, and none stops the process")
  func wallSeconds() throws {
    let zones = try ["Europe/Madrid", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Casablanca"]
      .map { try TimeZoneFile.load(name: $0) }
    var numbers = SplitMix64(seed: 7)
    for _ in 0..<5000 {
      let wall = Int64.random(in: -3_000_000_000...5_000_000_000, using: &numbers)
      for zone in zones {
        #expect(
          zone.resolve(wallSeconds: wall) == zone.resolve(CivilDateTime(utc: .seconds(wall))))
      }
    }
    for wall in [Int64.min, .max, 0] {
      for zone in zones {
        _ = zone.stretch(at: zone.resolve(wallSeconds: wall).instant)
        _ = zone.stretch(at: Timestamp(milliseconds: wall))
      }
    }
  }
}
