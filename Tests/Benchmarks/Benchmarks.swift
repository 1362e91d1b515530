import Foundation
import TestSupport

/// One thing that is measured, in a process of its own.
struct BenchmarkPart {
  var name: String
  var measure: (inout Table) throws -> Void
}

/// Measures the parts named on the command line, or all of them, one after the other.
///
/// What one part leaves behind in a process (memory that the allocator keeps, threads, a loop with posts) would be in the
/// figures of the next. So the program starts itself anew for each.
enum Benchmarks {
  /// The option with which the program measures one part and writes its table to a file.
  static let partOption = "--part"

  static var all: [BenchmarkPart] {
    PositionBenchmark.parts + JournalBenchmark.parts + DaemonBenchmark.parts
      + DrainBenchmark.parts + SoundBenchmark.parts + ButtonBenchmark.parts + AlarmBenchmark.parts
      + ScheduleBenchmark.parts + ReminderBenchmark.parts + BluetoothBenchmark.parts
      + ProgramBenchmark.parts + SpawnBenchmark.parts + PlacesBenchmark.parts + PageBenchmark.parts
      + StormBenchmark.parts + CodingBenchmark.parts + LoopBenchmark.parts
  }

  /// Does what the command line asks for; answers the exit code: 0, 1 when a budget is missed or a part cannot be
  /// measured, 2 when there is no such part.
  static func run(_ arguments: [String]) -> Int32 {
    if arguments.first == partOption, arguments.count == 3 {
      return measure(arguments[1], into: arguments[2])
    }
    guard let parts = chosen(arguments) else {
      print("homeward-bench knows: \(all.map(\.name).joined(separator: ", "))")
      return 2
    }
    var table = Table()
    for part in parts { measureInProcessOfItsOwn(part.name, &table) }
    print("\n\(table.text)")
    return table.exitCode
  }

  /// The parts of these names; one name may stand for several, as `reminders` for `reminders-memory`. Nil when one
  /// stands for none.
  static func chosen(_ names: [String]) -> [BenchmarkPart]? {
    let parts = all
    func fits(_ part: BenchmarkPart, _ name: String) -> Bool {
      part.name == name || part.name.hasPrefix("\(name)-")
    }
    guard names.allSatisfy({ name in parts.contains { fits($0, name) } }) else { return nil }
    return names.isEmpty ? parts : parts.filter { part in names.contains { fits(part, $0) } }
  }

  private static func measure(_ name: String, into file: String) -> Int32 {
    var table = Table()
    guard let part = all.first(where: { $0.name == name }) else { return 2 }
    do {
      try part.measure(&table)
    } catch {
      table.fail(name, "\(error)")
    }
    do {
      try JSONEncoder().encode(table).write(to: URL(fileURLWithPath: file))
    } catch {
      print("\(file): \(error)")
      return 1
    }
    return table.exitCode
  }

  private static func measureInProcessOfItsOwn(_ name: String, _ table: inout Table) {
    do {
      let folder = try TemporaryDirectory()
      let (file, log) = (folder.path(of: "table.json"), folder.path(of: "log"))
      let child = try ChildProcess(
        FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        [partOption, name, file], log: log)
      let status = child.wait()
      FileHandle.standardOutput.write(Data(child.log.utf8))
      guard let bytes = FileManager.default.contents(atPath: file) else {
        return table.fail(name, "its process ended with \(status) and told nothing")
      }
      table.add(try JSONDecoder().decode(Table.self, from: bytes))
    } catch {
      table.fail(name, "\(error)")
    }
  }
}
