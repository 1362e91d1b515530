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
    completion: @escaping @LoopActor @Sendable (Result<[FeatureValue], StoreError>) -> Void
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
    let (source, rest, bindings) = Self.selection(GlucoseQuery(resident: resident))
    let found: [GlucoseReading] = try read(
      .glucoseReading, from: source, rest, bindings, unread: &unread)
    state.glucoseReadings += found.reversed().map { FeatureValue($0) }
  }

  func glucoseReadings(_ query: GlucoseQuery) throws(SQLiteFailure) -> [GlucoseReading] {
    let (source, rest, bindings) = Self.selection(query)
    return try find(.glucoseReading, from: source, rest, bindings)
  }

  private static func selection(_ query: GlucoseQuery) -> (String, String, [Binding]) {
    (
      "glucose_reading INDEXED BY glucose_reading_by_time",
      "WHERE resident = ? AND time >= ? AND time < ? ORDER BY time DESC, id DESC LIMIT ?",
      [
        .text(query.resident.rawValue), .integer(query.since?.milliseconds ?? .min),
        .integer(query.until?.milliseconds ?? .max), .integer(Int64(max(0, query.limit))),
      ]
    )
  }

  func glucoseReading(_ id: String) throws(SQLiteFailure) -> GlucoseReading? {
    try find(.glucoseReading, id: id)
  }
}
