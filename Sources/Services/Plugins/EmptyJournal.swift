import Care
import Loop
public import Ports

/// A journal that holds nothing and forgets everything, for checking a plugin without a gateway.
struct EmptyJournal: Journal {
  private func answer<Content: Sendable>(
    _ completion: @escaping @LoopActor @Sendable (Content) -> Void, _ content: Content
  ) {
    EventLoop.current.post { completion(content) }
  }

  func save(
    cursor: PluginCursor, deadLetters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) { answer(completion, .committed(LaneHeads())) }

  func read(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func read(
    lane: Lane, sequences: [Int64],
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func cursors(
    plugin: String,
    completion: @escaping @LoopActor @Sendable (Result<[PluginCursor], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func deadLetters(
    plugin: String?,
    completion: @escaping @LoopActor @Sendable (Result<[DeadLetter], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func removeDeadLetters(
    _ letters: [DeadLetter], completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) { answer(completion, .committed(LaneHeads())) }

  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void
  ) { answer(completion, .success(Backlog(depth: 0, oldest: nil))) }
}

extension PluginHost {
  /// A journal that holds nothing and forgets everything, for hosting a plugin without a gateway.
  ///
  /// It confirms cursors that it does not keep, and answers every question with nothing.
  public nonisolated static var emptyJournal: any Journal { EmptyJournal() }
}
