import Glibc
import Texts

/// The folder with the sentences: the part that touches the disk.
struct SentenceFolder: Hashable, Sendable {
  /// What went wrong, in words that end a sentence.
  struct Fault: Error, Hashable, Sendable {
    var reason: Message
  }

  /// The folder.
  var path: String
  /// The folder that every file of a plugin must lie in.
  var pluginState: String

  /// The path of an entry.
  func path(of name: SentenceIndex.Name) -> String { "\(path)/\(name.file)" }

  /// Makes the folder and lists it, the least recently written first; remains of an interrupted start are removed.
  func scan() -> [(name: SentenceIndex.Name, bytes: Int)] {
    _ = mkdir(path, 0o700)
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var found: [(name: SentenceIndex.Name, bytes: Int, time: timespec)] = []
    while let entry = readdir(directory) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard lstat("\(path)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      guard let name = SentenceIndex.Name(file: file),
        WaveCheck.fileBytes.contains(Int(status.st_size))
      else {
        _ = unlink("\(path)/\(file)")
        continue
      }
      found.append((name, Int(status.st_size), status.st_mtim))
    }
    return found.sorted {
      ($0.time.tv_sec, $0.time.tv_nsec, $0.name.file)
        < ($1.time.tv_sec, $1.time.tv_nsec, $1.name.file)
    }.map { ($0.name, $0.bytes) }
  }

  /// Removes entries.
  func remove(_ names: [SentenceIndex.Name]) {
    for name in names { _ = unlink(path(of: name)) }
  }

  /// Those of the entries that a speaker cannot play.
  func damaged(among names: [SentenceIndex.Name]) -> [SentenceIndex.Name] {
    names.filter { name in
      do throws(Fault) {
        _ = try Self.sentence(at: path(of: name))
        return false
      } catch { return true }
    }
  }

  /// Copies a plugin's file into the folder under its own name, durably and whole or not at all; answers its size.
  func take(_ source: String, as name: SentenceIndex.Name) throws(Fault) -> Int {
    guard let real = Self.resolved(source), let root = Self.resolved(pluginState),
      real.hasPrefix("\(root)/")
    else {
      throw Fault(reason: Message("its file does not lie in the plugin's folder"))
    }
    let content = try Self.sentence(at: real)
    // The folder may have gone since the start.
    _ = mkdir(path, 0o700)
    let temporary = "\(path)/\(name.file).new"
    let errorNumber = Self.write(content, to: temporary)
    guard errorNumber == 0, rename(temporary, path(of: name)) == 0 else {
      let cause = errorNumber == 0 ? errno : errorNumber
      _ = unlink(temporary)
      throw Self.fault(cause)
    }
    Self.sync(folder: path)
    return content.count
  }

  // MARK: Reading and writing

  private static func fault(_ errorNumber: Int32) -> Fault {
    Fault(
      reason: Message(
        "the disk says \"{reason}\"", ["reason": String(cString: strerror(errorNumber))]))
  }

  private static func resolved(_ path: String) -> String? {
    guard path.hasPrefix("/"), !path.utf8.contains(0), let real = realpath(path, nil) else {
      return nil
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// The bytes of a file that is a playable sentence.
  private static func sentence(at path: String) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(reason: Message("it is no file")) }
    let size = Int(status.st_size)
    guard WaveCheck.fileBytes.contains(size) else {
      throw Fault(reason: WaveCheck.Fault.size(size).sentence)
    }
    let content = try read(descriptor, size)
    do { try WaveCheck.check(content) } catch { throw Fault(reason: error.sentence) }
    return content
  }

  private static func read(_ descriptor: Int32, _ size: Int) throws(Fault) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let count = content.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress.map { $0 + filled }, size - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw count < 0 ? fault(errno) : Fault(reason: Message("its file shrinks"))
      }
      filled += count
    }
    return content
  }

  /// Writes a file down to the disk; answers 0 or a number of `errno`.
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
      } else if count == 0 || errno != EINTR {
        errorNumber = count == 0 ? ENOSPC : errno
      }
    }
    if errorNumber == 0, fsync(descriptor) != 0 { errorNumber = errno }
    if close(descriptor) != 0, errorNumber == 0 { errorNumber = errno }
    return errorNumber
  }

  private static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = close(descriptor)
  }
}
