import Care
public import Foundation
import Glibc
import JSON
import Loop
public import Plugins
import Ports
import Privacy
import TestSupport

/// A wall around a plugin, as one that can be taken away.
public enum Wall: Hashable, Sendable {
  /// Namespaces of the user, of processes, of shared memory, and of the network without the grant.
  case namespaces
  /// The filter of calls.
  case seccomp
  /// The guard at this machine's ports, for a plugin with the network.
  case guardedLoopback
  /// Landlock of at least this version.
  case landlock(Int)
}

/// What a hostile plugin does (`Tests/Services/PluginsTests/Zoo/hostile.py`), and what holds it back.
public enum Hostility {
  /// Each deed and the walls of which any one holds, for a plugin with the grant for the network or with a sound card.
  public static func deeds(hasNetwork: Bool = false, hasSound: Bool = false) -> [String: Set<Wall>]
  {
    var deeds: [String: Set<Wall>] = [:]
    for name in byNumber { deeds[name] = [.namespaces, .seccomp] }
    for name in byAccess { deeds[name] = [.namespaces, .seccomp, .landlock(1)] }
    for name in bySignal { deeds[name] = [.namespaces, .seccomp, .landlock(6)] }
    for name in byRight { deeds[name] = [.seccomp] }
    deeds["loopback"] = hasNetwork ? [.guardedLoopback] : [.namespaces, .seccomp, .landlock(4)]
    // Reading about others' memory is root's right on newer kernels, past Landlock.
    deeds["memory-advice"] = [.namespaces, .seccomp]
    if hasSound {
      deeds["shared-memory"] = [.namespaces]
      deeds["own-semaphores"] = []
    }
    deeds["database"] = [.landlock(1)]
    deeds["database-cut"] = [.landlock(3), .seccomp]
    deeds["memory-file"] = [.namespaces, .landlock(1)]
    deeds["environment"] = [.namespaces, .landlock(1)]
    deeds["table-of-processes"] = [.landlock(1)]
    return deeds
  }

  /// What must succeed without any wall, so that its being held shows something.
  public static let surelyFall: Set<String> = [
    "limits", "niceness", "niceness-of-group", "scheduler", "scheduler-parameter",
    "scheduler-attributes", "affinity", "disk-priority", "signalled", "signalled-by-thread",
    "signalled-by-thread-alone", "signalled-by-handle", "signalled-by-ownership",
    "signalled-by-ownership-of-a-thread", "signalled-by-ownership-of-a-socket", "shared-memory",
    "queue", "own-semaphores", "own-named-queue", "datagram", "loopback", "netlink", "session",
    "database", "database-cut", "environment", "table-of-processes", "memory-read",
    "own-user-namespace",
  ]

  private static let byNumber = [
    "limits", "niceness", "niceness-of-group", "scheduler", "scheduler-parameter",
    "scheduler-attributes", "affinity", "disk-priority", "signalled-by-ownership",
    "signalled-by-ownership-of-a-thread", "signalled-by-ownership-of-a-socket", "shared-memory",
    "queue",
  ]
  private static let byAccess = [
    "memory-moved", "pages-moved", "traced", "memory-read", "compared", "descriptor-taken",
    "namespaces-entered",
  ]
  private static let bySignal = [
    "signalled", "signalled-by-thread", "signalled-by-thread-alone", "signalled-by-handle",
    "signalled-with-content",
  ]
  private static let byRight = [
    "datagram", "unix-stream", "netlink", "own-user-namespace", "own-user-namespace-by-unshare",
    "own-user-namespace-by-clone3", "another-tracer", "ring", "session", "own-semaphores",
    "own-named-queue",
  ]

  /// What came of one run.
  public struct Outcome: Sendable {
    /// The walls that stood.
    public var walls: PluginConfinement
    /// Deeds that succeeded.
    public var fell: Set<String>
    /// Deeds that were refused.
    public var held: Set<String>
    /// Whether it was given a sound card.
    public var hasSound: Bool

    /// Deeds that succeeded though a wall stood that holds them.
    public var unheld: Set<String> {
      let deeds = Hostility.deeds(hasNetwork: walls.mayOpenSockets, hasSound: hasSound)
      return fell.filter { !(deeds[$0] ?? []).isDisjoint(with: standing) }
    }

    /// The walls, as those that can be taken away.
    public var standing: Set<Wall> {
      var standing: Set<Wall> = []
      if walls.namespaces.isSuperset(of: [.user, .pid, .ipc]) { standing.insert(.namespaces) }
      if walls.hasSeccomp { standing.insert(.seccomp) }
      if walls.guardsLoopback { standing.insert(.guardedLoopback) }
      for version in 0..<max(0, walls.landlock) { standing.insert(.landlock(version + 1)) }
      return standing
    }
  }

