import Glibc
import Synchronization

/// Lines on standard error with the priority prefixes that the journal understands.
///
/// Positions, names and health values never come here.
enum Log {
  private static let threshold = Atomic<Int>(6)

  /// The highest priority number that is written; 7 for debug, 3 for errors only.
  static var level: Int {
    get { threshold.load(ordering: .relaxed) }
    set { threshold.store(newValue, ordering: .relaxed) }
  }

  static func error(_ message: String) { write(3, message) }
  static func warning(_ message: String) { write(4, message) }
  static func notice(_ message: String) { write(5, message) }
  static func info(_ message: String) { write(6, message) }
  static func debug(_ message: String) { write(7, message) }

  /// Writes text to standard output, for `--help` and `--version`.
  static func print(_ text: String) { put(text, to: STDOUT_FILENO) }

  /// Writes one line; `priority` as syslog numbers it.
  static func write(_ priority: Int, _ message: String) {
    guard priority <= level else { return }
    let prefix = isUnderJournal ? "<\(priority)>" : "homewardd: "
    put(prefix + message + "\n", to: STDERR_FILENO)
  }

  private static let isUnderJournal = getenv("JOURNAL_STREAM") != nil

  private static func put(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
