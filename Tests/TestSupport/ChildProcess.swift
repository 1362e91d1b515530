import Foundation

/// A program started by a test; killed when the value goes away.
///
/// Started with an empty signal mask: a test's thread blocks signals, and a program that inherits that never hears that it
/// should stop.
public final class ChildProcess {
  /// Its process id.
  public let pid: Int32
  /// Where its standard output and error go.
  public let logPath: String
  private var status: Int32?

  /// Starts a program, found in the usual folders unless its path is absolute; output and error are appended to a file.
  public init(
    _ program: String, _ arguments: [String], log: String, environment: [String: String]? = nil
  ) throws {
    logPath = log
    let path = try Self.locate(program)
    let variables = environment ?? ProcessInfo.processInfo.environment
    pid = try Self.spawn(path, [path] + arguments, variables.map { "\($0)=\($1)" }, log: log)
  }

  deinit { kill() }

  /// Whether it still runs.
  public var isRunning: Bool {
    guard status == nil else { return false }
    var code: Int32 = 0
    if waitpid(pid, &code, WNOHANG) == pid { status = code }
    return status == nil
  }

  /// Everything it has written so far.
  public var log: String {
    (try? String(contentsOf: URL(fileURLWithPath: logPath), encoding: .utf8)) ?? ""
  }

  /// Kills it and waits until it is gone.
  public func kill() {
    guard isRunning else { return }
    Foundation.kill(pid, SIGKILL)
    _ = wait()
  }

  /// Asks it to stop and answers its exit code; kills it when it has not stopped after 20 s.
  @discardableResult
  public func stop() -> Int32 {
    guard isRunning else { return wait() }
    Foundation.kill(pid, SIGTERM)
    if !Eventually.holds(withinSeconds: 20, { !isRunning }) { Foundation.kill(pid, SIGKILL) }
    return wait()
  }

  /// Waits until it ends and answers its exit code; 128 and the signal's number when a signal ended it.
  public func wait() -> Int32 {
    if status == nil {
      var code: Int32 = 0
      waitpid(pid, &code, 0)
      status = code
    }
    let ended = status ?? 0
    return ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + (ended & 0x7F)
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String], log: String
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var pid: Int32 = 0
    let failure = withStrings(arguments) { arguments in
      withStrings(environment) { environment in
        posix_spawn(&pid, path, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else { throw BuiltProducts.MissingProgram(name: path) }
    return pid
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
