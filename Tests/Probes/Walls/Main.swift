import Foundation
import Glibc
import Loop
import PluginTestSupport

/// Prints how each wall holds for each plugin on this kernel; ends with 1 when one has a hole.
///
///     homeward-walls FOLDER-OF-PLUGINS FOLDER-OF-THE-ZOO
///
/// `homeward-warden` has to lie beside it, and Python is wanted.
@main
struct Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard arguments.count == 2 else {
      print("usage: homeward-walls FOLDER-OF-PLUGINS FOLDER-OF-THE-ZOO")
      exit(2)
    }
    do {
      let table = try await WallTable.run(plugins: arguments[0], zoo: arguments[1])
      for line in table.lines { print(line) }
      for failure in table.failures { print("HOLE \(failure)") }
      exit(table.failures.isEmpty ? 0 : 1)
    } catch {
      print("\(error)")
      exit(1)
    }
  }
}
