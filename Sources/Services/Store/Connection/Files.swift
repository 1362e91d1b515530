import Glibc
import Ports
import Synchronization
import Texts

/// What the store does with files besides SQLite.
enum Files {
  /// Makes a directory for its owner alone, parents included; one that exists keeps its mode.
  static func makeDirectory(_ path: String) throws(StoreError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR else { continue }
      var status = stat()
      guard stat(made, &status) != 0 else { continue }
      throw failure(path)
    }
  }

  /// Makes an empty file for its owner alone, unless it exists, and its directory entry durable.
  static func makeFile(_ path: String) throws(StoreError) {
    if exists(path) {
      guard access(path, R_OK) == 0 else { throw failure(path) }
      return
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    close(descriptor)
    try synchronise(directoryOf: path)
  }

  /// Opens a file for reading and waits for nobody; -1 with `errno` when it cannot be, or is no file but a pipe, a device, a
  /// folder or a socket.
  static func openForReading(_ path: String, _ flags: Int32 = 0) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return descriptor }
    guard status.st_mode & S_IFMT != S_IFREG else { return descriptor }
    close(descriptor)
    errno = ENOTSUP
    return -1
  }

  /// Whether something stands at a path that is no file: opening a pipe waits for ever, reading a device does not end.
  static func isOther(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Makes the content of a file or a directory's entries durable.
  static func synchronise(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  /// Makes the entries of a file's directory durable.
  static func synchronise(directoryOf path: String) throws(StoreError) {
    try synchronise(parent(of: path))
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives a file another name, durably.
  static func move(_ path: String, to target: String) throws(StoreError) {
    guard rename(path, target) == 0 else { throw failure(path) }
    try synchronise(directoryOf: target)
  }

  /// Copies the bytes of a file to an open one.
  static func copyBytes(of path: String, to sink: Int32, path target: String) throws(StoreError) {
    let source = openForReading(path)
    guard source >= 0 else { throw failure(path) }
    defer { close(source) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0 else { throw failure(path) }
      try write(buffer.prefix(count), to: sink, path: target)
    }
  }

  /// Writes all bytes to an open file.
  static func write(
    _ bytes: ArraySlice<UInt8>, to sink: Int32, path: String
  ) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(sink, $0.baseAddress, $0.count) }
      guard written > 0 else { throw failure(path) }
      rest = rest.dropFirst(written)
    }
  }

  /// Gives a file to whoever owns its directory, so that root's work stays the daemon's; nothing where it is theirs.
  static func giveToOwner(ofDirectoryOf path: String) throws(StoreError) {
    var (directory, file) = (stat(), stat())
    guard stat(parent(of: path), &directory) == 0 else { throw failure(parent(of: path)) }
    guard stat(path, &file) == 0 else { throw failure(path) }
    guard file.st_uid != directory.st_uid || file.st_gid != directory.st_gid else { return }
    guard chown(path, directory.st_uid, directory.st_gid) == 0 || geteuid() != 0 else {
      throw failure(path)
    }
  }

  /// Removes a file; one that is missing is fine.
  static func remove(_ path: String) { unlink(path) }

  /// Removes a database with its log and index.
  static func removeDatabase(_ path: String) {
    for suffix in databaseSuffixes { remove(path + suffix) }
  }

  /// What SQLite appends to the name of a database for the files beside it, and nothing for the database.
  static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Bytes of a file; 0 when it is missing.
  static func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Names in a directory, sorted; none when it is missing.
  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Bytes free for us where a path lives; nil when the system does not say.
  static func freeBytes(at path: String) -> Int64? {
    var status = statvfs()
    return statvfs(path, &status) == 0 ? freeBytes(status) : nil
  }

  static func freeBytes(_ status: statvfs) -> Int64 {
    let (bytes, overflows) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflows ? .max : bytes
  }

  /// What the last system call answered, as the store's callers see it.
  static func failure(_ path: String) -> StoreError {
    let reason = "\(path): \(String(cString: strerror(errno)))"
    switch errno {
    case ENOSPC, EDQUOT:
      return StoreError(
        .full,
        Message(
          "The disk is full: free some space or insert a larger card ({reason}).",
          ["reason": reason]))
    case EACCES, EPERM, EROFS:
      return StoreError(
        .readOnly,
        Message(
          "The directory cannot be written: check its owner and mount ({reason}).",
          ["reason": reason]))
    case ENOENT, ENOTDIR:
      return StoreError(
        .missing,
        Message("A file or directory is missing: check the path ({reason}).", ["reason": reason]))
    case EIO:
      return StoreError(
        .inputOutput,
        Message(
          "The disk answers with errors: check the card and its power ({reason}).",
          ["reason": reason]))
    default: return StoreError(.other, Message("The system refused: {reason}.", ["reason": reason]))
    }
  }
}

/// Keeps a second daemon away from a directory; held until the process ends or ``release()``.
final class DirectoryLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Throws: `locked` when another process has it.
  init(directory: String) throws(StoreError) {
    let path = directory + "/lock"
    descriptor = Self.open(path, in: directory)
    guard descriptor >= 0 else { throw Files.failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw StoreError(
        .locked,
        Message(
          "Another Homeward daemon uses {directory}: stop it first (`systemctl stop homeward`).",
          ["directory": directory]))
    }
  }

  /// The lock's file; on a disk that cannot be written as it is there, and the directory itself when it is not.
  private static func open(_ path: String, in directory: String) -> Int32 {
    let made = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard made < 0, [EROFS, ENOSPC, EDQUOT, EIO].contains(errno) else { return made }
    let found = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    return found >= 0 ? found : Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  func release() { close(descriptor) }
}

/// The directory and its lock, taken as soon as they can be.
final class DirectoryHold: Sendable {
  private let directory: String
  private let lock = Mutex<DirectoryLock?>(nil)

  init(_ directory: String) { self.directory = directory }

  /// Makes the directory and takes its lock, unless that is done.
  ///
  /// - Throws: `locked` when another process has the lock; `readOnly`, `missing` and others for a directory that is none.
  func take() throws(StoreError) {
    guard lock.withLock({ $0 == nil }) else { return }
    try Files.makeDirectory(directory)
    let taken = try DirectoryLock(directory: directory)
    lock.withLock { $0 = taken }
  }

  func release() { lock.withLock { exchange(&$0, with: nil) }?.release() }
}
