public import Care
import Loop
import Moments
public import Ports

/// Reading where residents were.
extension SQLiteStore {
  /// Location records or the five-minute series of a resident, newest first.
  public func locations(
    _ query: LocationQuery,
    completion:
      @escaping @LoopActor @Sendable (Result<ListPage<LocationRecord>, StoreError>) ->
      Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try LocationReader(care: reader.care()).locations(query)
    }
  }
}

/// Where residents were, as it is stored.
struct LocationReader {
  let care: Connection

  func locations(_ query: LocationQuery) throws(SQLiteFailure) -> ListPage<LocationRecord> {
    let span = PageSpan(since: query.since, until: query.until, after: query.after)
    var page = PageOfRows<LocationRecord>(limit: query.limit)
    try care.rows(
      """
      SELECT time, time_quality, latitude, longitude, accuracy_meters, minutes_at_location, reason,
        number FROM \(query.isSeries ? "location_sample" : "location_record")
        WHERE resident = ? AND time BETWEEN ? AND ? AND (time < ? OR number < ?)
        ORDER BY time DESC, number DESC
      """,
      [.text(query.resident.rawValue)] + span.bindings + [
        span.given, .integer(query.after?.numbers.last ?? .max),
      ]
    ) { row in
      guard let coordinate = row.coordinate(2) else { return true }
      return page.take(
        LocationRecord(
          resident: query.resident, time: Timestamp(milliseconds: row.integer(0)),
          timeQuality: TimeQuality(rawValue: row.text(1)) ?? .untrusted, coordinate: coordinate,
          accuracyMeters: row.optionalReal(4), minutesAtLocation: Int(row.integer(5)),
          reason: RecordReason(rawValue: row.text(6)) ?? .moved),
        at: ListPlace([row.integer(0), row.integer(7)]))
    }
    return page.page
  }
}
