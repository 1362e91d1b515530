import Bytes
import CDeflate
import ConsoleRequests
import Glibc
import WebServer

/// Files of the pages that are the same for everybody: styles, scripts, pictures.
///
/// They are read once and named by what is in them, so that a browser asks for each but once.
struct Assets: Sendable {
  /// The folder in all their addresses, which changes with any of them.
  let version: String
  private let files: [String: WebAnswer]
  /// The same for browsers that take them packed, where that makes them smaller.
  private let packed: [String: WebAnswer]

  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "woff2": "font/woff2",
    "webmanifest": "application/manifest+json",
  ]
  /// What is text, and the same for everybody: nothing secret is packed beside what a stranger chose (BREACH).
  private static let packable: Set = ["css", "js", "svg"]
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
    var (files, packed): ([String: WebAnswer], [String: WebAnswer]) = ([:], [:])
    for (name, content) in sorted {
      let kind = String(name.split(separator: ".").last ?? "")
      guard let type = Self.types[kind] else { continue }
      let headers = [
        WebAnswer.Header("Content-Type", type),
        WebAnswer.Header("Cache-Control", "public, max-age=31536000, immutable"),
        WebAnswer.Header("Vary", "Accept-Encoding"),
      ]
      files[name] = WebAnswer(200, headers, body: content).guarded
      guard Self.packable.contains(kind), let small = Self.packed(content) else { continue }
      let coding = WebAnswer.Header("Content-Encoding", "gzip")
      packed[name] = WebAnswer(200, headers + [coding], body: small).guarded
    }
    self.files = files
    self.packed = packed
  }

  /// The address of a file.
  func path(_ name: String) -> String { "/static/\(version)/\(name)" }

  /// A file by its name; nil where there is none.
  subscript(_ name: String) -> WebAnswer? { files[name] }

  /// A file by its name, packed where whoever asks takes it so.
  ///
  /// - Parameter encodings: what stands in `Accept-Encoding`.
  func file(_ name: String, encodings: String?) -> WebAnswer? {
    (ContentCoding.takesGzip(encodings) ? packed[name] : nil) ?? files[name]
  }

  private static func packed(_ content: [UInt8]) -> [UInt8]? {
    var packed = [UInt8](repeating: 0, count: content.count)
    let count = homeward_gzip(content, content.count, &packed, packed.count)
    return count > 0 ? Array(packed.prefix(count)) : nil
  }

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
