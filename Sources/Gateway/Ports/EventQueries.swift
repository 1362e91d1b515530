public import Care
import Loop
public import Moments

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
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default the 100 newest of alarm and record lane.
  public init(
    resident: ResidentID? = nil, types: [String] = [], lanes: [Lane] = [], since: Timestamp? = nil,
    until: Timestamp? = nil, limit: Int = 100, after: ListPlace? = nil
  ) {
    self.resident = resident
    self.types = types
    self.lanes = lanes
    self.since = since
    self.until = until
    self.limit = limit
    self.after = after
  }
}

/// Questions about what happened.
public protocol EventQueries: Sendable {
  /// Finds events, newest first.
  func query(
    _ query: JournalQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<JournalRow>, StoreError>) -> Void)
  /// Finds one event by its id.
  func event(
    _ id: EventID,
    completion: @escaping @LoopActor @Sendable (Result<JournalRow?, StoreError>) -> Void)
}
