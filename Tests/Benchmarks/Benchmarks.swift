import Foundation

/// Runs the benchmarks named on the command line, or all of them.
enum Benchmarks {
  private static var all: [(name: String, run: (inout Table) throws -> Void)] {
    [
      ("positions", PositionBenchmark.run), ("journal", JournalBenchmark.run),
      ("daemon", DaemonBenchmark.run), ("drain", DrainBenchmark.run),
      ("sound", SoundBenchmark.run),
      ("button", ButtonBenchmark.run), ("alarm", AlarmBenchmark.run),
      ("schedules", ScheduleBenchmark.run), ("reminders", ReminderBenchmark.run),
      ("bluetooth", BluetoothBenchmark.run),
    ]
  }

  static func run() {
    let wanted = Set(CommandLine.arguments.dropFirst())
    let unknown = wanted.subtracting(all.map(\.name))
    guard unknown.isEmpty else {
      print("homeward-bench knows: \(all.map(\.name).joined(separator: ", "))")
      exit(2)
    }
    var table = Table()
    for benchmark in all where wanted.isEmpty || wanted.contains(benchmark.name) {
      do { try benchmark.run(&table) } catch {
        print("\(benchmark.name) failed: \(error)")
        exit(1)
      }
    }
    table.show()
  }
}
