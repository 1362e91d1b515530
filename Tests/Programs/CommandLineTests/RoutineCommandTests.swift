import Care
import CivilTime
import ControlSocket
import Door
import Foundation
import JSON
import Moments
import Recurrence
import TestSupport
import Testing
import Texts

@Suite("The routine on the command line")
struct RoutineCommandTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")
  private static let walk = RoutineItem(
    id: "walk", resident: "mary", title: "walk", place: "park", schedule: .never, picture: "bb",
    revision: 7)

  private func daemon() async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .pictureAdd:
        .success([
          "id": "cc", "resident": "mary", "mediaType": "image/jpeg", "bytes": 3, "width": 1,
          "height": 1,
        ])
      case .pictureGet:
        .success(["id": "bb", "data": "/9j/", "offset": 0, "isLast": true])
      case .routineList:
        .success([
          Self.walk.json.setting("state", to: "waiting").setting("isDue", to: true)
            .setting("due", to: "2026-11-20T14:00:00.000Z"),
          RoutineItem(
            id: "prn", resident: "mary", title: "pain pill",
            schedule: .asNeeded(AsNeededSchedule(minimumGapMinutes: 60, dailyMaximum: 2))
          ).json.setting("state", to: "waiting").setting("isDue", to: true),
        ])
      case .occurrencesQuery:
        .success(.array((0..<4).map { Self.occurrence($0).json }))
      case .command:
        .success([
          "id": "x", "nextDue": "2026-11-21T07:00:00.000Z", "due": "2026-11-20T14:00:00.000Z",
          "isEarly": true, "quietHours": "22:00-07:00", "inQuietHours": "nearest",
          "next": [["due": "2026-11-21T20:45:00.000Z", "insteadOf": "2026-11-21T21:30:00.000Z"]],
          "nextInQuietHours": [
            "own": "2026-11-21T21:30:00.000Z", "due": "2026-11-21T20:45:00.000Z",
          ],
        ])
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
  }

  /// Three were done, one of them late, and one was missed; within the last days.
  private static func occurrence(_ number: Int) -> Occurrence {
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)
    let due = now.advanced(byMilliseconds: -Int64(number + 1) * 86_400_000)
    return Occurrence(
      item: "walk", resident: "mary", slot: "s\(number)", due: due,
      state: number == 3 ? .missed : .done, changedAt: due, isLate: number == 1)
  }

  private func put(_ daemon: FakeDaemon) async throws -> (item: RoutineItem, revision: Int64?) {
    let json = try #require(await daemon.commands.last)
    guard case .routine(.put(let item, let revision)) = try Command.Request(json: json) else {
      throw ControlError(.failed, Message(verbatim: "no item was put: \(json.serialized)"))
    }
    return (item, revision)
  }

  @Test("A picture comes with an item, stays when something else changes, goes and is saved")
  func picture() async throws {
    let daemon = try await daemon()
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "box.jpg")
    try Data([0xFF, 0xD8, 0xFF]).write(to: URL(fileURLWithPath: path))
    let added = try daemon.tool.run([
      "routine", "add", "--title", "Tea", "--never", "--picture", path,
    ])
    #expect(added.code == 0, "\(added.errors)")
    #expect(try await put(daemon).item.picture == "cc")
    for (options, picture) in [
      (["--place", "garden"], "bb"), (["--picture", path], "cc"), (["--no-picture"], nil),
    ] as [([String], PictureID?)] {
      let changed = try daemon.tool.run(["routine", "edit", "walk"] + options)
      #expect(changed.code == 0, "\(changed.errors)")
      let (item, revision) = try await put(daemon)
      #expect(item.picture == picture && revision == 7)
    }
    let count = await daemon.commands.count
    for options in [["--no-picture", "--picture", path], ["--picture", "/nowhere.jpg"]] {
      #expect(try daemon.tool.run(["routine", "edit", "walk"] + options).code != 0)
    }
    #expect(await daemon.commands.count == count)
    let saved = folder.path(of: "saved.jpg")
    #expect(try daemon.tool.run(["routine", "show", "walk", "--to", saved]).code == 0)
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: saved))) == [0xFF, 0xD8, 0xFF])
    let none = try daemon.tool.run(["routine", "show", "prn", "--to", saved])
    #expect(none.code != 0 && none.errors.contains("--picture FILE"))
    await daemon.stop()
  }

  @Test(
    "What the options say becomes the schedule, and is said in words",
    arguments: [
      (
        ["--daily", "--at", "08:00", "--at", "20:00"], "FREQ=DAILY", "every day at 08:00 and 20:00"
      ),
      (["--weekly", "mon,thu", "--at", "15:00"], "FREQ=WEEKLY;BYDAY=MO,TH", "Monday and Thursday"),
      (["--monthly", "15", "--at", "09:00"], "FREQ=MONTHLY;BYMONTHDAY=15", "15th"),
      (["--monthly", "third tue", "--at", "09:00"], "FREQ=MONTHLY;BYDAY=3TU", "third Tuesday"),
      (["--monthly", "last", "--at", "09:00"], "FREQ=MONTHLY;BYMONTHDAY=31", "on the last day"),
      (["--hourly", "--at", "00:30"], "FREQ=HOURLY", "hour"),
      (["--rule", "FREQ=DAILY;INTERVAL=3", "--at", "07:15"], "FREQ=DAILY;INTERVAL=3", "07:15"),
    ])
  func calendars(options: [String], rule: String, words: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["routine", "add", "--title", "Pille 药"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (item, revision) = try await put(daemon)
    guard case .calendar(let calendar) = item.schedule else {
      Issue.record("no calendar: \(item.schedule)")
      return
    }
    #expect(calendar.rule?.text == rule && calendar.timeZone == "Europe/Oslo")
    #expect(item.title == "Pille 药" && revision == nil)
    #expect(outcome.output.contains(words) && outcome.output.contains("Next: "))
    await daemon.stop()
  }

  @Test("What is due in quiet hours is said with the rule that holds, and can be chosen")
  func quietHours() async throws {
    let daemon = try await daemon()
    let add = ["routine", "add", "--title", "door", "--daily", "--at", "22:30"]
    let outcome = try daemon.tool.run(add)
    #expect(
      outcome.output == """
        door (door) is due every day at 22:30 (Europe/Oslo).
        Next: 2026-11-21 21:45:00 CET
        22:30 lies in the quiet hours (22:00-07:00); it is asked before they begin, at 21:45.
        To change that: homeward routine edit door --in-quiet-hours ask|before|after|nearest|silent

        """)
    #expect(try daemon.tool.run(add + ["--in-quiet-hours", "ask", "--early", "30"]).code == 0)
    let timing = try await put(daemon).item.timing
    #expect(timing.inQuietHours == .ask && timing.earlyMinutes == 30)
    let wrong = try daemon.tool.run(add + ["--in-quiet-hours", "never"])
    #expect(wrong.code == 2 && wrong.errors.contains("ask, before, after, nearest, silent"))
    await daemon.stop()
  }

  @Test(
    "A dose in words takes as much from the stock as it says, or as the option says",
    arguments: [
      (["--dose", "2 tablets"], 200, "2"), (["--dose", "½ tablet"], 50, "0.5"),
      (["--dose", "两片"], 200, "2"), (["--dose", "500 mg"], 100, "1"),
      (["--dose", "2 tablets", "--units-per-dose", "1 1/2"], 150, "1.5"), ([], 100, "1"),
    ])
  func unitsPerDose(options: [String], hundredths: Int64, said: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(
      ["routine", "add", "--title", "pill", "--medicine", "--daily", "--at", "8:00", "--stock"]
        + ["20.5"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let stock = try #require(try await put(daemon).item.stock)
    #expect(stock.unitsPerDose == UnitCount(hundredths: hundredths))
    #expect(stock.units == UnitCount(hundredths: 2050))
    #expect(outcome.output.contains("Each dose takes \(said) of the stock."))
    await daemon.stop()
  }

  @Test("The same title again is refused, unless it is meant")
  func twin() async throws {
    let daemon = try await daemon()
    let add = ["routine", "add", "--title", "Walk", "--daily", "--at", "10:00"]
    let refused = try daemon.tool.run(add)
    #expect(refused.code == 4 && refused.errors.contains("walk (walk)"), "\(refused.errors)")
    #expect(await daemon.commands.isEmpty)
    #expect(try daemon.tool.run(add + ["--again"]).code == 0)
    #expect(try await put(daemon).item.id == "walk-2")
    await daemon.stop()
  }

  @Test("An item is meant by its id, its title in any case, or the beginning of its id")
  func named() async throws {
    let daemon = try await daemon()
    for name in ["prn", "Pain Pill", "pain pill"] {
      #expect(try daemon.tool.run(["routine", "off", name]).code == 0)
      #expect(await daemon.commands.last?["target"] == "prn")
    }
    #expect(try daemon.tool.run(["routine", "off", "wal"]).code == 0)
    #expect(await daemon.commands.last?["target"] == "walk")
    let unknown = try daemon.tool.run(["routine", "off", "wa"])
    #expect(unknown.code == 4 && unknown.errors.contains("there is no item \"wa\""))
    await daemon.stop()
  }

  @Test("What a calendar brought goes in one step; what is not there is named")
  func removeSource() async throws {
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .routineList:
        .success(
          .array(
            ["a", "b"].map {
              RoutineItem(
                id: RoutineItemID($0), resident: "mary", title: $0, schedule: .never,
                source: "family"
              ).json
            }))
      case .command: .success(["items": 0])
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
    let unknown = try daemon.tool.run(["routine", "remove", "--source", "work"])
    #expect(unknown.code == 4 && unknown.errors.contains("There are: family"))
    let done = try daemon.tool.run(["routine", "remove", "--source", "family"])
    #expect(done.output == "Removed 2 items of \"family\" from the routine of Mary.\n")
    let json = try #require(await daemon.commands.last)
    #expect(
      try Command.Request(json: json)
        == .routine(.replace(resident: "mary", source: "family", items: [])))
    #expect(try daemon.tool.run(["routine", "remove"]).code == 2)
    await daemon.stop()
  }

  @Test("Two people of one name are told apart by their ids")
  func namesakes() async throws {
    let people = ["ada", "ada-2"].map {
      Resident(id: ResidentID($0), name: "Ada", timeZone: "Europe/Oslo")
    }
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success(.array(people.map(\.json)))
      case .command: .success(["id": "ada-3"])
      default: .success([])
      }
    }
    let several = try daemon.tool.run(["routine", "list", "--resident", "Ada"])
    #expect(several.code == 4)
    #expect(several.errors.contains("there are several that \"Ada\" may mean."))
    #expect(several.errors.contains("ada (Ada), ada-2 (Ada)"))
    let added = try daemon.tool.run([
      "residents", "add", "--name", "ADA", "--time-zone", "Europe/Oslo",
    ])
    #expect(added.code == 0 && added.output.contains("There is another ADA: ada, ada-2."))
    #expect(try daemon.tool.run(["routine", "list", "--resident", "ada-2"]).code == 0)
    await daemon.stop()
  }

  @Test("Another time of day, and how often it comes stays")
  func editPart() async throws {
    let held = RoutineItem(
      id: "pill", resident: "mary", title: "pill",
      schedule: .calendar(
        CalendarSchedule(
          start: CivilDateTime(year: 2026, month: 1, day: 5, hour: 8),
          rule: try RecurrenceRule(text: "FREQ=WEEKLY;BYDAY=MO,TH"), timeZone: "Europe/Oslo")))
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .routineList: .success([held.json])
      case .command: .success(["id": "pill"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
    let outcome = try daemon.tool.run(["routine", "edit", "pill", "--at", "9:15", "--at", "21:00"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    guard case .calendar(let calendar) = try await put(daemon).item.schedule else {
      Issue.record("no calendar")
      return
    }
    #expect(calendar.rule?.text == "FREQ=WEEKLY;BYDAY=MO,TH")
    #expect(calendar.start.day == 5 && calendar.start.hour == 9 && calendar.start.minute == 15)
    #expect(calendar.times == [TimeOfDay(text: "09:15"), TimeOfDay(text: "21:00")])
    #expect(try daemon.tool.run(["routine", "edit", "pill", "--gap", "4h"]).code == 2)
    await daemon.stop()
  }

  @Test("Elapsed, as-needed and never; medicine, dose, stock and notice")
  func others() async throws {
    let daemon = try await daemon()
    let add = ["routine", "add", "--title", "drops", "--medicine", "--critical", "--stock", "30"]
    #expect(
      try daemon.tool.run(add + ["--every", "8h", "--dose", "2 drops", "--notice", "5"]).code == 0)
    var item = try await put(daemon).item
    guard case .elapsed(let elapsed) = item.schedule else {
      Issue.record("not elapsed: \(item.schedule)")
      return
    }
    #expect(elapsed.everyMinutes == 480)
    #expect(item.kind == .medicine && item.isCritical && item.dose == "2 drops")
    #expect(item.stock == Stock(units: 30) && item.timing.noticeMinutes == 5)
    #expect(try daemon.tool.run(add + ["--as-needed", "--gap", "4h", "--most", "3"]).code == 0)
    item = try await put(daemon).item
    #expect(
      item.schedule == .asNeeded(AsNeededSchedule(minimumGapMinutes: 240, dailyMaximum: 3)))
    #expect(try daemon.tool.run(add + ["--never"]).code == 0)
    #expect(try await put(daemon).item.schedule == .never)
    await daemon.stop()
  }

  @Test("A change keeps what is not named, and is made against the revision that was read")
  func edit() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "routine", "edit", "walk", "--title", "long walk", "--daily", "--at", "14:00",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let (item, revision) = try await put(daemon)
    #expect(item.title == "long walk" && item.place == "park" && revision == 7)
    #expect(item.schedule != .never)
    await daemon.stop()
  }

  @Test(
    "What cannot be meant is refused before anything is sent",
    arguments: [
      ["add", "--daily", "--at", "08:00"], ["add", "--title", "t"],
      ["add", "--title", "t", "--daily"], ["add", "--title", "t", "--daily", "--at", "25:00"],
      ["add", "--title", "t", "--daily", "--hourly", "--at", "08:00"],
      ["add", "--title", "t", "--weekly", "someday", "--at", "08:00"],
      ["add", "--title", "t", "--monthly", "third", "--at", "08:00"],
      ["add", "--title", "t", "--every", "soon"], ["add", "--title", "t", "--at", "08:00"],
      ["add", "--title", "t", "--as-needed", "--most", "0"],
      ["add", "--title", "t", "--daily", "--at", "08:00", "--zone", "Nowhere/Land"],
      ["add", "--title", "t", "--rule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "--at", "08:00"],
      ["add", "--title", "t", "--never", "--stock", "many"], ["skip", "walk"],
      ["snooze", "walk", "--minutes", "soon"], ["zone", "maybe"], ["restock", "walk", "some"],
    ])
  func refused(words: [String]) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["routine"] + words)
    #expect(outcome.code == 2, "\(outcome.output)")
    #expect(!outcome.errors.isEmpty)
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test(
    "Answers are what they say",
    arguments: [
      (["done", "walk"], "done"), (["not-now", "walk"], "not-now"),
      (["skip", "walk", "--reason", "ill"], "skip"),
      (["snooze", "walk", "--minutes", "20", "--slot", "2026-11-20T15:00"], "snooze"),
    ])
  func answers(words: [String], answer: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["routine"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try #require(await daemon.commands.last)
    #expect(json["action"]?.stringContent == "routine.answer")
    #expect(json["answer"]?.stringContent == answer)
    #expect(outcome.output.contains("Next due: 2026-11-21 08:00:00 CET"))
    #expect(outcome.output.contains("Noted: it counts for 2026-11-20 15:00:00 CET"))
    await daemon.stop()
  }

  @Test("The list shows what is due now, and adherence the shares of items and of all")
  func shown() async throws {
    let daemon = try await daemon()
    let list = try daemon.tool.run(["routine", "list"])
    #expect(list.code == 0, "\(list.errors)")
    #expect(list.output.contains("DUE") && list.output.contains("2026-11-20 15:00"))
    #expect(list.output.contains("any time"))
    let isNarrow = list.output.split(separator: "\n").allSatisfy { $0.count <= 80 }
    #expect(isNarrow, "\(list.output)")
    let adherence = try daemon.tool.run(["adherence", "--json"])
    let lines = try JSONValue(parsing: Array(adherence.output.utf8)).arrayContent ?? []
    #expect(lines.count == 2)
    for line in lines {
      #expect(line["days30"]?["done"] == 3 && line["days30"]?["missed"] == 1)
      #expect(line["days30"]?["late"] == 1 && line["days7"]?["share"] == 0.75)
    }
    #expect(try daemon.tool.run(["adherence"]).output.contains("75%"))
    await daemon.stop()
  }

  @Test("The list keeps to eighty columns, with long titles and ids and with Chinese")
  func narrow() async throws {
    let items = ["cal-0123456789abcdef0123456789abcdef", "cal-0123456789abcdef9999999999999999"]
      .enumerated().map { number, id in
        RoutineItem(
          id: RoutineItemID(id), resident: "mary",
          title: String(repeating: number == 0 ? "高血压药" : "appointment ", count: 12),
          isCritical: true, schedule: .never
        ).json.setting("state", to: "waiting").setting("isDue", to: true)
          .setting("due", to: "2026-11-20T14:00:00.000Z").setting("daysLeft", to: 1234)
          .setting("nextDue", to: "2026-11-20T14:00:00.000Z")
      }
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
      case .routineList: .success(.array(items))
      case .command: .success(["id": "x"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
    let lines = try daemon.tool.run(["routine", "list"]).output.split(separator: "\n")
    for line in lines {
      let columns = line.unicodeScalars.reduce(0) {
        $0 + ((0x4E00...0x9FFF).contains($1.value) ? 2 : 1)
      }
      #expect(columns <= 80, "\(line)")
    }
    // As short as they are shown the ids are taken.
    let short = try #require(lines.last?.split(separator: " ").first.map(String.init))
    #expect(try daemon.tool.run(["routine", "on", short]).code == 0)
    #expect(await daemon.commands.last?["target"] == items[1]["id"])
    let several = try daemon.tool.run(["routine", "on", "cal-0123"])
    #expect(several.code == 4 && several.errors.contains("there are several"))
    await daemon.stop()
  }

  @Test("Adherence has no rows of what was never due, and undo says what it does")
  func emptyRows() async throws {
    let daemon = try await daemon()
    let adherence = try daemon.tool.run(["adherence"]).output
    #expect(adherence.contains("walk") && !adherence.contains("prn"))
    let undo = try daemon.tool.run(["routine", "undo", "walk"])
    #expect(undo.code == 0 && undo.output.hasPrefix("Taken back: it is asked for at its time."))
    #expect(await daemon.commands.last?["answer"] == "undo")
    await daemon.stop()
  }
}
