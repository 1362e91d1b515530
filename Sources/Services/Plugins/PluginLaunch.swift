import CGatewayShims
import Glibc
import PluginProtocol
import Texts

/// Why a plugin could not be started, and whether trying again can help.
struct LaunchError: Error, Hashable, Sendable, CustomStringConvertible {
  var message: Message
  var description: String { message.description }
}

/// Everything that one start of a plugin needs: program, environment and what it may touch.
///
/// The program that is started is the warden (`homeward-warden`), which puts up the walls and starts the plugin behind
/// them.
struct PluginLaunch: Hashable, Sendable {
  var warden: String
  var program: String
  var arguments: [String]
  var environment: [String]
  var directory: String
  var readable: [String]
  var stateDirectory: String
  var devices: [String]
  var mayOpenSockets: Bool
  private let openFiles: UInt64
  /// Ports of this machine that it may reach where it may open sockets; that of name resolution is always among them.
  var loopback: [UInt16]
  /// The system bus's socket, which the host connects for a plugin with the grant; nil for none.
  var bus: String?
  var memoryLimitBytes: UInt64
  var walls: PluginHost.WallSwitches
  /// `NAME=value` in the environment, which finds what escaped from the process group.
  var mark: String

  static let searchPath = ["/usr/local/bin", "/usr/bin", "/bin"]
  static let openFiles: UInt64 = 256
  /// Of one that serves as many people as have accounts: each page is a stream and what it loads meanwhile.
  static let openFilesOfAccounts: UInt64 = 2048
  /// Processes and threads of one plugin.
  static let tasks: UInt64 = 64
  /// The same where the kernel counts those of the daemon and of all plugins together: most of what the unit allows
  /// (`TasksMax`), and not all of it, so that another plugin can always be started anew.
  static let tasksTogether: UInt64 = 768

  /// What every plugin may read: programs and libraries, and the few files of `/etc` that they ask for. Not `/etc` as
  /// a whole, where the owner's configuration and other programs' secrets are.
  static let systemPaths =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/sys/devices/system/cpu"]
    + [
      "cpuinfo", "meminfo", "stat", "filesystems", "sys/vm/overcommit_memory",
      "sys/kernel/cap_last_cap",
    ]
    .map { "/proc/\($0)" }
    + [
      "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "ca-certificates.conf", "resolv.conf",
      "hosts", "host.conf", "gai.conf", "nsswitch.conf", "services", "protocols", "ld.so.cache",
      "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "python3", "python3.11",
      "python3.13", "alternatives", "mime.types", "perl", "locale.alias",
    ].map { "/etc/\($0)" }
    + ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"]

  init(
    manifest: PluginManifest, configuration: PluginHost.PluginConfiguration,
    grants: Set<Grant>, environment host: PluginHost.Environment, run: UInt64
  ) throws(LaunchError) {
    warden = try Self.program(host.warden)
    walls = host.walls
    guard let folder = Self.resolved(configuration.directory) else {
      throw LaunchError(
        message: Message(
          "the folder {directory} cannot be opened; check `directory`",
          ["directory": configuration.directory]))
    }
    let word = manifest.command.first ?? ""
    let found = try Self.program(word, in: folder)
    directory = folder
    program = found
    arguments = manifest.command
    stateDirectory = try Self.makeStateDirectory(
      [host.stateRoot] + host.spareStateRoots, name: manifest.name)
    readable =
      [folder, found, Self.resolved(found) ?? found] + configuration.readPaths + host.libraries
      + Self.systemPaths
    devices = configuration.devicePaths
    mayOpenSockets = grants.contains(.network)
    openFiles = grants.contains(.accounts) ? Self.openFilesOfAccounts : Self.openFiles
    loopback = manifest.loopback + configuration.loopback.filter { !manifest.loopback.contains($0) }
    bus = grants.contains(.systemBus) ? host.systemBus : nil
    memoryLimitBytes = configuration.memoryLimitBytes
    mark = "HOMEWARD_PLUGIN_RUN=\(getpid())-\(run)"
    environment = [
      "PATH=\(Self.searchPath.joined(separator: ":"))", "HOME=\(stateDirectory)",
      "TMPDIR=\(stateDirectory)", "LANG=C.UTF-8", "HOMEWARD_PLUGIN=\(manifest.name)",
      "HOMEWARD_LANGUAGE=\(host.language.rawValue)", mark,
    ]
    if bus != nil { environment.append("HOMEWARD_PLUGIN_BUS=3") }
    if let zone = getenv("TZ") { environment.append("TZ=\(String(cString: zone))") }
  }

