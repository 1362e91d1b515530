import Care
import CivilTime
import Foundation
import JSON
import Moments
import Recurrence
import TestSupport
import Testing
import Texts

@testable import Calendars

@Suite("Writing calendars")
struct CalendarExportTests {
  private static let start = CivilDateTime(year: 2026, month: 10, day: 1).asUTC
  private static let end = CivilDateTime(year: 2027, month: 12, day: 1).asUTC

  static func export(_ items: [RoutineItem]) -> CalendarExport {
    CalendarExport(items, name: "Ada's day", now: CalendarCase.now) {
      try? TimeZoneFile.load(name: $0)
    }
  }

  private static func slots(_ item: RoutineItem) throws -> [Int64] {
    guard case .calendar(let schedule) = item.schedule else { return [] }
    let zone = try TimeZoneFile.load(name: schedule.timeZone)
    return try OccurrenceFinder(schedule, zone: zone).slots(from: start, to: end, limit: 100_000)
      .map { $0.instant.milliseconds / 1000 }
  }

  /// What Python's readers make of an export.
  private static func python(_ text: String) throws -> JSONValue {
    let scratch = try TemporaryDirectory()
    let file = scratch.path(of: "export.ics")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("differential.py").path
    let log = scratch.path(of: "log")
    let process = try ChildProcess(
      "/usr/bin/python3", [script, file, "2026-10-01T00:00:00+00:00", "2027-12-01T00:00:00+00:00"],
      log: log)
    let code = process.wait()
    #expect(code == 0, "\(process.log)")
    return try JSONValue(parsing: Array(process.log.utf8), limits: .init(maximumBytes: 1 << 26))
  }

