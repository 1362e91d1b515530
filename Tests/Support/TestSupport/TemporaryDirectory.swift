public import Foundation

/// A directory of its own for one test, removed when the value goes away.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL
  /// Where it is, as a path.
  public var path: String { url.path }

  /// Makes a new empty directory.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "homeward-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of an entry.
  public func path(of name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a text file into the directory and answers its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    let target = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: target)
    return target.path
  }
}
