public import Care
import Loop
public import Moments

/// One step of the core as it goes to the store: one transaction, all or nothing.
public struct StepRecord: Hashable, Sendable {
  /// The recorded input and the digest of what came of it; nil for steps that are not replayed.
  public var input: InputRecord?
  /// Events in the order they happened. Trace-lane events go to the month's trace file, outside the transaction.
  public var events: [EncodedEvent]
  /// Changes of what is stored, in order.
  public var changes: [StateChange]

  /// A record from its parts.
  public init(input: InputRecord? = nil, events: [EncodedEvent] = [], changes: [StateChange] = []) {
    self.input = input
    self.events = events
    self.changes = changes
  }
}

/// One input of the core, as recorded for replay.
public struct InputRecord: Hashable, Sendable {
  /// The run of the daemon that it belongs to.
  public var run: String
  /// Position within the run, from 1.
  public var number: Int64
  /// Both clocks at the step.
  public var moment: Moment
  /// Whom it is about, for erasing; nil when about the gateway.
  public var resident: ResidentID?
  /// The input as JSON in UTF-8.
  public var body: [UInt8]
  /// FNV-1a digest of the step's events, changes and actions.
  public var outcomeDigest: UInt64

  /// A record from its parts.
  public init(
    run: String, number: Int64, moment: Moment, resident: ResidentID?, body: [UInt8],
    outcomeDigest: UInt64
  ) {
    self.run = run
    self.number = number
    self.moment = moment
    self.resident = resident
    self.body = body
    self.outcomeDigest = outcomeDigest
  }
}

/// The start of a run, from which its inputs are replayed.
public struct RunRecord: Hashable, Sendable {
  /// The run, a UUID.
  public var run: String
  /// Seed of the identifiers.
  public var seed: UInt64
  /// Version of the program.
  public var version: String
  /// The boot that the run's ticks belong to.
  public var boot: BootID
  /// When it started.
  public var moment: Moment
  /// The core's state at the start, as JSON in UTF-8.
  public var startState: [UInt8]

  /// A record from its parts.
  public init(
    run: String, seed: UInt64, version: String, boot: BootID, moment: Moment, startState: [UInt8]
  ) {
    self.run = run
    self.seed = seed
    self.version = version
    self.boot = boot
    self.moment = moment
    self.startState = startState
  }
}

/// What became of a submitted record.
public enum CommitOutcome: Hashable, Sendable {
  /// Durable; these are the heads of the lanes now.
  case committed(LaneHeads)
  /// Not durable yet; the store keeps it and tries again, and reports `committed` when it succeeds.
  case delayed(StoreError)
  /// Given up, because memory for waiting records is full or the store closed. Never for the alarm lane while running.
  case dropped(StoreError)
}

/// Makes steps of the core durable.
///
/// Writes happen on a thread of their own in the order submitted, grouped into one synchronous commit. Every answer comes
/// back on the loop. Nothing here blocks the caller.
public protocol StepStore: Sendable {
  /// Submits one step. `completion` is called once with `committed` or `dropped`, and before that possibly with `delayed`.
  func submit(
    _ record: StepRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void)
  /// Takes a step back that was answered with `delayed`, so that it is as if it had never been submitted: only the newest,
  /// and only as long as it has not reached the disk. Its `completion` is not called any more.
  ///
  /// - Returns: whether it was taken back; when not, it is kept in memory and written later.
  func takeBack(_ record: StepRecord) -> Bool
}
