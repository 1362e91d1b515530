import CivilTime
import Foundation
import Moments
import TestSupport
import Testing

@Suite("Agreement with Python's zoneinfo")
struct DifferentialTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The lines that the script prints, split into words.
  private static func run(seed: Int) throws -> [[Substring]] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("differential.py")
    let answer = try ProgramOutput(
      try #require(python), [script.path, TimeZoneFile.systemDirectory, String(seed)])
    #expect(answer.exitCode == 0)
    return answer.text.split(separator: "\n").map {
      $0.split(separator: " ")
    }
  }

  @Test(
    "All zones agree at random moments and around their changes",
    .enabled(if: python != nil, "python3 is absent"))
  func everyZone() throws {
    var zones: [Substring: CivilTimeZone] = [:]
    var counts: [Substring: Int] = [:]
    for words in try Self.run(seed: 20_261_120) {
      let name = try #require(words.dropFirst().first)
      let zone = try zones[name] ?? TimeZoneFile.load(name: String(name))
      zones[name] = zone
      counts[words[0], default: 0] += 1
      let seconds = try #require(Int64(words[2]))
      let isEqual =
        words[0] == "u" ? agreesOnMoment(zone, seconds, words) : agreesOnWall(zone, seconds, words)
      #expect(isEqual, "\(words.joined(separator: " "))")
    }
    #expect(zones.count > 300)
    #expect(counts["u", default: 0] > 10_000)
    #expect(counts["l", default: 0] > 10_000)
  }

  private func agreesOnMoment(_ zone: CivilTimeZone, _ seconds: Int64, _ words: [Substring]) -> Bool
  {
    let local = zone.local(at: .seconds(seconds))
    return String(local.offsetSeconds) == words[3] && local.abbreviation == words[4]
      && local.civil.asUTC == .seconds(seconds + Int64(local.offsetSeconds))
  }

  private func agreesOnWall(_ zone: CivilTimeZone, _ seconds: Int64, _ words: [Substring]) -> Bool {
    let wall = CivilDateTime(utc: .seconds(seconds))
    return zone.instant(of: wall) == Int64(words[3]).map(Timestamp.seconds)
  }
}
