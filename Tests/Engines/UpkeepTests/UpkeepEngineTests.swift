import Care
import JSON
import Moments
import Testing
import Texts
import Upkeep

/// Parts that fail and come back, and heartbeats, without a core.
@Suite("Upkeep")
struct UpkeepEngineTests {
  private static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)

  private static func house(heartbeatSeconds: Int64 = 0) -> House {
    let mary = Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps")
    var house = House(residents: [mary])
    house.heartbeatSeconds = heartbeatSeconds
    return house
  }

  private static func world(
    afterSeconds seconds: Int64 = 0, heartbeatSeconds: Int64 = 0
  ) -> World {
    World(
      now: start.advanced(byMilliseconds: seconds * 1000),
      house: house(heartbeatSeconds: heartbeatSeconds), boot: "b")
  }

  private static func failed(_ component: ComponentID, _ code: String = "gone") -> HealthReport {
    HealthReport(
      component: component, state: .failed, code: code, detail: Message(verbatim: "It is gone."))
  }

  @Test("A part that fails is a fault after ten seconds, and one that comes back before is none")
  func patience() throws {
    var engine = UpkeepEngine(stored: StoredState(), seed: 1, in: Self.world())
    let first = try engine.handle(.observed(.health(Self.failed("sound"))), in: Self.world())
    #expect(first?.events == [])
    #expect(engine.nextWake == Self.start.tick.advanced(byMilliseconds: 10_000))
    let raised = try engine.handle(.time, in: Self.world(afterSeconds: 10))
    #expect(raised?.events.map(\.type) == [.faultRaised])
    guard case .found(let finding)? = raised?.events.first?.signal else {
      Issue.record("alarms hear nothing of it")
      return
    }
    #expect(finding.cause == "part:sound" && finding.kind == .fault)
    let over = try engine.handle(
      .observed(.health(HealthReport(component: "sound", state: .working))),
      in: Self.world(afterSeconds: 20))
    #expect(over?.events.map(\.type) == [.faultCleared])

    _ = try engine.handle(.observed(.health(Self.failed("gps/x"))), in: Self.world())
    _ = try engine.handle(
      .observed(.health(HealthReport(component: "gps/x", state: .working))), in: Self.world())
    #expect(try engine.handle(.time, in: Self.world(afterSeconds: 60))?.events == [])
  }

  @Test("What is certain waits for nothing, and that nobody can be told alarms nobody")
  func certain() throws {
    var engine = UpkeepEngine(stored: StoredState(), seed: 1, in: Self.world())
    _ = try engine.handle(
      .signalled(.health(Self.failed("guardians", "nobody-reachable"), isCertain: true)),
      in: Self.world())
    let raised = try engine.handle(.time, in: Self.world())
    #expect(raised?.events.map(\.type) == [.faultRaised])
    #expect(raised?.events.first?.signal == nil)
    var world = Self.world()
    engine.show(.faults, in: &world)
    #expect(world.faults.map(\.component) == ["guardians"])
  }

  @Test("What tracking finds out about a resident's receiver by itself is not told twice")
  func receivers() throws {
    var engine = UpkeepEngine(stored: StoredState(), seed: 1, in: Self.world())
    let silent = Self.failed("gps/gps", "no-report")
    #expect(try engine.handle(.observed(.health(silent)), in: Self.world()) == nil)
    let unplugged = Self.failed("gps/gps", "disconnected")
    #expect(try engine.handle(.observed(.health(unplugged)), in: Self.world()) != nil)
    let nobodys = Self.failed("gps/other", "no-report")
    #expect(try engine.handle(.observed(.health(nobodys)), in: Self.world()) != nil)
  }

  @Test("A heartbeat comes at once and then as often as it was set, and everybody may add to it")
  func heartbeats() throws {
    var engine = UpkeepEngine(
      stored: StoredState(), seed: 1, in: Self.world(heartbeatSeconds: 300))
    let first = try engine.handle(.time, in: Self.world(heartbeatSeconds: 300))
    #expect(first?.events.map(\.type) == [.heartbeat])
    #expect(first?.events.first?.signal == .heartbeat)
    #expect(first?.events.first?.facts["intervalSeconds"] == 300)
    #expect(engine.nextWake == Self.start.tick.advanced(byMilliseconds: 300_000))
    var silent = UpkeepEngine(stored: StoredState(), seed: 1, in: Self.world())
    #expect(silent.nextWake == nil)
    #expect(try silent.handle(.time, in: Self.world(afterSeconds: 900))?.events == [])
  }

  @Test("A fault outlives a restart, and one that nobody reports any more ends after ten minutes")
  func restart() throws {
    var engine = UpkeepEngine(stored: StoredState(), seed: 1, in: Self.world())
    _ = try engine.handle(.observed(.health(Self.failed("sound"))), in: Self.world())
    _ = try engine.handle(.time, in: Self.world(afterSeconds: 10))
    var stored = StoredState()
    engine.store(in: &stored)
    var next = UpkeepEngine(stored: stored, seed: 2, in: Self.world(afterSeconds: 20))
    #expect(next.raised.map(\.component) == ["sound"])
    let over = try next.handle(.time, in: Self.world(afterSeconds: 620))
    #expect(over?.events.map(\.type) == [.faultCleared])
    #expect(next.raised.isEmpty)
  }

  @Test("A heartbeat names whom it looks after and what fails, and the next is due from then on")
  func heartbeatContent() throws {
    func world(_ seconds: Int64) -> World {
      var world = Self.world(afterSeconds: seconds, heartbeatSeconds: 300)
      world.house.put(Guardian(id: "ada", resident: "mary", name: "Ada", email: "a@example.org"))
      return world
    }
    var engine = UpkeepEngine(stored: StoredState(), seed: 1, in: world(0))
    let first = try engine.handle(.time, in: world(0))?.events.first
    #expect(first?.facts["faults"] == [])
    #expect(first?.facts["residents"] == [["id": "mary", "name": "Mary"]])
    #expect(first?.facts["guardians"] == [["id": "ada", "resident": "mary", "name": "Ada"]])
    #expect(
      first?.facts["expectedNext"]?.stringContent
        == Self.start.utc.advanced(byMilliseconds: 300_000).iso8601)
    _ = try engine.handle(.observed(.health(Self.failed("sound"))), in: world(100))
    #expect(try engine.handle(.time, in: world(110))?.events.map(\.type) == [.faultRaised])
    // A machine that slept too long says once that it is there.
    let late = try engine.handle(.time, in: world(1000))?.events
    #expect(late?.map(\.type) == [.heartbeat] && late?.first?.facts["faults"] == ["sound"])
    #expect(engine.nextWake == Self.start.tick.advanced(byMilliseconds: 1_300_000))
    #expect(try engine.handle(.time, in: world(1000))?.events == [])
  }
}
