import Foundation

/// A file to try readers with: one that this repository's generators made, or one that others captured.
public struct Capture: Hashable, Sendable, CustomStringConvertible {
  /// Where it lies.
  public let path: String
  /// Whether `Tests/Captures` makes it, so that every clone has it.
  public let isOurs: Bool

  /// The name of its file.
  public var name: String { URL(fileURLWithPath: path).lastPathComponent }
  /// The name, for the list of tests.
  public var description: String { name }

  /// Ours, by their paths below `Tests/Captures`, and behind them those of others, by their paths in the shared data folder.
  ///
  /// Without that folder there are only ours, which one test of the repository says for all, being skipped.
  public static func all(_ ours: [String], others: [String]) -> [Capture] {
    let folder = SharedData.folder
    return ours.map { Capture(path: Checkout.path("Tests/Captures/\($0)"), isOurs: true) }
      + others.compactMap { name in folder.map { Capture(path: "\($0)/\(name)", isOurs: false) } }
  }

  /// The file beside it that has the same name and this behind it.
  public func beside(ending: String) -> Capture { Capture(path: path + ending, isOurs: isOurs) }

  /// What it holds.
  public func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// The shared data folder beside the repository, where what others captured lies; it is never a part of the repository.
public enum SharedData {
  /// The folder, nil when it is absent; `HOMEWARD_SHARED_DATA` names another.
  public static let folder: String? = {
    let beside = Checkout.root.deletingLastPathComponent().path + "/shared/data"
    let named = ProcessInfo.processInfo.environment["HOMEWARD_SHARED_DATA"]
    return ([beside] + [named].compactMap { $0 }).first {
      FileManager.default.fileExists(atPath: $0)
    }
  }()

  /// The path of an entry below the folder, or nil when the folder is absent.
  public static func path(_ name: String) -> String? { folder.map { "\($0)/\(name)" } }
}
