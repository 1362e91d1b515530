import CareModel
import Foundation
import TestSupport

/// A real `homewardd` with a state directory of its own.
final class RunningGateway {
  static let name = "test-hub"
  let directory: TemporaryDirectory
  private let configuration: String
  private let program: String
  private(set) var process: ChildProcess?

  var stateDirectory: String { directory.path(of: "state") }
  var socketPath: String { directory.path(of: "run/control.sock") }

  init(broker port: Int?, gpsd gpsPort: Int? = nil, extra: String = "") throws {
    directory = try TemporaryDirectory()
    program = try BuiltProducts.path(of: "homewardd")
    for name in ["state", "run"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(of: name), withIntermediateDirectories: true)
    }
    configuration = try directory.write("", to: "homeward.yaml")
    let plugins = try Self.pluginsDirectory(in: directory)
    try directory.write(
      """
      gateway: {name: \(Self.name), state: \(directory.path(of: "state")), runtime: \(directory.path(of: "run"))}
      gps: \(gpsPort.map { "[{name: gps, port: \($0)}]" } ?? "[]")
      clock: {trust: system}
      operations: {port: 0}
      store: {minimumFreeMegabytes: 10}
      plugins:
        directories: [\(plugins)]
        enabled:\(port.map { Self.mqtt(port: $0) } ?? " []")
      \(extra)
      """, to: "homeward.yaml")
  }

  private static func mqtt(port: Int) -> String {
    """

        - name: mqtt
          grants: [network, position.precise]
          readPaths: [\(SwiftRuntime.directory)]
          settings: {host: 127.0.0.1, port: \(port), homeAssistant: {enabled: false}}
    """
  }

  /// A plugin folder as an installation has it: manifest beside program.
  private static func pluginsDirectory(in directory: TemporaryDirectory) throws -> String {
    let folder = directory.path(of: "plugins/mqtt")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../plugins/mqtt/plugin.json").standardizedFileURL.path
    try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/plugin.json")
    try FileManager.default.copyItem(
      atPath: BuiltProducts.path(of: "homeward-plugin-mqtt"),
      toPath: "\(folder)/homeward-plugin-mqtt")
    return directory.path(of: "plugins")
  }

  /// Starts the daemon and waits until its socket answers.
  func start(environment: [String: String] = [:]) throws {
    process = try ChildProcess(
      program, ["--config", configuration], log: directory.path(of: "homewardd.log"),
      environment: ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 })
  }

  /// Pulls the plug of the process.
  func kill() { process?.kill() }

  /// Stops it in good order and answers its exit code.
  @discardableResult
  func stop() -> Int32 { process?.stop() ?? 0 }

  /// Ids of alarms that went out before the disk had them.
  var earlyAlarms: Set<String> {
    let mark = "alarm "
    return Set(
      log.split(separator: "\n").filter { $0.hasSuffix("goes out before the disk has it") }
        .compactMap { line in
          line.range(of: mark).map { String(line[$0.upperBound...].prefix { $0 != " " }) }
        })
  }

  var log: String {
    (try? String(contentsOfFile: directory.path(of: "homewardd.log"), encoding: .utf8)) ?? ""
  }
}
