import Bytes
import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import Moments
import Recurrence
import TestSupport
import Testing
import Texts

@Suite struct CalendarCommandTests {
  private static let mary = Resident(id: "mary", name: "Mary O'Neil", timeZone: "Europe/Oslo")

  private static let calendar = """
    BEGIN:VCALENDAR\r
    BEGIN:VEVENT\r
    UID:1\r
    SUMMARY:看牙醫 \u{1B}[31m\r
    DTSTART;VALUE=DATE:20990105\r
    END:VEVENT\r
    BEGIN:VEVENT\r
    UID:2\r
    SUMMARY:Strange\r
    DTSTART:20990105T100000\r
    RRULE:FREQ=SECONDLY\r
    END:VEVENT\r
    BEGIN:VEVENT\r
    UID:3\r
    SUMMARY:Over\r
    DTSTART:20200105T100000\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  private func daemon(
    items: [RoutineItem] = [], language: String = "en"
  ) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success(.array([Self.mary.json]))
      case .settingsList: .success(["language": .string(language)])
      case .routineList: .success(.array(items.map(\.json)))
      case .command: .success(["items": 1])
      default: .failure(ControlError(.unavailable, Message(verbatim: "the store does not answer.")))
      }
    }
  }

  @Test func anImportReplacesWhatTheCalendarBroughtAndNamesWhatItCannotTake() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let path = try folder.write(Self.calendar, to: "family.ics")
    let outcome = try daemon.tool.run(["routine", "import", path, "--all-day", "18:30"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasPrefix("1 item of \"family\" is in the routine of Mary O'Neil now.\n"))
    #expect(outcome.output.contains("1 over for more than a day and left out."))
    #expect(outcome.output.contains("Strange: FREQ=SECONDLY is not possible"))
    #expect(!outcome.output.contains("\u{1B}"))
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    guard case .routine(.replace(let resident, let source, let items)) = request else {
      Issue.record("the command was \(request)")
      return
    }
    #expect(resident == "mary" && source == "family")
    #expect(
      items.map(\.schedule) == [
        .calendar(
          CalendarSchedule(
            start: CivilDateTime(year: 2099, month: 1, day: 5, hour: 18, minute: 30),
            timeZone: "Europe/Oslo"))
      ])
    await daemon.stop()
  }

  @Test("What another calendar brought already is said, also before anything is changed")
  func alreadyThere() async throws {
    let held = RoutineItem(
      id: "cal-1", resident: "mary", title: "看牙医", schedule: .never, source: "clinic",
      event: Fingerprint(["1"]).hexadecimal)
    let daemon = try await daemon(items: [held])
    let folder = try TemporaryDirectory()
    let path = try folder.write(Self.calendar, to: "family.ics")
    for more in [["--dry-run"], []] {
      let outcome = try daemon.tool.run(["routine", "import", path] + more)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix("0 items"))
      #expect(
        outcome.output.contains(
          "1 event is in the routine already, from \"clinic\", and stays there."))
    }
    let json = try daemon.tool.run(["routine", "import", path, "--json"])
    let answer = try JSONValue(parsing: Array(json.output.utf8))
    #expect(answer["alreadyThere"] == [["source": "clinic", "count": 1]])
    await daemon.stop()
  }

  @Test func aDryRunSaysTheSameAndChangesNothing() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(
      ["routine", "import", "-", "--source", "family", "--dry-run"], input: Self.calendar)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Nothing was changed."))
    #expect(outcome.output.contains("看牙醫 [31m: 2099-01-05 09:00 Europe/Oslo"))
    let json = try daemon.tool.run(
      ["routine", "import", "-", "--source", "family", "--dry-run", "--json"],
      input: Self.calendar)
    let report = try JSONValue(parsing: Array(json.output.utf8))
    #expect(report["isDryRun"] == true && report["items"]?.arrayContent?.count == 1)
    #expect(report["leftOut"]?.arrayContent?.first?["code"] == "rule" && report["pastCount"] == 1)
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func theTerminalHasItsLanguageAndTheResidentTheirs() async throws {
    let daemon = try await daemon(language: "zh")
    let events = Self.calendar.replacing("SUMMARY:Over\r\n", with: "")
      .replacing("20200105", with: "20990106")
    let english = try daemon.tool.run(
      ["routine", "import", "-", "--source", "family", "--dry-run"], input: events)
    #expect(english.output.hasPrefix("2 items would be in the routine of Mary O'Neil"))
    #expect(english.output.contains("\n  预约: 2099-01-06 10:00 Europe/Oslo\n"), "\(english.output)")
    var chinese = daemon.tool
    chinese.environment["LC_ALL"] = "zh_CN.UTF-8"
    let outcome = try chinese.run(["routine", "import", "-", "--source", "family"], input: events)
    #expect(
      outcome.output.hasPrefix("“family”中的2项现已列入Mary O'Neil的日程。\n"), "\(outcome.output)")
    let bad = try chinese.run(["routine", "import", "-", "--source", "family"], input: "<html>")
    #expect(bad.code == 1 && bad.errors.contains("这是网页，不是日历"), "\(bad.errors)")
    await daemon.stop()
  }

  @Test func whatIsNoCalendarChangesNothingAndSaysWhatToDo() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let bad: [(String, String)] = [
      ("<!DOCTYPE html>", "web page"), ("", "empty"), ("hello", "no iCalendar file"),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "ends in the middle"),
      ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "has no events"),
    ]
    for (text, words) in bad {
      let path = try folder.write(text, to: "bad.ics")
      let outcome = try daemon.tool.run(["routine", "import", path])
      #expect(outcome.code == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }
    let missing = try daemon.tool.run(["routine", "import", "/nowhere/family.ics"])
    #expect(missing.code == 1 && missing.errors.contains("No such file"))
    let nameless = try daemon.tool.run(["routine", "import", "-"], input: Self.calendar)
    #expect(nameless.code == 2 && nameless.errors.contains("--source"))
    let time = try daemon.tool.run(
      ["routine", "import", "-", "--source", "x", "--all-day", "9"], input: Self.calendar)
    #expect(time.code == 2 && time.errors.contains("09:00"))
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test func anExportIsACalendarAndNamesWhatItCannotHold() async throws {
    let start = CivilDateTime(year: 2026, month: 12, day: 1, hour: 8)
    let pill = RoutineItem(
      id: "pill", resident: "mary", kind: .medicine, title: "Pill, white",
      schedule: .calendar(
        CalendarSchedule(start: start, rule: .every(.daily), timeZone: "Europe/Oslo")))
    let relief = RoutineItem(
      id: "relief", resident: "mary", title: "Pain relief",
      schedule: .asNeeded(.init(minimumGapMinutes: 240, dailyMaximum: 4)))
    let daemon = try await daemon(items: [relief, pill])
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "mary.ics")
    let outcome = try daemon.tool.run(["routine", "export", "--resident", "mary", "--to", path])
    #expect(outcome.code == 0 && outcome.output == "Wrote 1 event to \(path).\n")
    #expect(outcome.errors.contains("left out: Pain relief: It is taken as needed"))
    let printed = try daemon.tool.run(["routine", "export"])
    for text in [printed.output, try String(contentsOfFile: path, encoding: .utf8)] {
      #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n"))
      #expect(text.contains("DTSTART;TZID=Europe/Oslo:20261201T080000\r\n"))
      #expect(text.contains("SUMMARY:Pill\\, white\r\n") && text.contains("RRULE:FREQ=DAILY\r\n"))
    }
    await daemon.stop()
  }
}
