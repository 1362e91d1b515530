import Foundation
import JSON
import TestSupport
import Testing

/// The real daemon, as a user whose processes the kernel counts, with a plugin that uses up all that it can get.
@Suite(.serialized) struct ForkBombTests {
  private static let isAbleToBeNobody: Bool = {
    guard let homewardd = try? BuiltProducts.path(of: "homewardd") else { return false }
    return (try? run(["test", "-x", homewardd], log: "/dev/null").wait()) == 0
  }()

  /// As nobody where this is root, whose processes nobody counts.
  private static func run(_ command: [String], log: String) throws -> ChildProcess {
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
    let words = (getuid() == 0 ? nobody : []) + command
    return try ChildProcess(words[0], Array(words.dropFirst()), log: log)
  }

  @Test(
    "While a plugin keeps all processes that it can make, another is started anew again and again",
    .enabled(if: isAbleToBeNobody, "the build lies where an unprivileged user may not look"),
    .timeLimit(.minutes(2)))
  func restart() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    for folder in ["state", "run"] {
      mkdir(directory.path(of: folder), 0o700)
      if getuid() == 0 { chown(directory.path(of: folder), 65_534, 65_534) }
    }
    try install("bomb", in: directory)
    try install("good", in: directory)
    let configuration = try directory.write(
      """
      gateway: {name: bombed, state: \(directory.path(of: "state")), runtime: \(directory.path(of: "run"))}
      gps: []
      sound: {enabled: false}
      plugins:
        directories: [\(directory.path(of: "plugins"))]
        enabled:
          - {name: bomb, settings: {keeps: true}}
          - {name: good}
      """, to: "homeward.yaml")
    let daemon = try Self.run(
      [
        "prlimit", "--nproc=200", try BuiltProducts.path(of: "homewardd"), "--config",
        configuration,
      ], log: directory.path(of: "log"))
    #expect(
      Eventually.holds(withinSeconds: 30) { daemon.log.contains("processes at once") },
      "\(daemon.log)")
    for _ in 0..<3 {
      let before = pid(of: "good", directory)
      #expect(ask(["plugins", "restart", "good"], directory).code == 0)
      let isNew = Eventually.holds(withinSeconds: 20) {
        let now = pid(of: "good", directory)
        return now != nil && now != before
      }
      #expect(isNew, "\(daemon.log)")
    }
    #expect(pid(of: "bomb", directory) != nil, "the bomb ended: \(daemon.log)")
    #expect(daemon.stop() == 0)
  }

  /// A plugin of the zoo, as it is.
  private func install(_ name: String, in directory: TemporaryDirectory) throws {
    let zoo = Checkout.root.appendingPathComponent("Tests/Services/PluginsTests/Zoo")
    try directory.write(
      """
      {"name": "\(name)", "version": "1.0.0", "protocol": [1], "command": ["./\(name).py"],
       "description": "Of the zoo.", "licence": "Apache-2.0", "settings": {"type": "object"}}
      """, to: "plugins/\(name)/plugin.json")
    for file in ["\(name).py", "zoo.py"] {
      let text = try String(contentsOf: zoo.appendingPathComponent(file), encoding: .utf8)
      chmod(try directory.write(text, to: "plugins/\(name)/\(file)"), 0o755)
    }
  }

  private func ask(
    _ arguments: [String], _ directory: TemporaryDirectory
  ) -> (code: Int32, output: String) {
    let socket = directory.path(of: "run/control.sock")
    guard let homeward = try? BuiltProducts.path(of: "homeward"),
      let child = try? Self.run(
        [homeward] + arguments + ["--socket", socket],
        log: directory.path(of: "answer-\(UUID().uuidString)"))
    else { return (-1, "") }
    let code = child.wait()
    return (code, child.log)
  }

  /// Of a plugin that runs; nil while it does not.
  private func pid(of plugin: String, _ directory: TemporaryDirectory) -> Int64? {
    let list = (try? JSONValue(parsing: ask(["plugins", "--json"], directory).output))?.arrayContent
    let found = list?.first { $0["name"]?.stringContent == plugin }
    guard found?["state"]?.stringContent == "running" else { return nil }
    return found?["pid"]?.integerContent
  }
}
