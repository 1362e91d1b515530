import Foundation
import TestSupport
import Testing

/// What it takes to add something, shown by toys: `Tests/Toys` has one of each kind, which `.ci/toys` adds to a copy of the
/// tree. That they build and keep every rule there is what `make toys` shows.
@Suite(
  "How to add something",
  .enabled(if: Repository.exists("Tests/Toys"), "this is a tree to which a toy was added"))
struct ToyTests {
  static let kinds = ["command", "device", "engine", "event", "route", "setting", "table"]
  /// What may be touched outside of what a toy brings: a command is asked for, done and said.
  static func most(_ kind: String) -> Int { kind == "command" ? 3 : 2 }

  /// What people read about each kind, and where its entry begins.
  private static let entries = [
    "command": "a command of people", "device": "a device", "engine": "an engine",
    "event": "an event",
    "route": "a question", "setting": "a setting", "table": "a table",
  ]

  static let git = ["/usr/bin/git", "/usr/local/bin/git"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func patch(_ kind: String) -> String { "Tests/Toys/\(kind)/edits.patch" }

  /// The files of the tree that a patch changes.
  private func touched(_ kind: String) throws -> [String] {
    try Repository.text(patch(kind)).matches(of: /(?m)^\+\+\+ b\/(.+)$/).map { String($0.1) }
  }

  @Test("There is a toy of each kind, and each brings files that the tree has not")
  func whole() throws {
    #expect(Repository.entries("Tests/Toys").filter { $0 != "README.md" } == Self.kinds)
    for kind in Self.kinds {
      #expect(Repository.entries("Tests/Toys/\(kind)") == ["edits.patch", "files"], "\(kind)")
      let folder = "Tests/Toys/\(kind)/files"
      let files = try Repository.paths(below: [folder]).filter { $0.contains(/\.\w+$/) }
      #expect(files.contains { $0.hasPrefix("\(folder)/Tests/") }, "\(kind) has no test")
      for file in files {
        let place = String(file.dropFirst(folder.count + 1))
        #expect(!Repository.exists(place), "\(kind): \(place) is there already")
      }
    }
  }

  @Test("Each touches few files of the tree, changes them, and neither adds nor removes")
  func count() throws {
    for kind in Self.kinds {
      let files = try touched(kind)
      #expect((1...Self.most(kind)).contains(files.count), "\(kind): \(files)")
      #expect(files.allSatisfy(Repository.exists), "\(kind): \(files)")
      let heads = try Repository.text(patch(kind)).matches(of: /(?m)^--- a\/(.+)$/)
      #expect(heads.map { String($0.1) } == files, "\(kind)")
    }
  }

  @Test(
    "What each changes is still there to be changed: after a change of it, mend the patch",
    .enabled(if: git != nil, "git is absent"), arguments: kinds)
  func applies(kind: String) throws {
    let folder = try TemporaryDirectory()
    let child = try ChildProcess(
      try #require(Self.git),
      [
        "-C", Repository.root.path, "apply", "--check",
        Repository.root.appendingPathComponent(patch(kind)).path,
      ], log: folder.path(of: "log"))
    #expect(child.wait() == 0, "\(kind): \(child.log)")
  }

  @Test("The page that says how to add something names every file that the toy touches")
  func page() throws {
    let map = try Repository.text("Sources/README.md")
    for kind in Self.kinds {
      let begin = "\n- **\(try #require(Self.entries[kind]))**"
      let start = try #require(map.firstRange(of: begin), "\(kind)").upperBound
      let entry = map[start...].prefix(
        upTo: map[start...].firstRange(of: "\n- **")?.lowerBound ?? map.endIndex)
      let names = entry.matches(of: /`([^`]+)`/).map { String($0.1) }
      for file in try touched(kind) {
        #expect(names.contains { Self.isMeant(file, by: $0) }, "\(kind): \(file)")
      }
    }
  }

  /// Whether a name of the page is a file's, which it gives from any folder on; `…` stands for what differs.
  static func isMeant(_ file: String, by name: String) -> Bool {
    let parts = name.split(separator: "…", omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty, file.hasSuffix(last) else { return false }
    if parts.count == 1 { return file == name || file.hasSuffix("/\(name)") }
    return parts.count == 2 && (parts[0].isEmpty || file.contains("\(parts[0])"))
  }

  @Test("A name with a gap means files whose names end and begin so, and no others")
  func names() {
    #expect(Self.isMeant("Sources/README.md", by: "README.md"))
    #expect(!Self.isMeant("Sources/README.md", by: "ADME.md"))
    #expect(Self.isMeant("Sources/Care/BluetoothRequest.swift", by: "Care/…Request.swift"))
    #expect(!Self.isMeant("Sources/Engines/X/XRequest.swift", by: "Care/…Request.swift"))
    #expect(!Self.isMeant("Sources/Care/Tag.swift", by: "…"))
  }
}
