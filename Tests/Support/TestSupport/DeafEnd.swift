import Foundation

/// Where a program may write its log while nobody takes it.
public final class DeafEnd {
  /// What is at the other end.
  public enum Kind: String, CaseIterable, Sendable {
    /// Somebody's pipe, as under another supervisor.
    case pipe
    /// A Unix stream, as to the journal.
    case stream
    /// A file on a full disk.
    case fullDisk
  }

  /// What the program gets as its standard error; the first byte already finds no room.
  public let descriptor: Int32
  private var reader: Int32?

  /// An end, filled to the brim.
  public init(_ kind: Kind) throws {
    var pair: [Int32] = [-1, -1]
    let code =
      switch kind {
      case .pipe: Glibc.pipe(&pair)
      case .stream: socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
      case .fullDisk: Int32(0)
      }
    guard code == 0 else { throw Spawn.Failure(errno) }
    if kind == .fullDisk { pair[1] = try Spawn.file("/dev/full", O_WRONLY) }
    for end in pair where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, descriptor) = (pair[0] < 0 ? nil : pair[0], pair[1])
    if reader != nil { fill() }
  }

  /// Whoever gets the descriptor has to wait: it does not wait only while it is filled.
  private func fill() {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    for size in [4096, 256, 16, 1] {
      let block = [UInt8](repeating: 0x78, count: size - 1) + [0x0A]
      while Glibc.write(descriptor, block, size) > 0 {}
    }
    _ = fcntl(descriptor, F_SETFL, 0)
  }

  /// Begins to take the lines; nil where nobody ever can, and when somebody does already.
  public func listen() -> Inbox<String>? {
    guard let reader else { return nil }
    self.reader = nil
    let lines = Inbox<String>()
    lines.addLines(from: reader)
    return lines
  }

  deinit { for end in [descriptor, reader].compactMap({ $0 }) { close(end) } }
}
