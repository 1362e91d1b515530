import Bytes
import Care
import JSON
import Moments
import PluginProtocol
import Testing

/// What plugins ask of the host: read as far as it can be trusted, and no further.
@Suite("Calls of plugins") struct PluginCallTests {
  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  private static func text(_ count: Int) -> JSONValue { .string(letters(count)) }

  /// One letter to the eye, and more to whoever has to keep it.
  private static let accents = JSONValue.string("e" + String(repeating: "\u{301}", count: 100))

  private static let command: JSONValue = [
    "principal": "anna", "id": "c-1", "expiresAt": "2026-11-20T14:30:00.000Z",
    "request": ["action": "locate", "target": "mary"],
  ]

  // MARK: Commands

  @Test(
    "A command that does not fit is refused by its member",
    arguments: [
      ("principal", .null, .missingField, "principal"), ("principal", "", .outOfRange, "principal"),
      ("principal", text(101), .outOfRange, "principal"), ("principal", 7, .wrongType, "principal"),
      ("principal", accents, .outOfRange, "principal"), ("id", accents, .outOfRange, "id"),
      ("id", "", .outOfRange, "id"), ("id", text(101), .outOfRange, "id"),
      ("id", .null, .missingField, "id"), ("expiresAt", .null, .missingField, "expiresAt"),
      ("freshUntil", "soon", .wrongType, "freshUntil"), ("sentTick", 0.5, .wrongType, "sentTick"),
      ("request", .null, .missingField, "request"),
      ("request", ["action": "dance"], .unknownWord, "action"),
      ("request", ["action": "locate"], .missingField, "target"),
      ("session", "", .outOfRange, "session"), ("session", text(201), .outOfRange, "session"),
      ("session", 7, .wrongType, "session"), ("confirms", "yes", .wrongType, "confirms"),
      ("address", "", .outOfRange, "address"), ("address", "192.0.2.7 ", .outOfRange, "address"),
      ("address", "añb", .outOfRange, "address"), ("address", "a\u{7F}", .outOfRange, "address"),
      ("address", text(201), .outOfRange, "address"),
    ] as [(String, JSONValue, DecodeError.Code, String)])
  func refused(member: String, content: JSONValue, code: DecodeError.Code, field: String) {
    #expect(throws: DecodeError(code, at: 0, field: field)) {
      try CommandCall(json: Self.command.setting(member, to: content))
    }
  }

  @Test("What lies at a bound is taken, and comes back")
  func bounds() throws {
    let json = Self.command.setting("principal", to: Self.text(100))
      .setting("id", to: Self.text(100)).setting("address", to: Self.text(200))
      .setting("sentAt", to: "2026-11-20T14:29:59.500Z").setting("sentTick", to: 12_345)
      .setting("confirms", to: true).setting("language", to: "zh")
    let call = try CommandCall(json: json)
    #expect(call.address?.count == 200 && call.confirms && call.language == "zh")
    #expect(call.sentTick == .milliseconds(12_345) && call.freshUntil == nil)
    #expect(try CommandCall(json: JSONValue(parsing: call.json.serialized)) == call)
    #expect(try call.expiresAt == Timestamp(iso8601: "2026-11-20T14:30:00Z"))
    #expect(try !CommandCall(json: Self.command).confirms)
  }

  @Test("Whoever hands in a session speaks for it, and for nobody whom they name besides")
  func sessions() throws {
    let json = Self.command.setting("session", to: "token").setting("address", to: "192.0.2.7")
    let call = try CommandCall(json: json)
    #expect(call.session == SessionCall(token: "token", address: "192.0.2.7"))
    #expect(call.principal == "" && call.address == nil)
    #expect(call.json["principal"] == nil)
    #expect(try CommandCall(json: JSONValue(parsing: call.json.serialized)) == call)
    let longest = try CommandCall(json: json.setting("session", to: Self.text(200)))
    #expect(longest.session?.token.count == 200)
  }

  @Test("The moment of a command is kept, and no number in it stops anything")
  func ticks() throws {
    for number in [Int64.min, -1, 0, .max] {
      let json = Self.command.setting("freshUntil", to: .integer(number))
        .setting("sentTick", to: .integer(number))
      let call = try CommandCall(json: json)
      #expect(call.freshUntil == .milliseconds(number))
      #expect(call.command(of: Principal(channel: .plugin, name: "a")).sentTick == call.sentTick)
    }
  }

  // MARK: Questions

  @Test("Several questions are all of one session, whatever each of them says")
  func questions() throws {
    let json: JSONValue = [
      "questions": [
        ["method": "zones.list", "session": "other", "language": "zh", "params": ["limit": 3]],
        ["method": "status"],
      ], "session": "token", "language": "en",
    ]
    let call = try RequestsCall(json: json)
    let session = SessionCall(token: "token")
    #expect(
      call.questions == [
        RequestCall(method: "zones.list", params: ["limit": 3], language: "en", session: session),
        RequestCall(method: "status", language: "en", session: session),
      ])
    #expect(try RequestsCall(json: JSONValue(parsing: call.json.serialized)) == call)
    #expect(!call.json.serialized.contains("other"))
    let withoutAny = try RequestsCall(json: json.setting("session", to: .null))
    #expect(withoutAny.questions.allSatisfy { $0.session == nil })
  }

  @Test("At least one question is asked at once, and at most sixteen")
  func questionCounts() {
    for count in [0, 1, 16, 17] {
      let json: JSONValue = ["questions": .array(Array(repeating: ["method": "a"], count: count))]
      #expect(((try? RequestsCall(json: json)) != nil) == (1...16).contains(count), "\(count)")
    }
    for json: JSONValue in [
      [:], ["questions": ["a"]], ["questions": [[:]]],
      ["questions": [["method": "a", "params": 7]]],
    ] {
      #expect(throws: DecodeError.self) { try RequestsCall(json: json) }
    }
  }

  @Test("An answer without a result says nothing, and one that is no object is none")
  func answers() throws {
    #expect(try RequestAnswer(json: [:]) == RequestAnswer(.null))
    #expect(try RequestAnswer(json: ["result": [], "next": .null]) == RequestAnswer([]))
    #expect(throws: DecodeError.self) { try RequestAnswer(json: [1]) }
    #expect(throws: DecodeError.self) { try RequestAnswer(json: ["next": 7]) }
  }

  @Test(
    "What is watched has bounds",
    arguments: [
      ("session", .null, .missingField, "session"), ("session", text(201), .outOfRange, "session"),
      ("types", .array(Array(repeating: "zone", count: 65)), .outOfRange, "types"),
      ("types", ["zone", text(101)], .outOfRange, "types"), ("types", "zone", .wrongType, "types"),
      ("types", [7], .wrongType, "types"), ("language", 7, .wrongType, "language"),
      ("address", "a b", .outOfRange, "address"),
    ] as [(String, JSONValue, DecodeError.Code, String)])
  func watches(member: String, content: JSONValue, code: DecodeError.Code, field: String) throws {
    let whole = WatchCall(
      types: Array(repeating: Self.letters(100), count: 64),
      session: SessionCall(token: "token", address: "192.0.2.7"), language: "zh")
    #expect(try WatchCall(json: JSONValue(parsing: whole.json.serialized)) == whole)
    #expect(throws: DecodeError(code, at: 0, field: field)) {
      try WatchCall(json: whole.json.setting(member, to: content))
    }
  }

  @Test("Who watches and names no types has those of the session alone")
  func leastWatch() throws {
    #expect(
      try WatchCall(json: ["session": "token"]) == WatchCall(session: SessionCall(token: "token")))
  }

  // MARK: Notices

  @Test(
    "A plugin says of itself that it works, half works or does not, and nothing else",
    arguments: HealthState.allCases)
  func health(state: HealthState) throws {
    let json: JSONValue = ["state": .string(state.rawValue)]
    guard [.working, .degraded, .failed].contains(state) else {
      #expect(throws: DecodeError(.unknownWord, at: 0, field: "state")) {
        try PluginHealth(json: json)
      }
      return
    }
    #expect(try PluginHealth(json: json) == PluginHealth(state: state))
    let long = json.setting("code", to: Self.text(61)).setting("detail", to: "a\tb")
    let read = try PluginHealth(json: long)
    #expect(read == PluginHealth(state: state, code: Self.letters(60), detail: "a b"))
    #expect(try PluginHealth(json: JSONValue(parsing: read.json.serialized)) == read)
  }

  @Test("What became of a message is told of the plugin that says it, in bounded words")
  func deliveries() throws {
    let json: JSONValue = [
      "event": Self.text(101), "recipient": Self.text(201), "channel": Self.text(61),
      "outcome": "failed", "detail": Self.text(501), "plugin": "sms-modem", "attempt": 2,
      "notice": "alarm",
    ]
    let notice = try DeliveryNotice(json: json)
    #expect(
      notice.report(of: "mqtt")
        == DeliveryReport(
          plugin: "mqtt", event: EventID(Self.letters(100)), recipient: Self.letters(200),
          channel: Self.letters(60), outcome: .failed, detail: Self.letters(500), notice: .alarm,
          attempt: 2))
    #expect(try DeliveryNotice(json: JSONValue(parsing: notice.json.serialized)) == notice)
    for (member, content) in [
      ("event", JSONValue.null), ("recipient", 7), ("channel", .null), ("outcome", "lost"),
      ("notice", "gossip"), ("attempt", "first"),
    ] {
      #expect(throws: DecodeError.self) {
        try DeliveryNotice(json: json.setting(member, to: content))
      }
    }
  }

  @Test("A message that is neither taken nor failed was not answered")
  func notifications() throws {
    #expect(try NotifyAnswer(json: ["outcome": "taken", "detail": 7]) == .taken)
    #expect(try NotifyAnswer(json: ["outcome": "failed"]) == .failed("no reason was given"))
    #expect(
      try NotifyAnswer(json: ["outcome": "failed", "detail": "no\ncredit"]) == .failed("no credit"))
    for json: JSONValue in [[:], ["outcome": "maybe"], ["outcome": true], "taken"] {
      #expect(throws: DecodeError.self) { try NotifyAnswer(json: json) }
    }
  }

  @Test("A service is called by its name, with whatever it is asked")
  func services() throws {
    #expect(
      try ServiceCall(json: ["service": "speech"])
        == ServiceCall(service: "speech", params: .object([])))
    let call = ServiceCall(service: "geocode", params: ["at": [59.9, 10.7]])
    #expect(try ServiceCall(json: JSONValue(parsing: call.json.serialized)) == call)
    #expect(throws: DecodeError(.missingField, at: 0, field: "service")) {
      try ServiceCall(json: ["params": [:]])
    }
  }
}
