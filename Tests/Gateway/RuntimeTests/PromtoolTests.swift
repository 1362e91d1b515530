import Foundation
import Ports
import TestSupport
import Testing

@testable import Runtime

/// Prometheus's own checker, where it is installed (Debian package prometheus).
private let promtool: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
  .split(separator: ":").map { "\($0)/promtool" }
  .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite struct PromtoolTests {
  @Test(.enabled(if: promtool != nil, "promtool is not installed"))
  func promtoolAcceptsAPageWithAbsurdContent() throws {
    var page = PrometheusText()
    page.add(.gauge, "homeward_up", help: "Whether it runs: \\ \"yes\"\nor no.", 1)
    page.add(
      .counter, "homeward_events_total", help: "Events.",
      labels: ["plugin": "a\"b\\c\nd 妈妈 🏠", "lane": ""], 1e300)
    page.add(.gauge, "9 lives", help: "Odd.", .nan)
    let answer = try ProgramOutput(
      try #require(promtool), ["check", "metrics"], input: page.text.utf8, withErrors: true)
    #expect(answer.exitCode == 0, "\(answer.text)")
  }
}
