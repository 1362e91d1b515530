import CGatewayShims
import Care
import Configuration
import ControlSocket
import Core
import Door
import Glibc
import JSON
import Loop
import MachineClock
import Plugins
import Ports
import Privacy
import Runtime
import SpokenSentences
import Store
import Texts

/// The parts of the running gateway, wired together.
@LoopActor
final class Daemon {
  private static var running: Daemon?

  private var configuration: GatewayConfiguration
  private let store: SQLiteStore
  private let clock: SystemClock
  private let boot: BootID
  private let devices: Devices
  private let plugins: PluginHost
  private let runtime: GatewayRuntime
  private let control: ControlServer
  private let watchdog: Watchdog
  private let sentences: SentenceCache
  private let logWatch: LogWatch

  /// Starts the gateway; it is armed when this returns.
  ///
  /// - Throws: an error whose description tells a person what to do.
  static func start(_ configuration: GatewayConfiguration, options: LaunchOptions) throws {
    let daemon = try Daemon(configuration, options: options)
    running = daemon
    try daemon.arm(configuration)
  }

  /// Takes the plugins of a configuration that was read again.
  static func reload(_ configuration: GatewayConfiguration) {
    running?.configuration = configuration
    running?.plugins.reload(plugins: configuration.pluginConfigurations)
  }

  /// Stops plugins, sources and store in this order, then calls back.
  static func stop(completion: @escaping @LoopActor @Sendable () -> Void) {
    guard let daemon = running else { return completion() }
    running = nil
    daemon.watchdog.stop()
    daemon.logWatch.stop()
    daemon.control.stop()
    daemon.sentences.stop()
    daemon.plugins.stop {
      daemon.runtime.stop()
      daemon.store.close { completion() }
    }
  }

  private init(_ configuration: GatewayConfiguration, options: LaunchOptions) throws {
    let store = try Assembly.openStore(
      configuration, configurationPath: options.configurationPath)
    let clock = SystemClock(policy: configuration[ClockSection.self].trust)
    let links = Links(privacySeed: Assembly.privacySeed(in: store))
    devices = DriverList.devices(
      of: configuration,
      in: Assembly.surroundings(configuration, store: store, clock: clock, links: links))
    let coreConfiguration = try Assembly.coreConfiguration(configuration, devices)
    boot = BootID(try BootIdentity.read())
    let run = Assembly.beginRun(
      from: store.loaded, coreConfiguration, boot: boot, store: store, at: clock.now())
    self.configuration = configuration
    self.store = store
    self.clock = clock
    plugins = Assembly.makePluginHost(
      configuration, devices: devices, store: store, clock: clock, links: links)
    control = ControlServer(
      path: configuration.gateway.controlSocket, language: configuration.gateway.language
    ) { request, answer in
      links.answer(request, answer)
    }
    let services = PluginServices(plugins)
    sentences = Assembly.makeSentences(configuration, plugins: plugins, services: services)
    var parts = GatewayRuntime.Parts(
      store: store, clock: clock, sources: devices.sources, forwarder: plugins, plugins: plugins,
      renewRun: { [boot] core, now in
        Assembly.beginRun(
          from: core.storedState, core.configuration, boot: boot, store: store, at: now)
      }, log: { Log.warning($0) },
      watcher: { [control, plugins, links] event in
        control.publish(event) { links.runtime?.view(of: $1, for: $0) }
        plugins.show(event)
      })
    parts.stateDirectory = configuration.gateway.state
    parts.figures = { LogWatch.samples }
    parts.privacy = { [links] in links.privacyFilter }
    parts.consentChanged = { [plugins] in EventLoop.current.post { plugins.consentChanged() } }
    parts.tagsChanged = devices.tagsChanged
    parts.bluetooth = devices.bluetooth
    parts.room = Assembly.makeRoom(
      configuration, devices: devices, services: services, sentences: sentences, clock: clock)
    parts.signUp = configuration.gateway.signUp
    parts.guardianLinks = parts.room.credentials.flatMap {
      Assembly.guardianLinks(configuration, in: store, keeper: $0)
    }
    runtime = GatewayRuntime(run: run, parts: parts)
    watchdog = Watchdog(runtime: runtime)
    logWatch = LogWatch { [runtime] in runtime.observe(.health($0)) }
    links.runtime = runtime
  }

  private func arm(_ configuration: GatewayConfiguration) throws {
    // Before the runtime, for an alarm that was open speaks at once; what it tells comes when there is somebody to hear it.
    sentences.start { [runtime] observation in
      EventLoop.current.post { runtime.observe(observation) }
    }
    runtime.start()
    try startControl(configuration)
    store.startMaintenance(
      now: { [clock] in clock.now() },
      onHealth: { [runtime] report in
        Self.log(report, in: configuration.gateway.language)
        runtime.observe(.health(report))
      })
    plugins.start(heads: store.loaded.heads)
    PendingCommands.apply(in: configuration.gateway.state, to: runtime)
    watchdog.start()
    logWatch.start()
    if store.isOnCard { takeStoredState() }
    Log.info("Armed: \(configuration.gateway.name), version \(Release.version).")
  }

  /// What names people is not for the log: it says where to look.
  private static func log(_ report: HealthReport, in language: Language) {
    guard [.failed, .degraded].contains(report.state) else { return }
    let detail =
      report.namesPeople
      ? gettext("parts of the database were damaged; see: homeward status", in: language)
      : report.detail.text(in: language)
    Log.write(report.state == .failed ? 3 : 4, "store (\(report.code)): \(detail)")
  }

  /// Goes on with everything that is stored, once a store that began with the emergency card alone has it again.
  private func takeStoredState() {
    let known = runtime.stepsTaken
    store.loadAgain { [weak self] state in
      guard let self, Daemon.running === self else { return }
      // What happened while it was read is not in it.
      guard runtime.stepsTaken == known else { return takeStoredState() }
      do {
        runtime.goOn(
          with: Assembly.beginRun(
            from: state, try Assembly.coreConfiguration(configuration, devices), boot: boot,
            store: store, at: clock.now()))
        Log.info("The database can be used again; the gateway goes on from what is stored.")
      } catch {
        Log.error("\(error)")
      }
    }
  }

  /// A socket that cannot be made must not keep the gateway from guarding; one that is somebody else's must.
  private func startControl(_ configuration: GatewayConfiguration) throws {
    do { try control.start() } catch {
      guard access(configuration.gateway.controlSocket, F_OK) != 0 else { throw error }
      Log.error("\(error)")
      runtime.observe(
        .health(
          HealthReport(
            component: "control", state: .failed, code: "socket", detail: error.message)))
    }
  }
}

/// Ties what is made early to the runtime that is made late.
@LoopActor
final class Links {
  var runtime: GatewayRuntime?
  private var privacy: PrivacyFilterSource

  init(privacySeed: UInt64) {
    privacy = PrivacyFilterSource(gatewaySeed: privacySeed, events: GatewayCore.events)
  }

  /// What may leave towards plugins that are not granted to see everything.
  var privacyFilter: PrivacyFilter {
    privacy.filter(
      version: runtime?.zonesVersion ?? 0, zones: { runtime?.zones ?? [] },
      past: { runtime?.pastHomes ?? [] })
  }

  func answer(_ request: ControlRequest, _ answer: @escaping ControlServer.Answer) {
    runtime?.answer(request.method, params: request.params, asking: request.asking) { outcome in
      answer(outcome.mapError { ControlError($0) })
    }
  }
}
