import Care
import CivilTime
import Foundation
import JSON
import Moments
import Testing

@testable import Calendars

/// One case of the table that the plugin `calendar` is tested by too: a calendar and what becomes of it.
struct CalendarCase: CustomTestStringConvertible {
  static let now = CivilDateTime(year: 2026, month: 11, day: 20, hour: 12).asUTC

  let name: String
  let bytes: [UInt8]
  let expected: JSONValue

  var testDescription: String { name }

  static let all: [CalendarCase] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("cases.json")
    guard let data = try? Data(contentsOf: path),
      let cases = (try? JSONValue(parsing: Array(data)))?.arrayContent
    else { return [] }
    return cases.map { content in
      let lines = (content["lines"]?.arrayContent ?? []).compactMap(\.stringContent)
      let whole = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
      return CalendarCase(
        name: content["name"]?.stringContent ?? "",
        bytes: Array((content["text"]?.stringContent ?? whole).utf8), expected: content)
    }
  }()

  /// A count that the case expects, 0 where it says nothing.
  func count(_ name: String) -> Int { Int(expected[name]?.integerContent ?? 0) }

  /// The case's context; all-day events may be due at another time.
  var context: CalendarImport.Context {
    var context = Self.context()
    context.allDayTime = expected["allDayTime"]?.stringContent.flatMap { TimeOfDay(text: $0) }
    return context
  }

  static func context(now: Timestamp = now) -> CalendarImport.Context {
    CalendarImport.Context(
      resident: "ada", source: "family", timeZone: "Europe/Madrid", now: now,
      zone: { try? TimeZoneFile.load(name: $0) })
  }
}

extension CalendarImport {
  /// Events between the lines that every calendar has.
  init(events: [String], now: Timestamp = CalendarCase.now) throws(CalendarFault) {
    let lines = ["BEGIN:VCALENDAR"] + events + ["END:VCALENDAR", ""]
    try self.init(
      Array(lines.joined(separator: "\r\n").utf8), CalendarCase.context(now: now))
  }
}
