import Care
import ControlSocket
import Door
import JSON
import Testing
import Texts

@Suite("Bluetooth on the command line")
struct BluetoothCommandTests {
  private static let meter = "C0:11:22:33:44:55/random"

  /// A daemon whose meters and pairings stand as a test wants.
  private func daemon(status: JSONValue = [:], heard: JSONValue = []) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .bluetoothStatus: .success(RouteAnswer(status))
      case .bluetoothScan: .success(RouteAnswer(heard))
      case .bluetoothPair: .success(["address": .string(Self.meter)])
      case .bluetoothAnswer, .bluetoothForget: .success([:])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private static func question(_ kind: String, _ number: JSONValue = .null) -> JSONValue {
    ["address": .string(meter), "kind": .string(kind), "number": number]
  }

  @Test(
    "What a pairing asks is said with six digits and with how to answer",
    arguments: [
      (question("passkey"), "\(meter) shows six digits."),
      (question("confirmation", 42), "Does \(meter) show 000042? Say so:"),
      (question("type-on-device", 123_456), "Type 123456 in on \(meter)."),
    ])
  func questions(question: JSONValue, sentence: String) async throws {
    let daemon = try await daemon(status: ["questions": [question]])
    let shown = try daemon.tool.run(["bluetooth", "status"]).output
    #expect(shown.contains(sentence), "\(shown)")
    await daemon.stop()
  }

  @Test("The status has a line for each adapter and each meter, with what is wrong with it")
  func status() async throws {
    let daemon = try await daemon(status: [
      "state": "working", "source": "BlueZ", "detail": "All is well.",
      "adapters": [["name": "hci0", "address": "A4:C1:38:8D:18:B2", "condition": "up"]],
      "meters": [
        [
          "address": .string(Self.meter), "name": "Mary's meter", "resident": "mary",
          "isBonded": true, "state": "waiting", "lastFetchedAt": "2026-11-20T10:00:00Z",
        ],
        [
          "address": "C0:11:22:33:44:66", "name": "Old", "resident": "mary", "isBonded": false,
          "state": "waiting", "detail": "its keys are lost",
        ],
      ],
      "crowd": ["devices": 12, "endedAt": "2026-11-20T10:00:00Z"],
    ])
    let shown = try daemon.tool.run(["bluetooth", "status"]).output
    for words in [
      "Bluetooth: working (BlueZ). All is well.\n", "hci0     A4:C1:38:8D:18:B2  up\n",
      "Mary's meter  mary      yes     waiting            2026-11-20 11:00:00 CET\n",
      "Old           mary      no      its keys are lost  -\n",
      "Devices around in the five minutes to 2026-11-20 11:00:00 CET: about 12\n",
    ] { #expect(shown.contains(words), "\(words)\n\(shown)") }
    await daemon.stop()
  }

  @Test("Who is heard is shown with what it can be known by, or that it cannot be")
  func scan() async throws {
    let daemon = try await daemon(heard: [
      [
        "address": .string(Self.meter), "rssi": -50, "name": "Contour\u{1B}[2J", "isMeter": true,
        "identities": [.string("address:\(Self.meter)")],
      ],
      ["address": "7A:00:00:00:00:01/random", "tag": "keys", "identities": []],
      ["address": "7B:00:00:00:00:02/random", "rssi": -90, "identities": []],
    ])
    let outcome = try daemon.tool.run(["bluetooth", "scan", "--seconds", "3"])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4, "\(outcome)")
    #expect(lines[1].contains("  -50 dBm ") && !lines[1].contains("\u{1B}"))
    #expect(lines[1].hasSuffix("  glucose meter, address:\(Self.meter)"))
    #expect(lines[2].hasSuffix("  tag keys"))
    #expect(lines[3].hasSuffix("  no tag: its address changes"))
    #expect(await daemon.requests.last?.params == ["seconds": 3])
    await daemon.stop()
    let silent = try await self.daemon()
    #expect(try silent.tool.run(["bluetooth", "scan"]).output.hasPrefix("Nothing was heard."))
    #expect(await silent.requests.last?.params == ["seconds": 10])
    await silent.stop()
  }

  @Test(
    "An answer is yes, no or up to six digits",
    arguments: [
      ("yes", ["address": .string(meter), "isSame": true]),
      ("N", ["address": .string(meter), "isSame": false]),
      ("012345", ["address": .string(meter), "passkey": 12345]),
      ("0", ["address": .string(meter), "passkey": 0]),
    ] as [(String, JSONValue)])
  func answers(text: String, params: JSONValue) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["bluetooth", "answer", Self.meter, text])
    #expect(outcome.code == 0 && outcome.output == "Answered.\n", "\(outcome.errors)")
    #expect(await daemon.requests.last?.params == params)
    await daemon.stop()
  }

  @Test(
    "What is no answer, no address and no time is refused before anything is sent",
    arguments: [
      ["answer", meter, "1234567"], ["answer", meter, "maybe"], ["answer", meter, ""],
      ["answer", meter, "-12345"], ["answer", meter, "+12345"],
      ["answer", "C0:11:22:33:44", "yes"],
      ["answer", "C0:11:22:33:44:55/static", "yes"], ["forget", "meter"], ["pair", "hci0"],
      ["pair", meter, "--passkey", "1000000"], ["scan", "--seconds", "0"],
      ["scan", "--seconds", "61"], ["scan", "--seconds", "long"],
    ])
  func refused(words: [String]) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["bluetooth"] + words)
    #expect(outcome.code == 2 && outcome.output.isEmpty, "\(outcome)")
    #expect(await daemon.requests.isEmpty)
    await daemon.stop()
  }

  @Test("A pairing ends as the gateway says: with whose readings are fetched, or with why not")
  func pair() async throws {
    for (state, code, told) in [
      ("done", 0, "Paired. The readings of Mary O'Neil are fetched whenever the meter wakes.\n"),
      ("failed", 1, ""),
    ] as [(String, Int32, String)] {
      let daemon = try await daemon(status: [
        "pairing": ["state": .string(state), "why": "The meter was not found."]
      ])
      let outcome = try daemon.tool.run([
        "bluetooth", "pair", "C0:11:22:33:44:55", "--name", "Contour", "--passkey", "012345",
      ])
      #expect(outcome.code == code && outcome.output == told, "\(outcome)")
      #expect(outcome.errors.contains("The meter was not found.") == (code == 1))
      let asked = await daemon.requests.first { $0.method == .bluetoothPair }
      #expect(asked?.params["address"] == "C0:11:22:33:44:55")
      #expect(asked?.params["resident"] == "mary" && asked?.params["passkey"] == 12345)
      #expect(asked?.params["name"] == "Contour")
      await daemon.stop()
    }
  }

  @Test("A device is forgotten by its whole address")
  func forget() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["bluetooth", "forget", "c0:11:22:33:44:55/random"])
    #expect(outcome.output == "Forgotten: \(Self.meter)\n", "\(outcome.errors)")
    #expect(await daemon.requests.last?.params == ["address": .string(Self.meter)])
    await daemon.stop()
  }
}
