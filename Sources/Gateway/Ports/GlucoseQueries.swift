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
  /// Points of a graph, the earliest first; what is of doubtful time is none of them.
  func glucoseSeries(
    _ query: GlucoseSeriesQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucosePoint], StoreError>) -> Void)
  /// When the first reading of a resident was measured, of certain time; nil when there is none.
  func glucoseBegin(
    of resident: ResidentID,
    completion: @escaping @LoopActor @Sendable (Result<Timestamp?, StoreError>) -> Void)
  /// The glucose reading of an id; nil when there is none.
  func glucoseReading(
    _ id: String,
    completion: @escaping @LoopActor @Sendable (Result<FeatureValue?, StoreError>) -> Void)
}

/// What a series of readings asks for, thinned for a graph.
public struct GlucoseSeriesQuery: Hashable, Sendable {
  /// Whose.
  public var resident: ResidentID
  /// Those measured at this time or later.
  public var since: Timestamp
  /// Those measured before this time.
  public var until: Timestamp
  /// Readings within so many milliseconds are one point.
  public var stepMilliseconds: Int64

  /// A query.
  public init(
    resident: ResidentID, since: Timestamp, until: Timestamp, stepMilliseconds: Int64
  ) {
    self.resident = resident
    self.since = since
    self.until = until
    self.stepMilliseconds = max(1, stepMilliseconds)
  }
}

/// One point of a graph: a reading, or several that are near each other. Levels are in mg/dL.
public struct GlucosePoint: Hashable, Sendable {
  /// When the first of them was measured.
  public var time: Timestamp
  /// How many.
  public var count: Int64
  /// The lowest.
  public var lowest: Double
  /// Their mean.
  public var mean: Double
  /// The highest.
  public var highest: Double

  /// A point from its parts.
  public init(time: Timestamp, count: Int64, lowest: Double, mean: Double, highest: Double) {
    self.time = time
    self.count = count
    self.lowest = lowest
    self.mean = mean
    self.highest = highest
  }
}
