import Bytes
import Care
import Configuration
import ControlSocket
import Core
import Door
import Glibc
import JSON
import Loop
import MachineClock
import Moments
import Plugins
import Ports
import Privacy
import Runtime
import Store
import Texts

/// Makes the parts of the gateway from its configuration.
@LoopActor
enum Assembly {
  static func openStore(
    _ configuration: GatewayConfiguration, configurationPath: String?
  ) throws(StoreError) -> SQLiteStore {
    let stored = configuration.store
    var options = SQLiteStore.Options(directory: configuration.gateway.state)
    options.backupEverySeconds =
      stored.backupEveryHours == 0 ? 100 * 365 * 86_400 : Int64(stored.backupEveryHours) * 3600
    options.backupsKept = stored.backupsKept
    options.minimumFreeBytes = Int64(stored.minimumFreeMegabytes) << 20
    options.inputLogDays = period(stored.retention.inputDays) ?? 36_500
    options.retention.trackDays = period(stored.retention.trackDays)
    options.retention.seriesDays = period(stored.retention.seriesDays)
    options.retention.locationDays = period(stored.retention.locationDays)
    options.retention.alarmDays = period(stored.retention.alarmDays)
    options.retention.recordDays = period(stored.retention.alarmDays)
    options.retention.auditDays = period(stored.retention.auditDays)
    let beside = configurationPath.flatMap { folder(of: $0) }
    options.otherDirectories = [configuration.gateway.runtime] + (beside.map { [$0] } ?? [])
    options.cardPlaces = cardPlaces(configuration, besideConfiguration: beside)
    return try SQLiteStore.open(options, isRecovering: true)
  }

  /// The emergency card lies beside the configuration, and beside the database where that cannot be written; and in
  /// memory, where no disk is in its way.
  private static func cardPlaces(
    _ configuration: GatewayConfiguration, besideConfiguration: String?
  ) -> [[String]] {
    let first = besideConfiguration.map { ["\($0)/emergency"] } ?? []
    return [first + [configuration.gateway.state], [configuration.gateway.runtime]]
  }

