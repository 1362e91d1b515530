import Accounts
import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Privacy
import Testing
import Texts

@testable import Runtime

/// Two households under one gateway, and what each of those who ask gets to see and may do.
@Suite("Everybody passes the door") @LoopActor struct AskingTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let numbers = Numbers()

  private static let caregiver = Account(
    id: "anna", name: "anna", role: .caregiver, residents: ["mary"])
  private static let local = Principal(channel: .local, name: "ole")
  private static let behindPlugin = Principal(channel: .plugin, name: "console/anna")
  private static let owner = Asking.owner(local)
  private static let anna = Asking(local, .account(caregiver))

  private static func plugin(_ grants: Set<String>) -> Asking {
    Asking(behindPlugin, .plugin(grants: grants))
  }

  private func zone(_ id: ZoneID, of resident: ResidentID) throws -> SafeZone {
    SafeZone(
      id: id, resident: resident, name: "Home of \(resident)",
      center: try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133)),
      radiusMeters: 50, isHome: true)
  }

  /// A gateway that looks after Mary and Ben, with a home, a guardian, a bookmark, an absence, a pill and a tag each.
  private func makeRuntime() async throws -> GatewayRuntime {
    let filter = PrivacyFilter(
      zones: [try zone("home-mary", of: "mary")], gatewaySeed: 1, events: .all)
    let runtime = GatewayRuntime.scripted(
      StoredState(
        residents: ["mary", "ben"].map {
          Resident(id: ResidentID($0), name: "Resident \($0)", timeZone: "UTC")
        }), over: store, at: clock
    ) { $0.privacy = { filter } }
    for id in ["mary", "ben"] {
      let resident = ResidentID(id)
      _ = await perform(.putZone(try zone(ZoneID("home-\(id)"), of: resident)), on: runtime)
      _ = await perform(
        .putGuardian(
          Guardian(
            id: GuardianID("guardian-\(id)"), resident: resident, name: "Guardian of \(id)",
            phone: id == "mary" ? "+4791234567" : "+4791234568", push: "secret://\(id)")),
        on: runtime)
      let beacon = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:"
      let identity = try TagIdentity(beacon + (id == "mary" ? "1" : "2"))
      let tag = Tag(id: TagID("wallet-\(id)"), resident: resident, name: "wallet", kind: .wallet)
      _ = await perform(.bluetooth(.putTag(tag, identities: [identity])), on: runtime)
    }
    return runtime
  }

  private func perform(
    _ request: Command.Request, for asking: Asking = AskingTests.owner, on runtime: GatewayRuntime
  ) async -> CommandReply {
    numbers.last += 1
    return await runtime.reply(
      to: request, id: "c-\(numbers.last)", for: asking, at: clock)
  }

  private func code(_ reply: CommandReply) -> CommandReply.Refusal.Code? {
    guard case .refused(let refusal) = reply else { return nil }
    return refusal.code
  }

  private func isForbidden(_ reply: CommandReply) -> Bool { code(reply) == .forbidden }

  private func ask(
    _ route: Route, _ params: JSONValue = .object([]), for asking: Asking,
    on runtime: GatewayRuntime
  ) async -> Result<JSONValue, CommandReply.Refusal> {
    await withLoopContinuation { continuation in
      runtime.answer(route, params: params, asking: asking) {
        continuation.resume(returning: $0.map(\.content))
      }
    }
  }

  private func refusal(_ answer: Result<JSONValue, CommandReply.Refusal>) -> CommandReply.Refusal
    .Code?
  {
    guard case .failure(let refusal) = answer else { return nil }
    return refusal.code
  }

  @Test("Every question has one handler, and every handler is of a question")
  func handlers() async throws {
    let names = try await makeRuntime().handlings.map(\.route.name)
    #expect(names.count == Set(names).count)
    #expect(Set(names) == Set(Route.all.map(\.name)))
  }

  @Test("What plugins can be granted to ask, they are answered with members that were declared")
  func declaredAnswers() {
    for route in Route.all where !route.needs.isEmpty && route != .watch {
      let canBeGranted = route.brings || route.needs.allSatisfy(\.isToSee)
      #expect(AnswerFilter.knows(route.name, route.answer) == canBeGranted, "\(route)")
    }
  }

  @Test("The owner sees everybody")
  func owner() async throws {
    let runtime = try await makeRuntime()
    for route in [Route.residentsList, .zonesList, .guardiansList, .tagsList] {
      let list = try await ask(route, for: Self.owner, on: runtime).get()
      #expect(list.arrayContent?.count == 2, "\(route)")
    }
    #expect(try await ask(.watch, for: Self.owner, on: runtime).get() == .object([]))
  }

  @Test("A caregiver's account sees those whom it is linked to, and learns of nobody else")
  func caregiver() async throws {
    let runtime = try await makeRuntime()
    for route in [Route.residentsList, .zonesList, .guardiansList, .tagsList] {
      let list = try await ask(route, for: Self.anna, on: runtime).get()
      #expect(list.arrayContent?.count == 1, "\(route)")
      #expect(!list.serialized.contains("ben"), "\(route)")
      if route != .residentsList {
        let named = await ask(route, ["resident": "ben"], for: Self.anna, on: runtime)
        #expect(refusal(named) == .forbidden, "\(route)")
      }
    }
    let tag = await ask(.tagGet, ["id": "wallet-mary"], for: Self.anna, on: runtime)
    #expect(try tag.get()["id"] == "wallet-mary")
    // A thing of somebody else's is not there.
    let other = await ask(.tagGet, ["id": "wallet-ben"], for: Self.anna, on: runtime)
    #expect(refusal(other) == .unknownTarget)
    let status = try await ask(.status, for: Self.anna, on: runtime).get()
    #expect(!status.serialized.contains("ben"))
    #expect(status["residents"]?.arrayContent?.count == 1)
    let restart = await ask(.pluginsRestart, ["name": "mqtt"], for: Self.anna, on: runtime)
    #expect(refusal(restart) == .forbidden)
  }

  @Test("Of a list of everybody's a caregiver is answered part by part what is theirs, each once")
  func parts() async throws {
    let runtime = try await makeRuntime()
    let messages = (0..<900).map { number in
      ChatMessage(
        id: MessageID("m\(number)"), resident: number % 30 == 7 ? "mary" : "ben",
        direction: .toResident, sender: "Anna", text: "\(number)",
        sentAt: Timestamp(milliseconds: Int64(1_000_000 - number)))
    }
    store.keep(messages)
    let theirs = messages.filter { $0.resident == "mary" }.map(\.json)
    for limit in [1, 4, 29, 30, 31] {
      var (found, cursor, parts): ([JSONValue], String?, Int) = ([], nil, 0)
      repeat {
        let params = JSONValue.object([
          "limit": .integer(Int64(limit)), "cursor": cursor.map { .string($0) },
        ])
        let answer = try await withLoopContinuation { continuation in
          runtime.answer(.messagesQuery, params: params, asking: Self.anna) {
            continuation.resume(returning: $0)
          }
        }.get()
        found += answer.content.arrayContent ?? []
        #expect(answer.content.arrayContent?.count ?? 0 <= limit)
        cursor = answer.next
        parts += 1
      } while cursor != nil && parts < 40
      #expect(found == theirs, "\(limit) at a time")
    }
    for params: JSONValue in [
      ["cursor": "abc"], ["cursor": 5], ["resident": "mary", "cursor": ""],
    ] {
      #expect(refusal(await ask(.messagesQuery, params, for: Self.anna, on: runtime)) == .invalid)
    }
    runtime.stop()
  }

  @Test("A caregiver's account changes what is of those whom it is linked to, and nothing else")
  func changes() async throws {
    let runtime = try await makeRuntime()
    let own = await perform(.putZone(try zone("park", of: "mary")), for: Self.anna, on: runtime)
    #expect(!isForbidden(own))
    let requests: [Command.Request] = [
      .putZone(try zone("club", of: "ben")), .removeZone("home-ben"), .locate(resident: "ben"),
      .alarm(.raise(resident: "ben", kind: .sos, trigger: .backend, text: "")),
      .bluetooth(
        .putTag(
          Tag(id: "wallet-ben", resident: "mary", name: "wallet", kind: .wallet), identities: nil)),
      .note(.send(id: "m", resident: "ben", .toResident, sender: "Anna", text: "Hello")),
    ]
    for request in requests {
      #expect(isForbidden(await perform(request, for: Self.anna, on: runtime)), "\(request)")
    }
  }

  @Test("An alarm is answered by those alone whom it concerns")
  func alarms() async throws {
    let runtime = try await makeRuntime()
    let sos = Command.Request.alarm(
      .raise(resident: "ben", kind: .sos, trigger: .commandLine, text: ""))
    _ = await perform(sos, on: runtime)
    let open = try await ask(.alarmsList, for: Self.owner, on: runtime).get().arrayContent
    let tag = try #require(open?.first?["tag"]?.stringContent)
    #expect(try await ask(.alarmsList, for: Self.anna, on: runtime).get() == [])
    for target in [tag, tag.lowercased(), nil] {
      let answer = Command.Request.alarm(.acknowledge(alarm: target, by: nil))
      #expect(isForbidden(await perform(answer, for: Self.anna, on: runtime)), "\(target ?? "")")
    }
  }

  @Test("What takes away what calls for help needs a second proof, and no plugin does it by itself")
  func disarming() async throws {
    let runtime = try await makeRuntime()
    let deeds: [Command.Request] = [
      .setTracking(resident: "mary", isOn: false), .removeGuardian("guardian-mary"),
      .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"),
      .eraseResident("mary"),
    ]
    var proved = Self.anna
    proved.proof = .caregiverPIN
    for deed in deeds {
      let answer = await perform(deed, for: Self.anna, on: runtime)
      #expect(code(answer) == .unconfirmed, "\(deed)")
      let granted = Self.plugin(["command:\(deed.action)"])
      #expect(isForbidden(await perform(deed, for: granted, on: runtime)), "\(deed)")
    }
    for deed in deeds {
      #expect(!isForbidden(await perform(deed, for: proved, on: runtime)), "\(deed)")
    }
  }

  @Test("A PIN that a command brings and nobody judges opens nothing, and is kept nowhere")
  func unjudged() async throws {
    let runtime = try await makeRuntime()
    let params: JSONValue = [
      "command": [
        "id": "p", "proof": ["pin": "471147"],
        "request": [
          "action": "tracking.set", "target": "mary", "isOn": false, "proof": "471147",
        ],
      ]
    ]
    #expect(refusal(await ask(.command, params, for: Self.anna, on: runtime)) == .unconfirmed)
    _ = await ask(.command, params, for: Self.owner, on: runtime)
    let kept = store.records.filter { "\($0.changes)".contains("tracking.set") }
    #expect(kept.count == 1, "the owner's went through")
    for record in store.records {
      let bodies = [record.input?.body ?? []] + record.events.map(\.body)
      let texts = bodies.map { String(decoding: $0, as: UTF8.self) } + ["\(record.changes)"]
      #expect(!texts.contains { $0.contains("471147") })
    }
  }

  @Test("A plugin's command goes on as it did where its grant was checked before")
  func commandsOfPlugins() async throws {
    let runtime = try await makeRuntime()
    let command = Command(
      id: "c", principal: Self.behindPlugin,
      freshUntil: clock.now().tick.advanced(byMilliseconds: 60_000),
      request: .setTracking(resident: "mary", isOn: true))
    let reply = await withLoopContinuation { continuation in
      runtime.perform(command) { continuation.resume(returning: $0) }
    }
    #expect(!isForbidden(reply))
  }

  @Test("Written down is who asks as the door knows them, and not what a command says of itself")
  func written() async throws {
    let runtime = try await makeRuntime()
    let console = Principal(channel: .plugin, name: "console")
    let locate = Command.Request.locate(resident: "mary")
    let kinds: [(Asking, String)] = [
      (
        Asking(
          console, .pluginFor(Self.caregiver, grants: ["command:locate"]), address: "192.0.2.7"),
        "plugin:console, account anna, from 192.0.2.7"
      ),
      (Self.anna, "local:ole, account anna"), (Self.owner, "local:ole"),
      (Asking(console, .plugin(grants: ["command:locate"])), "plugin:console"),
    ]
    for (number, (asking, words)) in kinds.enumerated() {
      var command = Command(
        id: CommandID("w-\(number)"), principal: asking.principal,
        freshUntil: clock.now().tick.advanced(byMilliseconds: 60_000), request: locate)
      (command.account, command.address) = ("ben", "198.51.100.1")
      let sent = command
      _ = await withCheckedContinuation { continuation in
        runtime.perform(sent, for: asking) { continuation.resume(returning: $0) }
      }
      let audit = store.records.flatMap(\.changes).compactMap {
        if case .addAudit(let entry) = $0 { entry } else { nil }
      }
      #expect(audit.last { $0.command == "w-\(number)" }?.principal == words)
    }
  }

  @Test("A plugin is answered what it was granted to ask, and no more than it may see")
  func plugins() async throws {
    let runtime = try await makeRuntime()
    let none = await ask(.zonesList, for: Self.plugin([]), on: runtime)
    #expect(refusal(none) == .forbidden)
    let zones = try await ask(.zonesList, for: Self.plugin(["read:position"]), on: runtime).get()
    #expect(zones.arrayContent?.first?["name"] == "Home of ben")
    #expect(zones.arrayContent?.first?["center"] == nil)
    let precise = Self.plugin(["read:position", "position.precise"])
    let exact = try await ask(.zonesList, for: precise, on: runtime).get()
    #expect(exact.arrayContent?.first?["center"] != nil)
    let guardians = try await ask(
      .guardiansList, ["resident": "mary"], for: Self.plugin(["read:contacts"]), on: runtime
    ).get()
    #expect(guardians.arrayContent?.first?["phone"] == "+4791234567")
    #expect(!guardians.serialized.contains("secret://"))
    let both = Asking(
      Self.behindPlugin, .pluginFor(Self.caregiver, grants: ["read:position"]))
    let own = try await ask(.zonesList, for: both, on: runtime).get()
    #expect(own.arrayContent?.count == 1)
    #expect(refusal(await ask(.guardiansList, for: both, on: runtime)) == .forbidden)
  }

  @Test("A request that its feature cannot read is refused before anything is done with it")
  func unfit() async throws {
    let runtime = try await makeRuntime()
    let steps = runtime.stepsTaken
    let json: [JSONValue] = [
      ["action": "glucose.put", "reading": ["id": "r1", "resident": "mary"]],
      ["action": "glucose.showing", "target": "mary", "showing": "101"],
      ["action": "glucose.remove"], ["action": "glucose.measure", "target": "mary"],
    ]
    for json in json {
      let reply = await perform(try Command.Request(json: json), on: runtime)
      guard case .refused(let refusal) = reply else {
        Issue.record("\(json.serialized) was taken")
        continue
      }
      #expect(refusal.code == .invalid, "\(json.serialized)")
    }
    #expect(runtime.stepsTaken == steps)
    let fit = try Command.Request(json: ["action": "glucose.remove", "target": "r1"])
    guard case .refused(let refusal) = await perform(fit, on: runtime) else {
      Issue.record("a reading that is not there was removed")
      return
    }
    #expect(refusal.code == .unknownTarget && runtime.stepsTaken > steps)
  }

  @Test("Whoever watches sees of each event what is theirs")
  func watching() async throws {
    let runtime = try await makeRuntime()
    func event(
      _ type: EventType, of resident: ResidentID?, _ facts: JSONValue, guardians: Bool = false
    ) -> EncodedEvent {
      Event(
        id: "e", type: type, lane: .record, resident: resident, moment: clock.now(), facts: facts,
        isForGuardians: guardians
      ).cloudEvent(gateway: "test", boot: "b")
    }
    let ours = event(.glucoseRecorded, of: "mary", ["reading": "r", "value": "5.6"])
    let theirs = event(.glucoseRecorded, of: "ben", ["reading": "r", "value": "5.6"])
    #expect(runtime.view(of: theirs, for: Self.owner) == theirs.body)
    #expect(runtime.view(of: ours, for: Self.anna) == ours.body)
    #expect(runtime.view(of: theirs, for: Self.anna) == nil)
    let duress = event(.alarmDuress, of: "mary", ["kind": "sos"], guardians: true)
    #expect(runtime.view(of: duress, for: Self.anna) == nil)
    let beat = event(
      .heartbeat, of: nil,
      [
        "residents": [["id": "mary", "name": "Mary"], ["id": "ben", "name": "Ben"]],
        "guardians": [["id": "g", "resident": "ben", "name": "Cleo"]],
      ])
    let seen = try JSONValue(parsing: #require(runtime.view(of: beat, for: Self.anna)))
    #expect(seen["data"]?["residents"]?.arrayContent?.count == 1)
    #expect(seen["data"]?["guardians"] == [])
    // A plugin sees what its lanes show it, once it may ask for events.
    #expect(runtime.view(of: ours, for: Self.plugin(["health"])) == nil)
    let plain = try JSONValue(
      parsing: #require(runtime.view(of: ours, for: Self.plugin(["read:journal"]))))
    #expect(plain["data"] == ["reading": "r"])
    #expect(runtime.view(of: ours, for: Self.plugin(["read:journal", "health"])) == ours.body)
  }

  @Test("Whoever is linked to somebody no more is told that while they watch, and nobody else is")
  func unlinked() async throws {
    let runtime = try await makeRuntime()
    func event(_ account: String, isLinked: Bool) -> EncodedEvent {
      Event(
        id: "e", type: .accountLinked, lane: .record, resident: "ben", moment: clock.now(),
        facts: [
          "account": .string(account), "name": "Anna", "isLinked": .bool(isLinked),
          "by": "local:ole", "explanation": "Anna sees no longer how Ben is.",
        ]
      ).cloudEvent(gateway: "test", boot: "b")
    }
    let told = try #require(runtime.view(of: event("anna", isLinked: false), for: Self.anna))
    #expect(try JSONValue(parsing: told)["data"] == ["account": "anna", "isLinked": false])
    for event in [event("anna", isLinked: true), event("cleo", isLinked: false)] {
      #expect(runtime.view(of: event, for: Self.anna) == nil)
      #expect(runtime.view(of: event, for: Self.plugin(["health"])) == nil)
    }
  }

  @Test(
    "Every member of an answer is known to the filter, or it would be missing for plugins",
    arguments: [
      Route.residentsList, .zonesList, .guardiansList, .absencesList, .bookmarksList, .consentsList,
      .alarmsList, .routineList, .tagsList, .settingsDescribe, .homeGet, .tagGet,
    ])
  func members(route: Route) async throws {
    let runtime = try await makeRuntime()
    _ = await perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")), on: runtime)
    _ = await perform(
      .putConsent(resident: "mary", kind: .camera, isGranted: true, by: "Mary"), on: runtime)
    let id: JSONValue = route == .tagGet ? ["id": "wallet-mary"] : ["resident": "mary"]
    let answer = try await ask(route, id, for: Self.owner, on: runtime).get()
    #expect(AnswerFilter.unknownMembers(of: answer, to: route.name, route.answer) == [])
  }
}
