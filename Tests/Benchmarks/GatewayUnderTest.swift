import Foundation
import JSON
import TestSupport

/// A release build of the daemon in a directory of its own.
final class GatewayUnderTest {
  let directory: TemporaryDirectory
  private let configuration: String
  private(set) var process: ChildProcess?

  init(
    gpsPort: Int?, brokerPort: Int?, hasWebhook: Bool = false, modemPort: String? = nil,
    hasPlaces: Bool = false
  ) throws {
    directory = try TemporaryDirectory()
    let plugins = directory.path(of: "plugins")
    for plugin in ["mqtt", "webhook", "sms-modem", "places"] {
      try InstalledPlugin.install(plugin, below: plugins)
    }
    var enabled = ""
    if let brokerPort {
      enabled += """

            - name: mqtt
              grants: [network, content.personal, position.precise]
              loopback: [\(brokerPort)]
              settings: {host: 127.0.0.1, port: \(brokerPort), homeAssistant: {enabled: false}}
        """
    }
    if hasWebhook {
      enabled += """

            - name: webhook
              grants: [network, content.personal, position.precise]
              loopback: [9]
              settings: {url: "http://127.0.0.1:9/none"}
        """
    }
    if let modemPort {
      enabled += """

            - name: sms-modem
              grants: ["observe:delivery", "command:alarm.acknowledge"]
              devicePaths: [\(modemPort)]
              settings: {backend: port, port: \(modemPort)}
        """
    }
    if hasPlaces { enabled += "\n    - name: places" }
    configuration = try directory.write(
      """
      gateway: {name: bench, state: \(directory.path(of: "state")), runtime: \(directory.path(of: "run"))}
      gps: \(gpsPort.map { "[{name: gps, port: \($0)}]" } ?? "[]")
      clock: {trust: system}
      plugins:
        directories: [\(plugins)]
        enabled:\(enabled.isEmpty ? " []" : enabled)
      """, to: "homeward.yaml")
    try FileManager.default.createDirectory(
      atPath: directory.path(of: "run"), withIntermediateDirectories: true)
  }

  /// Has the programs that it starts read from the disk anew.
  func forgetPrograms() throws {
    let plugins = directory.path(of: "plugins")
    let names = try FileManager.default.contentsOfDirectory(atPath: plugins)
    let built = try BuiltProducts.path(of: "homewardd") as NSString
    try PageCache.forget(filesIn: built.deletingLastPathComponent)
    for name in names { try PageCache.forget(filesIn: "\(plugins)/\(name)") }
  }

  var statePath: String { directory.path(of: "state") }
  var socketPath: String { directory.path(of: "run/control.sock") }

  /// Starts the daemon; the environment tells it where to report that it is armed.
  func start(environment: [String: String] = [:]) throws {
    process = try ChildProcess(
      BuiltProducts.path(of: "homewardd"), ["--config", configuration],
      log: directory.path(of: "log"),
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  }

  func stop() { process?.stop() }

  /// Runs a command against it; its answer as JSON, null where it says no JSON.
  @discardableResult
  func homeward(_ words: [String]) throws -> JSONValue {
    try BuiltHomeward.run(["--socket", socketPath] + words)
  }

  /// Waits until it answers, and adds Mary, who carries the receiver.
  func addResident() throws {
    let isUp = Eventually.holds(withinSeconds: 10) {
      FileManager.default.fileExists(atPath: socketPath)
    }
    guard isUp else { throw BenchmarkFailure("no control socket at \(socketPath)") }
    try homeward([
      "residents", "add", "--name", "Mary", "--time-zone", "Australia/Darwin", "--gps", "gps",
    ])
  }

  var log: String { process?.log ?? "" }
}

/// The command line that was built.
enum BuiltHomeward {
  /// Runs it to its end; its answer as JSON, null where it says no JSON.
  @discardableResult
  static func run(_ words: [String]) throws -> JSONValue {
    let output = try ProgramOutput(
      BuiltProducts.path(of: "homeward"), words, withErrors: true)
    guard output.exitCode == 0 else {
      throw BenchmarkFailure(String(decoding: output.bytes, as: UTF8.self))
    }
    return (try? JSONValue(parsing: output.bytes)) ?? .null
  }
}

/// Figures that the kernel keeps about a process.
struct ProcessFigures {
  let pid: Int32

  /// Resident memory in MB (10⁶ bytes).
  var residentMegabytes: Double { kilobytes("status", "VmRSS:") * 1024 / 1e6 }

  /// Memory that is the process's own share, in MB (10⁶ bytes).
  var proportionalMegabytes: Double { kilobytes("smaps_rollup", "Pss:") * 1024 / 1e6 }

  /// Processor seconds used so far.
  var processorSeconds: Double {
    let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// How often each thread has gone to sleep and been woken, by thread name.
  var wakeUps: [String: Int] {
    var wakeUps: [String: Int] = [:]
    for thread in threads {
      let name = text("task/\(thread)/comm").split(separator: "\n").first.map(String.init) ?? ""
      let switches = text("task/\(thread)/status").split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches") }
      wakeUps["\(name)/\(thread)"] = switches?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
    return wakeUps
  }

  /// Its children, whichever thread started them, and theirs: the wardens of plugins, and the plugins.
  var descendants: [ProcessFigures] { children.flatMap { [$0] + $0.descendants } }

  private var children: [ProcessFigures] {
    threads.flatMap { text("task/\($0)/children").split(whereSeparator: \.isWhitespace) }
      .compactMap { Int32($0).map { ProcessFigures(pid: $0) } }
  }

  private var threads: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
  }

  private func kilobytes(_ file: String, _ field: String) -> Double {
    let line = text(file).split(separator: "\n").first { $0.hasPrefix(field) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0
  }

  private func text(_ file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)) ?? ""
  }
}

/// Why a measurement could not be made.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
