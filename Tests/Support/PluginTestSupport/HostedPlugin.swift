public import Care
import Core
import Foundation
public import JSON
public import Loop
import Moments
public import Plugins
public import Ports
public import Privacy
public import TestSupport
import Texts

/// A built plugin under the gateway's own host, confined as on a real gateway, and everything that it reported.
@LoopActor
public final class HostedPlugin: ServiceCaller {
  /// Where the plugin's folder and state are.
  public let directory: TemporaryDirectory
  /// Every health report so far.
  public private(set) var health: [HealthReport] = []
  /// Every observation that was handed in.
  public private(set) var observations: [Observation] = []
  /// Every command that was handed in.
  public private(set) var commands: [Command] = []
  /// Every line of the log.
  public private(set) var log: [String] = []
  private let name: String
  private var host: PluginHost?
  private var waiters: [(condition: @LoopActor () -> Bool, resume: () -> Void)] = []

  /// A plugin of the repository; it starts at once.
  ///
  /// - Parameters:
  ///   - name: its folder below `plugins/`; its program has been built beside the tests.
  ///   - systemBus: the socket of the bus for the grant `bus.system`; nil for the machine's own.
  ///   - companions: other plugins that run beside it, whose state it may read.
  ///   - devicePaths: devices that it may open.
  ///   - prepare: gets the path of the plugin's state directory before the start.
  public init(
    _ name: String, settings: JSONValue = .object([]), grants: Set<String> = [],
    systemBus: String? = nil, in directory: TemporaryDirectory? = nil, companions: [String] = [],
    devicePaths: [String] = [], prepare: (String) throws -> Void = { _ in }
  ) throws {
    self.name = name
    self.directory = try directory ?? TemporaryDirectory()
    let folder = try Self.install(name, in: self.directory)
    let state = "\(stateRoot)/\(name)"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try prepare(state)
    let others = try companions.map { companion in
      PluginHost.PluginConfiguration(
        name: companion, directory: try Self.install(companion, in: self.directory),
        readPaths: Self.readPaths)
    }
    var environment = environment()
    if let systemBus { environment.systemBus = systemBus }
    let host = PluginHost(
      environment: environment,
      plugins: others + [
        PluginHost.PluginConfiguration(
          name: name, directory: folder, grants: grants, settings: settings,
          readPaths: Self.readPaths + companions.map { "\(stateRoot)/\($0)" },
          devicePaths: devicePaths)
      ])
    self.host = host
    host.start(heads: LaneHeads())
  }

  /// The folder below which the plugin's state is.
  public var stateRoot: String { directory.path(of: "state") }

  /// What a debug build needs besides what an installed plugin may read.
  public nonisolated static var readPaths: [String] { [SwiftRuntime.directory] }

  /// Puts manifest and program into a folder as an installation does; answers the folder.
  public nonisolated static func install(
    _ name: String, in directory: TemporaryDirectory
  ) throws -> String {
    let source = Checkout.root.appendingPathComponent("plugins/\(name)/plugin.json")
    let folder = "plugins/\(name)"
    try directory.write(String(contentsOf: source, encoding: .utf8), to: "\(folder)/plugin.json")
    let program = directory.path(of: "\(folder)/homeward-plugin-\(name)")
    if !FileManager.default.fileExists(atPath: program) {
      try FileManager.default.copyItem(
        atPath: BuiltProducts.path(of: "homeward-plugin-\(name)"), toPath: program)
    }
    return directory.path(of: folder)
  }

  private func environment() -> PluginHost.Environment {
    PluginHost.Environment(
      journal: PluginHost.emptyJournal, gateway: "hub-test", version: "0.1.0", stateRoot: stateRoot,
      clock: RealClock(), privacy: { PrivacyFilter(discs: [], events: .all) },
      onObservation: { [weak self] _, observation in
        self?.observations.append(observation)
        self?.check()
      },
      onCommand: { [weak self] command, _, reply in
        self?.commands.append(command)
        reply(.done(.object([])))
        self?.check()
      },
      onHealth: { [weak self] report in
        self?.health.append(report)
        self?.check()
      },
      log: { [weak self] _, _, line in
        self?.log.append(line)
        self?.check()
      }, randomSeed: 7)
  }

  /// Stops the plugin and waits until it is gone.
  public func stop() async {
    await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume() }
      host.stop { continuation.resume() }
    }
    host = nil
  }

  // MARK: Services

  /// Calls a service as the gateway does.
  public func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    guard let host else {
      return completion(
        .failure(ServiceFailure(isMissing: true, message: Message(verbatim: "stopped"))))
    }
    host.callService(name, params: params, timeoutMilliseconds: timeoutMilliseconds) {
      completion(
        $0.mapError {
          ServiceFailure(isMissing: $0.code == 1003, message: Message(verbatim: $0.message))
        })
    }
  }

  /// Calls a service and answers what came.
  public func call(_ service: String, _ params: JSONValue) async -> Result<
    JSONValue, ServiceFailure
  > {
    await withCheckedContinuation { continuation in
      callService(service, params: params, timeoutMilliseconds: 30_000) {
        continuation.resume(returning: $0)
      }
    }
  }

  // MARK: Waiting for facts

  private func check() {
    let met = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in met { waiter.resume() }
  }

  /// Waits until something that the host reports makes the condition true.
  public func wait(until condition: @escaping @LoopActor () -> Bool) async {
    if condition() { return }
    await withCheckedContinuation { continuation in
      waiters.append((condition, { continuation.resume() }))
    }
  }

  /// Waits until the plugin's health has reached a state; answers the first report of it.
  public func wait(for state: HealthState, code: String? = nil) async -> HealthReport? {
    func fits(_ report: HealthReport) -> Bool {
      report.component == ComponentID("plugin/\(name)") && report.state == state
        && (code == nil || report.code == code)
    }
    await wait { self.health.contains(where: fits) }
    return health.first(where: fits)
  }

  // MARK: The conformance suite

  /// Runs the conformance suite over a plugin; answers the findings that did not pass, and how many there were.
  public nonisolated static func conformance(
    _ name: String, settings: JSONValue = .object([])
  ) async throws -> (failed: [PluginCheck.Finding], count: Int) {
    let directory = try TemporaryDirectory()
    let folder = try install(name, in: directory)
    let findings = await withCheckedContinuation { continuation in
      EventLoop.current.post {
        PluginCheck.run(
          directory: folder, events: GatewayCore.events, settings: settings,
          scratchDirectory: directory.path,
          readPaths: readPaths
        ) { continuation.resume(returning: $0) }
      }
    }
    return (findings.filter { !$0.isPassed }, findings.count)
  }
}

/// The machine's own clocks, trusted.
final class RealClock: GatewayClock {
  func now() -> Moment {
    Moment(
      tick: EventLoop.now,
      utc: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)),
      quality: .synchronised)
  }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) {}
  func stop() {}
  func consider(receiverTime: Timestamp, mode: FixMode) {}
}

extension EventDisclosures {
  /// What all events tell.
  public static let all = EventDisclosures(GatewayCore.events)
}
