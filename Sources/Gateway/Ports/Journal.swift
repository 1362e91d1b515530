public import Care
import Loop
public import Moments

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

/// The journal as somebody sees it who sends its events onwards: events of a lane in order, and where each plugin stands.
///
/// Reads and writes happen on threads of their own; every answer comes back on the loop. Nothing here blocks the caller.
public protocol Journal: Sendable {
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
  /// Depth and age of what waits for a plugin in a lane after a sequence.
  func backlog(
    lane: Lane, after sequence: Int64,
    completion: @escaping @LoopActor @Sendable (Result<Backlog, StoreError>) -> Void)
}
