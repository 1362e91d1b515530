import Care
import JSON
import Moments
import Protection
import Testing

/// What takes somebody's protection away is told to those who cared, without a core.
@Suite("Protection")
struct ProtectionEngineTests {
  private static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps")
  private static let ada = Guardian(
    id: "ada", resident: "mary", name: "Ada", email: "ada@example.org")
  private static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)

  private var world: World
  private var engine: ProtectionEngine

  init() throws {
    world = World(
      now: Self.start, house: House(residents: [Self.mary], guardians: [Self.ada]), boot: "b")
    world.tracked = ["mary"]
    world.identifiers = IdentifierGenerator(seed: 7)
    engine = ProtectionEngine(stored: StoredState(), seed: 1, in: world)
    #expect(try engine.handle(.arranged, in: world) == nil)
  }

  private func command(_ request: Command.Request) -> Command {
    Command(id: "c", principal: Principal(channel: .local, name: "ole"), request: request)
  }

  private mutating func settle(_ request: Command.Request) throws -> Outcome? {
    try engine.handle(.settled(after: .command(command(request))), in: world)
  }

  private mutating func live(_ seconds: Int64) throws -> Outcome? {
    world.now = world.now.advanced(byMilliseconds: seconds * 1000)
    return try engine.handle(.time, in: world)
  }

  @Test("Tracking that goes off is an event at once, and a message three seconds later")
  mutating func trackingOff() throws {
    world.tracked = []
    let outcome = try settle(.setTracking(resident: "mary", isOn: false))
    #expect(outcome?.events.map(\.type) == [.protectionChanged])
    #expect(outcome?.events.first?.facts["protection"] == "tracking")
    #expect(outcome?.events.first?.facts["isOn"] == false)
    #expect(try live(2)?.actions == [])
    let told = try live(1)
    guard case .notify(let message)? = told?.actions.first else {
      Issue.record("nobody is told")
      return
    }
    #expect(message.guardian == "ada" && message.text.contains("ole"))
    #expect(told?.signals == [.told(message)])
  }

  @Test("What is put right within the moment is told to nobody")
  mutating func putRight() throws {
    world.tracked = []
    _ = try settle(.setTracking(resident: "mary", isOn: false))
    world.tracked = ["mary"]
    _ = try settle(.setTracking(resident: "mary", isOn: true))
    #expect(try live(10)?.actions == [])
  }

  @Test("A command that can take nothing away, or took nothing, says nothing")
  mutating func others() throws {
    #expect(try settle(.locate(resident: "mary")) == nil)
    let same = try settle(.setTracking(resident: "mary", isOn: true))
    #expect(same?.events == [] && same?.changes == [])
  }

  @Test("News go to the guardians under their event, where settings and consent allow")
  mutating func news() throws {
    world.event = "e-1"
    let piece = Signal.news(.unanswered(title: "Tea"), of: "mary")
    let told = try engine.handle(.signalled(piece), in: world)
    #expect(told?.event == "e-1")
    guard case .notify(let message)? = told?.actions.first else {
      Issue.record("nobody is told")
      return
    }
    #expect(message.alarm == "e-1" && message.text.contains("Tea"))
    world.house.settings["mary"] = ["tellRoutine": false]
    #expect(try engine.handle(.signalled(piece), in: world) == nil)
    world.house.settings = [:]
    world.house.consents = [
      Consent(
        resident: "mary", kind: .notifications, isGranted: false, by: "Mary", at: Self.start.utc,
        principal: "local:ole")
    ]
    #expect(try engine.handle(.signalled(piece), in: world) == nil)
  }

  @Test("What was to be told outlives a restart, and goes out until somebody answers")
  mutating func restart() throws {
    world.tracked = []
    _ = try settle(.setTracking(resident: "mary", isOn: false))
    var stored = StoredState()
    engine.store(in: &stored)
    engine = ProtectionEngine(stored: stored, seed: 2, in: world)
    let told = try live(3)
    guard case .notify(let message)? = told?.actions.first else {
      Issue.record("it was forgotten")
      return
    }
    let report = DeliveryReport(
      plugin: "email", event: EventID(message.alarm.rawValue), recipient: "ada", channel: "email",
      outcome: .sent, notice: .news)
    let over = try engine.handle(.signalled(.reported(report)), in: world)
    #expect(over?.changes.isEmpty == false)
    #expect(try live(3600)?.actions == [])
  }
}
