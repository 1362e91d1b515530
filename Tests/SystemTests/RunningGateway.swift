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
  ///   - phoneLogLines: how many long lines that plugin writes to its log, as fast as the gateway keeps them.
  ///   - metrics: whether the plugin that shows figures and health runs.
  ///   - others: more plugins of these tests.
  init(
    broker port: Int?, gpsd gpsPort: Int? = nil, modem modemPort: String? = nil,
    grants: [String] = ["network", "contacts", "health", "position.precise"], phone: Bool = false,
    phoneLogLines: Int = 0, metrics: Bool = false, others: [TestPlugin] = [], extra: String = ""
  ) throws {
    directory = try TemporaryDirectory()
    program = try BuiltProducts.path(of: "homewardd")
    for name in ["state", "run"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(of: name), withIntermediateDirectories: true)
    }
    configuration = try directory.write("", to: "homeward.yaml")
    let plugins = try Self.install(
      ["mqtt", "sms-modem"] + (metrics ? ["metrics"] : []), in: directory)
    let scripts = (phone ? [TestPlugin.phone(logLines: phoneLogLines)] : []) + others
    for script in scripts { try script.install(in: plugins) }
    let enabled =
      [
        port.map { Self.mqtt(port: $0, grants: grants) }, modemPort.map { Self.modem(port: $0) },
        metrics ? Self.metrics : nil,
      ]
      .compactMap { $0 }.joined() + scripts.map(\.entry).joined()
    try directory.write(
      """
      gateway: {name: \(Self.name), state: \(directory.path(of: "state")), runtime: \(directory.path(of: "run"))}
      gps: \(gpsPort.map { "[{name: gps, port: \($0)}]" } ?? "[]")
      clock: {trust: system}
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
          loopback: [\(port)]
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

  private static var metrics: String {
    """

        - name: metrics
          grants: [network, "read:gateway"]
          readPaths: [\(SwiftRuntime.directory)]
          settings: {port: 0}
    """
  }

  /// A plugin of these tests: a script in Python, or a folder that has everything.
  struct TestPlugin {
    /// Its name, and that of its script.
    var name: String
    /// Where it lies whole; nil for a script beside these tests.
    var folder: String?
    var offers: [String] = []
    var grants: [String]
    var settings = "{}"

    static func phone(logLines: Int) -> TestPlugin {
      TestPlugin(
        name: "phone", offers: ["notify.sms"], grants: ["observe:delivery"],
        settings: "{logLines: \(logLines)}")
    }

    fileprivate var entry: String {
      """

          - {name: \(name), grants: [\(words(grants))], settings: \(settings)}
      """
    }

    private func words(_ list: [String]) -> String {
      list.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    fileprivate func install(in plugins: String) throws {
      let folder = "\(plugins)/\(name)"
      if let whole = self.folder {
        return try FileManager.default.copyItem(atPath: Checkout.path(whole), toPath: folder)
      }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let kit = "Sources/Kits/PluginKitPython"
      let parts = [
        ("Tests/SystemTests/\(name).py", "\(name).py"),
        ("\(kit)/pluginkit.py", "pluginkit.py"), ("\(kit)/texts.py", "texts.py"),
      ]
      for (source, name) in parts {
        try FileManager.default.copyItem(
          atPath: Checkout.path(source), toPath: "\(folder)/\(name)")
      }
      try Data(
        """
        {"name": "\(name)", "version": "1.0.0", "protocol": [1], "command": ["./\(name).py"],
         "description": "A plugin of the tests.", "licence": "Apache-2.0", "lanes": [], "types": [],
         "offers": [\(words(offers))], "grants": [\(words(grants))],
         "settings": {"type": "object", "additionalProperties": true}}
        """.utf8
      ).write(to: URL(fileURLWithPath: "\(folder)/plugin.json"))
    }
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
  /// Puts built plugins below a folder of theirs, and answers it.
  private static func install(
    _ plugins: [String], in directory: TemporaryDirectory
  ) throws -> String {
    for name in plugins {
      let folder = directory.path(of: "plugins/\(name)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let source = Checkout.path("plugins/\(name)/plugin.json")
      try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/plugin.json")
      try FileManager.default.copyItem(
        atPath: BuiltProducts.path(of: "homeward-plugin-\(name)"),
        toPath: "\(folder)/homeward-plugin-\(name)")
    }
    return directory.path(of: "plugins")
  }

  /// Starts the daemon and waits until its socket answers.
  ///
  /// - Parameter error: where its log goes instead of a file.
  func start(environment: [String: String] = [:], error: Int32? = nil) throws {
    process = try ChildProcess(
      program, ["--config", configuration], log: directory.path(of: "homewardd.log"),
      environment: ProcessInfo.processInfo.environment
        .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }, error: error)
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
