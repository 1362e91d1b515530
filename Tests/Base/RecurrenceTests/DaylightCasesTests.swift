import CivilTime
import Foundation
import Moments
import Recurrence
import TestSupport
import Testing

@Suite("Cases of daylight saving time")
struct DaylightCasesTests {
  private struct File: Decodable {
    var cases: [Case]
  }

  private struct Case: Decodable {
    var tzid: String
    var dtstart: String
    var rrule: String
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

    func slot() throws -> Slot {
      Slot(
        local: try CivilDateTime(iCalendarText: local),
        instant: try CivilDateTime(iCalendarText: String(utcRFC5545.dropLast())).asUTC,
        resolution: exists ? (ambiguous ? .ambiguous : .unique) : .gap)
    }
  }

  @Test(
    "Every rule is due when its instances say, one moment only once",
    arguments: Capture.all(["daylight-saving.json"], others: ["dst_cases.json"]))
  func everyCase(capture: Capture) throws {
    let file = try JSONDecoder().decode(File.self, from: Data(capture.bytes()))
    #expect(file.cases.count == (capture.isOurs ? 20 : 17))
    var dropped = 0
    for sample in file.cases {
      let schedule = CalendarSchedule(
        start: try CivilDateTime(iCalendarText: sample.dtstart),
        rule: try RecurrenceRule(text: sample.rrule), timeZone: sample.tzid)
      var expected: [Slot] = []
      for instance in sample.instances {
        let slot = try instance.slot()
        // A day that a zone left out falls on the day behind it: only the first of the two is a slot.
        if expected.last?.instant == slot.instant { dropped += 1 } else { expected.append(slot) }
      }
      let finder = try Samples.finder(schedule)
      #expect(
        Array(finder.localTimes) == (try sample.instances.map { try $0.slot() }),
        "\(sample.tzid) \(sample.dtstart) \(sample.rrule)")
      let found = Array(finder.slots)
      #expect(found == expected, "\(sample.tzid) \(sample.dtstart) \(sample.rrule)")
    }
    #expect(dropped == 1, "Apia, and Fakaofo with it, left out 30 December 2011")
  }
}
