import Foundation

/// Tests written in Python, of a plugin against a peer that Python brings.
public struct PythonPeer {
  /// The system's Python, which has the peers from Debian's packages.
  public static let program = "/usr/bin/python3"

  /// Whether it can run.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// What the tests ended with; 0 when all passed.
  public let exitCode: Int32
  /// What they wrote.
  public let report: String

  /// Runs a file of tests; it finds built programs in `HOMEWARD_BUILT`.
  public init(_ path: String) throws {
    let scratch = try TemporaryDirectory()
    let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
    var environment = ProcessInfo.processInfo.environment
    environment["HOMEWARD_BUILT"] = built
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    let process = try ChildProcess(
      Self.program, [path], log: scratch.path(of: "report.txt"), environment: environment)
    exitCode = process.wait()
    report = process.log
  }

  /// How many tests ran.
  public var count: Int {
    report.firstMatch(of: #/Ran (\d+) tests/#).flatMap { Int($0.1) } ?? 0
  }
}
