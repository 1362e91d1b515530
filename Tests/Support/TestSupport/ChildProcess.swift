import Foundation

/// A program started by a test; killed when the value goes away.
public final class ChildProcess {
  /// Its process id.
  public let pid: Int32
  /// Where its standard output and error go.
  public let logPath: String
  private var status: Int32?

  /// Starts a program, found in the usual folders unless its path is absolute; output and error are appended to a file.
  ///
  /// - Parameter error: where its standard error goes instead; stays open here.
  public init(
    _ program: String, _ arguments: [String], log: String, environment: [String: String]? = nil,
    error: Int32? = nil
  ) throws {
    logPath = log
    let nothing = try Spawn.file("/dev/null", O_RDONLY)
    defer { close(nothing) }
    let output = try Spawn.file(log, O_WRONLY | O_CREAT | O_APPEND)
    defer { close(output) }
    pid = try Spawn.start(
      program, arguments, environment: environment,
      Spawn.StandardFiles(input: nothing, output: output, error: error ?? output))
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
    return Spawn.exitCode(status ?? 0)
  }
}

/// What a program said until it ended.
public struct ProgramOutput {
  /// What it ended with; 128 and the signal's number when a signal ended it.
  public let exitCode: Int32
  /// Its standard output.
  public let bytes: [UInt8]

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - program: its path, or its name in the usual folders.
  ///   - arguments: what it is given.
  ///   - input: its standard input.
  ///   - withErrors: whether its standard error belongs to the output; it is thrown away otherwise.
  public init(
    _ program: String, _ arguments: [String], input: some Collection<UInt8> = [UInt8](),
    withErrors: Bool = false
  ) throws {
    // A file takes any input at once, however slowly the program reads.
    let source = try Spawn.file(holding: input)
    defer { close(source) }
    let nothing = try Spawn.file("/dev/null", O_WRONLY)
    defer { close(nothing) }
    let output = try Spawn.pipe()
    defer { close(output.read) }
    let pid: Int32
    do {
      defer { close(output.write) }
      pid = try Spawn.start(
        program, arguments,
        Spawn.StandardFiles(
          input: source, output: output.write, error: withErrors ? output.write : nothing))
    }
    var bytes: [UInt8] = []
    while case let more = Spawn.read(output.read), !more.isEmpty { bytes += more }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    self.bytes = bytes
    exitCode = Spawn.exitCode(status)
  }

  /// Its standard output as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
