import CareModel
import ControlSocket
import Foundation
import TestSupport
import Testing
import Texts

@Suite("The routine on the command line")
struct RoutineCommandTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Europe/Oslo")
  private static let walk = RoutineItem(
    id: "walk", resident: "mary", title: "walk", place: "park", schedule: .never, revision: 7)

  private func daemon() async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary.json])
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
      case .command: .success(["id": "x", "nextDue": "2026-11-21T07:00:00.000Z"])
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
    await daemon.stop()
  }

  @Test("The list shows what is due now, and adherence the shares of items and of all")
  func shown() async throws {
    let daemon = try await daemon()
    let list = try daemon.tool.run(["routine", "list"])
    #expect(list.code == 0, "\(list.errors)")
    #expect(list.output.contains("DUE") && list.output.contains("2026-11-20 15:00:00 CET"))
    #expect(list.output.contains("any time"))
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
}
