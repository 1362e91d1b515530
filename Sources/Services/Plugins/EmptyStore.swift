import Care
import Loop
import Moments
public import Ports
import Texts

/// A store that holds nothing and forgets everything, for checking a plugin without a gateway.
struct EmptyStore: CareStore {
  private static let holdsNothing = StoreError(.missing, Message("There is no journal in a check."))

  private func answer<Content: Sendable>(
    _ completion: @escaping @LoopActor @Sendable (Content) -> Void, _ content: Content
  ) {
    EventLoop.current.post { completion(content) }
  }

  func submit(
    _ record: StepRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) { answer(completion, .dropped(Self.holdsNothing)) }

  func takeBack(_ record: StepRecord) -> Bool { false }

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

  func query(
    _ query: JournalQuery,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func event(
    _ id: EventID,
    completion: @escaping @LoopActor @Sendable (Result<JournalRow?, StoreError>) -> Void
  ) { answer(completion, .success(nil)) }

  func locations(
    resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[LocationRecord], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Occurrence], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Note], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void
  ) { answer(completion, .success(nil)) }

  func messages(
    resident: ResidentID?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[ChatMessage], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void
  ) { answer(completion, .success(nil)) }

  func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucoseReading], StoreError>) -> Void
  ) { answer(completion, .success([])) }

  func glucoseReading(
    _ id: GlucoseReadingID,
    completion: @escaping @LoopActor @Sendable (Result<GlucoseReading?, StoreError>) -> Void
  ) { answer(completion, .success(nil)) }

  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void
  ) { answer(completion, .success(Backlog(depth: 0, oldest: nil))) }

  func backup(
    to path: String?, at time: Timestamp,
    completion: @escaping @LoopActor @Sendable (Result<String, StoreError>) -> Void
  ) { answer(completion, .failure(Self.holdsNothing)) }

  func status(completion: @escaping @LoopActor @Sendable (StoreStatus) -> Void) {
    answer(
      completion,
      StoreStatus(
        heads: LaneHeads(), waitingRecords: 0, freeBytes: 0, usedBytes: 0, lastCommit: nil,
        lastBackup: nil, thinnedTraces: 0))
  }
}

extension PluginHost {
  /// A store that holds nothing and forgets everything, for hosting a plugin without a gateway.
  ///
  /// It confirms cursors that it does not keep, answers every question with nothing, and drops every record.
  public nonisolated static var emptyStore: any CareStore { EmptyStore() }
}
