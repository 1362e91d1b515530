import Bluetooth
import Bytes
import Care
import Configuration
import ControlSocket
import Core
import Door
import GPSD
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

  /// The core's settings from the configuration.
  ///
  /// - Throws: ``LaunchError`` naming every tracking setting that is wrong.
  static func coreConfiguration(
    _ configuration: GatewayConfiguration
  ) throws(LaunchError) -> CoreConfiguration {
    let core = CoreConfiguration(
      gateway: GatewayID(configuration.gateway.name),
      heartbeatSeconds: Int64(configuration.heartbeat.everyMinutes) * 60,
      trackingDefaults: configuration.trackingDefaults.map { ($0.name, $0.value) }
        + silenceOfSleepers(configuration),
      buttons: configuration.buttons.map(\.binding), hearers: hearers(configuration),
      gpsSources: gpsSources(configuration), gpsPlugins: gpsPlugins(configuration),
      language: configuration.gateway.language)
    let problems = GatewayCore.problems(in: core)
    guard problems.isEmpty else { throw LaunchError(problems.joined(separator: "\n")) }
    return core
  }

  /// The receivers of the configuration.
  private static func gpsSources(_ configuration: GatewayConfiguration) -> [SourceID] {
    configuration.gps.map { SourceID($0.name) }
  }

  /// The plugins that may bring positions of their own.
  private static func gpsPlugins(_ configuration: GatewayConfiguration) -> [String] {
    configuration.plugins.enabled.filter { $0.grants.contains("observe:fix") }.map(\.name)
  }

  /// A receiver that sleeps between positions is silent for so long on purpose; twice that is a fault.
  private static func silenceOfSleepers(
    _ configuration: GatewayConfiguration
  ) -> [(name: String, value: JSONValue)] {
    let name = "noReportSeconds"
    let longest = configuration.gps.filter { $0.sampling == .economy }.map(\.intervalSeconds).max()
    guard let longest, !configuration.trackingDefaults.contains(where: { $0.name == name }) else {
      return []
    }
    return [(name, .integer(Int64(2 * longest + 60)))]
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

  /// The secret from which homes are displaced; made once, kept with the data so that a backup carries it.
  static func privacySeed(in store: SQLiteStore) -> UInt64 {
    let (engine, name) = ("gateway", "privacy-seed")
    let row = store.loaded.engineRows.first { $0.engine == engine && $0.name == name }
    if let seed = row?.content["seed"]?.stringContent.flatMap(UInt64.init) { return seed }
    var random = SystemRandomNumberGenerator()
    let seed: UInt64 = random.next()
    let change = StateChange.putEngineRow(
      EngineRow(
        engine: engine, subject: "gateway", name: name, content: ["seed": .string(String(seed))]))
    store.submit(StepRecord(changes: [change])) { _ in }
    return seed
  }

  /// Links in messages to guardians; nil where the owner did not say where the pages are.
  ///
  /// Their key is made once and kept with the data, so that a link that was sent opens after a restart.
  static func guardianLinks(
    _ configuration: GatewayConfiguration, in store: SQLiteStore, keeper: any CredentialKeeper
  ) -> GuardianLinks? {
    guard let pages = configuration.gateway.pages else { return nil }
    let (engine, name) = ("gateway", "link-key")
    let row = store.loaded.engineRows.first { $0.engine == engine && $0.name == name }
    let kept = row?.content["key"]?.stringContent.flatMap { Hexadecimal.bytes($0) }
    let key: [UInt8]
    if let kept, kept.count == 32 {
      key = kept
    } else {
      key = keeper.randomBytes(32)
      let change = StateChange.putEngineRow(
        EngineRow(
          engine: engine, subject: "gateway", name: name,
          content: ["key": .string(Hexadecimal.text(key))]))
      store.submit(StepRecord(changes: [change])) { _ in }
    }
    return GuardianLinks(to: pages) { keeper.mark($0, key: key) }
  }

  static func makePluginHost(
    _ configuration: GatewayConfiguration, core: GatewayCore, store: SQLiteStore,
    clock: SystemClock, links: Links
  ) -> PluginHost {
    let refused = core.consents(of: nil).filter { $0.kind == .microphone && !$0.isGranted }
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
    environment.ownButtons = Set(
      configuration.buttons.filter(\.isOwn).map { SourceID($0.name) })
    environment.signUp = configuration.gateway.signUp
    environment.groups = PluginGroups()
    environment.spareStateRoots = [configuration.gateway.runtime + "/plugins"]
    environment.onWays = { links.runtime?.observe(.ways($0)) }
    environment.onRoomMessage = { _, message in links.rooms?.take(message) }
    return PluginHost(
      environment: environment,
      plugins: configuration.pluginConfigurations(
        withoutMicrophone: Set(refused.map(\.resident))))
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
