import Care
import Foundation
import Loop
import Ports
import Testing
import Texts

@testable import PictureStore

@Suite("Pictures of notes") @LoopActor
struct NotePictureFolderTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("note-pictures-\(UUID().uuidString)").path
  /// The smallest JPEG, with a comment that goes.
  private let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0x41, 0x42] + frame + [0xFF, 0xD9]
  private static let frame: [UInt8] = [
    0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55,
  ]
  private let stripped: [UInt8] = [0xFF, 0xD8] + frame + [0xFF, 0xD9]

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
  }

  private func add(
    _ bytes: [UInt8], at offset: Int64 = 0, isLast: Bool = true, upload: String = "u1",
    to folder: NotePictureFolder
  ) async -> Result<UploadProgress<Picture>, ServiceFailure> {
    let piece = UploadPiece(
      resident: "mary", upload: upload, offset: offset, bytes: bytes, isLast: isLast,
      keepsPosition: false)
    return await withCheckedContinuation { continuation in
      folder.add(piece) { continuation.resume(returning: $0) }
    }
  }

  private func read(
    _ picture: Picture, offset: Int64 = 0, count: Int = 1000, in folder: NotePictureFolder
  ) async -> Result<[UInt8], ServiceFailure> {
    await withCheckedContinuation { continuation in
      folder.read(picture, offset: offset, count: count) { continuation.resume(returning: $0) }
    }
  }

  private func stored(_ progress: UploadProgress<Picture>) throws -> Picture {
    guard case .stored(let picture) = progress else {
      throw ServiceFailure(isMissing: false, message: Message(verbatim: "\(progress)"))
    }
    return picture
  }

  /// Waits until everything asked so far is done.
  private func settle(_ folder: NotePictureFolder) async {
    let nothing = Picture(
      id: "x", resident: "mary", mediaType: "image/png", bytes: 0, width: 1, height: 1)
    _ = await read(nothing, in: folder)
  }

  @Test("A picture that comes in pieces is stripped, stored once by its content, and read back")
  func inPieces() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    for (index, byte) in jpeg.dropLast().enumerated() {
      let progress = try await add([byte], at: Int64(index), isLast: false, to: folder).get()
      #expect(progress == .received(Int64(index + 1)))
    }
    let last = Int64(jpeg.count - 1)
    let picture = try stored(await add([0xD9], at: last, to: folder).get())
    #expect(picture.width == 3 && picture.height == 2 && picture.mediaType == "image/jpeg")
    #expect(picture.bytes == Int64(stripped.count) && picture.resident == "mary")
    #expect(try await read(picture, in: folder).get() == stripped)
    #expect(
      try await read(picture, offset: 2, count: 3, in: folder).get() == Array(stripped[2..<5]))
    #expect(try stored(await add(stripped, upload: "u2", to: folder).get()).id == picture.id)
    #expect(names == ["\(picture.id).jpg"])
  }

  @Test("Nobody else on the machine can read the pictures")
  func permissions() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    _ = await add(Array(jpeg.prefix(9)), isLast: false, upload: "open", to: folder)
    let picture = try stored(await add(jpeg, to: folder).get())
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(root) == 0o700)
    #expect(try mode("\(root)/\(picture.id).jpg") == 0o600)
    #expect(try mode("\(root)/.upload-open") == 0o600)
  }

  @Test("What does not fit is refused in plain words, and leaves nothing behind")
  func refused() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    let wrong: [(Result<UploadProgress<Picture>, ServiceFailure>, String)] = [
      (await add(Array("text".utf8), to: folder), "no JPEG and no PNG"),
      (await add([], to: folder), "empty"),
      (await add(Array(jpeg.dropLast()), to: folder), "not complete"),
      (await add(jpeg, upload: "../x", to: folder), "named by"),
      (await add(jpeg, upload: "", to: folder), "named by"),
      (await add(jpeg, at: 7, upload: "u9", to: folder), "0 bytes are here"),
    ]
    for (outcome, words) in wrong {
      guard case .failure(let failure) = outcome else {
        Issue.record("taken: \(words)")
        continue
      }
      #expect(failure.message.description.contains(words), "\(failure.message)")
    }
    #expect(names == [])
  }

  @Test("A piece at the wrong place says where to go on, and the upload goes on there")
  func wrongPlace() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    _ = await add(Array(jpeg.prefix(10)), isLast: false, to: folder)
    guard case .failure(let failure) = await add([1], at: 12, to: folder) else {
      Issue.record("taken with a gap")
      return
    }
    #expect(failure.message.description.contains("10 bytes are here"))
    _ = try stored(await add(Array(jpeg.dropFirst(10)), at: 10, to: folder).get())
  }

  @Test("An upload that grows too large is dropped")
  func tooLarge() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    let piece = [UInt8](repeating: 0, count: 5_000_000)
    _ = await add(piece, isLast: false, to: folder)
    _ = await add(piece, at: 5_000_000, isLast: false, to: folder)
    guard case .failure(let failure) = await add([1], at: 10_000_000, isLast: false, to: folder)
    else {
      Issue.record("taken")
      return
    }
    #expect(failure.message.description.contains("larger than 10 MB") && names == [])
  }

  @Test("Unfinished uploads are bounded: the one that rested longest gives way")
  func manyUploads() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    for number in 1...20 { _ = await add([0xFF], isLast: false, upload: "u\(number)", to: folder) }
    #expect(names.count == NotePictureFolder.uploadsAtMost)
    #expect(names.contains(".upload-u20"))
  }

  @Test("A full disk is said plainly, and nothing half is left")
  func fullDisk() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    // Every write to this device finds no space left.
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    #expect(!FileIO.append([1], to: "/dev/full", isNew: false))
    errno = ENOSPC
    #expect(FileIO.reason.description.contains("the disk is full"))
    let folder = NotePictureFolder(root: "/proc/none")
    guard case .failure(let failure) = await add(jpeg, to: folder) else {
      Issue.record("kept nowhere")
      return
    }
    #expect(failure.message.description.hasPrefix("The file could not be kept:"))
  }

  @Test("A picture that nobody wants goes; one that came back meanwhile stays")
  func removing() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    let picture = try stored(await add(jpeg, to: folder).get())
    folder.remove(picture.id) { true }
    await settle(folder)
    #expect(names.count == 1)
    folder.remove("../../etc/passwd") { false }
    folder.remove(picture.id) { false }
    await settle(folder)
    #expect(names == [])
    guard case .failure(let failure) = await read(picture, in: folder) else {
      Issue.record("read what is gone")
      return
    }
    #expect(failure.isMissing && failure.message.description.contains("missing"))
  }

  @Test("After an interruption only what is known stays")
  func sweeping() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = NotePictureFolder(root: root)
    let picture = try stored(await add(jpeg, to: folder).get())
    _ = await add([0xFF], isLast: false, upload: "left", to: folder)
    let orphan = String(repeating: "a", count: 64)
    for name in ["\(orphan).png", ".part-left"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
    }
    folder.sweep(keeping: [picture.id])
    await settle(folder)
    #expect(names == ["\(picture.id).jpg"])
  }
}
