import Foundation
import Glibc
import TestSupport
import Testing

@testable import homeward

@Suite("Whole files")
struct FileTextTests {
  private let directory: TemporaryDirectory
  private var file: String { directory.path(of: "file") }

  init() throws { directory = try TemporaryDirectory() }

  private func mode(_ path: String) -> mode_t {
    var entry = stat()
    return stat(path, &entry) == 0 ? entry.st_mode & 0o7777 : 0
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  @Test(
    "No more is read than is wanted, however much there is",
    arguments: [(0, 0), (10, 10), (65_536, 65_536), (70_000, 70_000), (1 << 30, 100_000)])
  func limits(limit: Int, count: Int) throws {
    try FileText.write(bytes: [UInt8](repeating: 7, count: 100_000), to: file)
    #expect(try FileText.bytes(file, limit: limit).count == count)
    if limit < 100_000 {
      #expect(try FileText.bytes("/dev/zero", limit: limit) == Array(repeating: 0, count: count))
    }
  }

  @Test("A new file has the mode that is wanted; one that is replaced keeps its own")
  func modes() throws {
    try FileText.write("first", to: file, mode: 0o600)
    #expect(mode(file) == 0o600)
    chmod(file, 0o640)
    try FileText.write("second", to: file, mode: 0o600)
    #expect(mode(file) == 0o640)
    #expect(try FileText.read(file) == "second")
    #expect(try entries() == ["file"], "nothing is left beside it")
  }

  @Test("What cannot be put in its place leaves what was there, and nothing beside it")
  func failures() throws {
    let missing = try #require(throws: FileFailure.self) {
      try FileText.write("x", to: directory.path(of: "missing/file"))
    }
    #expect(missing.code == ENOENT)
    let folder = directory.path(of: "folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(throws: FileFailure.self) { try FileText.write("x", to: folder) }
    #expect(try entries() == ["folder"])
    let unread = try #require(throws: FileFailure.self) { try FileText.read(file) }
    #expect(unread.code == ENOENT && unread.path == file)
    #expect(throws: FileFailure.self) { try FileText.bytes(folder) }
  }

  @Test("A folder for a while is a new one each time, which nobody else looks into")
  func folders() throws {
    let folders = try [FileText.temporaryFolder("test"), FileText.temporaryFolder("test")]
    #expect(folders[0] != folders[1])
    for folder in folders {
      #expect(mode(folder) == 0o700)
      rmdir(folder)
    }
  }

  @Test("A path that begins nowhere begins in this folder")
  func absolute() {
    let here = FileManager.default.currentDirectoryPath
    for make in [FileText.absolute, Paths.absolute] {
      #expect(make("/a/b") == "/a/b" && make("a/b") == "\(here)/a/b")
    }
  }
}
