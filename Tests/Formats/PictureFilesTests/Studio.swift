import Foundation
import TestSupport
import Testing

/// Pictures that an independent program made for these tests, and readers that did not write them.
struct Studio {
  let directory: TemporaryDirectory

  /// Made once for all tests, which only add files of their own.
  static let shared = Result { try Studio() }

  private init() throws {
    directory = try TemporaryDirectory()
    try #require(Self.run(PythonPeer.program, [Self.script, "make", directory.path(of: "")]) == 0)
  }

  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/studio.py"

  /// Every picture by its name.
  static let names =
    ["baseline", "progressive", "profile", "grey", "cmyk", "dot"]
    .map { $0 + ".jpg" }
    + ["colour", "palette", "alpha", "bits", "deep", "dot"].map { $0 + ".png" }

  func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: directory.path(of: name))))
  }

  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = directory.path(of: name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Whether both files show the same pixels, turned the same way.
  func showSame(_ one: String, _ other: String) throws -> Bool {
    try Self.run(
      PythonPeer.program, [Self.script, "same", directory.path(of: one), directory.path(of: other)]
    ) == 0
  }

  /// Whether both files show the same colours by the profiles that they hold; both have to hold one.
  func showSameColours(_ one: String, _ other: String) throws -> Bool {
    try Self.run(
      PythonPeer.program,
      [Self.script, "same-colours", directory.path(of: one), directory.path(of: other)]) == 0
  }

  /// Everything that exiftool finds in files, by group and name.
  func told(_ names: [String]) throws -> [[String: String]] {
    let log = directory.path(of: "told-\(UUID().uuidString).json")
    let paths = names.map { directory.path(of: $0) }
    let process = try ChildProcess(
      "exiftool", ["-j", "-G1", "-a", "-n", "-u", "-q"] + paths, log: log)
    guard process.wait() == 0,
      let found = try JSONSerialization.jsonObject(with: Data(process.log.utf8)) as? [[String: Any]]
    else { return [] }
    return found.map { $0.mapValues { "\($0)" } }
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let scratch = try TemporaryDirectory()
    let process = try ChildProcess(program, arguments, log: scratch.path(of: "log"))
    let code = process.wait()
    if code != 0 { print(process.log) }
    return code
  }
}

/// What a program writes.
struct ChildProcessText {
  let text: String

  init(_ program: String, _ arguments: [String], log: String) throws {
    let process = try ChildProcess(program, arguments, log: log)
    _ = process.wait()
    text = process.log
  }
}
