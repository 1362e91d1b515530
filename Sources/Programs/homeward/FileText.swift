import Glibc

/// Why a file could not be read or written.
struct FileFailure: Error {
  var path: String
  var code: Int32

  var reason: String { String(cString: strerror(code)) }
}

/// Whole files.
enum FileText {
  static func read(_ path: String) throws(FileFailure) -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// At most `limit` bytes of a file, or of standard input for `-`.
  static func bytes(_ path: String, limit: Int = 1 << 30) throws(FileFailure) -> [UInt8] {
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, code: errno) }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &block, min(block.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw FileFailure(path: path, code: errno) }
      if count == 0 { break }
      bytes.append(contentsOf: block.prefix(count))
    }
    return bytes
  }

  /// A new folder that goes away with whoever made it, and that nobody else looks into.
  static func temporaryFolder(_ purpose: String) throws(FileFailure) -> String {
    let base = Environment.value("TMPDIR") ?? "/tmp"
    var template = Array("\(base)/homeward-\(purpose)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileFailure(path: base, code: errno) }
    return template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Puts a file in its place whole or not at all; keeps mode and owner of the one it replaces.
  static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(FileFailure) {
    try write(bytes: Array(text.utf8), to: path, mode: mode)
  }

  /// See ``write(_:to:mode:)``.
  static func write(
    bytes: [UInt8], to path: String, mode: mode_t = 0o644
  ) throws(FileFailure) {
    let partial = "\(path).new-\(getpid())"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileFailure(path: path, code: errno) }
    var old = stat()
    if stat(path, &old) == 0 {
      _ = fchown(descriptor, old.st_uid, old.st_gid)
      _ = fchmod(descriptor, old.st_mode & 0o7777)
    }
    let isWritten = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten, rename(partial, path) == 0 else {
      let reason = isWritten ? errno : code
      unlink(partial)
      throw FileFailure(path: path, code: reason)
    }
  }

  /// A path from the root on, for files that name it; it need not be there.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
