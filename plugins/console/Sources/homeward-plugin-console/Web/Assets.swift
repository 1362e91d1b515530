import Bytes
import Glibc
import WebServer

/// Files of the pages that are the same for everybody: styles, scripts, pictures.
///
/// They are read once and named by what is in them, so that a browser asks for each but once.
struct Assets: Sendable {
  /// The folder in all their addresses, which changes with any of them.
  let version: String
  private let files: [String: WebAnswer]

  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
  ]
  private static let largest = 2 << 20

  /// Those in a folder, and files from elsewhere under names of their own.
  init(folder: String, besides others: [String: String] = [:]) {
    var paths = others
    for name in Self.names(in: folder) { paths[name] = "\(folder)/\(name)" }
    var contents: [String: [UInt8]] = [:]
    for (name, path) in paths { contents[name] = Self.content(of: path) }
    let sorted = contents.sorted { $0.key < $1.key }
    let all: [UInt8] = sorted.flatMap { Array($0.key.utf8) + [0] + SHA256.hash($0.value) }
    version = Hexadecimal.text(SHA256.hash(all).prefix(6))
    files = Dictionary(
      uniqueKeysWithValues: sorted.compactMap { name, content in
        guard let type = Self.types[String(name.split(separator: ".").last ?? "")] else {
          return nil
        }
        return (
          name,
          WebAnswer(
            200,
            [
              WebAnswer.Header("Content-Type", type),
              WebAnswer.Header("Cache-Control", "public, max-age=31536000, immutable"),
            ], body: content
          ).guarded
        )
      })
  }

  /// The address of a file.
  func path(_ name: String) -> String { "/static/\(version)/\(name)" }

  /// A file by its name; nil where there is none.
  subscript(_ name: String) -> WebAnswer? { files[name] }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func content(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: largest)
    let count = fread(&bytes, 1, bytes.count, file)
    return count < largest ? Array(bytes.prefix(count)) : nil
  }
}
