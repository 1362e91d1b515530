import Care
import ControlSocket
import Door
import GlucoseValues
import JSON
import Moments
import Recurrence
import Testing
import Texts

/// `homeward today`, as the program prints it at noon in Oslo.
@Suite("The page for caregivers") struct TodayTests {
  private static let now = "2026-11-23T11:00:00.000Z"

  private static let pill = RoutineItem(
    id: "pill", resident: "mary", kind: .medicine, title: "heart pill", isCritical: true,
    schedule: .never, stock: Stock(units: 2))

  private static func occurrence(_ state: Occurrence.State) throws -> JSONValue {
    Occurrence(
      item: "pill", resident: "mary", slot: "2026-11-23T08:00",
      due: try Timestamp(iso8601: "2026-11-23T07:00:00Z"), state: state,
      changedAt: try Timestamp(iso8601: "2026-11-23T07:04:00Z")
    ).json
  }

  private static func daemon(
    _ state: Occurrence.State, alarms: JSONValue = [], faults: JSONValue = [], daysLeft: Int64 = 30,
    isTagLow: Bool = false, isClockTrusted: Bool = true, reach: JSONValue? = nil,
    unit: String = "as-received"
  ) async throws -> FakeDaemon {
    let tracking: JSONValue = [
      "isOn": true, "outside": false, "zones": [["zoneName": "Home", "presence": "inside"]],
      "position": ["time": "2026-11-23T10:59:00.000Z"],
    ]
    let time = try Timestamp(iso8601: "2026-11-22T20:30:00Z")
    let glucose = GlucoseReading(
      id: "g", resident: "mary", level: try GlucoseConcentration(withUnit: "5.4 mmol/L"),
      time: time, receivedAt: time, source: .hand, origin: "Anna")
    let message = ChatMessage(
      id: "m", resident: "mary", direction: .toResident, sender: "Anna", text: "I come at six.",
      sentAt: time, spokenAt: time)
    let due = try occurrence(state)
    return try await FakeDaemon { request in
      switch request.method {
      case .status:
        .success([
          "clock": ["utc": .string(now), "isTrusted": .bool(isClockTrusted)], "faults": faults,
          "alarms": alarms,
          "reach": reach.map { [$0] } ?? [],
          "residents": [AlarmPeople.mary.json.setting("tracking", to: tracking)],
        ])
      case .residentsList: .success([AlarmPeople.mary.json])
      case .routineList:
        .success([
          pill.json.setting("daysLeft", to: .integer(daysLeft))
            .setting("nextDue", to: "2026-11-23T19:00:00.000Z")
        ])
      case .occurrencesQuery: .success([due])
      case .glucoseQuery: .success([glucose.json])
      case .messagesQuery: .success([message.json])
      case .settingsList: .success(["glucoseUnit": .string(unit)])
      case .tagsList: .success([["tagName": "Keys", "isBatteryLow": .bool(isTagLow)]])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  @Test("A quiet day fits one page and ends with all is well")
  func quietDay() async throws {
    let daemon = try await Self.daemon(.done)
    let outcome = try daemon.tool.run(["today"])
    #expect(
      outcome.output == """
        Mary O'Neil, 2026-11-23 12:00:00 CET
          Where     in Home, seen 11:59
          Alarms    none is open
          Medicine  08:00  heart pill: done 08:04
          Next      20:00  heart pill
          Glucose   5.4 mmol/L, in range, 2026-11-22 21:30
          Message   Anna: I come at six. (spoken, not answered yet)
          All is well.

        """)
    let query = await daemon.requests.last { $0.method == .occurrencesQuery }
    #expect(
      query?.params["since"] == "2026-11-22T23:00:00.000Z", "midnight at the resident's place")
    await daemon.stop()
  }

  @Test("A reading is told in the unit that the resident's readings are shown in")
  func unit() async throws {
    let daemon = try await Self.daemon(.done, unit: "mg/dL")
    #expect(try daemon.tool.run(["today"]).output.contains("Glucose   97 mg/dL, in range"))
    await daemon.stop()
  }

  @Test("What needs somebody is marked, and named once more at the end")
  func whatNeedsSomebody() async throws {
    let daemon = try await Self.daemon(
      .missed,
      alarms: [
        [
          "alarm": "a1", "tag": "A7K2", "kind": "sos", "stage": "dispatched", "resident": "mary",
          "raisedAt": "2026-11-23T10:50:00.000Z", "acknowledgedBy": [], "acknowledgedByNames": [],
        ],
        [
          "alarm": "a3", "tag": "C9", "kind": "fall", "stage": "acknowledged", "resident": "mary",
          "raisedAt": "2026-11-23T10:55:00.000Z", "acknowledgedBy": ["anna"],
          "acknowledgedByNames": ["Anna O'Neil"],
        ],
        ["alarm": "a2", "tag": "B2", "kind": "zone", "resident": "bob", "raisedAt": "?"],
      ],
      faults: [["component": "gps", "detail": "The receiver is silent. Check its cable."]],
      daysLeft: 2, isTagLow: true)
    let output = try daemon.tool.run(["today", "--resident", "mary"]).output
    for line in [
      "! SOS since 11:50, nobody takes charge yet (homeward alarm show\n",
      "since 11:55, Anna O'Neil takes charge",
      "! 08:00  heart pill: MISSED", "! heart pill: enough for 2 d", "! Keys is low",
      "Please see to: alarm A7K2; alarm C9; heart pill of 08:00 was missed;",
      "! gps does not work: The receiver is silent. Check its cable.",
    ] {
      #expect(output.contains(line), "\(line) in\n\(output)")
    }
    #expect(!output.contains("B2"), "an alarm of another resident")
    #expect(!output.contains("All is well"))
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(output)")
    await daemon.stop()
  }

  @Test("Without the time nobody is reminded, and the page does not say that all is well")
  func unknownTime() async throws {
    let daemon = try await Self.daemon(.done, isClockTrusted: false)
    let output = try daemon.tool.run(["today"]).output
    #expect(output.contains("! nobody is reminded: the gateway does not know the time"))
    #expect(output.contains("Please see to: the clock of the gateway."))
    #expect(!output.contains("All is well"))
    await daemon.stop()
  }

  @Test("For programs it is one object with a day for each resident")
  func forPrograms() async throws {
    let daemon = try await Self.daemon(.prompted)
    let json = try JSONValue(parsing: daemon.tool.run(["today", "--json"]).output)
    #expect(json["residents"]?.arrayContent?.count == 1)
    #expect(json["residents"]?.arrayContent?.first?["occurrences"]?.arrayContent?.count == 1)
    await daemon.stop()
  }

  private static func way(
    _ guardian: String, _ channel: String, _ state: String, lastSuccess: JSONValue? = nil
  ) -> JSONValue {
    .object([
      "guardian": .string(guardian.lowercased()), "guardianName": .string(guardian),
      "channel": .string(channel), "address": "a", "state": .string(state),
      "lastSuccess": lastSuccess,
    ])
  }

  private static func reach(
    _ ways: [JSONValue], isReachable: Bool, isProven: Bool, _ explanation: String
  ) -> JSONValue {
    [
      "resident": "mary", "residentName": "Mary O'Neil", "isReachable": .bool(isReachable),
      "isProven": .bool(isProven), "explanation": .string(explanation), "ways": .array(ways),
    ]
  }

  @Test("Who can be told is named with how they are reached")
  func whoCanBeTold() async throws {
    let ways = [
      Self.way("Anna", "sms", "proven", lastSuccess: "2026-11-23T10:00:00.000Z"),
      Self.way("Anna", "email", "untried"), Self.way("Bo", "push", "missing"),
    ]
    let daemon = try await Self.daemon(
      .done, reach: Self.reach(ways, isReachable: true, isProven: true, "Anna can be told."))
    let output = try daemon.tool.run(["today"]).output
    let unfolded = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      unfolded.contains(
        "Guardians Anna: sms (worked 2026-11-23 11:00:00 CET), email (not tried yet); Bo: push (NO PLUGIN)"
      ), "\(output)")
    #expect(output.contains("All is well"))
    let json = try JSONValue(parsing: daemon.tool.run(["today", "--json"]).output)
    let told = json["residents"]?.arrayContent?.first?["reach"]
    #expect(told?["isReachable"] == true)
    await daemon.stop()
  }

  @Test("That nobody can be told, or that no way has proved to work, is said and needs somebody")
  func nobodyCanBeTold() async throws {
    let nobody = "Nobody can be told when Mary O'Neil needs help: there is no guardian."
    let stale = "Anna can be told, but no way has proved to work for a week."
    for (reach, said, need) in [
      (
        Self.reach([], isReachable: false, isProven: false, nobody), nobody,
        "nobody can be told when help is needed"
      ),
      (
        Self.reach([Self.way("Anna", "sms", "untried")], isReachable: true, isProven: false, stale),
        stale, "try the ways to guardians (homeward alarm test)"
      ),
    ] {
      let daemon = try await Self.daemon(.done, reach: reach)
      let output = try daemon.tool.run(["today"]).output
      let unfolded = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(unfolded.contains("Guardians ! \(said)"), "\(output)")
      #expect(unfolded.contains("Please see to: \(need)."), "\(output)")
      #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(output)")
      await daemon.stop()
    }
  }
}
