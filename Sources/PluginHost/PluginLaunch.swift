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
struct PluginLaunch: Hashable, Sendable {
  var program: String
  var arguments: [String]
  var environment: [String]
  var directory: String
  var readable: [String]
  var stateDirectory: String
  var devices: [String]
  var mayOpenSockets: Bool
  /// The system bus's socket, which the host connects for a plugin with the grant; nil for none.
  var bus: String?
  var memoryLimitBytes: UInt64
  /// `NAME=value` in the environment, which finds what escaped from the process group.
  var mark: String

  static let searchPath = ["/usr/local/bin", "/usr/bin", "/bin"]
  static let openFiles: UInt64 = 256
  static let processes: UInt64 = 2048

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
    grants: Set<Grant>, stateRoots: [String], systemBus: String, language: Language,
    run: UInt64
  ) throws(LaunchError) {
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
    stateDirectory = try Self.makeStateDirectory(stateRoots, name: manifest.name)
    readable =
      [folder, found, Self.resolved(found) ?? found] + configuration.readPaths + Self.systemPaths
    devices = configuration.devicePaths
    mayOpenSockets = grants.contains(.network)
    bus = grants.contains(.systemBus) ? systemBus : nil
    memoryLimitBytes = configuration.memoryLimitBytes
    mark = "HOMEWARD_PLUGIN_RUN=\(getpid())-\(run)"
    environment = [
      "PATH=\(Self.searchPath.joined(separator: ":"))", "HOME=\(stateDirectory)",
      "TMPDIR=\(stateDirectory)", "LANG=C.UTF-8", "HOMEWARD_PLUGIN=\(manifest.name)",
      "HOMEWARD_LANGUAGE=\(language.rawValue)", mark,
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

  /// Starts the program.
  func spawn() throws(LaunchError) -> homeward_spawned {
    var spawned = homeward_spawned()
    let answer = CStringList.with([arguments, environment, readable, [stateDirectory], devices]) {
      lists in
      program.withCString { program in
        directory.withCString { directory in
          var request = homeward_spawn_request(
            program: program, arguments: lists[0], environment: lists[1], directory: directory,
            readable: lists[2], writable: lists[3], devices: lists[4], is_confined: true,
            may_open_sockets: mayOpenSockets, bus: nil, memory_bytes: memoryLimitBytes,
            open_files: Self.openFiles, processes: Self.processes)
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

  /// What this kernel keeps plugins in with, in words.
  static var confinement: String {
    let available = homeward_confinement_available()
    let parts =
      (available.landlock_abi > 0 ? ["landlock abi \(available.landlock_abi)"] : [])
      + (available.seccomp ? ["seccomp"] : [])
    if parts.isEmpty { return "none: this kernel has neither Landlock nor seccomp" }
    if available.landlock_abi == 0 {
      return "seccomp; none for files: this kernel has no Landlock"
    }
    return parts.joined(separator: " + ")
  }
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
