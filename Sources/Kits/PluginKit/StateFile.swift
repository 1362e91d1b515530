import Glibc
public import Loop

/// A small file in the plugin's state directory, replaced whole on a thread of its own.
///
/// A disk that hangs holds up nothing but the file: while one content is being written the newest other one waits.
@LoopActor
public final class StateFile {
  /// The most bytes that are read.
  public static let maximumBytes = 1 << 20

  private let path: String
  private let onFailure: @LoopActor (_ errorNumber: Int32) -> Void
  private var isWriting = false
  private var waiting: [UInt8]?
  private var onIdle: (@LoopActor () -> Void)?
  private var patience: LoopTimer?

  /// The file of that name in the state directory; `onFailure` is called when a content could not be written.
  public init(
    directory: String, name: String,
    onFailure: @escaping @LoopActor (_ errorNumber: Int32) -> Void
  ) {
    path = "\(directory)/\(name)"
    self.onFailure = onFailure
  }

  /// The content; nil when there is no file, or it cannot be read, or it is larger than 1 MiB.
  ///
  /// Waits for the disk: for the start of a plugin only.
  public func read() -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var content = [UInt8](repeating: 0, count: Self.maximumBytes + 1)
    var count = 0
    while count < content.count {
      let added = content.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
      }
      if added < 0, errno == EINTR { continue }
      guard added >= 0 else { return nil }
      if added == 0 { return Array(content[..<count]) }
      count += added
    }
    return nil
  }

  /// Replaces the content soon; after a power cut the file holds an old or a new one, never a part.
  public func replace(with content: [UInt8]) {
    guard !isWriting else {
      waiting = content
      return
    }
    isWriting = true
    let replacement = Replacement(path: path, content: content) { [self] errorNumber in
      finished(errorNumber)
    }
    if !replacement.start() { finished(EAGAIN) }
  }

  private func finished(_ errorNumber: Int32) {
    isWriting = false
    if errorNumber != 0 { onFailure(errorNumber) }
    guard let content = waiting else { return becomeIdle() }
    waiting = nil
    replace(with: content)
  }

  /// Calls `completion` once everything is written, or after so many milliseconds whatever the disk does; for the end
  /// of a plugin.
  public func finish(
    withinMilliseconds milliseconds: Int64, completion: @escaping @LoopActor () -> Void
  ) {
    guard isWriting else { return completion() }
    onIdle = completion
    patience = LoopTimer { [weak self] in self?.becomeIdle() }
    patience?.set(afterMilliseconds: milliseconds)
  }

  private func becomeIdle() {
    patience?.cancel()
    let completion = onIdle
    onIdle = nil
    completion?()
  }
}

/// One replacement, on its thread.
private final class Replacement: Sendable {
  private let path: String
  private let content: [UInt8]
  private let completion: @LoopActor @Sendable (Int32) -> Void

  init(
    path: String, content: [UInt8], completion: @escaping @LoopActor @Sendable (Int32) -> Void
  ) {
    self.path = path
    self.content = content
    self.completion = completion
  }

  /// Starts the thread; false when the kernel refuses one.
  func start() -> Bool { SystemThread.start(name: "homeward-state") { self.run() } }

  private func run() {
    let errorNumber = replace()
    let completion = completion
    EventLoop.current.post { completion(errorNumber) }
  }

  private func replace() -> Int32 {
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    var errorNumber = writeAll(to: descriptor)
    if errorNumber == 0, fsync(descriptor) != 0 { errorNumber = errno }
    if close(descriptor) != 0, errorNumber == 0 { errorNumber = errno }
    if errorNumber == 0, rename(temporary, path) != 0 { errorNumber = errno }
    if errorNumber != 0 { _ = unlink(temporary) }
    return errorNumber
  }

  private func writeAll(to descriptor: Int32) -> Int32 {
    var start = 0
    while start < content.count {
      let count = content.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      start += count
    }
    return 0
  }
}
