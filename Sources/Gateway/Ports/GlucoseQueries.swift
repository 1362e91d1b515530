public import Care
import Loop
public import Moments

/// What a query for glucose readings asks for.
public struct GlucoseQuery: Hashable, Sendable {
  /// The most readings that one answer holds: a month of a sensor that reads every five minutes.
  public static let atMost = 10_000

  /// Whose.
  public var resident: ResidentID
  /// Only those measured at this time or later.
  public var since: Timestamp?
  /// Only those measured before this time.
  public var until: Timestamp?
  /// At most so many, the newest first.
  public var limit: Int
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default all that one answer holds.
  public init(
    resident: ResidentID, since: Timestamp? = nil, until: Timestamp? = nil,
    limit: Int = atMost, after: ListPlace? = nil
  ) {
    self.resident = resident
    self.since = since
    self.until = until
    self.limit = limit
    self.after = after
  }
}

/// Questions about glucose; what a reading is, is known to its feature.
public protocol GlucoseQueries: Sendable {
  /// Glucose readings of a resident, the newest first.
  func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<FeatureValue>, StoreError>) -> Void)
  /// The glucose reading of an id; nil when there is none.
  func glucoseReading(
    _ id: String,
    completion: @escaping @LoopActor @Sendable (Result<FeatureValue?, StoreError>) -> Void)
}
