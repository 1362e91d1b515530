import Glibc

/// Reads the picture of an alarm.
enum PhotoFile {
  /// The largest picture that is sent, in bytes.
  static let maximumBytes = 10 << 20

  /// The bytes of a JPEG file; nil when it is absent, no JPEG, or too large.
  ///
  /// Waits for the disk: on a thread of its own only.
  static func read(_ path: String) -> [UInt8]? {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
    // A pipe or device must not hold the thread.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var found = stat()
    guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
      (4...maximumBytes).contains(Int(found.st_size)),
      let bytes = read(descriptor, count: Int(found.st_size))
    else { return nil }
    return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? bytes : nil
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var start = 0
    while start < count {
      let added = bytes.withUnsafeMutableBytes { place in
        Glibc.read(descriptor, place.baseAddress.map { $0 + start }, count - start)
      }
      if added < 0, errno == EINTR { continue }
      guard added > 0 else { return nil }
      start += added
    }
    return bytes
  }
}
