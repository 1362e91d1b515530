import Glibc
import Loop
import Synchronization

/// Lines on standard error with the priority prefixes that the journal understands.
///
/// Positions, names and health values never come here. Nothing waits for whoever reads it: an alarm goes out while the
/// journal is stopped or its disk is full; what gets lost is counted and said.
enum Log {
  private static let threshold = Atomic<Int>(6)
  private static let writer = LogWriter(descriptor: STDERR_FILENO, prefix: prefix(4))
    .drainingAtExit()
  /// Called after a line, once, and then not until it is set again.
  private static let watcher = Mutex<(@Sendable () -> Void)?>(nil)

  /// The highest priority number that is written; 7 for debug, 3 for errors only.
  static var level: Int {
    get { threshold.load(ordering: .relaxed) }
    set { threshold.store(newValue, ordering: .relaxed) }
  }

  /// How well the lines are taken.
  static var state: LogWriter.State { writer.state }

  static func error(_ message: String) { write(3, message) }
  static func warning(_ message: String) { write(4, message) }
  static func notice(_ message: String) { write(5, message) }
  static func info(_ message: String) { write(6, message) }
  static func debug(_ message: String) { write(7, message) }

  /// Writes text to standard output, for `--help` and `--version`.
  static func print(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Writes one line; `priority` as syslog numbers it.
  static func write(_ priority: Int, _ message: String) {
    guard priority <= level else { return }
    writer.write(prefix(priority) + message + "\n")
    let watcher = watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    watcher?()
  }

  /// Calls `body` after the next line, on whichever thread writes it.
  static func afterNextLine(_ body: @escaping @Sendable () -> Void) {
    watcher.withLock { $0 = body }
  }

  private static let isUnderJournal = getenv("JOURNAL_STREAM") != nil

  private static func prefix(_ priority: Int) -> String {
    isUnderJournal ? "<\(priority)>" : "homewardd: "
  }
}
