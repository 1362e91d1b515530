import Glibc
import Synchronization

/// Descriptors of the indexes of write-ahead logs, beside those of SQLite.
///
/// Record locks belong to a process and a file: closing any descriptor of a file gives up every lock that the process has
/// on it. SQLite holds one on the index as long as it has the database open; without it another process takes the index
/// for left over and cuts it off, and whoever has it in memory dies of a bus error. So what is opened here stays open until
/// the last connection of its database is closed.
///
/// - Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.
enum IndexDescriptors {
  private struct Entry {
    var connections = 0
    var descriptor: Int32 = -1
  }

  private static let entries = Mutex<[String: Entry]>([:])

  /// A connection of a database was opened.
  static func connectionOpened(_ path: String) {
    entries.withLock { $0[path, default: Entry()].connections += 1 }
  }

  /// One was closed, by SQLite as well.
  static func connectionClosed(_ path: String) {
    entries.withLock { entries in
      guard var entry = entries[path] else { return }
      entry.connections -= 1
      entries[path] = entry.connections > 0 ? entry : nil
      if entry.connections <= 0, entry.descriptor >= 0 { close(entry.descriptor) }
    }
  }

  /// The index of the log of a database that this process has open; nil when there is none, or nobody has it open.
  static func index(of path: String) -> LogIndex? {
    entries.withLock { entries in
      guard var entry = entries[path] else { return nil }
      if entry.descriptor < 0 {
        entry.descriptor = Files.openForReading(path + "-shm")
        entries[path] = entry
      }
      return entry.descriptor < 0 ? nil : LogIndex(entry.descriptor)
    }
  }
}
