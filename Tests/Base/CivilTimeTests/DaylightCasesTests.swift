import CivilTime
import Foundation
import Moments
import TestSupport
import Testing

@Suite("Cases of daylight saving time")
struct DaylightCasesTests {
  private struct File: Decodable {
    var cases: [Case]
  }

  private struct Case: Decodable {
    var tzid: String
    var instances: [Instance]
  }

  private struct Instance: Decodable {
    var local: String
    var utcRFC5545: String
    var exists: Bool
    var ambiguous: Bool

    enum CodingKeys: String, CodingKey {
      case local
      case utcRFC5545 = "utc_rfc5545"
      case exists
      case ambiguous
    }
  }

  @Test(
    "Every instance means the moment that RFC 5545 says",
    arguments: Capture.all(["daylight-saving.json"], others: ["dst_cases.json"]))
  func everyInstance(capture: Capture) throws {
    let file = try JSONDecoder().decode(File.self, from: Data(capture.bytes()))
    #expect(file.cases.count == (capture.isOurs ? 20 : 17))
    for sample in file.cases {
      let zone = try TimeZoneFile.load(name: sample.tzid)
      for instance in sample.instances {
        let found = zone.resolve(try Self.civil(instance.local))
        #expect(found.instant == (try Self.civil(instance.utcRFC5545)).asUTC, "\(instance)")
        let expected: LocalTimeResolution =
          instance.exists ? (instance.ambiguous ? .ambiguous : .unique) : .gap
        #expect(found.resolution == expected, "\(sample.tzid) \(instance.local)")
      }
    }
  }

  /// Reads `20260327T023000`, with or without a `Z`.
  private static func civil(_ text: String) throws -> CivilDateTime {
    func part(_ start: Int, _ count: Int) throws -> Int {
      try #require(Int(String(text.dropFirst(start).prefix(count))))
    }
    return CivilDateTime(
      year: try part(0, 4), month: try part(4, 2), day: try part(6, 2), hour: try part(9, 2),
      minute: try part(11, 2), second: try part(13, 2))
  }
}
