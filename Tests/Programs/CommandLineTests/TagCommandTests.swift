import Care
import ControlSocket
import Door
import Foundation
import JSON
import Moments
import Proximity
import Testing
import Texts

@Suite("Tags on the command line")
struct TagCommandTests {
  private static let keys = Tag(
    id: "keys", resident: "mary", name: "Keys", kind: .keys, zone: "home", room: "hall",
    isTakenAlong: true)

  private static let listed: JSONValue = [
    [
      "tag": "keys", "tagName": "Keys", "resident": "mary", "kind": "keys", "presence": "near",
      "lastHeardAt": "2026-11-20T10:00:00Z", "batteryPercent": 80,
    ],
    ["tag": "hall", "tagName": "Hall", "resident": "mary", "kind": "home", "presence": "unknown"],
  ]

  /// A daemon with two tags, and with what each step of a calibration and the journal answer.
  private func daemon(
    steps: [String: JSONValue] = [:], events: JSONValue = []
  ) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([AlarmPeople.mary.json])
      case .tagsList: .success(RouteAnswer(Self.listed))
      case .tagGet: .success(RouteAnswer(Self.keys.json))
      case .tagCalibrate:
        .success(RouteAnswer(steps[request.params["step"]?.stringContent ?? ""] ?? .null))
      case .eventsQuery: .success(RouteAnswer(events))
      case .command: .success(["id": "x"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  @Test("The list says when each was heard and how full its battery is, or that nobody knows")
  func list() async throws {
    let daemon = try await daemon()
    #expect(
      try daemon.tool.run(["tags"]).output == """
        ID    NAME  RESIDENT  KIND  PRESENCE  LAST HEARD               BATTERY
        keys  Keys  mary      keys  near      2026-11-20 11:00:00 CET  80 %
        hall  Hall  mary      home  unknown   -                        -

        """)
    await daemon.stop()
  }

  @Test("A tag is added with an id that is not taken yet, and with what it is known by")
  func add() async throws {
    let daemon = try await daemon()
    let identity = "address:A4:C1:38:8D:18:B2"
    let outcome = try daemon.tool.run([
      "tags", "add", "--name", "Keys", "--kind", "keys", "--identity", identity, "--away", "300",
      "--along", "no",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "Added the tag Keys of Mary O'Neil as keys-2.\n")
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    let tag = Tag(
      id: "keys-2", resident: "mary", name: "Keys", kind: .keys, awaySeconds: 300,
      isTakenAlong: false)
    #expect(request == .bluetooth(.putTag(tag, identities: [try TagIdentity(identity)])))
    await daemon.stop()
  }

  @Test("A change keeps what is not named; an empty text takes a zone or a room away")
  func change() async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run([
      "tags", "change", "KEYS", "--zone", "", "--silent", "24", "--name", "My keys",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    var tag = Self.keys
    (tag.zone, tag.silentHours, tag.name) = (nil, 24, "My keys")
    let request = try Command.Request(json: try #require(await daemon.commands.first))
    #expect(request == .bluetooth(.putTag(tag, identities: nil)))
    #expect(try daemon.tool.run(["tags", "remove", "hal"]).output == "Removed the tag hall.\n")
    let last = try Command.Request(json: try #require(await daemon.commands.last))
    #expect(last == .bluetooth(.removeTag("hall")))
    await daemon.stop()
  }

  private static let whole = [
    "add", "--name", "Bag", "--kind", "thing", "--identity", "address:A4:C1:38:8D:18:B2",
  ]

  @Test(
    "What a tag cannot be is refused before anything is sent",
    arguments: [
      (["add", "--name", "Bag", "--kind", "thing"], 2, "--identity"),
      (["change", "keys", "--kind", "key"], 2, "home, room, keys, wallet"),
      (whole + ["--along", "maybe"], 2, "--along must be yes or no"),
      (whole + ["--away", "9"], 2, "from 10 to 3600"),
      (whole + ["--silent", "8761"], 2, "from 1 to 8760"),
      (whole + ["--away", "soon"], 2, "not \"soon\""),
      (whole + ["--identity", "nonsense"], 2, "Try: homeward tags add --help"),
      (["change", "bag", "--away", "60"], 4, "there is no tag \"bag\""),
      (["remove", "bag"], 4, "List them: homeward tags"),
      (["contacts", "--minutes", "0"], 2, "from 1 to 1440"),
      (["contacts", "--since", "soon"], 2, "is no time"),
    ] as [([String], Int32, String)])
  func refused(words: [String], code: Int32, sentence: String) async throws {
    let daemon = try await daemon()
    let outcome = try daemon.tool.run(["tags"] + words)
    #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }

  @Test("A calibration goes on when somebody says so, and is ended where nobody does")
  func calibrate() async throws {
    let steps: [String: JSONValue] = [
      "begin": ["phase": "move-away"], "proceed": ["phase": "done"], "cancel": [:],
    ]
    for (input, code, taken) in [
      ("\n", 0, ["begin", "proceed"]), ("", 1, ["begin", "cancel"]),
    ] as [(String, Int32, [JSONValue])] {
      let daemon = try await daemon(steps: steps)
      let outcome = try daemon.tool.run(["tags", "calibrate", "keys"], input: input)
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(outcome.output == (code == 0 ? "The tag keys is calibrated.\n" : ""))
      #expect(outcome.errors.contains("nothing was changed") == (code == 1))
      let asked = await daemon.requests.filter { $0.method == .tagCalibrate }
      #expect(asked.compactMap { $0.params["step"] } == taken)
      #expect(asked.allSatisfy { $0.params["id"] == "keys" })
      await daemon.stop()
    }
  }

  @Test("Why a calibration failed is said in the gateway's words")
  func calibrationFailed() async throws {
    let daemon = try await daemon(
      steps: ["begin": ["phase": "failed", "why": "The tag was not heard."]])
    let outcome = try daemon.tool.run(["tags", "calibrate", "keys"])
    #expect(outcome.code == 1 && outcome.errors.contains("The tag was not heard."))
    await daemon.stop()
  }

  @Test("Whom a resident was close to is summed up by person, and short company left out")
  func contacts() async throws {
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970) * 1000)
    func met(_ tag: String, _ name: String, daysAgo: Int64, likely: Int64) -> JSONValue {
      let began = now.advanced(byMilliseconds: -daysAgo * 86_400_000)
      let facts: JSONValue = [
        "tag": .string(tag), "tagName": .string(name), "isHeardByResident": true,
        "began": .string(began.iso8601),
        "ended": .string(began.advanced(byMilliseconds: 3_600_000).iso8601),
        "timeQuality": "synchronised", "surelySeconds": 60, "likelySeconds": .integer(likely),
        "possiblySeconds": 2000, "strongestDBm": -55,
      ]
      return ["sequence": 1, "data": facts]
    }
    let daemon = try await daemon(events: [
      met("tom", "Tom", daysAgo: 2, likely: 1000), met("tom", "Tom", daysAgo: 3, likely: 3000),
      met("eve", "Eve", daysAgo: 1, likely: 600), ["sequence": 2, "data": ["tag": "odd"]],
    ])
    let told = try daemon.tool.run(["tags", "contacts"])
    #expect(told.code == 0, "\(told.errors)")
    let lines = told.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix("Tom  "), "\(told.output)")
    #expect(lines[1].hasSuffix("  1 h 6 min  2 min   1 h 6 min"), "\(told.output)")
    let params = try #require(await daemon.requests.last?.params)
    #expect(params["types"] == ["encounter.ended"] && params["resident"] == "mary")
    let json = try JSONValue(
      parsing: daemon.tool.run(["tags", "contacts", "--minutes", "10", "--json"]).output)
    #expect(json.arrayContent?.map { $0["tag"] } == ["eve", "tom"])
    #expect(json.arrayContent?.last?["likelySeconds"] == 4000)
    #expect(json.arrayContent?.last?["times"] == 2)
    #expect(
      try daemon.tool.run(["tags", "contacts", "--minutes", "300"]).output
        == "Nobody with a tag was close for so long.\n")
    await daemon.stop()
  }
}
