import Glibc

/// A program started for a test, with files for input and output.
///
/// Waits with `waitpid` itself: Foundation's `Process` learns of an exit from a socket that other children inherit, and
/// then waits for them too.
struct ChildProcess {
  struct NotStarted: Error { var path: String }

  let pid: pid_t

  init(
    _ path: String, _ arguments: [String],
    environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    input: String = "/dev/null", output: String = "/dev/null", errors: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // Threads of the test runner block signals, and a child would inherit that: SIGTERM would never reach it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var started: pid_t = 0
    guard posix_spawn(&started, path, &actions, &attributes, &words, &variables) == 0 else {
      throw NotStarted(path: path)
    }
    pid = started
  }

  /// The exit code, or 128 and the signal that ended it.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  func stop() {
    kill(pid, SIGTERM)
    wait()
  }
}