  /// Runs the hostile plugin with a name, grants and devices behind some walls.
  ///
  /// - Parameter zoo: the folder with `hostile.py` and `zoo.py`.
  @LoopActor
  public static func run(
    as name: String = "hostile", grants: Set<String> = [], devicePaths: [String] = [],
    walls: PluginHost.WallSwitches = .init(), zoo: URL
  ) async throws -> Outcome {
    let targets = try HostileTargets()
    let run = try HostileRun(
      name: name, grants: grants, devicePaths: devicePaths, walls: walls, zoo: zoo,
      settings: targets.settings())
    let hasSound = devicePaths.contains { $0.hasPrefix("/dev/snd") }
    let outcome = try await run.outcome(hasSound: hasSound)
    return withExtendedLifetime(targets) { outcome }
  }
}

/// One run of the hostile plugin under a host of its own.
@LoopActor
private final class HostileRun {
  private let directory: TemporaryDirectory
  private var host: PluginHost?
  private var fell: Set<String> = []
  private var held: Set<String> = []
  private var ended: CheckedContinuation<Void, Never>?
  private var isDone = false

  init(
    name: String, grants: Set<String>, devicePaths: [String], walls: PluginHost.WallSwitches,
    zoo: URL, settings: JSONValue
  ) throws {
    directory = try TemporaryDirectory()
    let manifest: JSONValue = [
      "name": .string(name), "version": "1.0.0", "protocol": [1], "command": ["./hostile.py"],
      "description": "Does what it must not.", "licence": "Apache-2.0",
      "grants": .array(grants.sorted().map { .string($0) }), "settings": ["type": "object"],
    ]
    try directory.write(manifest.serialized, to: "plugin/plugin.json")
    for file in ["hostile.py", "zoo.py"] {
      let text = try String(contentsOf: zoo.appendingPathComponent(file), encoding: .utf8)
      let path = try directory.write(text, to: "plugin/\(file)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    var environment = PluginHost.Environment(
      journal: PluginHost.emptyJournal, gateway: "hub-test", version: "0.1.0",
      stateRoot: directory.path(of: "state"), clock: RealClock(),
      privacy: { PrivacyFilter(discs: [], events: .all) }, onObservation: { _, _ in },
      onCommand: { _, _, reply in reply(.done(.object([]))) }, onHealth: { _ in },
      log: { [weak self] _, _, line in self?.take(line) }, randomSeed: 7)
    environment.walls = walls
    host = PluginHost(
      environment: environment,
      plugins: [
        PluginHost.PluginConfiguration(
          name: name, directory: directory.path(of: "plugin"), grants: grants, settings: settings,
          devicePaths: devicePaths)
      ])
  }

  private func take(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    if words.first == "fell", words.count == 2 { fell.insert(words[1]) }
    if words.first == "held", words.count > 2 { held.insert(String(words[1].dropLast())) }
    guard line.hasPrefix("all ") else { return }
    isDone = true
    ended?.resume()
    ended = nil
  }

  func outcome(hasSound: Bool) async throws -> Hostility.Outcome {
    host?.start(heads: LaneHeads())
    if !isDone { await withCheckedContinuation { ended = $0 } }
    let statuses = await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume(returning: [PluginStatus]()) }
      host.statuses { continuation.resume(returning: $0) }
    }
    await withCheckedContinuation { continuation in
      guard let host else { return continuation.resume() }
      host.stop { continuation.resume() }
    }
    guard let walls = statuses.first?.confinement else {
      throw BuiltProducts.MissingProgram(name: "the hostile plugin")
    }
    return Hostility.Outcome(walls: walls, fell: fell, held: held, hasSound: hasSound)
  }
}

/// What the hostile plugin goes for, besides the daemon itself.
private final class HostileTargets {
  private let listener: LoopbackListener
  private let folder: TemporaryDirectory
  private let datagrams: Int32
  private let key: Int32
  private let memory: Int32
  private let queue: Int32

  init() throws {
    listener = try LoopbackListener()
    folder = try TemporaryDirectory()
    key = 0x4857_0000 | (getpid() & 0xFFFF)
    // IPC_CREAT, for everybody.
    memory = shmget(key, 4096, 0o1666)
    queue = msgget(key, 0o1666)
    datagrams = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path(of: "datagrams")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(datagrams, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, memory >= 0, queue >= 0 else {
      throw BuiltProducts.MissingProgram(name: "shared memory")
    }
  }

  deinit {
    close(datagrams)
    shmctl(memory, IPC_RMID, nil)
    msgctl(queue, IPC_RMID, nil)
  }

  func settings() throws -> JSONValue {
    let database = try folder.write("private", to: "care.db")
    return [
      "daemon": .integer(Int64(getpid())), "port": .integer(Int64(listener.port)),
      "datagrams": .string(folder.path(of: "datagrams")), "key": .integer(Int64(key)),
      "database": .string(database),
    ]
  }
}
