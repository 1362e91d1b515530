import Care
import Door
import Foundation
import JSON
import Loop
import Moments
import PluginTestSupport
import Plugins
import Ports
import Privacy
import TestSupport
import Testing

/// A clock that stands still where the test put it.
@LoopActor
final class StillClock: GatewayClock {
  var moment = Moment(
    tick: .seconds(1000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)
  func now() -> Moment { moment }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) {}
}

/// A plugin of the zoo for one test.
struct ZooPlugin {
  var name: String
  var script: String
  var lanes: [Lane] = Lane.allCases
  var types = ["*"]
  var offers: [String] = []
  var asks: [String] = []
  var granted: Set<String> = []
  var settings: JSONValue = .object([])
  var schema: JSONValue = ["type": "object"]
  var consents: JSONValue?
  var protocolVersions: [Int64] = [1]

  init(_ script: String, name: String? = nil) {
    self.script = script
    self.name = name ?? script
  }

  var manifest: JSONValue {
    let manifest: JSONValue = [
      "name": .string(name), "version": "1.0.0",
      "protocol": .array(protocolVersions.map { .integer($0) }), "command": ["./run.py"],
      "description": "A plugin of the zoo.", "licence": "Apache-2.0",
      "lanes": .array(lanes.map { .string($0.rawValue) }),
      "types": .array(types.map { .string($0) }), "offers": .array(offers.map { .string($0) }),
      "grants": .array(asks.map { .string($0) }), "settings": schema,
    ]
    return consents.map { manifest.setting("consents", to: $0) } ?? manifest
  }
}

/// A host with plugins of the zoo, in a folder of its own, and everything that it reported.
@LoopActor
final class HostFixture {
  let directory: TemporaryDirectory
  let journal = MemoryJournal()
  let clock = StillClock()
  private(set) var host: PluginHost?
  private(set) var observations: [(plugin: String, observation: Observation)] = []
  private(set) var roomMessages: [(plugin: String, message: RoomMessage)] = []
  private(set) var commands: [Command] = []
  private(set) var askings: [Asking] = []
  var onView: @LoopActor (EncodedEvent, Asking) -> [UInt8]? = { event, _ in event.body }
  var onSession: @LoopActor (String) -> SessionHolder? = { _ in nil }
  private(set) var questions: [(route: Route, params: JSONValue, asking: Asking)] = []
  var onQuestion: @LoopActor (Route, JSONValue) -> Result<JSONValue, CommandReply.Refusal> = {
    _, _ in .success(.null)
  }
  /// The cursor that is told with each answer.
  var next: String?
  private(set) var health: [HealthReport] = []
  private(set) var logs: [(plugin: String, level: PluginLogLevel, line: String)] = []
  var timings = PluginHost.Timings()
  var systemBus = "/nowhere"
  var ownButtons: Set<SourceID> = []
  var refused: [ConsentKind: Set<ResidentID>] = [:]
  var switches = PluginHost.WallSwitches()
  var filter = PrivacyFilter(discs: [], events: .all)
  private(set) var filtersAsked = 0
  private var waiters: [(condition: @LoopActor () -> Bool, resume: () -> Void)] = []

  init() throws {
    directory = try TemporaryDirectory()
    timings.firstRestartMilliseconds = 20
    timings.longestRestartMilliseconds = 100
    timings.shutdownMilliseconds = 2000
    timings.terminateMilliseconds = 2000
    timings.storeRetryMilliseconds = 20
    timings.retrySecondMilliseconds = 20
    journal.observe { [weak self] in self?.check() }
  }

  // MARK: Plugins

