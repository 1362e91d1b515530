import Care
import Core
import JSON
import Loop
import LoopTestSupport
import Moments
import Ports
import Runtime
import Testing
import Texts

@Suite("What an answer promises", .inVirtualTime) @LoopActor struct DurableAnswerTests {
  private let store = ScriptedStore()
  private let clock = ManualClock()
  private let numbers = Numbers()

  private func makeRuntime() -> GatewayRuntime {
    let now = clock.now()
    let configuration = CoreConfiguration(gateway: "test", language: .en)
    let core = GatewayCore(
      stored: StoredState(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")]),
      configuration: configuration, seed: 1, boot: "b", at: now)
    let runtime = GatewayRuntime(
      run: GatewayRuntime.Run(
        core: core,
        record: RunRecord(
          run: "run-1", seed: 1, version: "0", boot: "b", moment: now, startState: [])),
      parts: GatewayRuntime.Parts(store: store, clock: clock))
    runtime.start()
    return runtime
  }

  private func perform(_ request: Command.Request, on runtime: GatewayRuntime) async -> CommandReply
  {
    numbers.last += 1
    let command = Command(
      id: CommandID("c-\(numbers.last)"), principal: Principal(channel: .local, name: "anna"),
      request: request)
    return await withLoopContinuation { continuation in
      runtime.perform(command) { continuation.resume(returning: $0) }
    }
  }

  private func zone(_ id: ZoneID) throws -> SafeZone {
    SafeZone(
      id: id, resident: "mary", name: id.rawValue,
      center: try #require(Coordinate(latitudeDegrees: -24, longitudeDegrees: 133)),
      radiusMeters: 50)
  }

  /// Lets the loop tell what the store has answered.
  private func settle() async {
    for _ in 0..<10 {
      await withLoopContinuation { continuation in
        EventLoop.current.post { continuation.resume() }
      }
    }
  }

  private static let sos = Command.Request.alarm(
    .raise(resident: "mary", kind: .sos, trigger: .commandLine, text: ""))

  private func durability(_ reply: CommandReply) -> Bool? {
    guard case .done(let result) = reply else { return nil }
    return result["durable"]?.boolContent
  }

  private func isNotNow(_ reply: CommandReply) -> Bool {
    guard case .refused(let refusal) = reply else { return false }
    return refusal.code == .notNow
  }

  @Test("The first that the disk does not take is undone and refused, and so are those after it")
  func refused() async throws {
    let runtime = makeRuntime()
    #expect(durability(await perform(.putZone(try zone("kept")), on: runtime)) == true)
    store.setDisk(.fails)
    for id in ["first", "second"] as [ZoneID] {
      #expect(isNotNow(await perform(.putZone(try zone(id)), on: runtime)), "\(id)")
    }
    #expect(runtime.zones.map(\.id) == ["kept"])
    store.setDisk(.answers)
    await settle()
    #expect(durability(await perform(.putZone(try zone("later")), on: runtime)) == true)
    #expect(store.records.compactMap(\.input?.number) == Array(1...Int64(store.records.count)))
    #expect(
      !store.records.contains { $0.changes.contains { "\($0)".contains("first") } })
    runtime.stop()
  }

  @Test("An SOS and a look for somebody go on without the disk, and their answers say so")
  func minute() async throws {
    let runtime = makeRuntime()
    store.setDisk(.fails)
    #expect(durability(await perform(Self.sos, on: runtime)) == false)
    #expect(durability(await perform(.locate(resident: "mary"), on: runtime)) == false)
    #expect(durability(await perform(.alarm(.silence), on: runtime)) == false)
    #expect(isNotNow(await perform(.setTracking(resident: "mary", isOn: false), on: runtime)))
    runtime.stop()
  }

  @Test("A disk that hangs keeps nobody waiting for the answer to an SOS")
  func hanging() async throws {
    let runtime = makeRuntime()
    store.setDisk(.hangs)
    let asked = EventLoop.now
    #expect(durability(await perform(Self.sos, on: runtime)) == false)
    #expect(EventLoop.now.milliseconds(since: asked) == 500)
    store.setDisk(.answers)
    runtime.stop()
  }

  @Test(
    "A change that calls guardians is not undone: it goes out, and its answer says that it is not kept"
  )
  func alarming() async throws {
    let runtime = makeRuntime()
    var home = try zone("home")
    home.isHome = true
    _ = await perform(.putZone(home), on: runtime)
    store.setDisk(.fails)
    home.area = .circle(center: home.center, radiusMeters: 20)
    #expect(durability(await perform(.putZone(home), on: runtime)) == false)
    #expect(runtime.zones.map(\.radiusMeters) == [20])
    runtime.stop()
  }

  @Test(
    "What was followed by something else cannot be undone: it stays, and its answer says that it is not kept"
  )
  func followed() async throws {
    let runtime = makeRuntime()
    store.setDisk(.fails)
    let (one, other) = (try zone("one"), try zone("other"))
    var replies: [CommandReply] = []
    await withLoopContinuation { continuation in
      for zone in [one, other] {
        let command = Command(
          id: CommandID(zone.id.rawValue), principal: Principal(channel: .local, name: "anna"),
          request: .putZone(zone))
        runtime.perform(command) {
          replies.append($0)
          if replies.count == 2 { continuation.resume() }
        }
      }
    }
    #expect(replies.map(durability) == [false, false])
    #expect(runtime.zones.map(\.id) == ["one", "other"])
    runtime.stop()
  }
}
