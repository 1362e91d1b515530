import Foundation
import TestSupport
import Testing

@Suite struct WebhookPluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let python = "/usr/bin/python3"

  @Test(
    "the plugin's own tests pass under the system's Python",
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "no /usr/bin/python3"))
  func pythonTestsPass() throws {
    let scratch = try TemporaryDirectory()
    let reportPath = scratch.path(of: "report.txt")
    #expect(FileManager.default.createFile(atPath: reportPath, contents: nil))
    let report = try FileHandle(forWritingTo: URL(fileURLWithPath: reportPath))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["-I", Self.folder.appendingPathComponent("test_webhook.py").path]
    process.standardError = report
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOfFile: reportPath, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(text)")
    let count = try #require(text.firstMatch(of: #/Ran (\d+) tests/#)?.1)
    #expect(try #require(Int(count)) >= 26)
  }
}
