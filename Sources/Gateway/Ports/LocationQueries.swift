public import Care
import Loop
public import Moments

/// What a query for where somebody was asks for.
public struct LocationQuery: Hashable, Sendable {
  /// Whose.
  public var resident: ResidentID
  /// The five-minute series; else the location records.
  public var isSeries: Bool
  /// Only those at or after this time.
  public var since: Timestamp?
  /// Only those before this time.
  public var until: Timestamp?
  /// At most so many, the newest first.
  public var limit: Int
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default the 1,000 newest location records.
  public init(
    resident: ResidentID, isSeries: Bool = false, since: Timestamp? = nil,
    until: Timestamp? = nil, limit: Int = 1000, after: ListPlace? = nil
  ) {
    self.resident = resident
    self.isSeries = isSeries
    self.since = since
    self.until = until
    self.limit = limit
    self.after = after
  }
}

/// Questions about where a resident was.
public protocol LocationQueries: Sendable {
  /// Location records or the five-minute series of a resident, newest first.
  func locations(
    _ query: LocationQuery,
    completion:
      @escaping @LoopActor @Sendable (Result<ListPage<LocationRecord>, StoreError>) ->
      Void)
}
