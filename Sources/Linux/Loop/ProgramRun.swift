import CGatewayShims
import Glibc

/// A program that is run to its end for what it answers: in a process group of its own, but for one that a plugin starts,
/// whose walls refuse that.
public struct ProgramRun: Hashable, Sendable {
  /// How it ended.
  public enum End: Hashable, Sendable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
    /// It took too long, or said too much, and was ended.
    case stopped
  }

  /// What it wrote to its standard output.
  public let output: [UInt8]
  /// The last of what it wrote to its standard error.
  public let complaint: [UInt8]
  /// How it ended.
  public let end: End

  private static let mostComplaint = 4096

  /// Runs a program and waits for its end; nil when it cannot be started.
  ///
  /// - Parameters:
  ///   - program: An absolute path.
  ///   - arguments: Without the program's own name.
  ///   - directory: Where it works.
  ///   - milliseconds: It is ended after so long, with all that it started.
  ///   - mostBytes: It is ended when it says more.
  public init?(
    _ program: String, _ arguments: [String], directory: String, milliseconds: Int,
    mostBytes: Int
  ) {
    guard let spawned = Self.start(program, arguments, directory) else { return nil }
    close(spawned.input)
    let deadline = Self.now + milliseconds
    var output: [UInt8] = []
    var complaint: [UInt8] = []
    var hasEnded = false
    while !hasEnded, Self.now < deadline, output.count <= mostBytes {
      hasEnded = Self.waits(for: spawned, until: deadline)
      Self.drain(spawned.output, into: &output)
      Self.drain(spawned.error, into: &complaint)
      complaint = complaint.suffix(Self.mostComplaint)
    }
    let exit = Self.endAll(of: spawned.pid)
    for descriptor in [spawned.pidfd, spawned.output, spawned.error] { close(descriptor) }
    self.output = Array(output.prefix(mostBytes))
    self.complaint = complaint
    end = !hasEnded ? .stopped : exit.by_signal ? .signalled(exit.code) : .exited(exit.code)
  }

  /// Ends what is left of it and its group, and collects how it ended.
  private static func endAll(of pid: pid_t) -> homeward_exit {
    homeward_signal_group(pid, SIGKILL)
    kill(pid, SIGKILL)
    var exit = homeward_exit()
    while homeward_reap_group(pid, &exit), !exit.has_ended { usleep(1000) }
    guard !exit.has_ended else { return exit }
    var status: Int32 = 0
    guard waitpid(pid, &status, 0) == pid else { return exit }
    let signal = status & 0x7F
    return homeward_exit(
      has_ended: true, by_signal: signal != 0, code: signal != 0 ? signal : status >> 8 & 0xFF)
  }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Waits until it says something or ends; true once it has ended.
  private static func waits(for spawned: homeward_spawned, until deadline: Int) -> Bool {
    var watched = [spawned.pidfd, spawned.output, spawned.error].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let left = Int32(clamping: max(1, min(200, deadline - now)))
    _ = poll(&watched, nfds_t(watched.count), left)
    return watched[0].revents != 0
  }

  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = homeward_read(descriptor, &buffer, buffer.count), count > 0 {
      bytes += buffer.prefix(count)
    }
  }

  private static func start(
    _ program: String, _ arguments: [String], _ directory: String
  ) -> homeward_spawned? {
    var spawned = homeward_spawned()
    let started = withCStrings([program] + arguments) { arguments in
      program.withCString { program in
        directory.withCString { directory in
          var request = homeward_spawn_request()
          request.arguments = UnsafePointer(arguments)
          request.environment = UnsafePointer(environ)
          (request.program, request.directory) = (program, directory)
          request.may_share_group = true
          return homeward_spawn(&request, &spawned)
        }
      }
    }
    return started == 0 ? spawned : nil
  }

  private static func withCStrings<Answer>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Answer
  ) -> Answer {
    var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the list ends with nil") }
      return body(base)
    }
  }
}
