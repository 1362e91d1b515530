import Care
import Foundation
import Loop
import Ports
import Sounds
import Testing
import Texts

@testable import PictureStore

@Suite("Recordings as files") @LoopActor
struct RecordingFolderTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("recordings-\(UUID().uuidString)").path
  /// Half a second of silence.
  private let wav =
    WAVWriter.header(frames: 4_000, sampleRate: 8_000) + [UInt8](repeating: 0, count: 8_000)

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
  }

  private func add(
    _ bytes: [UInt8], at offset: Int64 = 0, isLast: Bool = true, resident: ResidentID = "mary",
    to folder: RecordingFolder
  ) async -> Result<UploadProgress<Recording>, ServiceFailure> {
    let piece = UploadPiece(
      resident: resident, upload: "u1", offset: offset, bytes: bytes, isLast: isLast)
    return await withCheckedContinuation { continuation in
      folder.add(piece) { continuation.resume(returning: $0) }
    }
  }

  private func stored(
    _ outcome: Result<UploadProgress<Recording>, ServiceFailure>
  ) throws -> Recording {
    guard case .stored(let recording) = try outcome.get() else {
      throw ServiceFailure(isMissing: false, message: Recording.missing)
    }
    return recording
  }

  private func read(
    _ recording: Recording, in folder: RecordingFolder
  ) async -> Result<[UInt8], ServiceFailure> {
    await withCheckedContinuation { continuation in
      folder.read(recording, offset: 0, count: 10_000) { continuation.resume(returning: $0) }
    }
  }

  @Test("A recording that comes in pieces is kept by whose it is and what it holds, and read back")
  func kept() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = RecordingFolder(root: root)
    _ = await add(Array(wav.prefix(50)), isLast: false, to: folder)
    let recording = try stored(await add(Array(wav.dropFirst(50)), at: 50, to: folder))
    #expect(recording.milliseconds == 500 && recording.bytes == Int64(wav.count))
    #expect(recording.resident == "mary" && !recording.isSent)
    #expect(folder.path(of: recording) == "\(root)/\(recording.id).wav")
    #expect(try await read(recording, in: folder).get() == wav)
    #expect(try stored(await add(wav, to: folder)).id == recording.id)
    // The same sound is another recording of somebody else's.
    let other = try stored(await add(wav, resident: "ping", to: folder))
    #expect(other.id != recording.id)
    #expect(names == [other.id, recording.id].map { "\($0).wav" }.sorted())
    let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/\(other.id).wav")
    #expect(mode[.posixPermissions] as? Int == 0o600)
    folder.remove(other.id) { false }
    folder.sweep(keeping: [recording.id])
    #expect(try await read(recording, in: folder).get() == wav)
    #expect(names == ["\(recording.id).wav"])
    guard case .failure(let failure) = await read(other, in: folder) else {
      Issue.record("read what is gone")
      return
    }
    #expect(failure.isMissing)
  }

  @Test("What is no recording is refused in plain words, and leaves nothing behind")
  func refused() async throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let folder = RecordingFolder(root: root)
    for (bytes, words) in [
      (Array("text".utf8), "no WAV"), ([], "empty"), (Array(wav.dropLast()), "as it says"),
      (wav + [0], "as it says"), (WAVWriter.header(frames: 0, sampleRate: 8_000), "too short"),
    ] {
      guard case .failure(let failure) = await add(bytes, to: folder) else {
        Issue.record("taken: \(words)")
        continue
      }
      #expect(failure.message.description.contains(words), "\(failure.message)")
    }
    _ = await add([UInt8](repeating: 0, count: 2_000_000), isLast: false, to: folder)
    guard case .failure(let failure) = await add([1], at: 2_000_000, isLast: false, to: folder)
    else {
      Issue.record("taken")
      return
    }
    #expect(failure.message.description.contains("larger than 2 MB") && names == [])
  }
}
