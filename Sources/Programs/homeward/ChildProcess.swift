import Bytes
import CGatewayShims
import Glibc

/// A program that the demonstration started, in a process group of its own; it dies with this process.
final class ChildProcess {
  let name: String
  private let spawned: homeward_spawned
  private var complaining = ChildProcess.framer
  private var saying = ChildProcess.framer
  private var lastWords: [String] = []

  /// Starts a program; nil when it cannot be started.
  init?(_ name: String, _ program: String, _ arguments: [String], directory: String) {
    self.name = name
    var spawned = homeward_spawned()
    let variables = Environment.all.filter { !$0.key.hasPrefix("HOMEWARD_") }
    let environment = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let started = Self.withCStrings([program] + arguments) { arguments in
      Self.withCStrings(environment) { environment in
        var request = homeward_spawn_request()
        request.arguments = UnsafePointer(arguments)
        request.environment = UnsafePointer(environment)
        return program.withCString { program in
          directory.withCString { directory in
            (request.program, request.directory) = (program, directory)
            return homeward_spawn(&request, &spawned)
          }
        }
      }
    }
    guard started == 0 else { return nil }
    self.spawned = spawned
    close(spawned.input)
  }

  /// Whether it runs still.
  var isRunning: Bool {
    var ready = pollfd(fd: spawned.pidfd, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, 0) == 0
  }

  /// What it said last, for a message about its end.
  var lastLines: String { lastWords.suffix(5).joined(separator: "\n  ") }

  /// Takes what it has written since the last call; answers the whole lines of its standard output.
  func output() -> [String] {
    let complaints = Self.lines(from: spawned.error, cutBy: &complaining)
    let said = Self.lines(from: spawned.output, cutBy: &saying)
    lastWords = Array((lastWords + complaints + said).suffix(20))
    return said
  }

  /// Asks it to end, waits up to five seconds, then kills it with all that it started.
  func stop() {
    homeward_signal_group(spawned.pid, SIGTERM)
    for _ in 0..<100 where isRunning {
      _ = output()
      var ready = pollfd(fd: spawned.pidfd, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, 50)
    }
    homeward_signal_group(spawned.pid, SIGKILL)
    var end = homeward_exit()
    _ = homeward_reap_group(spawned.pid, &end)
    for descriptor in [spawned.pidfd, spawned.output, spawned.error] { close(descriptor) }
  }

  private static var framer: LineFramer { LineFramer(maximumBytes: 1 << 20, excess: .isCut) }

  /// The lines that have come whole since the last call, but for empty ones.
  private static func lines(from descriptor: Int32, cutBy framer: inout LineFramer) -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var lines: [String] = []
    while case let count = homeward_read(descriptor, &bytes, bytes.count), count > 0 {
      framer.append(bytes.prefix(count))
      while let line = try? framer.next() {
        if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    return lines
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

/// Finds programs where a shell and root's shell look for them.
enum ProgramSearch {
  static func find(_ name: String) -> String? {
    let folders = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/sbin", "/usr/local/sbin"]).map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Where the Swift libraries lie that a debug build loads at run time; nil in a release build, which contains them.
  static var swiftRuntimeFolder: String? {
    guard let maps = try? FileText.read("/proc/self/maps") else { return nil }
    let line = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let path = line?.drop(while: { $0 != "/" }), let slash = path.lastIndex(of: "/") else {
      return nil
    }
    return String(path[..<slash])
  }

  /// The folder of the running executable.
  static var ownFolder: String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return 0 }
      return readlink("/proc/self/exe", start, buffer.count)
    }
    let path = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
