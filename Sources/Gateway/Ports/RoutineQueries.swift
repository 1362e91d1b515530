public import Care
import Loop
public import Moments

/// What a query for due times asks for.
public struct OccurrenceQuery: Hashable, Sendable {
  /// Whose.
  public var resident: ResidentID
  /// Only of this item; nil for all.
  public var item: RoutineItemID?
  /// Only those due at or after this time.
  public var since: Timestamp?
  /// Only those due before this time.
  public var until: Timestamp?
  /// At most so many, the latest first.
  public var limit: Int
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default the 1,000 latest of all items.
  public init(
    resident: ResidentID, item: RoutineItemID? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil, limit: Int = 1000, after: ListPlace? = nil
  ) {
    self.resident = resident
    self.item = item
    self.since = since
    self.until = until
    self.limit = limit
    self.after = after
  }
}

/// Questions about the routine.
public protocol RoutineQueries: Sendable {
  /// Due times of the routine, the latest first.
  func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Occurrence>, StoreError>) -> Void)
}
