import Foundation
import TestSupport
import Testing

@Suite struct WebhookPluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test(
    "the plugin stands the tests of an independent receiver",
    .enabled(if: PythonPeer.isInstalled, "python3 is not installed"))
  func pythonTestsPass() throws {
    let peer = try PythonPeer(Self.folder.appendingPathComponent("test_webhook.py").path)
    #expect(peer.exitCode == 0, "\(peer.report)")
    #expect(peer.count >= 44)
  }
}