  /// The path of the program, which is there, executable, and has its interpreter.
  private static func program(
    _ word: String, in folder: String
  ) throws(LaunchError) -> String {
    let candidates =
      word.hasPrefix("./") ? ["\(folder)/\(word.dropFirst(2))"] : searchPath.map { "\($0)/\(word)" }
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      if let there = candidates.first(where: { access($0, F_OK) == 0 }) {
        throw LaunchError(
          message: Message(
            "the program {path} is not executable; make it so: chmod +x {path}", ["path": there]))
      }
      throw LaunchError(
        message: Message("the program {word} is missing; install it", ["word": word]))
    }
    if let missing = Interpreter.missing(for: found, searchPath: searchPath) {
      throw LaunchError(
        message: Message(
          "the first line of {path} names the interpreter {interpreter}, which is not there; install it or correct the line",
          ["path": found, "interpreter": missing]))
    }
    return found
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The plugin's folder below the first root where there is one, or one can be made.
  private static func makeStateDirectory(
    _ roots: [String], name: String
  ) throws(LaunchError) -> String {
    for root in roots {
      _ = mkdir(root, 0o700)
      let path = "\(root)/\(name)"
      if mkdir(path, 0o700) == 0 || errno == EEXIST, let real = resolved(path) { return real }
    }
    let root = roots.first ?? ""
    throw LaunchError(
      message: Message(
        "the folder {path} cannot be made; check the permissions of {root}",
        ["path": "\(root)/\(name)", "root": root]))
  }

  /// The warden, which is there.
  private static func program(_ warden: String) throws(LaunchError) -> String {
    guard access(warden, X_OK) == 0 else {
      throw LaunchError(
        message: Message(
          "the program {path}, which confines plugins, is missing; install homeward anew",
          ["path": warden]))
    }
    return warden
  }

  /// Which namespaces the plugin gets where the kernel gives them.
  private var namespaces: UInt32 {
    guard walls.namespaces else { return 0 }
    var wanted =
      HOMEWARD_NAMESPACE_USER | HOMEWARD_NAMESPACE_PROCESS | HOMEWARD_NAMESPACE_MEMORY
    if !mayOpenSockets { wanted |= HOMEWARD_NAMESPACE_NETWORK }
    return UInt32(wanted)
  }

  /// The warden's command line: what the plugin may touch, and the plugin's own.
  private var wardenArguments: [String] {
    var words = [
      "homeward-warden", "--program", program, "--memory", "\(memoryLimitBytes)", "--files",
      "\(openFiles)", "--processes", "\(Self.tasks)", "--processes-together",
      "\(Self.tasksTogether)",
    ]
    if mayOpenSockets { words.append("--network") }
    if bus != nil { words.append("--bus") }
    if !walls.seccomp { words.append("--without-seccomp") }
    if !walls.guardsLoopback { words.append("--without-guard") }
    if let version = walls.landlockAtMost { words += ["--landlock-at-most", "\(version)"] }
    for port in loopback { words += ["--loopback", "\(port)"] }
    for path in readable { words += ["--readable", path] }
    for path in devices { words += ["--device", path] }
    return words + ["--writable", stateDirectory, "--"] + arguments
  }

  /// Starts the program, in the group whose `cgroup.procs` is given.
  func spawn(group: Int32 = 0) throws(LaunchError) -> homeward_spawned {
    var spawned = homeward_spawned()
    let answer = CStringList.with([wardenArguments, environment]) { lists in
      warden.withCString { warden in
        directory.withCString { directory in
          var request = homeward_spawn_request(
            program: warden, arguments: lists[0], environment: lists[1], directory: directory,
            bus: nil, reports: true, namespaces: namespaces, may_share_group: false, group: group)
          guard let bus else { return homeward_spawn(&request, &spawned) }
          return bus.withCString { bus in
            request.bus = bus
            return homeward_spawn(&request, &spawned)
          }
        }
      }
    }
    guard answer == 0 else {
      throw LaunchError(
        message: Message(
          "the kernel refuses a new process (error {number}); trying again later", ["number": errno]
        ))
    }
    return spawned
  }

  /// Whether this kernel keeps plugins from files that were not there, or not theirs, when they started.
  static var confinesFiles: Bool { homeward_confinement_available().landlock_abi > 0 }
}

/// Lists of C strings that live as long as a call.
private enum CStringList {
  static func with<Answer>(
    _ lists: [[String]], _ body: ([UnsafePointer<UnsafeMutablePointer<CChar>?>]) -> Answer
  ) -> Answer {
    var owned: [UnsafeMutablePointer<CChar>] = []
    var arrays: [UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>] = []
    for list in lists {
      let array = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(
        capacity: list.count + 1)
      array.initialize(repeating: nil)
      for (index, text) in list.enumerated() {
        array[index] = strdup(text)
        if let copy = array[index] { owned.append(copy) }
      }
      arrays.append(array)
    }
    defer {
      for copy in owned { free(copy) }
      for array in arrays { array.deallocate() }
    }
    return body(arrays.compactMap { $0.baseAddress.map { UnsafePointer($0) } })
  }
}
