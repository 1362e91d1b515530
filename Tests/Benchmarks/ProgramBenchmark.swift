import Foundation
import TestSupport

/// The programs as they are installed: what a command costs that needs no daemon, and what all weigh on disk.
enum ProgramBenchmark {
  private static let rounds = 21

  /// All that an installation has: what it starts, and the plugins that are not scripts.
  private static func programs() throws -> [String] {
    let plugins = try FileManager.default.contentsOfDirectory(atPath: Checkout.path("plugins"))
    let programs = plugins.map { (folder: $0, name: "homeward-plugin-\($0)") }.filter {
      FileManager.default.fileExists(
        atPath: Checkout.path("plugins/\($0.folder)/Sources/\($0.name)"))
    }
    return ["homewardd", "homeward", "homeward-hci", "homeward-warden"] + programs.map(\.name)
  }

  static var parts: [BenchmarkPart] {
    [
      BenchmarkPart(name: "programs-offline", measure: measureOffline),
      BenchmarkPart(name: "programs-size", measure: measureSize),
    ]
  }

  /// Commands that ask no daemon, in English and in Chinese.
  private static func measureOffline(_ table: inout Table) throws {
    let commands = [
      ["--help"],
      ["schedule", "--rule", "daily", "--start", "2026-11-23T08:00", "--zone", "Europe/Madrid"],
    ]
    for command in commands {
      let (english, chinese) = (
        try milliseconds(command, language: "C.UTF-8"),
        try milliseconds(command, language: "zh_CN.UTF-8")
      )
      let words = command.prefix(1).joined()
      table.add(
        "homeward \(words), English", "\(decimal(english)) ms (median of \(rounds))",
        budget: "≤ 40 ms", isKept: english <= 40)
      table.add(
        "homeward \(words), Chinese",
        "\(decimal(chinese)) ms, \(decimal(chinese / english)) × English", budget: "≤ 1.5 ×",
        isKept: chinese <= 1.5 * english)
    }
  }

  private static func milliseconds(_ command: [String], language: String) throws -> Double {
    let homeward = try BuiltProducts.path(of: "homeward")
    let folder = try TemporaryDirectory()
    let environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": language]) { $1 }
    return median(
      try (0..<rounds).map { _ in
        try seconds {
          let child = try ChildProcess(
            homeward, command, log: folder.path(of: "log"), environment: environment)
          guard child.wait() == 0 else { throw BenchmarkFailure(child.log) }
        } * 1000
      })
  }

  private static func measureSize(_ table: inout Table) throws {
    let programs = try programs().map { try BuiltProducts.path(of: $0) }
    let built = (programs[0] as NSString).deletingLastPathComponent
    let libraries = try FileManager.default.contentsOfDirectory(atPath: built)
      .filter { $0.hasSuffix(".so") }.map { "\(built)/\($0)" }
    guard !libraries.isEmpty else { throw BenchmarkFailure("no library of Swift in \(built)") }
    func megabytes(_ paths: [String]) throws -> Double {
      try paths.map {
        let size = try FileManager.default.attributesOfItem(atPath: $0)[.size] as? NSNumber
        return (size?.doubleValue ?? 0) / 1e6
      }.reduce(0, +)
    }
    let (own, shared) = (try megabytes(programs), try megabytes(libraries))
    let whole = own + shared
    table.add(
      "release programs on disk",
      "\(decimal(whole)) MB (\(programs.count) programs \(decimal(own)), Swift's runtime \(decimal(shared)))",
      budget: "≤ 60 MB", isKept: whole <= 60)
  }
}
