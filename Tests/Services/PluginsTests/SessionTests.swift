import Care
import Door
import JSON
import Loop
import Moments
import PluginProtocol
import Testing

@testable import Plugins

/// A real plugin that hands on somebody's session, or says that it does.
@LoopActor @Suite("Whoever's session a plugin hands in") struct SessionTests {
  private static let account = Account(
    id: "a1", name: "Anna", role: .caregiver, residents: ["mary"])
  private static let anna = SessionHolder(
    account: account, person: "anna@example.org", session: "s1")

  /// Starts a plugin that asks and demands; what it was answered, in the order of its calls.
  private func answers(
    to calls: [JSONValue], asking: [String]? = nil, granted: Set<String>, _ fixture: HostFixture
  ) async throws -> [String] {
    var plugin = ZooPlugin("asks")
    plugin.asks = asking ?? granted.sorted()
    plugin.granted = granted
    plugin.settings = ["calls": .array(calls)]
    fixture.onSession = { $0 == "right token" ? Self.anna : nil }
    fixture.onQuestion = { route, _ in .success(.string(route.name)) }
    try fixture.start([plugin, HostFixture.good])
    for number in 1...calls.count {
      await fixture.waitForLog(of: "asks", containing: "answer \(number) ")
    }
    return fixture.log(of: "asks").filter { $0.hasPrefix("answer ") }
  }

  private static func question(_ session: JSONValue) -> JSONValue {
    [
      "method": "request",
      "params": ["method": "zones.list", "session": session, "address": "192.0.2.7"],
    ]
  }

  private static func locate(_ session: JSONValue?) -> JSONValue {
    command(["action": "locate", "target": "mary"], session)
  }

  private static func command(_ request: JSONValue, _ session: JSONValue?) -> JSONValue {
    [
      "method": "command",
      "params": .object([
        "id": "c1", "principal": "somebody else", "freshUntil": 1_000_000_000, "session": session,
        "address": "192.0.2.7", "request": request,
      ]),
    ]
  }

  @Test("It asks for the account, under the account's name, whatever name it says")
  func asked() async throws {
    let fixture = try HostFixture()
    let granted: Set = ["accounts", "read:position", "command:locate"]
    let answers = try await answers(
      to: [Self.question("right token"), Self.locate("right token")], granted: granted, fixture)
    #expect(answers.count == 2 && answers[0].contains("zones.list"), "\(answers)")
    let askings = [fixture.questions.first?.asking, fixture.askings.first]
    for asking in askings {
      #expect(asking?.kind == .pluginFor(Self.account, grants: granted))
      #expect(asking?.principal.description == "plugin:asks/anna@example.org")
      #expect(asking?.session == "s1" && asking?.address == "192.0.2.7")
    }
    #expect(fixture.commands.first?.principal.description == "plugin:asks/anna@example.org")
    await fixture.stop()
  }

  @Test(
    "A token that nobody speaks by gets nothing through, and is told apart from what is forbidden")
  func loggedOut() async throws {
    let fixture = try HostFixture()
    let tokens: [JSONValue] = ["wrong token", "RIGHT TOKEN", "right token "]
    let answers = try await answers(
      to: tokens.flatMap { [Self.question($0), Self.locate($0)] },
      granted: ["accounts", "read:position", "command:locate"], fixture)
    #expect(answers.count == 6 && answers.allSatisfy { $0.contains("logged-out: ") }, "\(answers)")
    #expect(fixture.questions.isEmpty && fixture.commands.isEmpty)
    await fixture.stop()
  }

