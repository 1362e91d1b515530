import CGatewayShims
import Glibc

/// Lines for a descriptor that somebody else reads, or does not: standard error above all.
///
/// A thread of its own writes them, so that nobody ever waits for a full pipe, a stopped journal or a disk that hangs.
/// At most 64 KiB wait; what comes beyond is dropped whole and counted, and the count is written where the lines are
/// missing, as soon as anything can be. The descriptor is left as it is, for other programs may share it.
public final class LogWriter: Sendable {
  /// How well the lines are taken.
  public struct State: Hashable, Sendable {
    /// Lines lost since the start.
    public var dropped: UInt64
    /// Bytes that have not been written yet.
    public var waitingBytes: Int
    /// How long the write that goes on now has taken, in milliseconds; 0 when none does.
    public var stuckMilliseconds: Int64
    /// The `errno` of the last write when it failed, else 0.
    public var error: Int32
  }

  private static let capacity = 64 << 10

  /// The C side, which has its own lock; nil where there was no memory for it, and then every line is lost.
  nonisolated(unsafe) private let log: OpaquePointer?

  /// A writer; its thread starts with the first line.
  ///
  /// - Parameter prefix: what stands before the line that tells of dropped ones, at most 31 bytes.
  public init(descriptor: Int32, prefix: String) {
    log = homeward_log_create(descriptor, Self.capacity, prefix)
  }

  /// Takes text that ends with a newline, on any thread; never waits.
  public func write(_ line: String) {
    guard let log else { return }
    var line = line
    _ = line.withUTF8 { homeward_log_write(log, $0.baseAddress, $0.count) }
  }

  /// How well the lines are taken now.
  public var state: State {
    guard let log else {
      return State(dropped: 0, waitingBytes: 0, stuckMilliseconds: 0, error: ENOMEM)
    }
    let state = homeward_log_state_of(log)
    return State(
      dropped: state.dropped, waitingBytes: state.waiting_bytes,
      stuckMilliseconds: state.stuck_milliseconds, error: state.error)
  }

  /// Lets the last lines out when the process ends through `exit`, for at most a second.
  ///
  /// - Returns: this writer.
  public func drainingAtExit() -> LogWriter {
    if let log { homeward_log_drain_at_exit(log, 1000) }
    return self
  }
}
