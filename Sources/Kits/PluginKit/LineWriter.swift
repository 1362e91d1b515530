import Glibc
import Loop

/// Writes lines to a descriptor without blocking, and says when more should wait.
@LoopActor
final class LineWriter {
  /// Bytes waiting above which nothing new should be started.
  static let highWater = 1 << 20

  private let descriptor: Int32
  private let onChange: @LoopActor (_ isFull: Bool) -> Void
  private var pending: [UInt8] = []
  private var start = 0
  private var isWatched = false
  private var isClosed = false

  /// A writer; `onChange` is called when it becomes full, and again when it has room.
  init(descriptor: Int32, onChange: @escaping @LoopActor (_ isFull: Bool) -> Void) {
    self.descriptor = descriptor
    self.onChange = onChange
  }

  /// Whether more bytes wait than ``highWater``.
  var isFull: Bool { pending.count - start > Self.highWater }

  /// Whether everything has been written, or nobody reads any more.
  var isEmpty: Bool { isClosed || start == pending.count }

  /// Called once when everything is written; replaces an earlier one.
  var onEmpty: (@LoopActor () -> Void)?

  /// Takes a line with its newline.
  func write(_ line: [UInt8]) {
    guard !isClosed else { return }
    let wasFull = isFull
    if start == pending.count {
      pending.removeAll(keepingCapacity: true)
      start = 0
    }
    pending.append(contentsOf: line)
    flush()
    if isFull, !wasFull { onChange(true) }
  }

  private func flush() {
    let wasFull = isFull
    while start < pending.count {
      let count = pending.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count > 0 {
        start += count
      } else if errno != EINTR {
        if errno != EAGAIN { close() }
        break
      }
    }
    watchIfNeeded()
    if wasFull, !isFull { onChange(false) }
    if isEmpty, let finished = onEmpty {
      onEmpty = nil
      finished()
    }
  }

  private func watchIfNeeded() {
    if isEmpty, isWatched {
      EventLoop.current.unwatch(descriptor)
      isWatched = false
    } else if !isEmpty, !isWatched {
      isWatched = EventLoop.current.watch(descriptor, for: .writing) { [weak self] _ in
        self?.flush()
      }
    }
  }

  private func close() {
    isClosed = true
    pending = []
    start = 0
  }
}
