import Bytes
import Care
import CivilTime
import Foundation
import JSON
import Moments
import Recurrence
import Testing
import Texts

@testable import Calendars

@Suite("Reading calendars")
struct CalendarImportTests {
  @Test("The table of cases is there")
  func tableIsThere() { #expect(CalendarCase.all.count >= 99) }

  @Test("Each calendar of the table becomes what the table says", arguments: CalendarCase.all)
  func cases(_ one: CalendarCase) throws {
    if let fault = one.expected["fault"]?.stringContent {
      let thrown = #expect(throws: CalendarFault.self) {
        try CalendarImport(one.bytes, one.context)
      }
      #expect(thrown?.code.rawValue == fault)
      #expect(thrown?.description.hasSuffix(".") == true)
      return
    }
    let read = try CalendarImport(one.bytes, one.context)
    let expected = try (one.expected["items"]?.arrayContent ?? []).enumerated().map { index, item in
      try RoutineItem(
        json: item.setting("resident", to: "ada").setting("source", to: "family")
          .setting("id", to: .string(index < read.items.count ? read.items[index].id.rawValue : ""))
          .setting("event", to: .string(index < read.items.count ? read.items[index].event : ""))
      )
    }
    #expect(read.items == expected)
    #expect(Set(read.items.map(\.id)).count == read.items.count)
    #expect(
      read.leftOut.map { [$0.title, $0.code.rawValue] }
        == (one.expected["leftOut"]?.arrayContent ?? []).map { pair in
          (pair.arrayContent ?? []).compactMap(\.stringContent)
        })
    #expect(read.leftOut.allSatisfy { $0.reason.description.hasSuffix(".") })
    #expect(read.pastCount == one.count("past"))
    #expect(read.cancelledCount == one.count("cancelled"))
    #expect(read.shortenedCount == one.count("shortened"))
  }

  @Test("An event or task without a title is called what the resident's language calls it")
  func untitled() throws {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u1", "DTSTART:20261201T103000Z", "END:VEVENT",
      "BEGIN:VTODO", "UID:u2", "DUE:20261202T103000Z", "END:VTODO", "END:VCALENDAR", "",
    ]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    var context = CalendarCase.context()
    #expect(try CalendarImport(bytes, context).items.map(\.title) == ["Appointment", "Task"])
    context.language = .zh
    #expect(try CalendarImport(bytes, context).items.map(\.title) == ["预约", "待办事项"])
  }

  @Test(
    "An event has the same fingerprint in every calendar that holds it, and none without a name")
  func fingerprints() throws {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u1", "DTSTART:20261201T103000Z", "END:VEVENT",
      "BEGIN:VEVENT", "UID:u2", "DTSTART:20261201T113000Z", "END:VEVENT", "BEGIN:VEVENT",
      "DTSTART:20261201T123000Z", "END:VEVENT", "END:VCALENDAR", "",
    ]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    let one = try CalendarImport(bytes, CalendarCase.context()).items
    var context = CalendarCase.context()
    context.source = "another"
    let other = try CalendarImport(bytes, context).items
    #expect(one.map(\.event) == other.map(\.event))
    #expect(Set(one.map(\.event)).count == 3 && one.last?.event == "")
    #expect(Set(one.map(\.id)).isDisjoint(with: other.map(\.id)))
  }

  @Test("Ids stay the same from import to import, and tell residents and calendars apart")
  func identifiers() throws {
    let event = ["BEGIN:VEVENT", "UID:u1", "DTSTART:20261201T103000Z", "END:VEVENT"]
    let first = try CalendarImport(events: event)
    let moved = try CalendarImport(
      events: ["BEGIN:VEVENT", "UID:u1", "DTSTART:20261202T080000Z", "SUMMARY:X", "END:VEVENT"])
    #expect(first.items.map(\.id) == moved.items.map(\.id))
    // The plugin names the same event alike, so that who changes from one to the other keeps what was answered.
    #expect(first.items.map(\.id.rawValue) == ["cal-03f32ac8ae8303549a363e211e7550cf"])
    var other = CalendarCase.context()
    other.source = "work"
    let bytes = Array(
      (["BEGIN:VCALENDAR"] + event + ["END:VCALENDAR"]).joined(separator: "\n").utf8)
    #expect(try CalendarImport(bytes, other).items.map(\.id) != first.items.map(\.id))
  }

  @Test("An unknown zone of the home is told, and nothing is guessed")
  func unknownHome() {
    var context = CalendarCase.context()
    context.timeZone = "Atlantis/Capital"
    let thrown = #expect(throws: CalendarFault.self) {
      try CalendarImport(Array("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8), context)
    }
    #expect(thrown?.code == .zone)
  }

  @Test("Windows' zones all exist in the system's database")
  func windowsZones() {
    #expect(WindowsTimeZones.places.count >= 60)
    for (name, place) in WindowsTimeZones.places.sorted(by: { $0.key < $1.key }) {
      #expect((try? TimeZoneFile.load(name: place)) != nil, "\(name): \(place)")
    }
  }

  @Test("What there is no room for is what lies furthest ahead, and is counted")
  func roomForAThousand() throws {
    var events: [String] = []
    for number in 0..<1500 {
      let start = CalendarCase.now.advanced(byMilliseconds: Int64(1500 - number) * 86_400_000)
      events += [
        "BEGIN:VEVENT", "UID:\(number)", "SUMMARY:\(number)",
        "DTSTART:\(CivilDateTime(utc: start).iCalendarText)Z", "END:VEVENT",
      ]
    }
    events += [
      "BEGIN:VEVENT", "UID:w", "SUMMARY:weekly", "DTSTART:20360101T100000Z", "RRULE:FREQ=WEEKLY",
      "END:VEVENT",
    ]
    let read = try CalendarImport(events: events)
    #expect(read.items.count == 1000 && read.laterCount == 501)
    #expect(read.items.last?.title == "weekly")
    #expect(read.items.first?.title == "501" && read.items[998].title == "1499")
  }
}

