import Bytes
import Foundation
import Moments
import Testing
import Texts

@testable import CivilTime

@Suite("Damaged and hostile time-zone files")
struct HostileFileTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    Array(
      try Data(contentsOf: URL(fileURLWithPath: "\(TimeZoneFile.systemDirectory)/\(name)")))
  }

  @Test("Every prefix of a file is refused", arguments: ["Europe/Madrid", "UTC"])
  func everyPrefix(name: String) throws {
    let whole = try bytes(name)
    _ = try CivilTimeZone(name: name, tzif: whole)
    for length in whole.indices {
      #expect(throws: DecodeError.self) {
        try CivilTimeZone(name: name, tzif: Array(whole.prefix(length)))
      }
    }
  }

  @Test("A file with something after its end is refused")
  func trailingBytes() throws {
    #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: try bytes("UTC") + [0x0A])
    }
  }

  @Test("Any flipped bit gives an error or a zone that answers, never a trap")
  func flippedBits() throws {
    let whole = try bytes("America/New_York")
    var accepted = 0
    var refused = 0
    for position in stride(from: 0, to: whole.count * 8, by: 3) {
      var damaged = whole
      damaged[position / 8] ^= 1 << (position % 8)
      guard let zone = try? CivilTimeZone(name: "damaged", tzif: damaged) else {
        refused += 1
        continue
      }
      accepted += 1
      exercise(zone)
    }
    #expect(accepted > 0)
    #expect(refused > 0)
  }

  private func exercise(_ zone: CivilTimeZone) {
    for milliseconds in [Int64.min, -1, 0, 1_774_746_000_000, 4_102_444_800_000, .max] {
      let local = zone.local(at: Timestamp(milliseconds: milliseconds))
      _ = zone.resolve(local.civil)
    }
  }

  /// A version 2 file without transitions, with one type and a footer.
  private func file(footer: String, offset: Int32 = 0, types: UInt8 = 1) -> [UInt8] {
    func header(_ version: UInt8) -> [UInt8] {
      Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 31)
        + [0, 0, 0, types, 0, 0, 0, 4]
    }
    let bits = UInt32(bitPattern: offset)
    let type = [
      UInt8(bits >> 24), UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255), 0, 0,
    ]
    let block = type + Array("LMT\0".utf8)
    return header(0x32) + block + header(0x32) + block + Array("\n\(footer)\n".utf8)
  }

  @Test(
    "Footers that POSIX does not allow are refused",
    arguments: [
      "X", "CET", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365",
      "CET-1CEST,J1,366", "CET-1CEST,M3.5.0/168,M10.5.0", "<+01-1", "CET-1:60", "CET-1CEST,1,2x",
      "CET-99999999999999999999", "CÉT-1", "CET--1",
    ])
  func badFooter(footer: String) {
    #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: file(footer: footer))
    }
  }

  @Test("A footer alone gives the local time of every year")
  func footerAlone() throws {
    let zone = try CivilTimeZone(name: "x", tzif: file(footer: "CET-1CEST,M3.5.0,M10.5.0/3"))
    let summer = zone.local(at: try Timestamp(iso8601: "1901-07-01T00:00:00Z"))
    #expect(summer.abbreviation == "CEST")
    #expect(summer.civil.hour == 2)
  }

  @Test("A file that counts leap seconds is refused, because it ends with the known ones")
  func leapSeconds() throws {
    var counting = file(footer: "CET-1")
    // The first header and block have 54 bytes; the count's last byte is the second header's 32nd.
    counting[54 + 31] = 1
    let error = #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: counting)
    }
    #expect(error?.field == "leap seconds")
  }

  @Test("Daylight saving time all year round never lapses")
  func allYear() throws {
    let zone = try CivilTimeZone(name: "x", tzif: file(footer: "XXX3EDT4,0/0,J365/23"))
    for text in ["2026-01-01T02:59:59Z", "2026-01-01T03:00:00Z", "2027-01-01T04:00:00Z"] {
      #expect(zone.local(at: try Timestamp(iso8601: text)).abbreviation == "EDT", "\(text)")
    }
  }

  @Test("Julian days of the footer skip 29 February, plain days count it")
  func julianDays() throws {
    let julian = YearlyMoment(day: .julianWithoutLeapDay(60), secondsAfterMidnight: 0)
    let plain = YearlyMoment(day: .zeroBased(59), secondsAfterMidnight: 0)
    let march = CivilDateTime(year: 2028, month: 3, day: 1).asUTC.milliseconds / 1000
    #expect(julian.localSeconds(year: 2028) == march)
    #expect(plain.localSeconds(year: 2028) == march - 86_400)
  }

  @Test("Offsets beyond 26 hours and files without a type are refused")
  func badTypes() {
    #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: file(footer: "", offset: 26 * 3600 + 1))
    }
    #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: file(footer: "", offset: .min))
    }
    #expect(throws: DecodeError.self) {
      try CivilTimeZone(name: "x", tzif: file(footer: "", types: 0))
    }
  }

  @Test(
    "Names that could leave the directory are refused",
    arguments: [
      "", "/", "../etc/passwd", "Europe/../../etc/passwd", "/etc/passwd", "Europe//Madrid",
      "Europe/", ".hidden", "Europe/Madrid\n", "马德里", "-x",
      String(repeating: "a", count: 129),
    ])
  func badNames(name: String) {
    let error = #expect(throws: TimeZoneFileError.self) { try TimeZoneFile.load(name: name) }
    #expect(error?.code == .invalidName)
  }

  @Test("A name with a zero byte is refused")
  func zeroByte() {
    let error = #expect(throws: TimeZoneFileError.self) {
      try TimeZoneFile.load(name: "Europe/Madrid\0x")
    }
    #expect(error?.code == .invalidName)
  }

  @Test("A zone that does not exist, and a region, say what to do")
  func missing() {
    let missing = #expect(throws: TimeZoneFileError.self) {
      try TimeZoneFile.load(name: "Europe/Atlantis")
    }
    #expect(missing?.code == .missing)
    #expect(missing?.message.description.contains("Check the spelling") == true)
    let region = #expect(throws: TimeZoneFileError.self) { try TimeZoneFile.load(name: "Europe") }
    #expect(region?.message.description.contains("is a region") == true)
  }
}
