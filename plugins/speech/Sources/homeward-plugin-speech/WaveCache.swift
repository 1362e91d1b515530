import Glibc

/// Sentences that were spoken before, as files of one folder, the least recently used removed first.
///
/// Belongs to one thread. A file appears whole or not at all; nothing of it has to survive a power cut.
struct WaveCache {
  /// How much the folder may hold.
  struct Limits: Hashable, Sendable {
    var files: Int
    var bytes: Int
  }

  private struct Entry {
    var bytes: Int
    var use: Int
  }

  private let folder: String
  private let limits: Limits
  private var entries: [String: Entry] = [:]
  private var uses = 0
  private(set) var totalBytes = 0

  /// The cache in a folder, which is made when it is missing; what is there already counts.
  init(folder: String, limits: Limits) throws(SpeechFault) {
    self.folder = folder
    self.limits = limits
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .disk(errno) }
    for (name, bytes) in try Self.scan(folder) { add(name, bytes: bytes) }
    trim(keeping: nil)
  }

  /// How many files there are.
  var count: Int { entries.count }

  /// The file of that name, which counts as used now; nil when it is not there.
  mutating func file(_ name: String) -> String? {
    guard entries[name] != nil else { return nil }
    let path = path(name)
    // The time of the last use outlives the plugin in the file's own time.
    guard utimensat(AT_FDCWD, path, nil, 0) == 0 else {
      remove(name)
      return nil
    }
    uses += 1
    entries[name]?.use = uses
    return path
  }

  /// Stores a file; answers its path.
  mutating func store(_ content: [UInt8], as name: String) throws(SpeechFault) -> String {
    let path = path(name)
    let temporary = "\(folder)/new"
    let errorNumber = Self.write(content, to: temporary)
    guard errorNumber == 0, rename(temporary, path) == 0 else {
      let cause = errorNumber == 0 ? errno : errorNumber
      _ = unlink(temporary)
      throw .disk(cause)
    }
    add(name, bytes: content.count)
    trim(keeping: name)
    return path
  }

  private func path(_ name: String) -> String { "\(folder)/\(name).wav" }

  private mutating func add(_ name: String, bytes: Int) {
    totalBytes += bytes - (entries[name]?.bytes ?? 0)
    uses += 1
    entries[name] = Entry(bytes: bytes, use: uses)
  }

  private mutating func remove(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    totalBytes -= entry.bytes
  }

  private mutating func trim(keeping kept: String?) {
    while entries.count > limits.files || totalBytes > limits.bytes {
      let oldest = entries.filter { $0.key != kept }.min { $0.value.use < $1.value.use }
      guard let name = oldest?.key else { return }
      _ = unlink(path(name))
      remove(name)
    }
  }

  // MARK: Files

  /// Names and sizes of the folder's files, the least recently used first; what is none of ours is removed.
  private static func scan(_ folder: String) throws(SpeechFault) -> [(name: String, bytes: Int)] {
    guard let directory = opendir(folder) else { throw .disk(errno) }
    defer { closedir(directory) }
    var found: [(name: String, bytes: Int, seconds: Int, nanoseconds: Int)] = []
    while let entry = readdir(directory) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard lstat("\(folder)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      guard file.hasSuffix(".wav"), status.st_size > 0 else {
        _ = unlink("\(folder)/\(file)")
        continue
      }
      found.append(
        (
          String(file.dropLast(4)), Int(status.st_size), status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec
        ))
    }
    return found.sorted {
      ($0.seconds, $0.nanoseconds, $0.name) < ($1.seconds, $1.nanoseconds, $1.name)
    }
    .map { ($0.name, $0.bytes) }
  }

  /// Writes a file; answers 0 or a number of `errno`.
  private static func write(_ content: [UInt8], to path: String) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    var start = 0
    var errorNumber: Int32 = 0
    while start < content.count, errorNumber == 0 {
      let count = content.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count > 0 {
        start += count
      } else if errno != EINTR || count == 0 {
        errorNumber = count == 0 ? ENOSPC : errno
      }
    }
    if close(descriptor) != 0, errorNumber == 0 { errorNumber = errno }
    return errorNumber
  }
}
