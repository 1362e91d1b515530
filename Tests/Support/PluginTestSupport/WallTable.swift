public import Foundation
import Glibc
import JSON
import Loop
import Plugins
import TestSupport

/// Each wall and each version of Landlock against each plugin: the hostile plugin with the grants and devices of the other.
public struct WallTable: Sendable {
  /// One line for each plugin, with how many deeds succeeded in each column, and which did so past a wall.
  public private(set) var lines: [String] = []
  /// Deeds that succeeded though a wall stood that holds them, each with its plugin and column.
  public private(set) var failures: [String] = []

  /// The columns: which walls are there.
  private static let columns: [(name: String, switches: PluginHost.WallSwitches)] = {
    var columns: [(String, PluginHost.WallSwitches)] = []
    for (name, namespaces, seccomp) in [
      ("all", true, true), ("no namespaces", false, true), ("no seccomp", true, false),
    ] {
      for landlock in [7, 4, 2, 0] {
        var switches = PluginHost.WallSwitches()
        switches.namespaces = namespaces
        switches.seccomp = seccomp
        switches.landlockAtMost = landlock
        columns.append(("\(name), landlock \(landlock)", switches))
      }
    }
    return columns
  }()

  /// Devices that plugins are given in a household.
  private static let devices: [String: [String]] = [
    "keyword": ["/dev/snd"], "sms-modem": ["/dev/snd"], "camera": ["/dev/video0"],
  ]

  /// What of its grants and devices decides which walls a plugin has.
  private struct Kind: Hashable {
    var hasNetwork: Bool
    var hasBus: Bool
    var devices: [String]
  }

  /// Runs everything: a few minutes.
  ///
  /// - Parameters:
  ///   - isWhole: whether each plugin is tried, and not only the one with the most grants of those that have the same walls.
  ///   - plugins: the folder with the plugins' folders.
  ///   - zoo: the folder with `hostile.py` and `zoo.py`.
  @LoopActor
  public static func run(plugins: URL, zoo: URL, isWhole: Bool = true) async throws -> WallTable {
    var table = WallTable()
    let total = Hostility.deeds().count
    table.lines.append(
      "deeds of \(total) that succeeded, by plugin: " + columns.map(\.name).joined(separator: " | ")
    )
    let all = try manifests(below: plugins)
    let chosen = Dictionary(grouping: all) { kind(of: $0) }.values.compactMap { alike in
      alike.max { $0.grants.count < $1.grants.count }
    }
    for plugin in isWhole ? all : chosen.sorted(by: { $0.name < $1.name }) {
      var cells: [String] = []
      for column in columns {
        let outcome = try await Hostility.run(
          as: plugin.name, grants: plugin.grants, devicePaths: devices[plugin.name] ?? [],
          walls: column.switches, zoo: zoo)
        if outcome.fell.count + outcome.held.count != total {
          table.failures.append("\(plugin.name), \(column.name): not all deeds were tried")
        }
        table.failures += outcome.unheld.sorted().map { "\(plugin.name), \(column.name): \($0)" }
        cells.append("\(outcome.fell.count)")
        if cells.count == 1 { cells[0] += " (\(outcome.walls.description))" }
      }
      table.lines.append("\(plugin.name): " + cells.joined(separator: " | "))
    }
    return table
  }

  private static func kind(of plugin: (name: String, grants: Set<String>)) -> Kind {
    Kind(
      hasNetwork: plugin.grants.contains("network"), hasBus: plugin.grants.contains("bus.system"),
      devices: devices[plugin.name] ?? [])
  }

  private static func manifests(below folder: URL) throws -> [(name: String, grants: Set<String>)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.compactMap { name in
      let file = folder.appendingPathComponent(name).appendingPathComponent("plugin.json")
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      let manifest = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
      let grants = manifest["grants"]?.arrayContent?.compactMap(\.stringContent) ?? []
      return (name, Set(grants))
    }
  }
}
