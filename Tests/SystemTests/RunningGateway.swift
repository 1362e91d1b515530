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

  /// - Parameters:
  ///   - grants: those of the plugin that publishes to the broker.
  ///   - phone: whether a plugin takes text messages, writes them down and says that they arrived.
  init(
    broker port: Int?, gpsd gpsPort: Int? = nil, modem modemPort: String? = nil,
    grants: [String] = ["network", "position.precise"], phone: Bool = false, extra: String = ""
  ) throws {
    directory = try TemporaryDirectory()
    program = try BuiltProducts.path(of: "homewardd")
    for name in ["state", "run"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(of: name), withIntermediateDirectories: true)
    }
    configuration = try directory.write("", to: "homeward.yaml")
    let plugins = try Self.pluginsDirectory(in: directory)
    if phone { try Self.addPhone(to: plugins) }
    let enabled = [
      port.map { Self.mqtt(port: $0, grants: grants) }, modemPort.map { Self.modem(port: $0) },
      phone ? Self.phone : nil,
    ]
    .compactMap { $0 }.joined()
    try directory.write(
      """
      gateway: {name: \(Self.name), state: \(directory.path(of: "state")), runtime: \(directory.path(of: "run"))}
      gps: \(gpsPort.map { "[{name: gps, port: \($0)}]" } ?? "[]")
      clock: {trust: system}
      operations: {port: 0}
      store: {minimumFreeMegabytes: 10}
      plugins:
        directories: [\(plugins)]
        enabled:\(enabled.isEmpty ? " []" : enabled)
      \(extra)
      """, to: "homeward.yaml")
  }

  private static func mqtt(port: Int, grants: [String]) -> String {
    """

        - name: mqtt
          grants: [\(grants.joined(separator: ", "))]
          readPaths: [\(SwiftRuntime.directory)]
          settings: {host: 127.0.0.1, port: \(port), homeAssistant: {enabled: false}}
    """
  }

  private static func modem(port: String) -> String {
    """

        - name: sms-modem
          grants: ["observe:delivery", "command:alarm.acknowledge"]
          readPaths: [\(SwiftRuntime.directory)]
          devicePaths: [\(port)]
          settings: {backend: port, port: \(port)}
    """
  }

  private static let phone = """

        - {name: phone, grants: ["observe:delivery"]}
    """

  private static func addPhone(to plugins: String) throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let folder = "\(plugins)/phone"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let parts = [
      ("phone.py", "phone.py"), ("../../plugins/apprise/pluginkit.py", "pluginkit.py"),
      ("../../plugins/apprise/texts.py", "texts.py"),
    ]
    for (source, name) in parts {
      try FileManager.default.copyItem(
        atPath: sources.appendingPathComponent(source).standardizedFileURL.path,
        toPath: "\(folder)/\(name)")
    }
    try Data(
      """
      {"name": "phone", "version": "1.0.0", "protocol": [1], "command": ["./phone.py"],
       "description": "Takes text messages.", "licence": "Apache-2.0", "lanes": [], "types": [],
       "offers": ["notify.sms"], "grants": ["observe:delivery"], "settings": {"type": "object"}}
      """.utf8
    ).write(to: URL(fileURLWithPath: "\(folder)/plugin.json"))
  }

  /// The text messages that the phone took, each as the parameters of its request.
  func texts() -> [String] {
    let files = FileManager.default.enumerator(atPath: stateDirectory)?.compactMap { $0 as? String }
    let path = files?.first { $0.hasSuffix("texts.jsonl") }
    let text = path.flatMap {
      try? String(contentsOfFile: "\(stateDirectory)/\($0)", encoding: .utf8)
    }
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// A plugin folder as an installation has it: manifest beside program.
  private static func pluginsDirectory(in directory: TemporaryDirectory) throws -> String {
    for name in ["mqtt", "sms-modem"] {
      let folder = directory.path(of: "plugins/\(name)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../plugins/\(name)/plugin.json").standardizedFileURL.path
      try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/plugin.json")
      try FileManager.default.copyItem(
        atPath: BuiltProducts.path(of: "homeward-plugin-\(name)"),
        toPath: "\(folder)/homeward-plugin-\(name)")
    }
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
