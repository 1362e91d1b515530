public import Care
import Loop
public import Moments
public import Texts

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

/// One event as read from the journal or a trace file.
public struct JournalRow: Hashable, Sendable {
  /// Its sequence in its lane's numbering.
  public var sequence: Int64
  /// Its id.
  public var id: EventID
  /// Its kind.
  public var type: EventType
  /// `resident/<id>` or `gateway`.
  public var subject: String
  /// Its lane.
  public var lane: Lane
  /// The exact stored bytes.
  public var body: [UInt8]

  /// A row from its parts.
  public init(
    sequence: Int64, id: EventID, type: EventType, subject: String, lane: Lane, body: [UInt8]
  ) {
    self.sequence = sequence
    self.id = id
    self.type = type
    self.subject = subject
    self.lane = lane
    self.body = body
  }
}

extension JournalRow {
  /// Whether only guardians may know of the event, so that no plugin is handed it.
  public var isForGuardians: Bool { Audience.isGuardians(type, body) }
}

/// Where a plugin stands in one lane.
public struct PluginCursor: Hashable, Sendable {
  /// One event before the cursor that is not settled yet.
  public struct Exception: Hashable, Sendable {
    /// Its sequence.
    public var sequence: Int64
    /// Its subject; later events of the subject wait for it.
    public var subject: String
    /// How often it was tried.
    public var attempts: Int

    /// An exception from its parts.
    public init(sequence: Int64, subject: String, attempts: Int) {
      self.sequence = sequence
      self.subject = subject
      self.attempts = attempts
    }
  }

  /// The plugin's name.
  public var plugin: String
  /// The lane.
  public var lane: Lane
  /// Everything up to this sequence is settled, but for the exceptions.
  public var sequence: Int64
  /// Events before the cursor that are not settled, by sequence.
  public var exceptions: [Exception]

  /// A cursor from its parts.
  public init(plugin: String, lane: Lane, sequence: Int64, exceptions: [Exception] = []) {
    self.plugin = plugin
    self.lane = lane
    self.sequence = sequence
    self.exceptions = exceptions
  }
}

/// An event that a plugin refused for ever.
public struct DeadLetter: Hashable, Sendable {
  /// The plugin that refused.
  public var plugin: String
  /// The lane.
  public var lane: Lane
  /// The event's sequence.
  public var sequence: Int64
  /// The event's id.
  public var event: EventID
  /// Why, in the plugin's words.
  public var reason: String
  /// When.
  public var time: Timestamp

  /// A dead letter from its parts.
  public init(
    plugin: String, lane: Lane, sequence: Int64, event: EventID, reason: String, time: Timestamp
  ) {
    self.plugin = plugin
    self.lane = lane
    self.sequence = sequence
    self.event = event
    self.reason = reason
    self.time = time
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

/// Why the store could not do something.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure.
  public enum Code: String, Hashable, Sendable {
    /// No space is left.
    case full
    /// The disk answers with errors.
    case inputOutput = "input-output"
    /// The database cannot be written.
    case readOnly = "read-only"
    /// Another process holds the database.
    case locked
    /// The database is damaged.
    case corrupt
    /// The database was written by a newer version.
    case newerVersion = "newer-version"
    /// It is not a Homeward database.
    case notOurs = "not-ours"
    /// What was asked for does not exist.
    case missing
    /// The store is closed.
    case closed
    /// Anything else.
    case other
  }

  /// The kind.
  public var code: Code
  /// One plain sentence that says what to do next.
  public var message: Message

  /// A failure with its sentence.
  public init(_ code: Code, _ message: Message) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message.description }
}

/// What a journal query asks for.
public struct JournalQuery: Hashable, Sendable {
  /// Only this resident.
  public var resident: ResidentID?
  /// Only types that equal one of these or start with one of these and a dot; empty for all.
  public var types: [String]
  /// Only lanes in this list; empty for alarm and record.
  public var lanes: [Lane]
  /// Only events at or after this time.
  public var since: Timestamp?
  /// Only events before this time.
  public var until: Timestamp?
  /// At most so many, newest first.
  public var limit: Int

  /// A query; by default the 100 newest of alarm and record lane.
  public init(
    resident: ResidentID? = nil, types: [String] = [], lanes: [Lane] = [], since: Timestamp? = nil,
    until: Timestamp? = nil, limit: Int = 100
  ) {
    self.resident = resident
    self.types = types
    self.lanes = lanes
    self.since = since
    self.until = until
    self.limit = limit
  }
}

/// How the store does, for health and metrics.
public struct StoreStatus: Hashable, Sendable {
  /// Heads of the lanes.
  public var heads: LaneHeads
  /// Records waiting for the disk.
  public var waitingRecords: Int
  /// Bytes free where the store lives.
  public var freeBytes: Int64
  /// Bytes of the databases.
  public var usedBytes: Int64
  /// When the last commit succeeded.
  public var lastCommit: Tick?
  /// When the last backup succeeded.
  public var lastBackup: Timestamp?
  /// Trace events thinned for want of space since the start.
  public var thinnedTraces: Int64

