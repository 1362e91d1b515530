public import Foundation

/// A program started by a test; killed when the value goes away.
public final class ChildProcess {
  private let process = Process()
  /// Where its standard output and error go.
  public let logPath: String

  /// Starts a program; output and error go to a file.
  public init(
    _ program: String, _ arguments: [String], log: String, environment: [String: String]? = nil,
    input: FileHandle? = nil
  ) throws {
    logPath = log
    if !FileManager.default.fileExists(atPath: log) {
      _ = FileManager.default.createFile(atPath: log, contents: nil)
    }
    guard let output = FileHandle(forWritingAtPath: log) else {
      throw BuiltProducts.MissingProgram(name: log)
    }
    output.seekToEndOfFile()
    process.executableURL = try Self.locate(program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    process.standardInput = input ?? FileHandle.nullDevice
    if let environment { process.environment = environment }
    try process.run()
    try output.close()
  }

  deinit { kill() }

  /// Its process id.
  public var pid: Int32 { process.processIdentifier }

  /// Whether it still runs.
  public var isRunning: Bool { process.isRunning }

  /// Everything it has written so far.
  public var log: String {
    (try? String(contentsOf: URL(fileURLWithPath: logPath), encoding: .utf8)) ?? ""
  }

  /// Kills it and waits until it is gone.
  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to stop and answers its exit code.
  @discardableResult
  public func stop() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until it ends and answers its exit code.
  public func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func locate(_ program: String) throws -> URL {
    if program.hasPrefix("/") { return URL(fileURLWithPath: program) }
    for directory in ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"] {
      let path = "\(directory)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
    }
    throw BuiltProducts.MissingProgram(name: program)
  }
}
