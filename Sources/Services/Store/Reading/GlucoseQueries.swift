public import Care
import Glucose
import GlucoseValues
import Loop
import Moments
public import Ports

/// Reading glucose readings.
extension SQLiteStore {
  /// Glucose readings of a resident, the newest first.
  public func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<FeatureValue>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.care().glucoseReadings(query).map { FeatureValue($0) }
    }
  }

  /// The glucose reading of an id; nil when there is none.
  public func glucoseReading(
    _ id: String,
    completion: @escaping @LoopActor @Sendable (Result<FeatureValue?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.care().glucoseReading(id).map { FeatureValue($0) }
    }
  }
}

extension Connection {
  /// A run starts with the newest readings of each resident.
  func readGlucose(
    of resident: ResidentID, into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    let found: [GlucoseReading] = try read(
      .glucoseReading, from: Self.byTime,
      "WHERE resident = ? ORDER BY time DESC, id DESC LIMIT \(GlucoseQuery.atMost)",
      [.text(resident.rawValue)], unread: &unread)
    state.glucoseReadings += found.reversed().map { FeatureValue($0) }
  }

  func glucoseReadings(_ query: GlucoseQuery) throws(SQLiteFailure) -> ListPage<GlucoseReading> {
    let span = PageSpan(since: query.since, until: query.until, after: query.after)
    return try page(
      of: .glucoseReading, from: Self.byTime,
      """
      WHERE resident = ? AND time BETWEEN ? AND ? AND (time < ? OR id < ?)
        ORDER BY time DESC, id DESC
      """, [.text(query.resident.rawValue)] + span.bindings + [span.given, span.text(0)],
      limit: query.limit
    ) { (reading: GlucoseReading) in
      ListPlace([reading.time.milliseconds], [reading.id.rawValue])
    }
  }

  private static let byTime = "glucose_reading INDEXED BY glucose_reading_by_time"

  func glucoseReading(_ id: String) throws(SQLiteFailure) -> GlucoseReading? {
    try find(.glucoseReading, id: id)
  }
}
