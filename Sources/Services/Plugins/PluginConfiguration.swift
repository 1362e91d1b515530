public import Care
public import Door
import Glibc
public import JSON
import Loop
public import Ports
public import Privacy
public import Texts

extension PluginHost {
  /// One plugin as the owner's configuration has it.
  public struct PluginConfiguration: Hashable, Sendable {
    /// The plugin's name, which its manifest must repeat.
    public var name: String
    /// The folder with `plugin.json`.
    public var directory: String
    /// What the owner allows; takes effect where the manifest asks for it.
    public var grants: Set<String>
    /// The settings, with each secret as `{"file": "/path"}` or `{"credential": "name"}`.
    public var settings: JSONValue
    /// Absolute paths that the plugin may read and execute besides its folder and the system's programs.
    public var readPaths: [String]
    /// Absolute paths of device files that it may read, write and control, such as a serial port.
    public var devicePaths: [String]
    /// TCP and UDP ports of this machine that it may reach besides those of its manifest, where it may open sockets.
    public var loopback: [UInt16]
    /// The most memory that each of its processes may allocate; 256 MiB unless set.
    public var memoryLimitBytes: UInt64
    /// Whether it runs at all.
    public var isEnabled: Bool

    /// A configuration from its parts.
    public init(
      name: String, directory: String, grants: Set<String> = [],
      settings: JSONValue = .object([]), readPaths: [String] = [],
      devicePaths: [String] = [], loopback: [UInt16] = [], memoryLimitBytes: UInt64 = 256 << 20,
      isEnabled: Bool = true
    ) {
      self.name = name
      self.directory = directory
      self.grants = grants
      self.settings = settings
      self.readPaths = readPaths
      self.devicePaths = devicePaths
      self.loopback = loopback
      self.memoryLimitBytes = memoryLimitBytes
      self.isEnabled = isEnabled
    }
  }

  /// Every time-out and interval of the host; tests shorten them.
  public struct Timings: Hashable, Sendable {
    /// For the answer to `initialize`; doubles from restart to restart, three times.
    public var initializeMilliseconds: Int64 = 10_000
    /// For the answer to a batch.
    public var deliverMilliseconds: Int64 = 60_000
    /// For the answer to `health`.
    public var healthMilliseconds: Int64 = 10_000
    /// From an alarm handed over and not answered to the first `health` request beside it.
    public var alarmPatienceMilliseconds: Int64 = 2000
    /// For the answer to `health` while an alarm waits; from one such answer to the next request as well.
    public var alarmHealthMilliseconds: Int64 = 5000
    /// Between two `health` requests.
    public var healthIntervalMilliseconds: Int64 = 60_000
    /// From `shutdown` to SIGTERM.
    public var shutdownMilliseconds: Int64 = 5000
    /// From SIGTERM to SIGKILL.
    public var terminateMilliseconds: Int64 = 5000
    /// From SIGTERM to SIGKILL while an alarm waits.
    public var urgentTerminateMilliseconds: Int64 = 500
    /// From a device of a plugin that came to the plugin's restart, which lets it in.
    public var deviceMilliseconds: Int64 = 1000
    /// The first wait before a restart; doubles from restart to restart.
    public var firstRestartMilliseconds: Int64 = 1000
    /// The longest wait before a restart.
    public var longestRestartMilliseconds: Int64 = 60_000
    /// Good behaviour after which the waits begin anew.
    public var goodBehaviourMilliseconds: Int64 = 600_000
    /// Before the store is asked again after it failed.
    public var storeRetryMilliseconds: Int64 = 1000
    /// What a plugin's `retry` of one second lasts; 1,000 but in tests.
    public var retrySecondMilliseconds: Int64 = 1000

    /// The times that `plugins/protocol.md` promises.
    public init() {}
  }

