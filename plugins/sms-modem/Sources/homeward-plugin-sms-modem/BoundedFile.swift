import Glibc

/// Reads files that another program wrote.
enum BoundedFile {
  /// About four minutes of speech at 22,050 samples a second.
  static let largestBytes = 12 << 20

  /// The content of a regular file that is not too large; nil when there is none.
  static func read(_ path: String) -> [UInt8]? {
    // Not to hang on a pipe that nobody writes to.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      (1...Int64(largestBytes)).contains(Int64(facts.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }
}
