public import Foundation

/// The working tree that the tests were built from.
public enum Checkout {
  /// The folder that holds `Package.swift`.
  public static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath)
    repeat { folder.deleteLastPathComponent() } while folder.path != "/" && !isRoot(folder)
    return folder
  }()

  private static func isRoot(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
  }

  /// The path of an entry, by its path from the root.
  public static func path(_ name: String) -> String { root.appendingPathComponent(name).path }
}
