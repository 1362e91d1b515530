import CareModel
import EventLoop
import GatewayCore
import GatewayPorts
import GatewayRuntime
import Testing
import Texts

@Suite @LoopActor struct GatewayRuntimeTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let forwarder = RecordingForwarder()

  private func makeRuntime(
    language: Language = .en, watcher: (@LoopActor (EncodedEvent) -> Void)? = nil
  ) -> GatewayRuntime {
    let runtime = GatewayRuntime(
      run: makeRun("run-1", from: StoredState(), at: clock.now(), language: language),
      parts: GatewayRuntime.Parts(
        store: store, clock: clock, forwarder: forwarder,
        renewRun: { core, now in makeRun("run-2", from: core.storedState, at: now) },
        watcher: watcher))
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
    await withCheckedContinuation { continuation in
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

  /// Shrinking a zone makes an alarm-lane event, which is what these tests need.
  private func raiseAlarm(on runtime: GatewayRuntime) async throws {
    _ = await perform(.putResident(mary), on: runtime)
    _ = await perform(.putZone(try home(radius: 100)), on: runtime)
  }

  @Test func aCommandIsAnsweredOnlyAfterItsCommit() async throws {
    let runtime = makeRuntime()
    let reply = await perform(.putResident(mary), on: runtime)
    #expect(reply == .done(["id": "mary"]))
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
    #expect(!store.records.contains { $0.events.contains { $0.type == .zoneChanged } })
    store.setDisk(.answers)
    #expect(store.records.contains { $0.events.contains { $0.type == .zoneChanged } })
    runtime.stop()
  }

  @Test func anAlarmThatAHangingDiskKeepsWaitingGoesOutFromMemory() async throws {
    let runtime = makeRuntime()
    try await raiseAlarm(on: runtime)
    store.setDisk(.hangs)
    let zone = try home(radius: 10)
    await withCheckedContinuation { continuation in
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
    #expect(reply == .done(["id": "home"]))
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
    _ = await perform(.removeZone("home"), on: runtime)
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
    _ = await perform(.putZone(try home(radius: 100)), on: runtime)
    #expect(runtime.healthReport.isHealthy)
    runtime.stop()
  }

  @Test(arguments: ["no.such.method", "events.query", "event.get", "locations.query", "command"])
  func aRequestThatDoesNotFitIsRefusedInWords(method: String) async {
    let runtime = makeRuntime()
    let answer = await withCheckedContinuation { continuation in
      runtime.answer(
        method: method, params: ["limit": "many", "id": 5],
        principal: Principal(channel: .local, name: "anna")
      ) { continuation.resume(returning: $0) }
    }
    #expect(throws: CommandReply.Refusal.self) { try answer.get() }
    runtime.stop()
  }

  @Test func statusTellsClockStoreAndResidents() async throws {
    let runtime = makeRuntime()
    _ = await perform(.putResident(mary), on: runtime)
    let status = await withCheckedContinuation { continuation in
      runtime.status { continuation.resume(returning: $0) }
    }
    #expect(status["gateway"] == "test")
    #expect(status["clock"]?["isTrusted"] == true)
    #expect(status["residents"]?.arrayContent?.first?["name"]?.stringContent == mary.name)
    #expect(status["store"]?["recordSequence"]?.integerContent ?? 0 > 0)
    runtime.stop()
  }
}
