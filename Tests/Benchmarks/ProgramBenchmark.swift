import Foundation
import TestSupport

/// The programs as they are installed: what a command costs that needs no daemon, and what all weigh on disk.
enum ProgramBenchmark {
  private static let rounds = 21
  private static let programs = [
    "homewardd", "homeward", "homeward-hci", "homeward-plugin-mqtt", "homeward-plugin-speech",
    "homeward-plugin-keyword", "homeward-plugin-webhook", "homeward-plugin-email",
    "homeward-plugin-sms-modem", "homeward-plugin-camera", "homeward-plugin-places",
  ]

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
    let bytes = try programs.map { name in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: BuiltProducts.path(of: name))
      return (attributes[.size] as? NSNumber)?.doubleValue ?? 0
    }
    let megabytes = bytes.reduce(0, +) / 1e6
    table.add(
      "release programs on disk", "\(decimal(megabytes)) MB (\(programs.count) programs)",
      budget: "≤ 60 MB", isKept: megabytes <= 60)
  }
}