  /// A status from its parts.
  public init(
    heads: LaneHeads, waitingRecords: Int, freeBytes: Int64, usedBytes: Int64, lastCommit: Tick?,
    lastBackup: Timestamp?, thinnedTraces: Int64
  ) {
    self.heads = heads
    self.waitingRecords = waitingRecords
    self.freeBytes = freeBytes
    self.usedBytes = usedBytes
    self.lastCommit = lastCommit
    self.lastBackup = lastBackup
    self.thinnedTraces = thinnedTraces
  }
}

/// The journal and everything else that must survive.
///
/// Writes happen on the store's own thread in the order submitted, grouped into one synchronous commit; reads happen on
/// another thread. Every answer comes back on the loop. Nothing here blocks the caller.
public protocol CareStore: Sendable {
  /// Submits one step. `completion` is called once with `committed` or `dropped`, and before that possibly with `delayed`.
  func submit(
    _ record: StepRecord, completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void)
  /// Takes a step back that was answered with `delayed`, so that it is as if it had never been submitted: only the newest,
  /// and only as long as it has not reached the disk. Its `completion` is not called any more.
  ///
  /// - Returns: whether it was taken back; when not, it is kept in memory and written later.
  func takeBack(_ record: StepRecord) -> Bool
  /// Makes a plugin's cursor and new dead letters durable, with the next commit.
  func save(
    cursor: PluginCursor, deadLetters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void)
  /// Reads events of a lane after a sequence, in order, until `limit` events or `maximumBytes` of bodies (at least one).
  func read(
    lane: Lane, after sequence: Int64, limit: Int, maximumBytes: Int,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void)
  /// Reads single events of a lane; missing ones are left out.
  func read(
    lane: Lane, sequences: [Int64],
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void)
  /// The cursors of a plugin; lanes never saved are missing.
  func cursors(
    plugin: String,
    completion: @escaping @LoopActor @Sendable (Result<[PluginCursor], StoreError>) -> Void)
  /// Dead letters, oldest first; of all plugins when `plugin` is nil.
  func deadLetters(
    plugin: String?,
    completion: @escaping @LoopActor @Sendable (Result<[DeadLetter], StoreError>) -> Void)
  /// Forgets dead letters that are being driven again.
  func removeDeadLetters(
    _ letters: [DeadLetter],
    completion: @escaping @LoopActor @Sendable (CommitOutcome) -> Void)
  /// Finds events, newest first.
  func query(
    _ query: JournalQuery,
    completion: @escaping @LoopActor @Sendable (Result<[JournalRow], StoreError>) -> Void)
  /// Finds one event by its id.
  func event(
    _ id: EventID,
    completion: @escaping @LoopActor @Sendable (Result<JournalRow?, StoreError>) -> Void)
  /// Location records (`isSeries` false) or the five-minute series (true) of a resident, newest first.
  func locations(
    resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[LocationRecord], StoreError>) -> Void)
  /// Due times of the routine, the latest first.
  func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Occurrence], StoreError>) -> Void)
  /// Memos and entries of the diary, the newest first.
  func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Note], StoreError>) -> Void)
  /// One memo or entry of the diary; nil when there is none.
  func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void)
  /// Messages of a resident, or of all, the newest first.
  func messages(
    resident: ResidentID?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[ChatMessage], StoreError>) -> Void)
  /// One message; nil when there is none.
  func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void)
  /// Glucose readings of a resident, the newest first.
  func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucoseReading], StoreError>) -> Void)
  /// One glucose reading; nil when there is none.
  func glucoseReading(
    _ id: GlucoseReadingID,
    completion: @escaping @LoopActor @Sendable (Result<GlucoseReading?, StoreError>) -> Void)
  /// Depth and age of what waits for a plugin in a lane after a sequence.
  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void)
  /// Copies `care.db` consistently into a new file, while running, and answers its path.
  ///
  /// - Parameters:
  ///   - path: a whole path where nothing stands, outside of the gateway's own directories; nil for a file of that time
  ///     among the other backups.
  ///   - time: the time now.
  func backup(
    to path: String?, at time: Timestamp,
    completion: @escaping @LoopActor @Sendable (Result<String, StoreError>) -> Void)
  /// How the store does.
  func status(completion: @escaping @LoopActor @Sendable (StoreStatus) -> Void)
}

/// What waits for a plugin.
public struct Backlog: Hashable, Sendable {
  /// Events waiting.
  public var depth: Int64
  /// When the oldest of them happened.
  public var oldest: Timestamp?

  /// A backlog from its parts.
  public init(depth: Int64, oldest: Timestamp?) {
    self.depth = depth
    self.oldest = oldest
  }
}
