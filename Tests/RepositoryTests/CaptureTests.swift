import Foundation
import TestSupport
import Testing

@Suite("Captures")
struct CaptureTests {
  /// The one test that says for all that they are tried with less than they could be.
  @Test(
    "What others captured is played, too, and is nowhere in the repository",
    .enabled(
      if: SharedData.folder != nil,
      "the shared data folder is absent: only what Tests/Captures makes is played"))
  func capturesOfOthers() throws {
    let folder = URL(fileURLWithPath: try #require(SharedData.folder))
    let theirs = try FileManager.default.subpathsOfDirectory(atPath: folder.path).compactMap {
      try? Data(contentsOf: folder.appendingPathComponent($0))
    }
    #expect(theirs.count > 30)
    let sizes = Set(theirs.map(\.count))
    for path in try Repository.paths(below: ["Sources", "Tests", "plugins", "hardware"]) {
      let file = Repository.root.appendingPathComponent(path)
      let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size > 0, sizes.contains(size) else { continue }
      #expect(!theirs.contains(try Data(contentsOf: file)), "\(path) was made by others")
    }
  }
}
