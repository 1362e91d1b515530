import Glibc
import Loop
import Sounds
import Synchronization

/// Reads sound files on threads of their own: a sick disk may keep a reader for minutes, never the audio thread.
enum SoundFileLoader {
  /// About eight minutes of speech at 16 kHz.
  static let largestBytes = 16 << 20
  private static let mostReaders = 8
  private static let readers = Atomic<Int>(0)

  /// Reads files in order; `completion` is called for each, on the reader's thread, or here when there are too many readers.
  static func load(
    _ paths: [String], completion: @escaping @Sendable (String, SoundPlayback.File) -> Void
  ) {
    guard readers.add(1, ordering: .relaxed).oldValue < mostReaders else {
      readers.subtract(1, ordering: .relaxed)
      for path in paths { completion(path, .unreadable) }
      return
    }
    let isStarted = SystemThread.start(name: "homeward-files") {
      for path in paths { completion(path, read(path)) }
      readers.subtract(1, ordering: .relaxed)
    }
    if !isStarted {
      readers.subtract(1, ordering: .relaxed)
      for path in paths { completion(path, .unreadable) }
    }
  }

  private static func read(_ path: String) -> SoundPlayback.File {
    guard let bytes = bytes(of: path), let sound = try? WAVSound(bytes) else { return .unreadable }
    return .ready(sound)
  }

  private static func bytes(of path: String) -> [UInt8]? {
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
      if count < 0 { return nil }
      if count == 0 { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }
}
