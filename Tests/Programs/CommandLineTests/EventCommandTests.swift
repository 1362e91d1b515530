import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import Moments
import TestSupport
import Testing
import Texts

@Suite struct EventCommandTests {
  private static let event = Event(
    id: "e1", type: .zoneLeft, lane: .alarm, resident: "mary",
    moment: Moment(tick: .seconds(1), utc: .seconds(1_700_000_000), quality: .satellite),
    facts: [
      "zone": "home", "distanceMeters": 83.5, "fixes": [["latitude": 1.5, "accuracyMeters": 4]],
      "explanation": "Mary is 83.5 m from Home,\u{1B}[31m 8.5 m beyond its margin.",
    ])

  private var row: JSONValue {
    get throws {
      let body = Self.event.cloudEvent(gateway: "hub", boot: "b").body
      return try JSONValue(parsing: body).setting("sequence", to: 7)
    }
  }

  private func daemon() async throws -> FakeDaemon {
    let row = try row
    return try await FakeDaemon { request in
      switch request.method {
      case .eventsQuery: .success([row])
      case .eventGet where request.params["id"] == "e1": .success(row)
      case .eventGet:
        .failure(ControlError(.init(.unknownTarget, Message(verbatim: "There is no event \"x\"."))))
      case .deadLettersList:
        .success([
          [
            "plugin": "mqtt", "lane": "alarm", "sequence": 7, "event": "e1", "reason": "too big",
            "time": "2026-01-01T00:00:00.000Z",
          ]
        ])
      case .deadLettersRedrive: .success(["redriven": 1])
      case .watch: .success(.object([]))
      default: .failure(ControlError(.failed, Message(verbatim: "not asked for here")))
      }
    }
  }