  /// What the host lives in.
  public struct Environment {
    /// Events, cursors and dead letters.
    public var journal: any Journal
    /// The gateway's name towards backends.
    public var gateway: GatewayID
    /// The program's version.
    public var version: String
    /// The folder below which each plugin has one of its own to write, an absolute path.
    public var stateRoot: String
    /// Where a plugin has its folder while the disk of ``stateRoot`` does not let one be made.
    public var spareStateRoots: [String] = []
    /// Both clocks.
    public var clock: any GatewayClock
    /// The privacy filter as of now; asked for each batch that has something to filter.
    public var privacy: @LoopActor () -> PrivacyFilter
    /// Takes what plugins observed.
    public var onObservation: @LoopActor (String, Observation) -> Void
    /// Whether a resident refused what a plugin needs them for.
    public var isRefused: @LoopActor (ConsentKind, ResidentID) -> Bool = { _, _ in false }
    /// Who may make an account by the pages, for plugins that have some.
    public var signUp = SignUp.anybody
    /// Buttons of the gateway itself, for which no plugin speaks.
    public var ownButtons: Set<SourceID> = []
    /// Takes what plugins learnt of devices in rooms; a plugin that ends takes nothing back.
    public var onRoomMessage: @LoopActor (String, RoomMessage) -> Void = { _, _ in }
    /// Takes which ways to people the plugins offer, whenever that changes.
    public var onWays: @LoopActor (WaysReport) -> Void = { _ in }
    /// Takes commands of whoever asks and answers each once.
    public var onCommand:
      @LoopActor (Command, Asking, _ reply: @escaping @LoopActor (CommandReply) -> Void) -> Void
    /// Who speaks by a session's token; nil where nobody does.
    public var onSession: @LoopActor (String) -> SessionHolder? = { _ in nil }
    /// Answers what a plugin asks, once; that the plugin was granted to ask has been checked.
    public var onQuestion:
      @LoopActor (
        Route, _ params: JSONValue, Asking,
        _ reply: @escaping @LoopActor (Result<RouteAnswer, CommandReply.Refusal>) -> Void
      ) -> Void = { _, _, _, reply in
        reply(
          .failure(
            CommandReply.Refusal(.forbidden, Message("Nothing is done during a check."))))
      }
    /// The bytes of an event as whoever asks may have them; nil when nothing of it may be seen.
    public var onView: @LoopActor (EncodedEvent, Asking) -> [UInt8]? = { _, _ in nil }
    /// Takes the plugins' health, as component `plugin/<name>`.
    public var onHealth: @LoopActor (HealthReport) -> Void
    /// Takes a line of a plugin's log.
    public var log: @LoopActor (String, PluginLogLevel, String) -> Void
    /// Seed of the jitter of restarts.
    public var randomSeed: UInt64
    /// Time-outs and intervals.
    public var timings: Timings
    /// The socket of the system's D-Bus, for plugins with the grant `bus.system`.
    public var systemBus = usualSystemBus
    /// The program that confines plugins.
    public var warden = usualWarden
    /// Where Swift's runtime is, which plugins may read.
    public var libraries = usualLibraries
    /// Control groups for the plugins; nil where the gateway may make none.
    public var groups: PluginGroups?
    /// Which walls are put up: all of them, but in tests.
    public var walls = WallSwitches()
    /// In which faults of plugins are told.
    public var language: Language

    /// An environment from its parts.
    public init(
      journal: any Journal, gateway: GatewayID, version: String, stateRoot: String,
      clock: any GatewayClock, privacy: @escaping @LoopActor () -> PrivacyFilter,
      onObservation: @escaping @LoopActor (String, Observation) -> Void,
      onCommand:
        @escaping @LoopActor (
          Command, Asking, _ reply: @escaping @LoopActor (CommandReply) -> Void
        ) -> Void,
      onHealth: @escaping @LoopActor (HealthReport) -> Void,
      log: @escaping @LoopActor (String, PluginLogLevel, String) -> Void, randomSeed: UInt64,
      timings: Timings = Timings(), language: Language = .en
    ) {
      self.language = language
      self.journal = journal
      self.gateway = gateway
      self.version = version
      self.stateRoot = stateRoot
      self.clock = clock
      self.privacy = privacy
      self.onObservation = onObservation
      self.onCommand = onCommand
      self.onHealth = onHealth
      self.log = log
      self.randomSeed = randomSeed
      self.timings = timings
    }
  }
}

extension PluginHost.Environment {
  /// Beside the running program, as where it was built, or where programs of a package are that nobody calls.
  static var usualWarden: String {
    let name = "homeward-warden"
    let beside = "\(ownFolder)/\(name)"
    return access(beside, X_OK) == 0 ? beside : "\(ownFolder)/../lib/homeward/\(name)"
  }

  /// The same places, of which that with libraries counts; none where the toolchain's are used.
  static var usualLibraries: [String] { libraries(of: ownFolder) }

  /// Where Swift's runtime lies that programs in a folder share: paths that plugins may read; none where it is the toolchain's.
  public static func libraries(of folder: String) -> [String] {
    [folder, "\(folder)/../lib/homeward"]
      .filter { access("\($0)/libswiftCore.so", R_OK) == 0 }
  }

  /// The folder of the running program.
  private static var ownFolder: String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(
      decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
  }

  /// Where the system bus listens: as `DBUS_SYSTEM_BUS_ADDRESS` says in the form `unix:path=…`, else the usual place.
  public static var usualSystemBus: String {
    let usual = "/run/dbus/system_bus_socket"
    let prefix = "unix:path="
    guard let variable = getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return usual }
    let address = String(cString: variable)
    guard address.hasPrefix(prefix) else { return usual }
    return String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
  }
}

/// How serious a line of a plugin's log is.
public enum PluginLogLevel: String, Hashable, Sendable, CaseIterable {
  /// Something failed.
  case error
  /// Something may fail.
  case warning
  /// Something happened.
  case info
  /// For whoever writes the plugin.
  case debug
}
