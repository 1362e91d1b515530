import Glibc
import PluginKit

/// The photographs in the plugin's folder, a bounded number of them.
struct Album {
  var directory: String
  var keep: Int

  /// Makes the folder, and throws away what an earlier run left half done.
  init(stateDirectory: String, keep: Int) {
    directory = "\(stateDirectory)/photos"
    self.keep = keep
    _ = mkdir(directory, 0o700)
    for name in entries where name.hasSuffix(".new") || name.hasPrefix(".taking") {
      _ = unlink("\(directory)/\(name)")
    }
  }

  /// Writes a photograph down and answers its path; the oldest go where there are too many.
  ///
  /// - Parameter milliseconds: UTC, which the name begins with, so that names sort by time.
  func add(_ picture: [UInt8], atMilliseconds milliseconds: Int64) throws(CameraFault) -> String {
    let time = String(max(0, milliseconds))
    let name = String(repeating: "0", count: max(0, 15 - time.utf8.count)) + time
    let taken = Set(entries)
    let number = (0...999).first { !taken.contains("\(name)-\($0).jpg") } ?? 0
    let path = "\(directory)/\(name)-\(number).jpg"
    makeRoom(for: 1)
    guard FileBytes.write(picture, to: path) else {
      throw CameraFault(
        .diskFailed,
        gettext(
          "The photograph cannot be written to {directory}. Is the disk full?",
          ["directory": directory]))
    }
    return path
  }

  private func makeRoom(for count: Int) {
    let photographs = entries.filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }.sorted()
    for name in photographs.prefix(max(0, photographs.count + count - keep)) {
      _ = unlink("\(directory)/\(name)")
    }
  }

  private var entries: [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