  @Test func eventsAreShownWithTheirSentenceAndNoEscapeReachesTheTerminal() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["events", "--type", "zone", "--limit", "5"])
    #expect(outcome.output.contains("2023-11-14 23:13:20 CET  zone.left  mary  e1  Mary is 83.5 m"))
    #expect(!outcome.output.contains("\u{1B}"))
    let params = try #require(await daemon.requests.last?.params)
    #expect(params["types"] == ["zone"] && params["limit"] == 5)
    await daemon.stop()
  }

  @Test(
    "A list that goes on says with which cursor, beside what programs read, and goes on from it")
  func parts() async throws {
    let row = try row
    let daemon = try await FakeDaemon { request in
      .success(.part(of: [row, row, row], request.params))
    }
    let first = try daemon.tool.run(["events", "--limit", "2", "--json"])
    #expect(try JSONValue(parsing: first.output).arrayContent?.count == 2)
    #expect(first.errors == "There are more: the same with --cursor 2\n")
    let last = try daemon.tool.run(["events", "--limit", "2", "--cursor", "2"])
    #expect(await daemon.requests.last?.params["cursor"] == "2")
    #expect(last.errors.isEmpty)
    await daemon.stop()
  }

  @Test("An event has one shape everywhere: flat, with its sequence in the journal")
  func oneShape() async throws {
    let daemon = try await daemon()
    let listed = try JSONValue(parsing: daemon.tool.run(["events", "--json"]).output)
    let explained = try JSONValue(parsing: daemon.tool.run(["explain", "e1", "--json"]).output)
    #expect(listed.arrayContent?.first == explained)
    #expect(explained["id"] == "e1" && explained["sequence"] == 7)
    await daemon.stop()
  }

  private func heard(_ type: EventType, _ facts: JSONValue, id: EventID = "e1") throws -> JSONValue
  {
    let event = Event(
      id: id, type: type, lane: .record, resident: "mary",
      moment: Moment(tick: .seconds(1), utc: .seconds(1_700_000_000), quality: .satellite),
      facts: facts)
    return try JSONValue(parsing: event.cloudEvent(gateway: "hub", boot: "b").body)
      .setting("sequence", to: 7)
  }

  private static func changed(
    _ action: String, _ content: JSONValue, previous: JSONValue? = nil, by: String = "local:anna"
  ) -> JSONValue {
    .object([
      "action": .string(action), "target": "x-1", "by": .string(by), "content": content,
      "previous": previous,
    ])
  }

  private static let told: [(EventType, JSONValue, String)] = [
    (
      .recordChanged,
      changed("routine.put", ["title": "Pill", "revision": 1], by: "plugin:mqtt/Anna"),
      "mqtt/Anna added the routine item \"Pill\"."
    ),
    (
      .recordChanged,
      changed("routine.put", ["title": "Pill", "revision": 2], previous: ["title": "Pil"]),
      "anna changed the routine item \"Pill\"."
    ),
    (.recordChanged, changed("zone.put", ["name": "Home"]), "anna saved the safe zone Home."),
    (
      .recordChanged, changed("zone.remove", ["name": "Home"]),
      "anna removed the safe zone Home."
    ),
    (.recordChanged, changed("note.remove", ["text": "t"]), "anna removed the note \"x-1\"."),
    (
      .recordChanged, changed("setting.put", ["name": "exitFixCount", "value": 4]),
      "anna set exitFixCount to 4."
    ),
    (
      .recordChanged, changed("setting.put", ["name": "exitFixCount", "value": .null], by: ""),
      "Somebody set exitFixCount back to its usual value."
    ),
    (.recordChanged, changed("new.kind", [:]), "action new.kind, target x-1, by local:anna"),
    (
      .heartbeat, ["expectedNext": "2023-11-14T22:18:20.000Z", "faults": []],
      "All parts are well. Next sign of life by 2023-11-14 23:18:20 CET."
    ),
    (
      .heartbeat, ["expectedNext": "2023-11-14T22:18:20.000Z", "faults": ["gps/gps"]],
      "At fault: gps/gps. Next sign of life by 2023-11-14 23:18:20 CET."
    ),
    (
      .fixAccepted, ["latitude": 59.9, "longitude": 10.75, "accuracyMeters": 12.4],
      "At 59.90000,10.75000, within 12 m."
    ),
  ]

  @Test("What was changed, a sign of life and a position are told in words", arguments: told)
  func words(type: EventType, facts: JSONValue, sentence: String) async throws {
    let row = try heard(type, facts)
    let daemon = try await FakeDaemon { _ in .success([row]) }
    let shown = try daemon.tool.run(["events"]).output
    #expect(shown.contains("e1  \(sentence)\n"), "\(shown)")
    await daemon.stop()
  }

  @Test("Ids are as short as they can be, and no line is wider than the terminal")
  func narrow() async throws {
    let ids: [EventID] = [
      "01932d5e-7c3a-7001-8a4f-2b6c0d9e1f34", "01932d5e-7c3a-7002-8a4f-2b6c0d9e1f34",
    ]
    let sentence = "Mary left Home, which takes \(String(repeating: "many ", count: 30))words."
    let rows = try ids.map { id in
      try heard(.zoneLeft, ["explanation": .string(sentence)], id: id)
    }
    let daemon = try await FakeDaemon { _ in .success(.array(rows)) }
    for columns: UInt16 in [60, 80, 130] {
      let shown = try daemon.tool.look(["events"], columns: columns)
      #expect(shown.contains("01932d5e-7c3a-7001\u{20}") || shown.contains("01932d5e-7c3a-7001\r"))
      #expect(!shown.contains(ids[0].rawValue))
      for line in shown.split(whereSeparator: \.isNewline) {
        #expect(line.count <= Int(columns), "\(line)")
      }
    }
    await daemon.stop()
  }

  @Test func explainTellsSentenceAndNumbers() async throws {
    let daemon = try await daemon()
    for id in ["e1", "last"] {
      let outcome = try daemon.tool.run(["explain", id])
      #expect(outcome.output.contains("8.5 m beyond its margin."))
      #expect(outcome.output.contains("distanceMeters  83.5"))
      #expect(outcome.output.contains("- latitude 1.5, accuracyMeters 4"))
    }
    let json = try JSONValue(parsing: daemon.tool.run(["explain", "e1", "--json"]).output)
    #expect(json["type"] == "zone.left")
    #expect(try daemon.tool.run(["explain", "x"]).code == 4)
    await daemon.stop()
  }

  @Test("The beginning of an event's id is enough where no other begins so")
  func explainByBeginning() async throws {
    let ids = ["01932d5e-7c3a-7001-8a4f-2b6c0d9e1f34", "01932d5e-7c3a-7002-8a4f-2b6c0d9e1f34"]
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .eventsQuery: .success(.array(ids.map { ["id": .string($0)] }))
      case .eventGet:
        .success([
          "id": request.params["id"] ?? .null, "type": "a", "time": "b", "data": [:],
        ])
      default: .failure(ControlError(.unavailable, Message(verbatim: "no answer to this.")))
      }
    }
    let found = try daemon.tool.run(["explain", "01932d5e-7c3a-7002"])
    #expect(found.code == 0 && found.output.contains(ids[1]), "\(found.errors)")
    let several = try daemon.tool.run(["explain", "01932d5e-7c3a"])
    #expect(several.code == 4 && several.errors.contains("there are several"))
    #expect(several.errors.contains(ids[0]) && several.errors.contains(ids[1]))
    await daemon.stop()
  }

  @Test func deadLettersAreShownAndDrivenAgain() async throws {
    let daemon = try await daemon()
    #expect(try daemon.tool.run(["events", "--dead"]).output.contains("too big"))
    let outcome = try daemon.tool.run(["events", "--redrive", "--plugin", "mqtt"])
    #expect(outcome.output == "Driving 1 again.\n")
    #expect(await daemon.requests.last?.params == ["plugin": "mqtt"])
    await daemon.stop()
  }

  @Test("Whoever watches reads a line an event, by the clock of the house, that moves no cursor")
  func watchInWords() async throws {
    let daemon = try await daemon()
    let output = daemon.directory.path(of: "lines")
    let watcher = try ChildProcess(
      Tool.path, ["watch", "--socket", daemon.socket],
      environment: ["TZ": "Europe/Oslo", "HOMEWARD_CONFIG": "/nowhere/homeward.yaml"],
      output: output)
    let event = Self.event.cloudEvent(gateway: "hub", boot: "b")
    func heard() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
    while !heard().contains("\n") { await daemon.publish(event) }
    await daemon.stop()
    #expect(watcher.wait() == 1)
    #expect(
      heard().hasPrefix(
        "2023-11-14 23:13:20 CET  zone.left  mary  Mary is 83.5 m from Home, [31m 8.5 m beyond"))
  }

  @Test func watchPrintsEventsUntilTheDaemonGoes() async throws {
    let daemon = try await daemon()
    let output = daemon.directory.path(of: "events")
    let watcher = try ChildProcess(
      Tool.path, ["watch", "--type", "zone", "--json", "--socket", daemon.socket], output: output)
    let event = Self.event.cloudEvent(gateway: "hub", boot: "b")
    func heard() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
    while !heard().contains("\n") { await daemon.publish(event) }
    await daemon.stop()
    #expect(watcher.wait() == 1)
    let line = heard().split(separator: "\n").first ?? ""
    #expect(try JSONValue(parsing: String(line))["id"] == "e1")
  }
}
