import Care
import ControlSocket
import Door
import JSON
import Testing
import Texts

@Suite("What the command line says of open alarms and of who can be told")
struct ReachCommandTests {
  private static let nobody =
    "Nobody can be told when Mary O'Neil needs help: no plugin offers sms."

  private static func way(_ state: String, _ more: JSONValue = .object([])) -> JSONValue {
    (more.objectContent ?? []).reduce(
      [
        "guardian": "anna", "guardianName": "Anna", "channel": "sms", "address": "+4791234567",
        "state": .string(state),
      ] as JSONValue
    ) { $0.setting($1.key, to: $1.value) }
  }

  private static func reach(_ way: JSONValue, isReachable: Bool, isProven: Bool) -> JSONValue {
    [
      "resident": "mary", "residentName": "Mary O'Neil", "isReachable": .bool(isReachable),
      "isProven": .bool(isProven),
      "explanation": .string(isReachable ? "Anna can be told." : nobody),
      "ways": [way],
    ]
  }

  private static func status(alarms: JSONValue = [], reach: JSONValue) -> JSONValue {
    [
      "gateway": "hub", "version": "1", "uptimeSeconds": 60,
      "clock": ["utc": "2026-11-20T10:00:00Z", "quality": "synchronised", "isTrusted": true],
      "residents": [AlarmPeople.mary.json], "alarms": alarms, "reach": [reach],
      "components": [], "store": .object([]), "plugins": [],
    ]
  }

  private func daemon(
    status: JSONValue = .null, guardians: JSONValue = [], reply: JSONValue = .object([])
  ) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .status: .success(status)
      case .residentsList: .success([AlarmPeople.mary.json])
      case .guardiansList: .success(guardians)
      case .command: .success(reply)
      default: .failure(ControlError(.unavailable, Message(verbatim: "it does not answer.")))
      }
    }
  }

  @Test(
    "An open alarm is the first thing that status says: what, who, since when, and who takes charge"
  )
  func alarmsComeFirst() async throws {
    func alarm(_ helpers: JSONValue) -> JSONValue {
      [
        "alarm": "a1", "tag": "A7K2", "kind": "sos", "stage": "dispatched",
        "residentName": "Mary O'Neil", "raisedAt": "2026-11-20T09:58:00Z",
        "acknowledgedByNames": helpers, "explanation": "Mary O'Neil asked for help.",
      ]
    }
    let way = Self.reach(Self.way("untried"), isReachable: true, isProven: true)
    for (helpers, said): (JSONValue, String) in [([], "NOBODY YET"), (["Anna"], "Anna")] {
      let daemon = try await daemon(status: Self.status(alarms: [alarm(helpers)], reach: way))
      let outcome = try daemon.tool.run(["status"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex { $0.hasPrefix("A7K2") })
      #expect(place == 3, "\(outcome.output)")
      for word in ["sos", "DISPATCHED", "Mary O'Neil", said] {
        #expect(lines[place].contains(word), "\(lines[place])")
      }
      await daemon.stop()
    }
    let quiet = try await daemon(status: Self.status(reach: way))
    #expect(try !quiet.tool.run(["status"]).output.contains("NOBODY YET"))
    await quiet.stop()
  }

  @Test("Status names each way with what it is worth, and that nobody can be told")
  func statusSaysWhoCanBeTold() async throws {
    let missing = Self.reach(Self.way("missing"), isReachable: false, isProven: false)
    let silent = try await daemon(status: Self.status(reach: missing))
    let output = try silent.tool.run(["status"]).output
    #expect(output.contains("NO PLUGIN") && output.contains(Self.nobody), "\(output)")
    await silent.stop()
    let worked = Self.way("proven", ["lastSuccess": "2026-11-19T10:00:00Z"])
    let proven = Self.reach(worked, isReachable: true, isProven: true)
    let well = try await daemon(status: Self.status(reach: proven))
    #expect(try well.tool.run(["status"]).output.contains("worked "))
    #expect(try !well.tool.run(["status"]).output.contains("can be told"))
    await well.stop()
  }

  @Test("Doctor fails where nobody can be told, and warns where nothing is proved")
  func doctor() async throws {
    let cases: [(Bool, Bool, String)] = [
      (false, false, "failed"), (true, false, "warning"), (true, true, "working"),
    ]
    for (isReachable, isProven, state) in cases {
      let reach = Self.reach(Self.way("untried"), isReachable: isReachable, isProven: isProven)
      let daemon = try await daemon(status: Self.status(reach: reach))
      let output = try daemon.tool.run(["doctor", "--json"]).output
      let found = try JSONValue(parsing: output).arrayContent?.first {
        $0["subject"] == "guardians"
      }
      #expect(found?["state"]?.stringContent == state)
      await daemon.stop()
    }
  }

  @Test("Guardians are listed with what their ways are worth, not only with addresses")
  func guardians() async throws {
    let anna = AlarmPeople.anna.json.setting(
      "ways",
      to: [
        Self.way("missing"), Self.way("failing", ["failingSince": "2026-11-19T10:00:00Z"]),
        Self.way("down", ["plugin": "email"]),
      ])
    let daemon = try await daemon(guardians: [anna])
    let output = try daemon.tool.run(["guardians"]).output
    for words in ["(NO PLUGIN)", "(FAILS since ", "(PLUGIN email DOWN)"] {
      #expect(output.contains(words), "\(output)")
    }
    await daemon.stop()
  }

  @Test("Who calls for help and reaches nobody is told so, and what to do")
  func raisingForNobody() async throws {
    let reply: JSONValue = [
      "alarm": "a1", "tag": "A7K2", "isReachable": false, "reach": .string(Self.nobody),
    ]
    let silent = try await daemon(reply: reply)
    let output = try silent.tool.run(["sos", "raise"]).output
    #expect(output.contains("NOBODY IS BEING CALLED") && output.contains(Self.nobody))
    #expect(!output.contains("is being called."))
    await silent.stop()
    let heard = try await daemon(
      reply: ["tag": "A7K2", "isReachable": true, "reach": "Anna can be told."])
    let said = try heard.tool.run(["sos", "raise"]).output
    #expect(said.contains("Help for Mary O'Neil is being called. Alarm A7K2. Anna can be told."))
    await heard.stop()
  }

  @Test("Silencing where nothing sounds says that there was nothing")
  func nothingToSilence() async throws {
    let quiet = try await daemon(reply: ["silenced": []])
    #expect(try quiet.tool.run(["alarm", "silence"]).output.contains("nothing to silence"))
    await quiet.stop()
    let loud = try await daemon(reply: ["silenced": ["A7K2"]])
    #expect(try loud.tool.run(["alarm", "silence"]).output.contains("The room is silent"))
    await loud.stop()
  }
}
