import CareModel
import ControlSocket
import EventLoop
import Foundation
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
      default: .failure(ControlError(.failed, Message(verbatim: "not asked for here")))
      }
    }
  }

  @Test func eventsAreShownWithTheirSentenceAndNoEscapeReachesTheTerminal() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["events", "--type", "zone", "--limit", "5"])
    #expect(outcome.output.contains("2023-11-14 23:13:20 CET  zone.left  mary  Mary is 83.5 m"))
    #expect(!outcome.output.contains("\u{1B}"))
    let params = try #require(await daemon.requests.last?.params)
    #expect(params["types"] == ["zone"] && params["limit"] == 5)
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
