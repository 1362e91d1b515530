import CivilTime
import Moments
import Testing

@Suite("Local times that do not exist or exist twice")
struct ResolutionTests {
  private func zone(_ name: String) throws -> CivilTimeZone { try TimeZoneFile.load(name: name) }

  @Test("A time in a gap is read with the offset before the gap")
  func gap() throws {
    let found = try zone("Europe/Madrid").resolve(
      CivilDateTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
    #expect(found.resolution == .gap)
    #expect(found.instant.iso8601 == "2026-03-29T01:30:00.000Z")
  }

  @Test("An ambiguous time means its first occurrence")
  func ambiguous() throws {
    let found = try zone("Europe/Madrid").resolve(
      CivilDateTime(year: 2026, month: 10, day: 25, hour: 2, minute: 30))
    #expect(found.resolution == .ambiguous)
    #expect(found.instant.iso8601 == "2026-10-25T00:30:00.000Z")
  }

  @Test("The last millisecond before a gap and the first after it are unique")
  func edgesOfAGap() throws {
    let madrid = try zone("Europe/Madrid")
    let before = CivilDateTime(
      year: 2026, month: 3, day: 29, hour: 1, minute: 59, second: 59, millisecond: 999)
    #expect(madrid.resolve(before).resolution == .unique)
    #expect(madrid.instant(of: before).iso8601 == "2026-03-29T00:59:59.999Z")
    let after = CivilDateTime(year: 2026, month: 3, day: 29, hour: 3)
    #expect(madrid.resolve(after).resolution == .unique)
    #expect(madrid.instant(of: after).iso8601 == "2026-03-29T01:00:00.000Z")
  }

  @Test("Apia's 30 December 2011 is a gap of a whole day")
  func missingDay() throws {
    let apia = try zone("Pacific/Apia")
    let found = apia.resolve(CivilDateTime(year: 2011, month: 12, day: 30, hour: 8))
    #expect(found.resolution == .gap)
    #expect(found.instant.iso8601 == "2011-12-30T18:00:00.000Z")
    #expect(apia.local(at: found.instant).civil.iso8601Date == "2011-12-31")
    #expect(apia.local(at: found.instant).offsetSeconds == 14 * 3600)
  }

  @Test("Dublin's winter is the daylight saving time, with an hour taken away")
  func negativeDaylightSaving() throws {
    let dublin = try zone("Europe/Dublin")
    let summer = dublin.local(at: try Timestamp(iso8601: "2090-07-01T12:00:00Z"))
    #expect(summer.abbreviation == "IST")
    #expect(summer.offsetSeconds == 3600)
    let winter = dublin.local(at: try Timestamp(iso8601: "2090-01-01T12:00:00Z"))
    #expect(winter.abbreviation == "GMT")
    #expect(winter.offsetSeconds == 0)
  }

  @Test("Parts beyond their range carry over, absurd ones are clamped")
  func absurdParts() throws {
    let madrid = try zone("Europe/Madrid")
    let carried = CivilDateTime(year: 2026, month: 1, day: 31 + 1, hour: 25, minute: 0)
    #expect(madrid.instant(of: carried).iso8601 == "2026-02-02T00:00:00.000Z")
    for extreme in [Int.min, Int.max] {
      let absurd = CivilDateTime(
        year: extreme, month: extreme, day: extreme, hour: extreme, minute: extreme,
        second: extreme, millisecond: extreme)
      let instant = madrid.instant(of: absurd)
      #expect((instant.milliseconds < 0) == (extreme < 0))
    }
  }

  @Test("The first and last representable moments have a local time")
  func extremeMoments() throws {
    for name in ["Europe/Madrid", "UTC", "Africa/Casablanca", "America/Nuuk"] {
      let zone = try zone(name)
      #expect(zone.local(at: Timestamp(milliseconds: .max)).civil.year > 292_000_000)
      #expect(zone.local(at: Timestamp(milliseconds: .min)).civil.year < -292_000_000)
    }
  }

  @Test("UTC needs no file and agrees with the file")
  func utc() throws {
    let moment = try Timestamp(iso8601: "2026-11-20T14:32:05.120Z")
    #expect(CivilTimeZone.utc.local(at: moment) == (try zone("UTC").local(at: moment)))
    #expect(CivilTimeZone.utc.instant(of: CivilDateTime(utc: moment)) == moment)
  }
}
