import ControlSocket
import Door
import JSON
import Moments
import Testing

@Suite struct AlarmListTests {
  private static let open: JSONValue = [
    [
      "alarm": "a2", "tag": "B3M9", "kind": "sos", "stage": "dispatched", "resident": "mary",
      "residentName": "Mary O'Neil", "raisedAt": "2026-11-20T14:40:00.000Z",
      "acknowledgedBy": ["anna"], "acknowledgedByNames": ["Anna O'Neil"],
      "explanation": "Mary asked for help.",
    ]
  ]

  private static func event(
    _ id: String, _ type: String, _ time: String, _ facts: JSONValue
  ) -> JSONValue {
    [
      "id": .string(id), "type": .string(type), "time": .string("2026-11-20T\(time)Z"),
      "subject": "resident/mary", "data": facts,
    ]
  }

  /// The life of A7K2, the newest first, with another alarm's event in between.
  private static var events: [JSONValue] {
    func facts(_ stage: String, _ text: String) -> JSONValue {
      [
        "alarm": "a1", "tag": "A7K2", "kind": "sos", "stage": .string(stage),
        "residentName": "Mary O'Neil", "explanation": .string(text),
      ]
    }
    let positions = (0..<6).map { index in
      event(
        "p\(index)", "alarm.location", "13:0\(7 - index):00.000", facts("dispatched", "Near home."))
    }
    return [
      event("e9", "alarm.raised", "14:40:00.000", ["alarm": "a2", "tag": "B3M9", "kind": "sos"]),
      event("e6", "alarm.resolved", "14:02:11.500", facts("resolved", "Anna: unhurt.")),
      event(
        "e5", "alarm.acknowledged", "13:09:00.000",
        facts("acknowledged", "Anna is coming.").setting("by", to: "anna")
          .setting("byName", to: "Anna")),
    ] + positions + [
      event(
        "e3", "alarm.delivery", "13:00:12.000",
        facts("dispatched", "Anna has the text.").setting("channel", to: "sms")
          .setting("outcome", to: "delivered")),
      event("e2", "alarm.dispatched", "13:00:10.000", facts("dispatched", "Guardians are told.")),
      event("a1", "alarm.raised", "13:00:00.000", facts("prealarm", "Mary pressed\u{1B}[31m.")),
    ]
  }

  @Test func openAlarmsComeFirstAndPastOnesAreNumberedAfterThem() async throws {
    let daemon = try await FakeDaemon.withAlarms(alarms: Self.open, events: Self.events)
    let open = try daemon.tool.run(["alarm", "list"]).output.split(separator: "\n")
    #expect(open.count == 2 && open[1].hasPrefix("1   B3M9  sos   DISPATCHED  Mary O'Neil"))
    #expect(open[1].contains("Anna O'Neil  Mary asked for help."))
    let all = try daemon.tool.run(["alarm", "list", "--all"]).output.split(separator: "\n")
    #expect(all.count == 3 && all[2].hasPrefix("2   A7K2  sos   resolved "))
    #expect(all[2].contains("2026-11-20 14:00:00 CET  Anna         Mary pressed"))
    let json = try JSONValue(parsing: daemon.tool.run(["alarm", "list", "--all", "--json"]).output)
    #expect(json.arrayContent?.map { $0["isOpen"] } == [true, false])
    await daemon.stop()
  }

  @Test(arguments: ["A7K2", "a7k2", "a1", "2"])
  func theWholeLifeOfAnAlarmIsFoundByTagIdOrNumber(name: String) async throws {
    let daemon = try await FakeDaemon.withAlarms(alarms: Self.open, events: Self.events)
    let outcome = try daemon.tool.run(["alarm", "show", name])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Alarm A7K2: sos of Mary O'Neil, now resolved")
    #expect(lines[1] == "id a1")
    let times = ["0.0 s", "10.0 s", "12.0 s", "2 min 0 s", "7 min 0 s", "9 min 0 s", "1 h 2 min"]
    for time in times { #expect(lines.contains { $0.contains("CET  \(time) ") }, "\(time)") }
    #expect(outcome.output.contains("sms delivered"))
    #expect(outcome.output.contains("… 4 more positions"))
    #expect(
      lines.last?.contains("  resolved  ") == true
        && lines.last?.hasSuffix("  Anna: unhurt.") == true)
    #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("B3M9"))
    await daemon.stop()
  }

  @Test func everyPositionIsShownWhenAskedForAndJSONHasAll() async throws {
    let daemon = try await FakeDaemon.withAlarms(events: Self.events)
    let all = try daemon.tool.run(["alarm", "show", "A7K2", "--positions"]).output
    #expect(all.split(separator: "\n").filter { $0.contains("location") }.count == 6)
    let json = try JSONValue(parsing: daemon.tool.run(["alarm", "show", "1", "--json"]).output)
    #expect(json.arrayContent?.first?["id"] == "e9", "number 1 is the last one when none is open")
    let whole = try JSONValue(parsing: daemon.tool.run(["alarm", "show", "A7K2", "--json"]).output)
    #expect(whole.arrayContent?.count == 11)
    await daemon.stop()
  }

  @Test func anAlarmThatNeverWasIsSaidToBeNone() async throws {
    let daemon = try await FakeDaemon.withAlarms(events: Self.events)
    for name in ["ZZZZ", "99", "0", "-1", "99999999999999999999", ""] {
      let outcome = try daemon.tool.run(["alarm", "show", "--", name])
      #expect(outcome.code == 4, "\(name): \(outcome.output)")
      #expect(outcome.errors.contains("See them: homeward alarm list --all"), "\(name)")
    }
    await daemon.stop()
    let empty = try await FakeDaemon.withAlarms()
    #expect(try empty.tool.run(["alarm", "list"]).output == "No alarm is open.\n")
    #expect(try empty.tool.run(["alarm", "list", "--all"]).output == "There was no alarm yet.\n")
    await empty.stop()
  }

  @Test func aJournalOfManyPagesIsWalkedToTheAlarm() async throws {
    let pages = (0..<3).map { page in
      (0..<5000).map { row in
        let time = Timestamp.seconds(Int64(1_900_000_000 - page * 5000 - row))
        return JSONValue.object([
          "sequence": 1, "id": .string("f\(page * 5000 + row)"), "type": "alarm.location",
          "time": .string(time.iso8601), "data": ["alarm": "other", "tag": "XXXX"],
        ])
      }
    }
    let last = Self.events.map { $0.setting("sequence", to: 1) }
    let all = pages.flatMap { $0 } + last
    let daemon = try await FakeDaemon { request in
      guard request.method == .eventsQuery else { return .success([]) }
      return .success(.part(of: all, request.params))
    }
    let outcome = try daemon.tool.run(["alarm", "show", "A7K2"])
    #expect(outcome.output.contains("now resolved"), "\(outcome.errors)")
    await daemon.stop()
  }
}
