import Glibc
import Texts

/// Files, read and written so that nothing is half there.
enum FileIO {
  /// What the system said went wrong last, as one plain sentence.
  static var reason: Message {
    switch errno {
    case ENOSPC, EDQUOT: Message("the disk is full. Free some space, then try again.")
    case EROFS: Message("the disk can only be read. Check the memory card.")
    default: Message("{error}. Check the memory card.", ["error": String(cString: strerror(errno))])
    }
  }

  static func size(_ path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  static func changedAt(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  static func read(_ path: String, offset: Int64, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset) + off_t(filled))
      }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  static func append(
    _ bytes: [UInt8], to path: String, isNew: Bool, isDurable: Bool = false
  ) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isNew ? O_TRUNC : O_APPEND)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return false }
    defer { keepingError { close(descriptor) } }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      guard count > 0 else { return false }
      written += count
    }
    return !isDurable || fsync(descriptor) == 0
  }

  static func synchronise(_ folder: String) -> Bool {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { keepingError { close(descriptor) } }
    return fsync(descriptor) == 0
  }

  private static func keepingError(_ body: () -> Int32) {
    let before = errno
    _ = body()
    errno = before
  }

  static func entries(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
