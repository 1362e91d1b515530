import Foundation
import TestSupport
import Testing

@Suite struct CalendarPluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let lacking = ["requests", "dateutil", "radicale"].filter {
    !FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)")
  }

  @Test(
    "the plugin stands its tests with a web server and the system's CalDAV server",
    .enabled(
      if: PythonPeer.isInstalled && lacking.isEmpty,
      "python3-requests, python3-dateutil or radicale is not installed"),
    arguments: [("test_calendar.py", 17), ("test_language.py", 7)])
  func pythonTestsPass(file: String, count: Int) throws {
    let peer = try PythonPeer(Self.folder.appendingPathComponent(file).path)
    #expect(peer.exitCode == 0, "\(peer.report)")
    #expect(peer.count >= count)
  }
}
