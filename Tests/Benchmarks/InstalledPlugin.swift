import Foundation
import TestSupport

/// A plugin in a folder of its own, as an installation puts it there.
enum InstalledPlugin {
  /// Copies manifest and program below a folder, beside Swift's runtime; answers the plugin's folder.
  @discardableResult
  static func install(_ name: String, below folder: String) throws -> String {
    let manifest = Checkout.path("plugins/\(name)/plugin.json")
    let (program, place) = ("homeward-plugin-\(name)", "\(folder)/\(name)")
    let files = FileManager.default
    try files.createDirectory(atPath: place, withIntermediateDirectories: true)
    try files.copyItem(atPath: manifest, toPath: "\(place)/plugin.json")
    try files.copyItem(atPath: BuiltProducts.path(of: program), toPath: "\(place)/\(program)")
    let built = (try BuiltProducts.path(of: program) as NSString).deletingLastPathComponent
    for library in try files.contentsOfDirectory(atPath: built) where library.hasSuffix(".so") {
      try files.createSymbolicLink(
        atPath: "\(place)/\(library)", withDestinationPath: "\(built)/\(library)")
    }
    return place
  }
}
