public import Care
import Loop
public import Ports

/// Reading, on a thread of its own; every answer comes on the event loop.
extension SQLiteStore {
  func answer<Answer: Sendable>(
    _ completion: @escaping @LoopActor @Sendable (Result<Answer, StoreError>) -> Void,
    _ body: @escaping @Sendable (JournalReader) throws(SQLiteFailure) -> Answer
  ) {
    let isTaken = readingThread.perform { [reader] in
      let result: Result<Answer, StoreError>
      do throws(SQLiteFailure) { result = .success(try body(reader)) } catch {
        result = .failure(error.storeError)
      }
      EventLoop.current.post { completion(result) }
    }
    guard !isTaken else { return }
    EventLoop.current.post { completion(.failure(WaitingQueue.closedRefusal)) }
  }

  /// Reads events of a lane after a sequence, in order.
  public func read(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.events(lane: lane, after: sequence, limit: limit, maximumBytes: maximumBytes)
    }
  }

  /// Reads single events of a lane; missing ones are left out.
  public func read(
    lane: Lane, sequences: [Int64],
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.events(lane: lane, sequences: sequences)
    }
  }

  /// The cursors of a plugin; lanes never saved are missing.
  public func cursors(
    plugin: String,
    completion: @escaping @LoopActor @Sendable (Result<[PluginCursor], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try PluginReader(care: reader.care()).cursors(of: plugin)
    }
  }

  /// Dead letters, oldest first; of all plugins when `plugin` is nil.
  public func deadLetters(
    plugin: String?,
    completion: @escaping @LoopActor @Sendable (Result<[DeadLetter], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try PluginReader(care: reader.care()).deadLetters(of: plugin)
    }
  }

  /// Finds events, newest first.
  public func query(
    _ query: JournalQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<JournalRow>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.find(query) }
  }

  /// Finds one event by its id, in the journal or the traces.
  public func event(
    _ id: EventID,
    completion: @escaping @LoopActor @Sendable (Result<JournalRow?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.event(id) }
  }

  /// Depth and age of what waits for a plugin in a lane after a sequence.
  public func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.backlog(lane: lane, after: sequence)
    }
  }

  /// How the store does.
  public func status(completion: @escaping @LoopActor @Sendable (StoreStatus) -> Void) {
    let (facts, queue, options) = (facts, queue, options)
    let isTaken = readingThread.perform {
      let status = StoreStatus(facts, queue, options)
      EventLoop.current.post { completion(status) }
    }
    guard !isTaken else { return }
    EventLoop.current.post { completion(StoreStatus(facts, queue, options)) }
  }
}

extension StoreStatus {
  /// How a store does by what its writer says of itself.
  fileprivate init(_ facts: WriterFacts, _ queue: WaitingQueue, _ options: SQLiteStore.Options) {
    let now = facts.now
    let databases = Files.names(in: options.directory).filter {
      $0.contains(".db") && !$0.hasSuffix("-shm")
    }
    self.init(
      heads: now.heads, waitingRecords: queue.count,
      freeBytes: Files.freeBytes(at: options.directory) ?? 0,
      usedBytes: databases.reduce(0) { $0 + Files.size(options.path($1)) },
      lastCommit: now.lastCommit, lastBackup: now.lastBackup, thinnedTraces: queue.thinned)
  }
}
