import Foundation
import Testing

/// The working tree that this test was built from, read as text.
enum Repository {
  /// The folder that holds `Package.swift`.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// One Swift file, with its path from the root.
  struct SourceFile {
    var path: String
    var text: String

    /// The module's name: the folder below `Sources`, or below a plugin's `Sources`.
    var module: String {
      let parts = path.split(separator: "/")
      return parts.firstIndex(of: "Sources").flatMap { index in
        parts.indices.contains(index + 1) ? String(parts[index + 1]) : nil
      } ?? ""
    }

    var fileName: String { URL(fileURLWithPath: path).lastPathComponent }

    /// The lines without comments and without the text of string literals, numbered from 1.
    var codeLines: [(number: Int, text: String)] {
      SourceText.withoutCommentsAndStrings(text).split(
        separator: "\n", omittingEmptySubsequences: false
      ).enumerated().map { ($0.offset + 1, String($0.element)) }
    }

    /// The modules that the file imports.
    var imports: [String] {
      codeLines.compactMap { line in
        line.text.firstMatch(
          of:
            /^\s*(?:@\w+\s+)*(?:public |package |internal |fileprivate |private )?import (?:(?:struct|class|enum|protocol|func|let|var|typealias) )?(\w+)/
        ).map { String($0.1) }
      }
    }
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
    try paths(below: folders).filter { $0.hasSuffix(".swift") }.map {
      SourceFile(path: $0, text: try text($0))
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

/// Takes out of Swift source what is not code.
enum SourceText {
  /// The same lines with comments and the inside of string literals replaced by spaces.
  static func withoutCommentsAndStrings(_ text: String) -> String {
    var answer = ""
    var rest = Substring(text)
    while let first = rest.first {
      if let opened = opening(of: rest) {
        let body = rest.dropFirst(opened.start.count)
        let end = endOfBody(body, opened)
        answer += opened.isComment ? "" : "\"\""
        answer += rest[rest.startIndex..<end].filter(\.isNewline).map(String.init).joined()
        rest = rest[end...]
      } else {
        answer.append(first)
        rest = rest.dropFirst()
      }
    }
    return answer
  }

  private struct Opening {
    var start: String
    var end: String
    var isComment: Bool
    var hasEscapes: Bool
  }

  private static let openings = [
    Opening(start: "//", end: "\n", isComment: true, hasEscapes: false),
    Opening(start: "/*", end: "*/", isComment: true, hasEscapes: false),
    Opening(start: "#\"\"\"", end: "\"\"\"#", isComment: false, hasEscapes: false),
    Opening(start: "#\"", end: "\"#", isComment: false, hasEscapes: false),
    Opening(start: "\"\"\"", end: "\"\"\"", isComment: false, hasEscapes: true),
    Opening(start: "\"", end: "\"", isComment: false, hasEscapes: true),
  ]

  private static func opening(of text: Substring) -> Opening? {
    openings.first { text.hasPrefix($0.start) }
  }

  private static func endOfBody(_ body: Substring, _ opened: Opening) -> String.Index {
    var rest = body
    while !rest.isEmpty {
      if opened.hasEscapes, rest.hasPrefix("\\(") {
        rest = skippingInterpolation(rest.dropFirst(2))
      } else if opened.hasEscapes, rest.hasPrefix("\\") {
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix(opened.end) {
        return opened.end == "\n" ? rest.startIndex : rest.dropFirst(opened.end.count).startIndex
      } else {
        rest = rest.dropFirst()
      }
    }
    return rest.endIndex
  }

  /// Skips to behind the parenthesis that closes an interpolation; strings inside it count as strings.
  private static func skippingInterpolation(_ text: Substring) -> Substring {
    var rest = text
    var depth = 1
    while depth > 0, let first = rest.first {
      if let opened = opening(of: rest), !opened.isComment {
        rest = rest[endOfBody(rest.dropFirst(opened.start.count), opened)...]
        continue
      }
      if first == "(" { depth += 1 }
      if first == ")" { depth -= 1 }
      rest = rest.dropFirst()
    }
    return rest
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
      path: "Sources/Tracking/X.swift",
      text: """
        public import CareModel
        import func Glibc.sin
        @testable import Tracking
        // import Foundation
        private import struct Foundation.Date
        """)
    #expect(file.imports == ["CareModel", "Glibc", "Tracking", "Foundation"])
    #expect(file.module == "Tracking")
  }
}