@Suite("Hostile calendars")
struct HostileCalendarTests {
  @Test("50,000 events are read, and what is over is counted")
  func fiftyThousand() throws {
    var text = "BEGIN:VCALENDAR\r\n"
    for number in 0..<50_000 {
      let year = number < 49_900 ? 2020 : 2027
      text +=
        "BEGIN:VEVENT\r\nUID:\(number)\r\nSUMMARY:Event \(number)\r\nDTSTART:\(year)0601T100000Z\r\nEND:VEVENT\r\n"
    }
    let read = try CalendarImport(Array((text + "END:VCALENDAR\r\n").utf8), CalendarCase.context())
    #expect(read.componentCount == 50_000)
    #expect(read.pastCount == 49_900 && read.items.count == 100)
  }

  @Test("Beyond the bounds of size and number a calendar is refused with what to do")
  func bounds() {
    let large =
      Array("BEGIN:VCALENDAR\n".utf8)
      + [UInt8](repeating: 0x41, count: CalendarFile.maximumBytes)
    #expect(throws: CalendarFault.tooLarge) { try CalendarImport(large, CalendarCase.context()) }
    let event = Array("BEGIN:VEVENT\nEND:VEVENT\n".utf8)
    var many = Array("BEGIN:VCALENDAR\n".utf8)
    for _ in 0...CalendarFile.maximumEvents { many += event }
    #expect(throws: CalendarFault.tooMany) {
      try CalendarImport(many + Array("END:VCALENDAR\n".utf8), CalendarCase.context())
    }
  }

  @Test("A line without end is cut; where it matters the event is left out, not read wrongly")
  func endlessLines() throws {
    let long = String(repeating: "20261203T103000Z,", count: 5000) + "20261204T103000Z"
    let start = "DTSTART:20261201T103000Z"
    let read = try CalendarImport(events: [
      "BEGIN:VEVENT", "UID:1", start, "RRULE:FREQ=DAILY", "SUMMARY:A", "EXDATE:\(long)",
      "END:VEVENT", "BEGIN:VEVENT", "UID:2", start, "SUMMARY:B",
      "DESCRIPTION:\(String(repeating: "x", count: 200_000))",
      "ATTACH:\(String(repeating: "x", count: 2_000_000))", "END:VEVENT",
    ])
    #expect(read.leftOut.map(\.code) == [.tooLong] && read.leftOut.first?.title == "A")
    #expect(read.items.map(\.title) == ["B"] && read.shortenedCount == 1)
    #expect(read.items.first?.details.unicodeScalars.count == 10_000)
  }

  @Test("Too many lines, too many dates, repetitions without number: left out with a reason")
  func tooMuchOfEverything() throws {
    let start = "DTSTART:19000101T103000Z"
    var events = ["BEGIN:VEVENT", "UID:1", "SUMMARY:lines", start]
    events += (0..<3000).map { "EXDATE:20261203T10\($0 % 60 < 10 ? "0" : "")\($0 % 60)00Z" }
    events += ["END:VEVENT", "BEGIN:VEVENT", "UID:2", "SUMMARY:dates", start]
    events += (0..<1500).map {
      let day = CivilDateTime(
        utc: CalendarCase.now.advanced(byMilliseconds: Int64($0) * 86_400_000))
      return "RDATE:\(day.iCalendarText)Z"
    }
    events.append("END:VEVENT")
    for number in 0..<50 {
      events += [
        "BEGIN:VEVENT", "UID:c\(number)", "SUMMARY:counted", start,
        "RRULE:FREQ=HOURLY;COUNT=100000", "END:VEVENT",
      ]
    }
    let read = try CalendarImport(events: events)
    #expect(read.items.isEmpty)
    #expect(read.pastCount == 20 && read.leftOutCount == 32)
    #expect(read.leftOut.allSatisfy { $0.code == .tooLong })
  }

  @Test(
    "One date that was moved tens of thousands of times is read like any other",
    .timeLimit(.minutes(1)))
  func sameDateAgainAndAgain() throws {
    let moved = (0..<50_000).flatMap { _ in
      [
        "BEGIN:VEVENT", "UID:series", "SUMMARY:Walk", "RECURRENCE-ID:20270101T103000Z",
        "DTSTART:20270101T113000Z", "END:VEVENT",
      ]
    }
    let read = try CalendarImport(events: moved)
    #expect(read.items.count == CalendarImport.maximumItems)
    #expect(read.laterCount == 50_000 - CalendarImport.maximumItems)
    #expect(Set(read.items.map(\.id)).count == read.items.count)
  }

  @Test("Nesting without end needs no memory and is cut off")
  func nesting() {
    let deep = Array(String(repeating: "BEGIN:VCALENDAR\nBEGIN:VEVENT\n", count: 100_000).utf8)
    #expect(throws: CalendarFault.truncated) { try CalendarImport(deep, CalendarCase.context()) }
  }

  @Test("No prefix of a calendar passes for the whole, and no flipped bit ends the program")
  func damage() throws {
    let whole = CalendarCase.all.filter { $0.expected["text"] == nil && $0.bytes.count < 600 }
    var generator = SplitMix64(seed: 20_261_120)
    for one in whole {
      for length in one.bytes.indices.dropLast(2) {
        let read = try? CalendarImport(Array(one.bytes.prefix(length)), one.context)
        #expect(read == nil || length >= one.bytes.count - 2, "\(one.name) cut at \(length)")
      }
      for _ in 0..<60 {
        var damaged = one.bytes
        for _ in 0..<3 {
          let index = Int(generator.next() % UInt64(damaged.count))
          damaged[index] ^= UInt8(1 << (generator.next() % 8))
        }
        let read = try? CalendarImport(damaged, one.context)
        for item in read?.items ?? [] {
          #expect((1...200).contains(item.title.unicodeScalars.count))
          #expect(item.schedule.fault == nil)
        }
      }
    }
  }
}
