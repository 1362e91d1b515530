import Care
import Loop
import Moments
import Ports
import Synchronization
import Texts

/// A clock that goes with the loop's, and that the test moves.
@LoopActor
final class ManualClock: GatewayClock {
  private var set: (moment: Moment, at: Tick)
  private var observer: (@LoopActor (ClockReport) -> Void)?

  init(utc: Timestamp = Timestamp(milliseconds: 1_795_000_000_000)) {
    let now = EventLoop.now
    set = (Moment(tick: now, utc: utc, quality: .synchronised), now)
  }

  var moment: Moment {
    get { set.moment.advanced(byMilliseconds: EventLoop.now.milliseconds(since: set.at)) }
    set { set = (newValue, EventLoop.now) }
  }

  func now() -> Moment { moment }
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void) { self.observer = observer }
  func stop() { observer = nil }
  private(set) var considered: [Timestamp] = []
  func consider(receiverTime: Timestamp, mode: FixMode) { considered.append(receiverTime) }
  func report(_ report: ClockReport) { observer?(report) }
}

/// A store whose disk does what the test says: answers, fails, or hangs.
///
/// It plays faults at moments that no real disk can be told to; the real store has tests of its own.
final class ScriptedStore: CareStore {
  enum Disk: Sendable { case answers, fails, hangs }

  private struct Held: Sendable {
    var record: StepRecord
    var completion: @LoopActor @Sendable (CommitOutcome) -> Void
  }

  private struct State {
    var disk = Disk.answers
    var records: [StepRecord] = []
    var held: [Held] = []
    var heads = LaneHeads()
    var messages: [ChatMessage] = []
  }

  private let state = Mutex(State())

  var records: [StepRecord] { state.withLock { $0.records } }

  func setDisk(_ disk: Disk) {
    let released = state.withLock { state in
      state.disk = disk
      guard disk == .answers else { return [Held]() }
      defer { state.held = [] }
      return state.held
    }
    for held in released { commit(held.record, held.completion) }
  }

  func submit(
    _ record: StepRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    switch state.withLock({ $0.disk }) {
    case .answers: commit(record, completion)
    case .fails:
      state.withLock { $0.held.append(Held(record: record, completion: completion)) }
      EventLoop.current.post {
        completion(.delayed(StoreError(.inputOutput, Message(verbatim: "The disk fails."))))
      }
    case .hangs: state.withLock { $0.held.append(Held(record: record, completion: completion)) }
    }
  }

  func takeBack(_ record: StepRecord) -> Bool {
    state.withLock { state in
      guard state.held.last?.record == record else { return false }
      state.held.removeLast()
      return true
    }
  }

  private func commit(
    _ record: StepRecord, _ completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) {
    let heads = state.withLock { state in
      state.records.append(record)
      for event in record.events { state.heads[event.lane] += 1 }
      return state.heads
    }
    EventLoop.current.post { completion(.committed(heads)) }
  }

  func save(
    cursor: PluginCursor, deadLetters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) { EventLoop.current.post { completion(.committed(LaneHeads())) } }
  func read(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success([])) } }
  func read(
    lane: Lane, sequences: [Int64],
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success([])) } }
  func cursors(
    plugin: String,
    completion: @escaping @LoopActor @Sendable (Result<[PluginCursor], StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success([])) } }
  func deadLetters(
    plugin: String?,
    completion: @escaping @LoopActor @Sendable (Result<[DeadLetter], StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success([])) } }
  func removeDeadLetters(
    _ letters: [DeadLetter], completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void
  ) { EventLoop.current.post { completion(.committed(LaneHeads())) } }
  func query(
    _ query: JournalQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<JournalRow>, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(ListPage([]))) } }
  func event(
    _ id: EventID,
    completion: @escaping @LoopActor @Sendable (Result<JournalRow?, StoreError>) -> Void
  ) {
    let event = records.lazy.flatMap(\.events).first { $0.id == id }
    let row = event.map {
      JournalRow(
        sequence: 1, id: $0.id, type: $0.type, subject: $0.subject, lane: $0.lane, body: $0.body)
    }
    EventLoop.current.post { completion(.success(row)) }
  }
  func locations(
    _ query: LocationQuery,
    completion:
      @escaping @LoopActor @Sendable (Result<ListPage<LocationRecord>, StoreError>) ->
      Void
  ) { EventLoop.current.post { completion(.success(ListPage([]))) } }
  func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Occurrence>, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(ListPage([]))) } }

  func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Note>, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(ListPage([]))) } }

  func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(nil)) } }

  func messages(
    _ query: MessageQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<ChatMessage>, StoreError>) -> Void
  ) {
    let rest = state.withLock(\.messages).drop { message in
      query.after.map { message.place(behind: nil).numbers[0] >= $0.numbers[0] } ?? false
    }
    let page = Array(rest.prefix(query.limit))
    let next = rest.count > page.count ? page.last?.place(behind: nil) : nil
    EventLoop.current.post { completion(.success(ListPage(page, next: next))) }
  }

  /// Messages that were kept, the newest first, each of another time.
  func keep(_ messages: [ChatMessage]) { state.withLock { $0.messages = messages } }

  func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<FeatureValue>, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(ListPage([]))) } }

  func glucoseSeries(
    _ query: GlucoseSeriesQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucosePoint], StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success([])) } }

  func glucoseBegin(
    of resident: ResidentID,
    completion: @escaping @LoopActor @Sendable (Result<Timestamp?, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(nil)) } }

  func glucoseReading(
    _ id: String,
    completion: @escaping @LoopActor @Sendable (Result<FeatureValue?, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(nil)) } }

  func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(nil)) } }
  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void
  ) { EventLoop.current.post { completion(.success(Backlog(depth: 0, oldest: nil))) } }
  func backup(
    to path: String?, at time: Timestamp,
    completion: @escaping @LoopActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    EventLoop.current.post {
      completion(.failure(StoreError(.other, Message(verbatim: "No disk."))))
    }
  }
  func status(completion: @escaping @LoopActor @Sendable (StoreStatus) -> Void) {
    let heads = state.withLock { $0.heads }
    EventLoop.current.post {
      completion(
        StoreStatus(
          heads: heads, waitingRecords: 0, freeBytes: 1, usedBytes: 1, lastCommit: nil,
          lastBackup: nil, thinnedTraces: 0))
    }
  }
}

/// Remembers what it was told to forward.
@LoopActor
final class RecordingForwarder: EventForwarder {
  private(set) var heads: [LaneHeads] = []
  private(set) var early: [EncodedEvent] = []
  var onEarly: (@LoopActor () -> Void)?

  func journalAdvanced(to heads: LaneHeads) { self.heads.append(heads) }
  func forwardBeforeDurable(_ event: EncodedEvent) {
    early.append(event)
    onEarly?()
  }
}
