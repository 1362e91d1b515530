import CGatewayShims
import Foundation
import TestSupport

/// What it costs to start a plugin's program: told, not budgeted.
enum SpawnBenchmark {
  static var parts: [BenchmarkPart] {
    [BenchmarkPart(name: "spawn", measure: measure)]
  }

  private static let starts = 100

  /// The same program behind more and more walls, taken in turn so that each meets the same machine.
  private static func measure(_ table: inout Table) throws {
    let warden = try BuiltProducts.path(of: "homeward-warden")
    let readable = [
      "--readable", "/usr", "--readable", "/lib", "--readable", "/lib64", "--readable", "/bin",
    ]
    let program = ["--program", "/bin/true", "--processes", "64"] + readable
    let end = ["--", "true"]
    let apart = UInt32(
      HOMEWARD_NAMESPACE_USER | HOMEWARD_NAMESPACE_PROCESS | HOMEWARD_NAMESPACE_MEMORY)
    let alone = apart | UInt32(HOMEWARD_NAMESPACE_NETWORK)
    let ways: [(name: String, program: String, arguments: [String], namespaces: UInt32)] = [
      ("without any wall", "/bin/true", ["true"], 0),
      ("Landlock and seccomp", warden, ["warden"] + program + end, 0),
      (
        "… and namespaces, network granted and watched", warden,
        ["warden", "--network"] + program + end, apart
      ),
      (
        "… and namespaces, no network", warden, ["warden"] + program + end, alone
      ),
    ]
    var whole = [[Double]](repeating: [], count: ways.count)
    var held = whole
    for _ in 0..<starts {
      for (index, way) in ways.enumerated() {
        let (milliseconds, ours) = try start(way.program, way.arguments, way.namespaces)
        whole[index].append(milliseconds)
        held[index].append(ours)
      }
    }
    for (index, way) in ways.enumerated() {
      table.add(
        "start and end of a program, \(way.name)",
        "p50 \(decimal(median(whole[index]), 2)) ms, of them \(decimal(median(held[index]), 2)) ms in the daemon"
      )
    }
  }

  private static func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }

  /// Milliseconds from the start of a program to its end, and those until the call has returned.
  private static func start(
    _ program: String, _ arguments: [String], _ namespaces: UInt32
  ) throws -> (whole: Double, ours: Double) {
    var spawned = homeward_spawned()
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var none: [UnsafeMutablePointer<CChar>?] = [nil]
    defer { for word in words { free(word) } }
    let began = DispatchTime.now().uptimeNanoseconds
    let answer = program.withCString { program in
      "/".withCString { root in
        words.withUnsafeMutableBufferPointer { words in
          none.withUnsafeMutableBufferPointer { none in
            var request = homeward_spawn_request(
              program: program, arguments: words.baseAddress, environment: none.baseAddress,
              directory: root, bus: nil, reports: true, namespaces: namespaces,
              may_share_group: false, group: 0)
            return homeward_spawn(&request, &spawned)
          }
        }
      }
    }
    let returned = DispatchTime.now().uptimeNanoseconds
    guard answer == 0 else { throw BenchmarkFailure("\(program) was not started: \(errno)") }
    var ended = pollfd(fd: spawned.pidfd, events: Int16(POLLIN), revents: 0)
    poll(&ended, 1, 10_000)
    let over = DispatchTime.now().uptimeNanoseconds
    var end = homeward_exit()
    _ = homeward_reap_group(spawned.pid, &end)
    for descriptor in [spawned.pidfd, spawned.input, spawned.output, spawned.error, spawned.report]
    {
      close(descriptor)
    }
    guard !end.by_signal, end.code == 0 else {
      throw BenchmarkFailure("\(arguments.joined(separator: " ")) ended with \(end.code)")
    }
    return (Double(over - began) / 1e6, Double(returned - began) / 1e6)
  }
}
