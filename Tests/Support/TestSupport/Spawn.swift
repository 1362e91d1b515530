import Foundation

/// How tests start programs: with an empty signal mask and no file but the three standard ones.
///
/// A test's thread blocks signals, and a program that inherits that never hears that it should stop. What it inherits
/// of open files would keep ports and buses alive that a test has closed. Foundation's `Process` is not used: among
/// thousand programs of one run it crashes now and then.
enum Spawn {
  /// The three files that a program gets; they stay open here.
  struct StandardFiles {
    var input: Int32
    var output: Int32
    var error: Int32
  }

  /// Starts a program by its path or, without a slash, by its name in the usual folders; answers its process id.
  static func start(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    _ files: StandardFiles
  ) throws -> Int32 {
    let path = try locate(program)
    let variables = environment ?? ProcessInfo.processInfo.environment
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, files.input, 0)
    posix_spawn_file_actions_adddup2(&actions, files.output, 1)
    posix_spawn_file_actions_adddup2(&actions, files.error, 2)
    for descriptor in openFiles() where descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, brokenPipe) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &brokenPipe)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var pid: Int32 = 0
    let failure = withStrings([path] + arguments) { arguments in
      withStrings(variables.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&pid, path, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else { throw BuiltProducts.MissingProgram(name: path) }
    return pid
  }

  /// The exit code of what `waitpid` answered; 128 and the signal's number when a signal ended the program.
  static func exitCode(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Both ends of a pipe that no program inherits by itself.
  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// A file without a name that holds these bytes, at its beginning.
  static func file(holding bytes: some Collection<UInt8>) throws -> Int32 {
    var path = Array("/tmp/input-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    try write(bytes, to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Opens a file that no program inherits by itself.
  static func file(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(errno) }
    return descriptor
  }

  /// Writes everything; a broken pipe is an error and never a signal.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws {
    signal(SIGPIPE, SIG_IGN)
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// What comes next, at most 64 KiB; nothing at the end.
  static func read(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      return Array(bytes.prefix(max(0, count)))
    }
  }

  /// What the system refused.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ code: Int32) { description = String(cString: strerror(code)) }
  }

  private static func openFiles() -> [Int32] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return (names ?? []).compactMap { Int32($0) }
  }

  private static func withStrings(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? EINVAL
    }
  }

  private static func locate(_ program: String) throws -> String {
    if program.hasPrefix("/") { return program }
    for directory in ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"] {
      let path = "\(directory)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw BuiltProducts.MissingProgram(name: program)
  }
}