  /// The folder of a file; nil for a bare name.
  private static func folder(of path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// Days as the store counts them: the configuration's 0 is for ever.
  private static func period(_ days: Int) -> Int? { days == 0 ? nil : days }

  /// The core's settings from the configuration and the devices that it asks for.
  ///
  /// - Throws: ``LaunchError`` naming every tracking setting that is wrong.
  static func coreConfiguration(
    _ configuration: GatewayConfiguration, _ devices: Devices
  ) throws(LaunchError) -> CoreConfiguration {
    let core = CoreConfiguration(
      gateway: GatewayID(configuration.gateway.name),
      heartbeatSeconds: Int64(configuration.heartbeat.everyMinutes) * 60,
      trackingDefaults: trackingDefaults(configuration, devices),
      buttons: devices.buttons, hearers: devices.hearers, gpsSources: devices.receivers,
      gpsPlugins: gpsPlugins(configuration),
      language: configuration.gateway.language)
    let problems = core.problems
    guard problems.isEmpty else { throw LaunchError(problems.joined(separator: "\n")) }
    return core
  }

  /// The plugins that may bring positions of their own.
  private static func gpsPlugins(_ configuration: GatewayConfiguration) -> [String] {
    configuration.plugins.enabled.filter { $0.grants.contains("observe:fix") }.map(\.name)
  }

  /// What the owner says; where that does not say how long a receiver may be silent, what the drivers know of it.
  private static func trackingDefaults(
    _ configuration: GatewayConfiguration, _ devices: Devices
  ) -> [(name: String, value: JSONValue)] {
    let (name, said) = ("noReportSeconds", configuration.tracking.defaults)
    let silence = said.contains { $0.name == name } ? nil : devices.longestSilenceSeconds
    return said.map { ($0.name, $0.value) } + (silence.map { [(name, .integer(Int64($0)))] } ?? [])
  }

  /// Begins a run from a state and records its start.
  static func beginRun(
    from state: StoredState, _ configuration: CoreConfiguration, boot: BootID, store: SQLiteStore,
    at now: Moment
  ) -> GatewayRuntime.Run {
    var random = SystemRandomNumberGenerator()
    let seed: UInt64 = random.next()
    var identifiers = IdentifierGenerator(seed: random.next())
    let record = RunRecord(
      run: identifiers.next(at: now.utc), seed: seed, version: Release.version, boot: boot,
      moment: now, startState: RunReplay.startState(of: state, configuration: configuration))
    store.begin(run: record) { _ in }
    return GatewayRuntime.Run(
      core: GatewayCore(
        stored: state, configuration: configuration, seed: seed, boot: boot, at: now),
      record: record)
  }

  /// What the drivers find around them; links take what they observe.
  static func surroundings(
    _ configuration: GatewayConfiguration, store: SQLiteStore, clock: SystemClock, links: Links
  ) -> Surroundings {
    let language = configuration.gateway.language
    return Surroundings(
      clock: clock, language: language, observe: { links.runtime?.observe($0) },
      log: { Log.info($0.text(in: language)) }, kept: { kept($0, in: store) },
      keep: { keep($1, as: $0, in: store) })
  }

  /// What the gateway itself keeps with the data under a name, so that a backup carries it.
  private static func kept(_ name: String, in store: SQLiteStore) -> JSONValue? {
    store.loaded.engineRows.first { $0.engine == "gateway" && $0.name == name }?.content
  }

  private static func keep(_ content: JSONValue, as name: String, in store: SQLiteStore) {
    let row = EngineRow(engine: "gateway", subject: "gateway", name: name, content: content)
    store.submit(StepRecord(changes: [.putEngineRow(row)])) { _ in }
  }

  /// The secret from which homes are displaced; made once.
  static func privacySeed(in store: SQLiteStore) -> UInt64 {
    let name = "privacy-seed"
    if let seed = kept(name, in: store)?["seed"]?.stringContent.flatMap(UInt64.init) {
      return seed
    }
    var random = SystemRandomNumberGenerator()
    let seed: UInt64 = random.next()
    keep(["seed": .string(String(seed))], as: name, in: store)
    return seed
  }

  /// Links in messages to guardians; nil where the owner did not say where the pages are.
  ///
  /// Their key is made once and kept with the data, so that a link that was sent opens after a restart.
  static func guardianLinks(
    _ configuration: GatewayConfiguration, in store: SQLiteStore, keeper: any CredentialKeeper
  ) -> GuardianLinks? {
    guard let pages = configuration.gateway.pages else { return nil }
    let name = "link-key"
    let known = kept(name, in: store)?["key"]?.stringContent.flatMap { Hexadecimal.bytes($0) }
    let key: [UInt8]
    if let known, known.count == 32 {
      key = known
    } else {
      key = keeper.randomBytes(32)
      keep(["key": .string(Hexadecimal.text(key))], as: name, in: store)
    }
    return GuardianLinks(to: pages) { keeper.mark($0, key: key) }
  }

  static func makePluginHost(
    _ configuration: GatewayConfiguration, devices: Devices, store: SQLiteStore,
    clock: SystemClock, links: Links
  ) -> PluginHost {
    var random = SystemRandomNumberGenerator()
    var environment = PluginHost.Environment(
      journal: store, gateway: GatewayID(configuration.gateway.name), version: Release.version,
      stateRoot: configuration.gateway.state + "/plugins", clock: clock,
      privacy: { links.privacyFilter },
      onObservation: { _, observation in links.runtime?.observe(observation) },
      onCommand: { command, asking, reply in
        links.runtime?.perform(command, for: asking, reply: reply)
      },
      onHealth: { report in links.runtime?.observe(.health(report)) },
      log: { plugin, level, line in Log.write(level.priority, "\(plugin): \(line)") },
      randomSeed: random.next(), language: configuration.gateway.language)
    environment.onQuestion = { route, params, asking, reply in
      links.runtime?.answer(route, params: params, asking: asking, reply)
    }
    environment.onView = { links.runtime?.view(of: $0, for: $1) }
    environment.onSession = { links.runtime?.speaker(by: $0) }
    environment.ownButtons = devices.ownButtons
    environment.isRefused = { links.runtime?.isRefused($0, by: $1) ?? false }
    environment.signUp = configuration.gateway.signUp
    environment.groups = PluginGroups()
    environment.spareStateRoots = [configuration.gateway.runtime + "/plugins"]
    environment.onWays = { links.runtime?.observe(.ways($0)) }
    environment.onRoomMessage = { _, message in devices.roomNews?(message) }
    return PluginHost(environment: environment, plugins: configuration.pluginConfigurations)
  }
}

/// Why the daemon cannot start.
struct LaunchError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// The identity of this boot of the kernel.
enum BootIdentity {
  /// The kernel's random id of the boot.
  ///
  /// - Throws: ``LaunchError`` when /proc is not there.
  static func read() throws(LaunchError) -> String {
    guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else {
      throw LaunchError("/proc is not mounted; Homeward needs it to tell one boot from another.")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 36)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else {
      throw LaunchError("/proc/sys/kernel/random/boot_id cannot be read.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