  private static let hasReaders = ["icalendar", "dateutil", "recurring_ical_events.py"].allSatisfy {
    FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)")
  }

  @Test(
    "Other calendars read the due times that we have, over a year with summer time",
    .enabled(if: hasReaders, "python3-icalendar, python3-recurring-ical-events are not installed"))
  func differential() throws {
    let items = try ExportSamples.items(400, seed: 20_261_121)
    let export = Self.export(items)
    #expect(export.leftOut.isEmpty)
    let read = try Self.python(export.text)
    var (compared, othersCompared) = (0, 0)
    for item in items {
      let expected = try Self.slots(item)
      let id = item.id.rawValue
      let found = (read["instants"]?[id]?.arrayContent ?? []).compactMap(\.integerContent)
      #expect(found == expected, "\(item.schedule.json.serialized)")
      #expect(read["titles"]?[id]?.stringContent == item.title)
      compared += expected.count
      // That reader takes winter time for times that come twice, and does its own with times that the clock jumps over.
      guard id.utf8.count <= 7, ExportSamples.isByDay(item) else { continue }
      othersCompared += 1
      let other = (read["other"]?[id]?.arrayContent ?? []).compactMap(\.integerContent)
      #expect(other == expected, "recurring-ical-events: \(item.schedule.json.serialized)")
    }
    #expect(compared > 20_000 && othersCompared > 20)
    #expect(read["wrong"] == [])
    let zones = read["zones"]?.objectContent ?? []
    #expect(zones.count >= 8)
    #expect(zones.allSatisfy { ($0.value.integerContent ?? 0) > 10_000 })
  }

  @Test("What is written is read back to the same due times")
  func roundTrip() throws {
    let items = try ExportSamples.items(300, seed: 7)
    for item in items {
      let text = Self.export([item]).text
      let read = try CalendarImport(
        Array(text.utf8),
        CalendarCase.context(now: CivilDateTime(year: 1950, month: 1, day: 1).asUTC))
      #expect(read.leftOutCount == 0, "\(read.leftOut) \(item.schedule.json.serialized)")
      let again = try Set(read.items.flatMap { try Self.slots($0) }).sorted()
      #expect(again == (try Self.slots(item)), "\(item.schedule.json.serialized)\n\(text)")
      #expect(read.items.allSatisfy { $0.title == item.title && $0.kind == item.kind })
    }
  }

  @Test("Words of any script and any length come back as they were, in lines of at most 75 bytes")
  func words() throws {
    var item = RoutineItem(
      id: "walk", resident: "ada", kind: .appointment,
      title: "看牙醫, with; Ann\\a 👵🏽 " + String(repeating: "é", count: 150),
      details: "one\ntwo\tthree, four",
      place: "Sol; 5, 2\\", schedule: .never)
    item.schedule = .calendar(
      CalendarSchedule(
        start: CivilDateTime(year: 2026, month: 12, day: 1, hour: 8), timeZone: "Europe/Madrid"))
    item.timing.noticeMinutes = 30
    let text = Self.export([item]).text
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    let read = try #require(
      try CalendarImport(Array(text.utf8), CalendarCase.context()).items.first)
    #expect((read.title, read.details, read.place) == (item.title, item.details, item.place))
    #expect(read.timing == item.timing && read.schedule == item.schedule && read.kind == item.kind)
  }

  @Test("Names stay the same from export to export, one for each time of day")
  func stableNames() throws {
    let schedule = CalendarSchedule(
      start: CivilDateTime(year: 2026, month: 12, day: 1, hour: 8), rule: .every(.daily),
      times: ["20:00", "08:30"].compactMap { TimeOfDay(text: $0) }, timeZone: "Europe/Madrid")
    let item = RoutineItem(
      id: "pill", resident: "ada", kind: .medicine, title: "Pill", dose: "1 tablet",
      schedule: .calendar(schedule), revision: 4)
    let text = Self.export([item]).text
    #expect(
      text.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }
        == ["UID:pill-0830@homeward", "UID:pill-2000@homeward"])
    #expect(text.contains("DESCRIPTION:1 tablet\r\n") && text.contains("SEQUENCE:4\r\n"))
    #expect(text == Self.export([item]).text)
    var utc = schedule
    utc.timeZone = "Etc/UTC"
    let universal = Self.export([
      RoutineItem(id: "u", resident: "ada", title: "U", schedule: .calendar(utc))
    ])
    #expect(universal.text.contains("DTSTART:20261201T200000Z\r\n"))
    #expect(!universal.text.contains("VTIMEZONE"))
    #expect(Self.export([item]).componentCount == 2)
  }

  @Test("What a calendar cannot hold is named with the reason")
  func leftOut() {
    func item(_ id: String, _ schedule: Schedule, isOn: Bool = true) -> RoutineItem {
      RoutineItem(
        id: RoutineItemID(id), resident: "ada", title: id, isOn: isOn, schedule: schedule)
    }
    let day = CivilDateTime(year: 2026, month: 12, day: 31, hour: 8)
    var twoEnds = CalendarSchedule(start: day, timeZone: "Europe/Madrid", monthEnd: .lastDay)
    twoEnds.rule = try? RecurrenceRule(text: "FREQ=MONTHLY;BYMONTHDAY=30,31")
    let atlantis = CalendarSchedule(start: day, timeZone: "Atlantis/Capital")
    let export = Self.export([
      item("note", .never), item("off", .never, isOn: false),
      item("elapsed", .elapsed(.init(everyMinutes: 480, first: day, timeZone: "Europe/Madrid"))),
      item("needed", .asNeeded(.init(minimumGapMinutes: 120, dailyMaximum: 4))),
      item("ends", .calendar(twoEnds)), item("lost", .calendar(atlantis)),
    ])
    #expect(export.leftOut.map(\.item) == ["off", "elapsed", "needed", "ends", "lost"])
    #expect(export.leftOut.allSatisfy { $0.reason.description.hasSuffix(".") })
    #expect(export.componentCount == 1 && export.text.contains("BEGIN:VTODO\r\n"))
  }

  @Test("The end of months is told in rules that other calendars know")
  func monthEnds() throws {
    var schedule = CalendarSchedule(
      start: CivilDateTime(year: 2026, month: 10, day: 31, hour: 9), timeZone: "Europe/Madrid",
      monthEnd: .lastDay)
    schedule.rule = .every(.monthly)
    let item = RoutineItem(
      id: "rent", resident: "ada", title: "Rent", schedule: .calendar(schedule))
    let export = Self.export([item])
    #expect(
      export.text.contains("RRULE:FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1\r\n"))
    let expected = try Self.slots(item)
    #expect(expected.count == 14)
    if Self.hasReaders {
      let read = try Self.python(export.text)
      #expect(
        (read["instants"]?["rent"]?.arrayContent ?? []).compactMap(\.integerContent) == expected)
    }
  }
}
