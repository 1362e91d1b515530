import Foundation
import TestSupport
import Testing

@Suite struct FHIRPluginTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let hasRequests = FileManager.default.fileExists(
    atPath: "/usr/lib/python3/dist-packages/requests")

  @Test(
    "the plugin stands its tests with a server that is played strictly",
    .enabled(if: PythonPeer.isInstalled && hasRequests, "python3-requests is not installed"),
    arguments: [("test_fhir.py", 23), ("test_language.py", 4)])
  func pythonTestsPass(file: String, count: Int) throws {
    let peer = try PythonPeer(Self.folder.appendingPathComponent(file).path)
    #expect(peer.exitCode == 0, "\(peer.report)")
    #expect(peer.count >= count)
  }
}
