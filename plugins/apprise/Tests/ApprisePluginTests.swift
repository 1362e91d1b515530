import Foundation
import TestSupport
import Testing

@Suite struct ApprisePluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let hasApprise = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/apprise")

  @Test(
    "the plugin stands its tests with the system's Apprise",
    .enabled(if: PythonPeer.isInstalled && hasApprise, "apprise is not installed"))
  func pythonTestsPass() throws {
    let peer = try PythonPeer(Self.folder.appendingPathComponent("test_apprise.py").path)
    #expect(peer.exitCode == 0, "\(peer.report)")
    #expect(peer.count >= 23)
  }
}
