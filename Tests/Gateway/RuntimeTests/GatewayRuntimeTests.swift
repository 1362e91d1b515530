import Care
import Core
import Door
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Runtime
import Testing
import Texts

@Suite(.inVirtualTime) @LoopActor struct GatewayRuntimeTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let forwarder = RecordingForwarder()

  private func makeRuntime(
    language: Language = .en, renderer: ScriptedRenderer? = nil,
    watcher: (@LoopActor (EncodedEvent) -> Void)? = nil
  ) -> GatewayRuntime {
    var parts = GatewayRuntime.Parts(
      store: store, clock: clock, forwarder: forwarder,
      renewRun: { core, now in makeRun("run-2", from: core.storedState, at: now) },
      watcher: watcher)
    parts.room.renderer = renderer
    parts.room.timeZoneFile = { $0 == "Europe/Oslo" ? [] : nil }
    let runtime = GatewayRuntime(
      run: makeRun("run-1", from: StoredState(), at: clock.now(), language: language), parts: parts)
    runtime.start()
    return runtime
  }

  private func makeRun(
    _ name: String, from state: StoredState, at now: Moment, language: Language = .en
  ) -> GatewayRuntime.Run {
    let configuration = CoreConfiguration(gateway: "test", language: language)
    return GatewayRuntime.Run(
      core: GatewayCore(
        stored: state, configuration: configuration, seed: name == "run-1" ? 1 : 2, boot: "b",
        at: now),
      record: RunRecord(
        run: name, seed: name == "run-1" ? 1 : 2, version: "0", boot: "b", moment: now,
        startState: RunReplay.startState(of: state, configuration: configuration)))
  }

  private func perform(_ request: Command.Request, on runtime: GatewayRuntime) async -> CommandReply
  {
    await withLoopContinuation { continuation in
      commandNumber += 1
      runtime.perform(
        Command(
          id: CommandID("c-\(commandNumber)"), principal: Principal(channel: .local, name: "anna"),
          request: request)
      ) { continuation.resume(returning: $0) }
    }
  }

  private final class Counter { var count = 0 }
  private let counter = Counter()
  private var commandNumber: Int {
    get { counter.count }
    nonmutating set { counter.count = newValue }
  }

  private let mary = Resident(id: "mary", name: "李奶奶 \"Mary\" 🙂", timeZone: "Europe/Oslo")

  private func home(radius: Double) throws -> SafeZone {
    SafeZone(
      id: "home", resident: "mary", name: "Home",
      center: try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133)),
      radiusMeters: radius, isHome: true)
  }

  @Test("What a receiver says of the time is the source's to judge, and is not judged twice")
  func clockIsJudgedOnce() {
    let runtime = makeRuntime()
    runtime.observe(
      .fix(
        FixReport(
          source: "gps", mode: .threeDimensional, latitudeDegrees: 1, longitudeDegrees: 2,
          accuracyMeters: 4, receiverTime: clock.now().utc)))
    #expect(clock.considered.isEmpty)
  }

  @Test("Whether guardians can be told is a part of the gateway's health, in the next run as well")
  func reachIsHealth() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    #expect(runtime.healthReport.isHealthy)
    runtime.observe(.ways(WaysReport(offers: [])))
    #expect(!runtime.healthReport.isHealthy)
    clock.moment = clock.moment.advanced(byMilliseconds: 86_400_001)
    _ = await perform(.putResident(mary), on: runtime)
    #expect(runtime.run == "run-2")
    let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
    _ = await perform(.putGuardian(anna), on: runtime)
    await Task.yield()
    #expect(!runtime.healthReport.isHealthy)
    runtime.observe(
      .ways(WaysReport(offers: [.init(channel: .sms, plugin: "sms-modem", isRunning: true)])))
    #expect(runtime.healthReport.isHealthy)
  }

  @Test(
    "Sentences that nobody could speak are tried again when a plugin begins to run, and only then")
  func voiceComes() {
    let renderer = ScriptedRenderer()
    let runtime = makeRuntime(renderer: renderer)
    func report(_ voice: WaysReport.Service?) {
      runtime.observe(.ways(WaysReport(offers: [], voice: voice)))
    }
    for _ in 0..<2 { report(nil) }
    report(.init(plugin: "speech", isRunning: false))
    #expect(renderer.attempts == 0)
    for _ in 0..<2 { report(.init(plugin: "speech", isRunning: true)) }
    #expect(renderer.attempts == 1)
    report(.init(plugin: "speech", isRunning: false))
    report(.init(plugin: "speech", isRunning: true))
    #expect(renderer.attempts == 2)
  }

  /// Lets the loop tell what the disk has answered.
  private func settle() async {
    for _ in 0..<10 {
      await withLoopContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
  }

  /// Shrinking a zone makes an alarm-lane event, which is what these tests need.
  private func raiseAlarm(on runtime: GatewayRuntime) async throws {
    _ = await perform(.putResident(mary), on: runtime)
    _ = await perform(.putZone(try home(radius: 100)), on: runtime)
  }

  @Test("A resident cannot be given a time zone that this machine does not know")
  func unknownTimeZone() async throws {
    let runtime = makeRuntime()
    var lost = mary
    lost.timeZone = "Asia/Shanghia"
    guard case .refused(let refusal) = await perform(.putResident(lost), on: runtime) else {
      Issue.record("Asia/Shanghia was taken")
      return runtime.stop()
    }
    #expect(refusal.code == .invalid && refusal.message.description.contains("Asia/Shanghia"))
    _ = await perform(.putResident(mary), on: runtime)
    guard case .refused = await perform(.putResident(lost), on: runtime) else {
      Issue.record("Asia/Shanghia was taken")
      return runtime.stop()
    }
    #expect(!store.records.contains { $0.changes.contains(.putResident(lost)) })
    runtime.stop()
  }

  @Test func aCommandIsAnsweredOnlyAfterItsCommit() async throws {
    let runtime = makeRuntime()
    let reply = await perform(.putResident(mary), on: runtime)
    #expect(reply == .done(["id": "mary", "durable": true]))
    #expect(store.records.contains { $0.changes.contains(.putResident(mary)) })
    runtime.stop()
  }

  @Test func eventsAreStoredWithTheInputThatMadeThemAndThenForwarded() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    let record = try #require(store.records.last { $0.changes.contains(.putResident(mary)) })
    #expect(record.events.map(\.type) == [.recordChanged])
    #expect(record.input?.run == "run-1")
    #expect(record.input?.resident == "mary")
    #expect(forwarder.heads.last?.record ?? 0 > 0)
    #expect(forwarder.early.isEmpty)
    runtime.stop()
  }

  @Test func anAlarmThatTheDiskRefusesGoesOutFromMemoryAtOnce() async throws {
    let runtime = makeRuntime()
    try await raiseAlarm(on: runtime)
    store.setDisk(.fails)
    _ = await perform(.putZone(try home(radius: 10)), on: runtime)
    #expect(forwarder.early.map(\.type) == [.zoneChanged])
    #expect(
      !store.records.contains {
        $0.events.contains { $0.type == .zoneChanged && $0.lane == .alarm }
      })
    store.setDisk(.answers)
    #expect(
      store.records.contains { $0.events.contains { $0.type == .zoneChanged && $0.lane == .alarm } }
    )
    runtime.stop()
  }

  @Test func aDiskThatRefusesIsNotTakenForOneThatHangs() async throws {
    let runtime = makeRuntime()
    store.setDisk(.fails)
    _ = await perform(.putResident(mary), on: runtime)
    await EventLoop.pass(milliseconds: 3_600_000)
    // The store has answered: the watchdog has no reason to starve, however long the disk refuses.
    #expect(runtime.longestWaitMilliseconds == 0)
    store.setDisk(.answers)
    runtime.stop()
  }

  @Test func aGatewayThatBeganWithoutItsDatabaseGoesOnFromIt() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    let state = StoredState(residents: [mary], zones: [try home(radius: 100)])
    clock.moment = clock.moment.advanced(byMilliseconds: 1000)
    let taken = runtime.stepsTaken
    runtime.goOn(with: makeRun("run-2", from: state, at: clock.now()))
    #expect(runtime.run == "run-2")
    #expect(runtime.stepsTaken > taken)
    #expect(runtime.zones.map(\.id) == ["home"])
    let reply = await perform(.removeZone("home"), on: runtime)
    #expect(reply == .done(["removed": "home", "durable": true]))
    #expect(store.records.compactMap(\.input).last?.run == "run-2")
    runtime.stop()
  }

  @Test func anAlarmThatAHangingDiskKeepsWaitingGoesOutFromMemory() async throws {
    let runtime = makeRuntime()
    try await raiseAlarm(on: runtime)
    store.setDisk(.hangs)
    let zone = try home(radius: 10)
    let asked = EventLoop.now
    await withLoopContinuation { continuation in
      forwarder.onEarly = { [forwarder] in
        forwarder.onEarly = nil
        continuation.resume()
      }
      runtime.perform(
        Command(
          id: "slow", principal: Principal(channel: .local, name: "anna"), request: .putZone(zone))
      ) { _ in }
    }
    #expect(forwarder.early.map(\.type) == [.zoneChanged])
    #expect(EventLoop.now.milliseconds(since: asked) == 500)
    let (isHealthy, report) = runtime.healthReport
    #expect(isHealthy)
    #expect(report.serialized.contains("\"code\":\"slow\""))
    store.setDisk(.answers)
    runtime.stop()
  }

  @Test func afterADayANewRunBeginsFromTheSameState() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    clock.moment = clock.moment.advanced(byMilliseconds: 86_400_000)
    let reply = await perform(.putZone(try home(radius: 100)), on: runtime)
    #expect(reply == .done(["id": "home", "durable": true]))
    let inputs = store.records.compactMap(\.input)
    #expect(inputs.last?.run == "run-2")
    #expect(inputs.filter { $0.run == "run-2" }.map(\.number) == [1])
    #expect(runtime.run == "run-2")
    runtime.stop()
  }

  @Test func aNewRunLearnsWhoListens() async throws {
    let runtime = makeRuntime()
    runtime.observe(.listening("bluetooth", isListening: true))
    runtime.observe(.listening("room/kitchen", isListening: true))
    runtime.observe(.listening("room/kitchen", isListening: false))
    clock.moment = clock.moment.advanced(byMilliseconds: 86_400_000)
    _ = await perform(.putZone(try home(radius: 100)), on: runtime)
    _ = await perform(.putZone(try home(radius: 90)), on: runtime)
    let told = store.records.compactMap(\.input).filter { $0.run == "run-2" }.compactMap {
      try? CoreInput(json: JSONValue(parsing: $0.body))
    }
    #expect(told.contains(.observation(.listening("bluetooth", isListening: true))))
    #expect(!told.contains(.observation(.listening("room/kitchen", isListening: true))))
    runtime.stop()
  }

  @Test func aWatcherSeesEachEventOnceEvenWhenItWentOutEarly() async throws {
    var seen: [EventID] = []
    let runtime = makeRuntime { seen.append($0.id) }
    try await raiseAlarm(on: runtime)
    store.setDisk(.fails)
    _ = await perform(.putZone(try home(radius: 10)), on: runtime)
    store.setDisk(.answers)
    await settle()
    _ = await perform(.removeZone("home"), on: runtime)
    #expect(store.records.contains { $0.changes.contains(.removeZone("home")) })
    #expect(seen.count == Set(seen).count)
    #expect(Set(seen) == Set(store.records.flatMap(\.events).map(\.id)))
    runtime.stop()
  }

  @Test func healthIsToldAndRecordedInTheLanguageOfTheGateway() {
    let detail = Message(
      "The receiver works but does not know where it is. It needs a view of the sky.")
    for (language, sentence) in [
      (Language.en, detail.description), (.zh, "接收器正常，但不知道自己在哪里。它需要能看到天空。"),
    ] {
      let runtime = makeRuntime(language: language)
      runtime.observe(
        .health(
          HealthReport(component: "gps/gps", state: .degraded, code: "no-fix", detail: detail)))
      #expect(runtime.healthReport.report.serialized.contains(sentence))
      #expect(
        store.records.contains { record in
          record.input.map { String(decoding: $0.body, as: UTF8.self).contains(sentence) } ?? false
        })
      runtime.stop()
    }
  }

  @Test func aFailedDiskIsAFaultAndItsReturnClearsIt() async throws {
    let runtime = makeRuntime()
    store.setDisk(.fails)
    _ = await perform(.putResident(mary), on: runtime)
    #expect(!runtime.healthReport.isHealthy)
    store.setDisk(.answers)
    await settle()
    _ = await perform(.putResident(mary), on: runtime)
    #expect(runtime.healthReport.isHealthy)
    runtime.stop()
  }

  @Test(arguments: [Route.eventsQuery, .eventGet, .locationsQuery, .command])
  func aRequestThatDoesNotFitIsRefusedInWords(route: Route) async {
    let runtime = makeRuntime()
    let answer = await withLoopContinuation { continuation in
      runtime.answer(
        route, params: ["limit": "many", "id": 5],
        asking: .owner(Principal(channel: .local, name: "anna"))
      ) { continuation.resume(returning: $0) }
    }
    #expect(throws: CommandReply.Refusal.self) { try answer.get() }
    runtime.stop()
  }

  @Test func statusTellsClockStoreAndResidents() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    let status = await withLoopContinuation { continuation in
      runtime.status { continuation.resume(returning: $0) }
    }
    #expect(status["gateway"] == "test")
    #expect(status["state"] != nil, "where it keeps its data, which doctor looks at")
    #expect(status["clock"]?["isTrusted"] == true)
    #expect(status["residents"]?.arrayContent?.first?["name"]?.stringContent == mary.name)
    #expect(status["store"]?["recordSequence"]?.integerContent ?? 0 > 0)
    runtime.stop()
  }
}
