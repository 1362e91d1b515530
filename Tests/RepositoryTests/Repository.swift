import Foundation
import TestSupport
import Testing

/// The working tree that this test was built from, read as text.
enum Repository {
  /// The folder that holds `Package.swift`.
  static let root = Checkout.root

  /// One Swift file, with its path from the root.
  struct SourceFile: Sendable {
    let path: String
    let text: String
    /// The lines without comments and without the text of string literals, numbered from 1.
    let codeLines: [(number: Int, text: String)]

    init(path: String, text: String) {
      self.path = path
      self.text = text
      codeLines = SourceText.withoutCommentsAndStrings(text).split(
        separator: "\n", omittingEmptySubsequences: false
      ).enumerated().map { ($0.offset + 1, String($0.element)) }
    }

    /// The folder below `Sources`, or `plugins`; empty elsewhere.
    var layer: String {
      if path.hasPrefix("plugins/") { return "plugins" }
      guard path.hasPrefix("Sources/") else { return "" }
      return path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }

    /// The module's name: the folder below its layer, or below a plugin's `Sources`; the layer that is a module itself.
    var module: String {
      let parts = path.split(separator: "/").map(String.init)
      guard let sources = parts.firstIndex(of: "Sources") else { return "" }
      let index = path.hasPrefix("plugins/") ? sources + 1 : sources + 2
      return parts.indices.contains(index + 1) ? parts[index] : layer
    }

    /// Whether it holds tests, by the folder that it is in.
    var isTest: Bool {
      path.split(separator: "/").dropLast().contains {
        $0 == "Tests" ? isOfPlugin : $0.hasSuffix("Tests")
      }
    }

    private var isOfPlugin: Bool { path.hasPrefix("plugins/") }

    var fileName: String { URL(fileURLWithPath: path).lastPathComponent }

    /// The modules that the file imports.
    var imports: [String] {
      codeLines.lazy.filter { $0.text.contains("import ") }.compactMap { line in
        line.text.firstMatch(
          of:
            /^\s*(?:@\w+\s+)*(?:public |package |internal |fileprivate |private )?import (?:(?:struct|class|enum|protocol|func|let|var|typealias) )?(\w+)/
        ).map { String($0.1) }
      }
    }
  }

  /// All Swift files of the tree, read once, sorted by path; those of toys are judged in the tree that they are added to.
  private static let everySwiftFile = Result {
    try paths(below: ["Sources", "plugins", "Tests"]).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Tests/Toys/")
    }.map { SourceFile(path: $0, text: try text($0)) }
  }

  /// The text of a file, by its path from the root.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The names in a folder, sorted; empty when the folder is missing.
  static func entries(_ path: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent(path).path)
    return (names ?? []).sorted()
  }

  /// All Swift files below some folders, sorted by path.
  static func swiftFiles(below folders: [String]) throws -> [SourceFile] {
    try everySwiftFile.get().filter { file in
      folders.contains { file.path.hasPrefix("\($0)/") }
    }
  }

  /// The paths of all files below some folders, sorted, but for what a build made.
  static func paths(below folders: [String]) throws -> [String] {
    try folders.flatMap { folder -> [String] in
      guard exists(folder) else { return [] }
      let found = try FileManager.default.subpathsOfDirectory(
        atPath: root.appendingPathComponent(folder).path)
      return found.map { "\(folder)/\($0)" }.filter { !$0.contains("/.build/") }
    }.sorted()
  }
}

@Suite("Reading source as text")
struct SourceTextTests {
  @Test("Comments and strings are taken out, lines stay")
  func strips() {
    let source = """
      let a = "try! // no" // fatalError(
      /* print(
      */ let b = #"as! ""# + "x\\("in \\(n) try!")y"
      let c = 1
      """
    let code = SourceText.withoutCommentsAndStrings(source)
    #expect(code == "let a = \"\" \n\n let b = \"\" + \"\"\nlet c = 1")
  }

  @Test("Every form of import is read")
  func imports() {
    let file = Repository.SourceFile(
      path: "Sources/Engines/Tracking/Zones/X.swift",
      text: """
        public import CareModel
        import func Glibc.sin
        @testable import Tracking
        // import Foundation
        private import struct Foundation.Date
        """)
    #expect(file.imports == ["CareModel", "Glibc", "Tracking", "Foundation"])
    #expect(file.module == "Tracking" && file.layer == "Engines" && !file.isTest)
    let care = Repository.SourceFile(path: "Sources/Care/X.swift", text: "")
    #expect(care.module == "Care" && care.layer == "Care")
    let plugin = Repository.SourceFile(path: "plugins/mqtt/Sources/Topics/X.swift", text: "")
    #expect(plugin.module == "Topics" && plugin.layer == "plugins" && !plugin.isTest)
    #expect(Repository.SourceFile(path: "plugins/mqtt/Tests/X.swift", text: "").isTest)
    #expect(Repository.SourceFile(path: "Tests/Engines/XTests/Y.swift", text: "").isTest)
    #expect(!Repository.SourceFile(path: "Tests/Support/X/Y.swift", text: "").isTest)
  }
}