  nonisolated static var zoo: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Zoo")
  }

  func configuration(_ plugin: ZooPlugin) throws -> PluginHost.PluginConfiguration {
    let folder = "plugins/\(plugin.name)"
    try directory.write(plugin.manifest.serialized, to: "\(folder)/plugin.json")
    for (from, to) in [("\(plugin.script).py", "run.py"), ("zoo.py", "zoo.py")] {
      let text = try String(
        contentsOf: Self.zoo.appendingPathComponent(from), encoding: .utf8)
      let path = try directory.write(text, to: "\(folder)/\(to)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    return PluginHost.PluginConfiguration(
      name: plugin.name, directory: directory.path(of: folder), grants: plugin.granted,
      settings: plugin.settings)
  }

  /// The polite plugin that every misbehaving one runs beside.
  static var good: ZooPlugin {
    var good = ZooPlugin("good")
    good.asks = ["position.precise"]
    good.granted = ["position.precise"]
    good.offers = ["echo"]
    return good
  }

  func start(_ plugins: [ZooPlugin]) throws {
    try start(configurations: plugins.map { try configuration($0) })
  }

  func start(configurations: [PluginHost.PluginConfiguration]) {
    let host = PluginHost(environment: environment(), plugins: configurations)
    self.host = host
    host.start(heads: journal.append([]))
  }

  func environment() -> PluginHost.Environment {
    var environment = PluginHost.Environment(
      journal: journal, gateway: "hub-test", version: "0.1.0",
      stateRoot: directory.path(of: "state"),
      clock: clock,
      privacy: { [weak self] in
        self?.filtersAsked += 1
        return self?.filter ?? PrivacyFilter(discs: [], events: .all)
      },
      onObservation: { [weak self] plugin, observation in
        self?.observations.append((plugin, observation))
        self?.check()
      },
      onCommand: { [weak self] command, asking, reply in
        self?.commands.append(command)
        self?.askings.append(asking)
        reply(.done(["done": .string(command.request.action)]))
        self?.check()
      },
      onHealth: { [weak self] report in
        self?.health.append(report)
        self?.check()
      },
      log: { [weak self] plugin, level, line in
        self?.logs.append((plugin, level, line))
        self?.check()
      }, randomSeed: 7, timings: timings)
    environment.systemBus = systemBus
    environment.ownButtons = ownButtons
    environment.isRefused = { [weak self] in self?.refused[$0]?.contains($1) ?? false }
    environment.walls = switches
    environment.onQuestion = { [weak self] route, params, asking, reply in
      guard let self else { return }
      questions.append((route, params, asking))
      reply(onQuestion(route, params).map { RouteAnswer($0, next: next) })
      check()
    }
    environment.onSession = { [weak self] in self?.onSession($0) }
    environment.onView = { [weak self] in self?.onView($0, $1) }
    environment.onRoomMessage = { [weak self] plugin, message in
      self?.roomMessages.append((plugin, message))
      self?.check()
    }
    return environment
  }

  func stop() async {
    await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume() }
      host.stop { continuation.resume() }
    }
  }

  // MARK: Waiting for facts

  private func check() {
    let met = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in met { waiter.resume() }
  }

  /// Waits until something that the host reports makes the condition true.
  func wait(until condition: @escaping @LoopActor () -> Bool) async {
    if condition() { return }
    await withCheckedContinuation { continuation in
      waiters.append((condition, { continuation.resume() }))
    }
  }

  /// Waits until a plugin's health has reached a state, with a code when one is given.
  func wait(for plugin: String, _ state: HealthState, code: String? = nil) async {
    await wait {
      self.health.contains {
        $0.component == ComponentID("plugin/\(plugin)") && $0.state == state
          && (code == nil || $0.code == code)
      }
    }
  }

  func log(of plugin: String) -> [String] { logs.filter { $0.plugin == plugin }.map(\.line) }

  func waitForLog(of plugin: String, containing text: String) async {
    await wait { self.log(of: plugin).contains { $0.contains(text) } }
  }

  func statuses() async -> [PluginStatus] {
    await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume(returning: []) }
      host.statuses { continuation.resume(returning: $0) }
    }
  }

  func status(_ plugin: String) async throws -> PluginStatus {
    try #require(await statuses().first { $0.name == plugin })
  }

  /// The walls around a plugin that runs.
  func walls(_ plugin: String) async throws -> PluginConfinement {
    try #require(await statuses().first { $0.name == plugin }?.confinement)
  }

  /// Asks for a plugin's status until it fits; each answer comes through the loop.
  func waitForStatus(_ plugin: String, _ fits: (PluginStatus) -> Bool) async {
    while true {
      if let status = await statuses().first(where: { $0.name == plugin }), fits(status) { return }
      if host == nil { return }
    }
  }

  func redrive(_ plugin: String?) async -> Int {
    await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume(returning: -1) }
      host.redrive(plugin: plugin, event: nil) { continuation.resume(returning: $0) }
    }
  }

  func call(_ service: String, _ params: JSONValue) async -> Result<JSONValue, RPCFailure> {
    await withCheckedContinuation { continuation in
      host?.callService(service, params: params, timeoutMilliseconds: 10_000) {
        continuation.resume(returning: $0)
      }
    }
  }

  // MARK: Events

  private var count = 0

  /// New events of a lane, for residents in turn.
  func events(_ lane: Lane, _ number: Int, residents: Int = 3) -> [EncodedEvent] {
    (0..<number).map { index in
      count += 1
      let type: EventType =
        switch lane {
        case .alarm: .zoneLeft
        case .record: .locationRecorded
        case .trace: .fixAccepted
        }
      return Event(
        id: EventID("\(lane.rawValue)-\(count)"), type: type, lane: lane,
        resident: ResidentID("r\(index % residents)"), moment: clock.moment,
        facts: ["latitude": 59.9, "longitude": 10.7]
      ).cloudEvent(gateway: "hub-test", boot: "boot")
    }
  }

  /// Makes events durable and tells the host.
  func commit(_ events: [EncodedEvent]) { host?.journalAdvanced(to: journal.append(events)) }

  /// Waits until a plugin's cursor stands at the end of what was committed.
  func waitUntilSettled(_ plugin: String, _ lanes: [Lane] = Lane.allCases) async {
    let heads = journal.append([])
    await wait {
      lanes.allSatisfy {
        let cursor = self.journal.cursor(plugin, $0)
        return (cursor?.sequence ?? 0) >= heads[$0] && cursor?.exceptions.isEmpty != false
      }
    }
  }

  /// The ids that a plugin of the zoo wrote down, in order.
  nonisolated func received(by plugin: String, _ lane: Lane) -> [String] {
    let path = directory.path(of: "state/\(plugin)/received-\(lane.rawValue)")
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Sends so many events on each lane, and checks that the good plugin gets them.
  func expectGoodGoesOn(
    _ count: Int = 100, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let events = Lane.allCases.flatMap { self.events($0, count) }
    commit(events)
    await waitUntilSettled("good")
    expectGoodGot(events, sourceLocation: sourceLocation)
  }

  /// Checks that the good plugin got these events, each once and in order.
  func expectGoodGot(_ events: [EncodedEvent], sourceLocation: SourceLocation = #_sourceLocation) {
    for lane in Lane.allCases {
      let expected = events.filter { $0.lane == lane }.map(\.id.rawValue)
      #expect(received(by: "good", lane) == expected, sourceLocation: sourceLocation)
    }
  }
}