  @Test(
    "Who asks for every command has each that people may give, by itself, and none of the keeper's",
    arguments: [["command:*"], ["command:locate"]] as [Set<String>])
  func everyCommand(commands: Set<String>) async throws {
    let fixture = try HostFixture()
    let seen: JSONValue = ["action": "account.seen", "target": "a1", "session": "s1"]
    let quiet: JSONValue = ["action": "alarm.silence"]
    let piece: JSONValue = [
      "method": "request", "params": ["method": "picture.add", "session": "right token"],
    ]
    let calls = [
      Self.locate("right token"), Self.command(seen, "right token"),
      Self.command(quiet, "right token"),
      piece,
    ]
    let answers = try await answers(
      to: calls, asking: ["accounts", "command:*"], granted: commands.union(["accounts"]), fixture
    ).sorted()
    let isForAll = commands == ["command:*"]
    #expect(answers[1].contains("no grant command:account.seen"), "\(answers)")
    #expect(answers[2].contains("no grant command:alarm.silence") != isForAll, "\(answers)")
    #expect(answers[3].contains("no grant command:picture.add") != isForAll, "\(answers)")
    #expect(
      fixture.commands.map(\.request.action).sorted()
        == (isForAll ? ["alarm.silence", "locate"] : ["locate"]))
    guard case .pluginFor(_, let grants)? = fixture.askings.first?.kind else {
      Issue.record("nobody asked")
      return
    }
    let people = CommandRule.all.filter { $0.needs != .administer }.map(\.grant)
    let all = Set(people).union(["command:picture.add", "command:recording.add"])
    #expect(people.count > 80)
    #expect(grants.subtracting(["accounts"]) == (isForAll ? all : commands))
    await fixture.stop()
  }

  @Test("Without the grant no session is looked at; what is no token or address is said")
  func notGranted() async throws {
    let fixture = try HostFixture()
    let without = try await answers(
      to: [Self.question("right token"), Self.locate("right token")],
      granted: ["read:position", "command:locate"], fixture)
    #expect(without.allSatisfy { $0.contains("no grant accounts") }, "\(without)")
    await fixture.stop()
    let other = try HostFixture()
    let long = JSONValue.string(String(repeating: "x", count: 201))
    let malformed = try await answers(
      to: [
        Self.question(""), Self.question(long), Self.question(7), Self.locate(long),
        [
          "method": "request",
          "params": ["method": "zones.list", "session": "right token", "address": "a b\n"],
        ],
      ], granted: ["accounts", "read:position", "command:locate"], other)
    #expect(malformed.allSatisfy { $0.contains("-32602") }, "\(malformed)")
    #expect(other.questions.isEmpty && other.commands.isEmpty)
    await other.stop()
  }

  private static func questions(_ questions: [JSONValue], _ session: JSONValue) -> JSONValue {
    [
      "method": "requests",
      "params": ["questions": .array(questions), "session": session, "language": "zh"],
    ]
  }

  @Test("Several questions are answered together, each by itself answered or refused")
  func several() async throws {
    let fixture = try HostFixture()
    let (known, other): (JSONValue, JSONValue) = (
      ["method": "zones.list"], ["method": "notes.query"]
    )
    let calls = [
      Self.questions([known, other, ["method": "command"], known], "right token"),
      Self.questions([known], "wrong token"), Self.questions([], "right token"),
      Self.questions(Array(repeating: known, count: 17), "right token"),
      Self.questions([known, ["method": "zones.list", "params": []]], "right token"),
    ]
    let answers = try await answers(
      to: calls, granted: ["accounts", "read:position"], fixture
    ).sorted()
    let first = try JSONValue(parsing: String(answers[0].dropFirst("answer 1 ".count)))
    let parts = first["answers"]?.arrayContent ?? []
    let codes = parts.map { $0["error"]?["code"]?.integerContent }
    #expect(codes == [nil, RPCError.notGrantedCode, RPCError.refusedCode, nil])
    #expect(parts.first?["result"] == "zones.list" && parts.last?["result"] == "zones.list")
    #expect(answers[1].contains("logged-out: ") && !answers[1].contains("Please"), "\(answers[1])")
    #expect(answers.dropFirst(2).allSatisfy { $0.contains("-32602") }, "\(answers)")
    #expect(fixture.questions.count == 2)
    #expect(fixture.questions.allSatisfy { $0.asking.session == "s1" })
    await fixture.stop()
  }

  private static func event(_ number: Int, of resident: String = "mary") -> EncodedEvent {
    EncodedEvent(
      id: EventID("e\(number)"), type: "zone.left", subject: "resident/\(resident)", lane: .record,
      moment: Moment(tick: .seconds(1), utc: .seconds(1), quality: .synchronised), boot: "b",
      body: Array(#"{"id":"e\#(number)"}"#.utf8))
  }

  @Test(
    "What it watches comes as the account may see it just then, and ends when nobody is logged in")
  func watched() async throws {
    let fixture = try HostFixture()
    let watch: JSONValue = ["method": "watch", "params": ["session": "right token"]]
    let answers = try await answers(
      to: [watch, ["method": "unwatch", "params": ["watch": "w9"]]],
      granted: ["accounts", "read:journal"], fixture)
    #expect(answers[0].contains(#"{"watch": "w1"}"#) && answers[1].contains("no such watch"))
    var isLinked = true
    fixture.onView = { event, asking in
      asking.account?.id == "a1" && isLinked ? event.body : nil
    }
    let host = try #require(fixture.host)
    host.show(Self.event(1))
    await fixture.waitForLog(
      of: "asks", containing: #"watched {"event": {"id": "e1"}, "watch": "w1"}"#)
    isLinked = false
    host.show(Self.event(2))
    isLinked = true
    host.show(Self.event(3))
    await fixture.waitForLog(of: "asks", containing: #"{"id": "e3"}"#)
    #expect(!fixture.log(of: "asks").contains { $0.contains("e2") })
    fixture.onSession = { _ in nil }
    host.show(Self.event(4))
    await fixture.waitForLog(
      of: "asks", containing: #"watched {"ended": "logged-out", "watch": "w1"}"#)
    fixture.onSession = { _ in Self.anna }
    host.show(Self.event(5))
    #expect(!fixture.log(of: "asks").contains { $0.contains("e4") || $0.contains("e5") })
    await fixture.stop()
  }

  @Test("Nobody watches without the grant, without a session, or for types without end")
  func notWatched() async throws {
    let fixture = try HostFixture()
    let watch: JSONValue = ["method": "watch", "params": ["session": "right token"]]
    let without = try await answers(to: [watch], granted: ["accounts"], fixture)
    #expect(without.first?.contains("no grant read:journal") == true)
    await fixture.stop()
    let other = try HostFixture()
    let types = JSONValue.array((0...PluginLimits.watchedTypes).map { .string("type\($0)") })
    let answers = try await answers(
      to: [
        ["method": "watch", "params": .object([])],
        ["method": "watch", "params": ["session": "wrong token"]],
        ["method": "watch", "params": ["session": "right token", "types": types]], watch,
      ], granted: ["accounts", "read:journal"], other)
    #expect(answers[0].contains("-32602") && answers[1].contains("logged-out"))
    #expect(answers[2].contains("-32602") && answers[3].contains("w1"))
    await other.stop()
  }

  /// What a plugin has not read yet.
  private final class Pipe {
    var sent: [String] = []
    var waiting = 0
  }

  @Test(
    "A plugin that does not read is given up, and others who watch are not; there is room for so many"
  )
  func slow() throws {
    let fixture = try HostFixture()
    let pipe = Pipe()
    let watches = SessionWatches(
      SessionWatches.Links(
        environment: fixture.environment(),
        asking: {
          $0.token == "right token" ? Self.anna.asking(through: "asks", [], from: nil) : nil
        },
        send: { pipe.sent.append(String(decoding: $0, as: UTF8.self)) },
        waitingBytes: { pipe.waiting }))
    let token = SessionCall(token: "right token")
    let left = watches.begin(token, EventSelection(types: ["zone"]))
    _ = watches.begin(token, EventSelection(types: ["fault"]))
    pipe.waiting = PluginLimits.watchedBytes
    watches.show(Self.event(1))
    #expect(
      pipe.sent.count == 1 && pipe.sent[0].contains(#""watch":"\#(left)","ended":"slow""#),
      "\(pipe.sent)")
    #expect(!watches.end(left) && watches.end("w2"))
    for _ in 0..<PluginLimits.watches {
      #expect(watches.hasRoom)
      _ = watches.begin(token, EventSelection(types: []))
    }
    #expect(!watches.hasRoom)
  }

  @Test(
    "A plugin that serves accounts gets no lane, whatever it asks for: what it shows comes by a session"
  )
  func noLanes() async throws {
    let fixture = try HostFixture()
    var page = ZooPlugin("good", name: "page")
    page.asks = ["accounts", "position.precise", "contacts"]
    page.granted = Set(page.asks)
    try fixture.start([page, HostFixture.good])
    await fixture.wait(for: "page", .working)
    for lane in Lane.allCases { fixture.commit(fixture.events(lane, 5)) }
    fixture.host?.forwardBeforeDurable(fixture.events(.alarm, 1)[0])
    await fixture.waitUntilSettled("good")
    #expect(fixture.received(by: "good", .record).count == 5)
    for lane in Lane.allCases { #expect(fixture.received(by: "page", lane) == []) }
    #expect(try await fixture.status("page").lanes.isEmpty)
    await fixture.stop()
  }
}
