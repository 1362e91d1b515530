import Foundation
import TestSupport
import Testing

@Suite("Units of systemd")
struct UnitTests {
  private static let judge = "/usr/bin/systemd-analyze"

  /// The most that systemd may find a hole in the service to reach, in tenths: 0 is nothing, 100 everything.
  ///
  /// Of what it finds in the gateway's, most is for its plugins, which it starts in namespaces of their own: the network,
  /// user namespaces, Landlock and seccomp, a control group each; the rest are devices, and the clock's state.
  /// Of what it finds in the screen's, most is Chromium's own sandbox.
  static let exposure = [
    ("homeward.service", 28), ("homeward-hci.service", 12), ("homeward-kiosk.service", 24),
    ("homeward.homeward-certificate.service", 24), ("homeward.homeward-reports.service", 10),
  ]

  @Test(
    "What a hole in a service could reach does not grow",
    .enabled(if: FileManager.default.isExecutableFile(atPath: judge), "systemd is not installed"),
    arguments: exposure)
  func judged(unit: String, tenths: Int) throws {
    let path = Repository.root.appendingPathComponent("debian/\(unit)").path
    let verdict = try ProgramOutput(
      Self.judge,
      ["security", "--offline=yes", "--no-pager", "--threshold=\(tenths)", path], withErrors: true)
    #expect(verdict.text.contains("Overall exposure level for \(unit)"), "\(verdict.text)")
    #expect(verdict.exitCode == 0, "\(verdict.text)")
  }

  @Test("Every unit has been judged")
  func allUnits() {
    let units = Repository.entries("debian").filter { $0.hasSuffix(".service") }
    #expect(Set(units) == Set(Self.exposure.map(\.0)))
  }
}
