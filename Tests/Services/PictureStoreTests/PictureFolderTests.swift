import Care
import Foundation
import Loop
import Ports
import Testing
import Texts

@testable import PictureStore

@Suite("Pictures of alarms") @LoopActor
struct PictureFolderTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("pictures-\(UUID().uuidString)").path
  private let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 100) + [0xFF, 0xD9]

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("shot-\(UUID().uuidString)").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func keep(
    _ path: String, alarm: AlarmID = "0199a", resident: ResidentID = "ada", in folder: PictureFolder
  ) async -> Result<String, ServiceFailure> {
    await withCheckedContinuation { continuation in
      folder.keep(path, alarm: alarm, resident: resident) { continuation.resume(returning: $0) }
    }
  }

  @Test("A picture is copied whole below its resident and goes when the resident is erased")
  func keepsAndErases() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = PictureFolder(root: root)
    let path = try await keep(file(jpeg), in: folder).get()
    #expect(path.hasPrefix("\(root)/ada/0199a-"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(jpeg))
    folder.erase("ada")
    #expect(!FileManager.default.fileExists(atPath: "\(root)/ada"))
  }

  private func read(
    _ path: String, offset: Int64 = 0, count: Int = 1000, in folder: PictureFolder
  ) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      folder.read(path, offset: offset, count: count) {
        continuation.resume(returning: try? $0.get())
      }
    }
  }

  @Test("A picture is read in pieces, and nothing that is not kept here")
  func reads() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = PictureFolder(root: root)
    let path = try await keep(file(jpeg), in: folder).get()
    #expect(await read(path, count: 4, in: folder) == Array(jpeg.prefix(4)))
    #expect(await read(path, offset: 100, in: folder) == Array(jpeg.dropFirst(100)))
    #expect(await read(path, offset: 106, in: folder) == [])
    #expect(await read(path, offset: -1, in: folder) == nil)
    let elsewhere = try file(jpeg)
    let link = "\(root)/ada/link.jpg"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
    for other in [
      elsewhere, link, "\(root)/../\(elsewhere.split(separator: "/").last ?? "")", "\(root)/ada",
      "\(root)/ada/../ada", "", root,
    ] {
      #expect(await read(other, in: folder) == nil, "\(other) was read")
    }
  }

  @Test("What is no JPEG, too large, missing, a link, a folder or a pipe is refused in plain words")
  func refuses() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = PictureFolder(root: root)
    let good = try file(jpeg)
    let link = good + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: good)
    let pipe = good + "-pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let large = try file(
      [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: PictureFolder.bytesAtMost) + [0xFF, 0xD9])
    for path in [try file([1, 2, 3, 4, 5]), large, "/nowhere", link, "/tmp", pipe] {
      guard case .failure(let failure) = await keep(path, in: folder) else {
        Issue.record("\(path) was taken")
        continue
      }
      #expect(failure.message.description.contains("picture"))
    }
    #expect(!FileManager.default.fileExists(atPath: "\(root)/ada"))
  }

  @Test("A name that would lead out of the folder is refused")
  func names() async throws {
    let folder = PictureFolder(root: root)
    guard case .failure = await keep(try file(jpeg), alarm: "../x", in: folder) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test("Only the newest pictures of a resident stay")
  func thins() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = PictureFolder(root: root)
    try FileManager.default.createDirectory(
      atPath: "\(root)/ada", withIntermediateDirectories: true)
    for number in 0..<PictureFolder.picturesAtMost {
      let name = "\(root)/ada/0001-\(1000 + number).jpg"
      try Data(jpeg).write(to: URL(fileURLWithPath: name))
    }
    let kept = try await keep(file(jpeg), in: folder).get()
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/ada")
    #expect(names.count == PictureFolder.picturesAtMost && !names.contains("0001-1000.jpg"))
    #expect(FileManager.default.fileExists(atPath: kept))
  }
}
