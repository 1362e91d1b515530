public import Care
import Loop
public import Moments
public import Ports

/// Reading where residents were.
extension SQLiteStore {
  /// Location records or the five-minute series of a resident, newest first.
  public func locations(
    resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[LocationRecord], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.care().locations(
        of: resident, isSeries: isSeries, since: since, until: until, limit: limit)
    }
  }
}

extension Connection {
  func locations(
    of resident: ResidentID, isSeries: Bool, since: Timestamp?, until: Timestamp?, limit: Int
  ) throws(SQLiteFailure) -> [LocationRecord] {
    var records: [LocationRecord] = []
    try rows(
      """
      SELECT time, time_quality, latitude, longitude, accuracy_meters, minutes_at_location, reason
        FROM \(isSeries ? "location_sample" : "location_record")
        WHERE resident = ? AND time >= ? AND time < ? ORDER BY time DESC LIMIT ?
      """,
      [
        .text(resident.rawValue), .integer(since?.milliseconds ?? .min),
        .integer(until?.milliseconds ?? .max), .integer(Int64(max(0, limit))),
      ]
    ) { row in
      guard let coordinate = row.coordinate(2) else { return true }
      records.append(
        LocationRecord(
          resident: resident, time: Timestamp(milliseconds: row.integer(0)),
          timeQuality: TimeQuality(rawValue: row.text(1)) ?? .untrusted, coordinate: coordinate,
          accuracyMeters: row.optionalReal(4), minutesAtLocation: Int(row.integer(5)),
          reason: RecordReason(rawValue: row.text(6)) ?? .moved))
      return true
    }
    return records
  }
}
