import Care
import Loop
import Moments
import Ports
import Synchronization
import Texts

/// A journal in memory, for tests of the host alone: what was saved is there at once, unless the disk is said to hang.
final class MemoryJournal: Journal {
  private struct Contents {
    var rows: [JournalRow] = []
    var cursors: [String: PluginCursor] = [:]
    var letters: [DeadLetter] = []
    var isHanging = false
    var held: [@Sendable () -> Void] = []
    var saves = 0
    var observer: (@LoopActor @Sendable () -> Void)?
  }

  private let contents = Mutex(Contents())

  func observe(_ observer: @escaping @LoopActor @Sendable () -> Void) {
    contents.withLock { $0.observer = observer }
  }

  /// Appends events; answers the heads.
  @discardableResult
  func append(_ events: [EncodedEvent]) -> LaneHeads {
    contents.withLock { contents in
      for event in events {
        let same = contents.rows.filter { ($0.lane == .trace) == (event.lane == .trace) }
        contents.rows.append(
          JournalRow(
            sequence: (same.last?.sequence ?? 0) + 1, id: event.id, type: event.type,
            subject: event.subject, lane: event.lane, body: event.body))
      }
      return Self.heads(contents.rows)
    }
  }

  private static func heads(_ rows: [JournalRow]) -> LaneHeads {
    var heads = LaneHeads()
    for row in rows { heads[row.lane] = max(heads[row.lane], row.sequence) }
    return heads
  }

  /// While true, saves are kept and nobody is told that they are durable.
  func hang(_ isHanging: Bool) {
    let released = contents.withLock { contents in
      contents.isHanging = isHanging
      guard !isHanging else { return [@Sendable () -> Void]() }
      defer { contents.held = [] }
      return contents.held
    }
    for work in released { work() }
  }

  func cursor(_ plugin: String, _ lane: Lane) -> PluginCursor? {
    contents.withLock { $0.cursors["\(plugin)/\(lane.rawValue)"] }
  }

  var letters: [DeadLetter] { contents.withLock { $0.letters } }
  var saves: Int { contents.withLock { $0.saves } }

  func save(
    cursor: PluginCursor, deadLetters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    let commit: @Sendable () -> Void = { [self] in
      let (heads, observer) = contents.withLock { contents in
        contents.cursors["\(cursor.plugin)/\(cursor.lane.rawValue)"] = cursor
        contents.letters += deadLetters
        contents.saves += 1
        return (Self.heads(contents.rows), contents.observer)
      }
      EventLoop.current.post {
        completion(.committed(heads))
        observer?()
      }
    }
    let isHanging = contents.withLock { contents in
      if contents.isHanging { contents.held.append(commit) }
      return contents.isHanging
    }
    if isHanging {
      EventLoop.current.post {
        completion(.delayed(StoreError(.inputOutput, Message(verbatim: "The disk hangs."))))
      }
    } else {
      commit()
    }
  }

  func read(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) {
    let rows = contents.withLock { contents in
      var bytes = 0
      var taken: [JournalRow] = []
      for row in contents.rows where row.lane == lane && row.sequence > sequence {
        bytes += row.body.count
        if taken.count == limit || (bytes > maximumBytes && !taken.isEmpty) { break }
        taken.append(row)
      }
      return taken
    }
    EventLoop.current.post { completion(.success(rows)) }
  }

  func read(
    lane: Lane, sequences: [Int64],
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) {
    let rows = contents.withLock {
      $0.rows.filter { $0.lane == lane && sequences.contains($0.sequence) }
    }
    EventLoop.current.post { completion(.success(rows)) }
  }

  func cursors(
    plugin: String,
    completion: @escaping @LoopActor @Sendable (Result<[PluginCursor], StoreError>) -> Void
  ) {
    let cursors = contents.withLock { $0.cursors.values.filter { $0.plugin == plugin } }
    EventLoop.current.post { completion(.success(cursors)) }
  }

  func deadLetters(
    plugin: String?,
    completion: @escaping @LoopActor @Sendable (Result<[DeadLetter], StoreError>) -> Void
  ) {
    let letters = letters.filter { plugin == nil || $0.plugin == plugin }
    EventLoop.current.post { completion(.success(letters)) }
  }

  func removeDeadLetters(
    _ letters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    let heads = contents.withLock { contents in
      contents.letters.removeAll { letters.contains($0) }
      return Self.heads(contents.rows)
    }
    EventLoop.current.post { completion(.committed(heads)) }
  }

  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void
  ) {
    let depth = contents.withLock {
      $0.rows.count { $0.lane == lane && $0.sequence > sequence }
    }
    EventLoop.current.post { completion(.success(Backlog(depth: Int64(depth), oldest: nil))) }
  }
}
