public import Care
import Foundation

/// A town that nobody lives in, from the generator beside the import: what a stranger's clone has in the place of an extract.
public enum InventedTown {
  /// A house that stands there, to be asked for.
  public static let house = "Lindengasse 9"

  /// Imports its addresses and its map into a folder, without routes and without the import's tools.
  public static func makeImport(in folder: String) throws {
    try run("small_import.py", [folder])
  }

  /// Writes it as an extract; around somebody's home, or where it always lies.
  public static func write(to file: String, around home: Coordinate? = nil) throws {
    let place = home.map { ["--home=\($0.latitudeDegrees),\($0.longitudeDegrees)"] } ?? []
    try run("invented_town.py", place + [file])
  }

  private static func run(_ program: String, _ words: [String]) throws {
    let scratch = try TemporaryDirectory()
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    let process = try ChildProcess(
      PythonPeer.program, [Checkout.path("plugins/places/Tests/\(program)")] + words,
      log: scratch.path(of: "log.txt"), environment: environment)
    guard process.wait() == 0 else { throw Failure(log: process.log) }
  }

  /// What the generator said when it failed.
  public struct Failure: Error {
    /// Its words.
    public var log: String
  }
}
