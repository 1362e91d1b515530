import Buttons
import Care
import CivilTime
import Core
import Credentials
import Door
import Foundation
import Gestures
import JSON
import Loop
import Loudspeaker
import MachineClock
import Moments
import Plugins
import Ports
import Privacy
import Runtime
import Store
import Synchronization
import TestSupport
import Texts

/// A gateway inside of this process, so that its ends can be timed: a hand on a button that is a pipe, a card that takes
/// everything, a real store, plugins as installed.
final class GatewayInProcess: Sendable {
  /// How long the button must be held here; taken off what is measured.
  static let holdMilliseconds: Int64 = 60

  let button = PipeButton()
  let store: SQLiteStore
  private let parts = Mutex<Parts?>(nil)

  private struct Parts: Sendable {
    var runtime: GatewayRuntime
    var host: PluginHost
  }

  /// Starts it; `onEvent` gets every event that is durable.
  init(
    state: String, plugins: [PluginHost.PluginConfiguration], speaker: ALSASpeaker,
    onEvent: @escaping @Sendable (EncodedEvent) -> Void = { _ in }
  ) throws {
    store = try SQLiteStore.open(SQLiteStore.Options(directory: state))
    let working = Working()
    Self.onLoop { [self] in
      let clock = SystemClock(policy: .system)
      let link = Link()
      let host = PluginHost(
        environment: environment(state: state, clock: clock, link: link, working: working),
        plugins: plugins)
      var parts = GatewayRuntime.Parts(
        store: store, clock: clock,
        sources: [
          ButtonSource(
            options: .init(
              id: "bench", device: .input(InputDevice(device: "pipe")),
              times: GestureTimes(holdMilliseconds: Self.holdMilliseconds)), opener: button)
        ], forwarder: host, watcher: { onEvent($0) })
      parts.room.speaker = speaker
      parts.room.services = Services(host)
      parts.room.credentials = SecretHasher()
      parts.privacy = { PrivacyFilter(discs: [], events: .all) }
      parts.room.timeZoneFile = { try? TimeZoneFile.contents(name: $0) }
      let runtime = GatewayRuntime(run: Self.beginRun(in: store, at: clock.now()), parts: parts)
      link.runtime = runtime
      self.parts.withLock { $0 = Parts(runtime: runtime, host: host) }
      runtime.start()
      host.start(heads: store.loaded.heads)
    }
    guard Eventually.holds(withinSeconds: 30, { working.count >= plugins.count }) else {
      throw BenchmarkFailure("the plugins are not ready")
    }
    try ask(.putResident(Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC")))
  }

  private func environment(
    state: String, clock: SystemClock, link: Link, working: Working
  ) -> PluginHost.Environment {
    var environment = PluginHost.Environment(
      journal: store, gateway: "bench", version: "bench", stateRoot: "\(state)/plugins",
      clock: clock, privacy: { PrivacyFilter(discs: [], events: .all) },
      onObservation: { _, observation in link.runtime?.observe(observation) },
      onCommand: { command, asking, reply in
        link.runtime?.perform(command, for: asking, reply: reply)
      },
      onHealth: { report in
        link.runtime?.observe(.health(report))
        if report.state == .working { working.add(report.component) }
      },
      log: { _, _, _ in }, randomSeed: 1)
    environment.onQuestion = { route, params, asking, reply in
      link.runtime?.answer(route, params: params, asking: asking, reply)
    }
    environment.onView = { link.runtime?.view(of: $0, for: $1) }
    environment.onSession = { link.runtime?.speaker(by: $0) }
    return environment
  }

  private static func beginRun(in store: SQLiteStore, at now: Moment) -> GatewayRuntime.Run {
    let core = GatewayCore(
      stored: store.loaded, configuration: CoreConfiguration(gateway: "bench"), seed: 1,
      boot: "boot", at: now)
    let record = RunRecord(
      run: "bench", seed: 1, version: "bench", boot: "boot", moment: now,
      startState: Array("{}".utf8))
    store.begin(run: record) { _ in }
    return GatewayRuntime.Run(core: core, record: record)
  }

  /// Has a command done and waits until it is durable; its result.
  @discardableResult
  func ask(_ request: Command.Request) throws -> JSONValue {
    let done = DispatchSemaphore(value: 0)
    let given = Mutex<CommandReply?>(nil)
    let runtime = parts.withLock { $0?.runtime }
    EventLoop.shared.post {
      let command = Command(
        id: CommandID(UUID().uuidString), principal: Principal(channel: .local, name: "bench"),
        request: request)
      runtime?.perform(command) { reply in
        given.withLock { $0 = reply }
        done.signal()
      }
    }
    done.wait()
    switch given.withLock({ $0 }) {
    case .done(let result): return result
    case .refused(let why): throw BenchmarkFailure(why.message.description)
    case nil: throw BenchmarkFailure("the gateway has stopped")
    }
  }

  /// Tells the plugins' host how far the journal is.
  func tellHeads() {
    let (store, host) = (store, parts.withLock { $0?.host })
    EventLoop.shared.post { store.status { host?.journalAdvanced(to: $0.heads) } }
  }

  /// Stops the plugins, then the rest.
  func stop() {
    guard let parts = parts.withLock({ $0.take() }) else { return }
    let stopped = DispatchSemaphore(value: 0)
    EventLoop.shared.post {
      parts.host.stop {
        parts.runtime.stop()
        stopped.signal()
      }
    }
    stopped.wait()
    PositionBenchmark.close(store)
  }

  private static func onLoop(_ work: @escaping @LoopActor @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    EventLoop.shared.post {
      work()
      done.signal()
    }
    done.wait()
  }
}

/// Ties the host, which is made first, to the runtime.
@LoopActor
private final class Link {
  var runtime: GatewayRuntime?
}

/// Which plugins have said that they work; one that says so twice counts once.
private final class Working: Sendable {
  private let plugins = Mutex<Set<ComponentID>>([])
  var count: Int { plugins.withLock { $0.count } }
  func add(_ plugin: ComponentID) { _ = plugins.withLock { $0.insert(plugin) } }
}

/// The host's services as the runtime calls them.
@LoopActor
private final class Services: ServiceCaller {
  private let host: PluginHost

  init(_ host: PluginHost) { self.host = host }

  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    host.callService(name, params: params, timeoutMilliseconds: timeoutMilliseconds) { answer in
      completion(
        answer.mapError { ServiceFailure(isMissing: false, message: Message(verbatim: $0.message)) }
      )
    }
  }
}

extension EventDisclosures {
  /// What all events tell.
  static let all = EventDisclosures(GatewayCore.events)
}
