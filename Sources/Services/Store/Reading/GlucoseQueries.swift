public import Care
import Glucose
import GlucoseValues
import Loop
public import Moments
public import Ports

/// Reading glucose readings.
extension SQLiteStore {
  /// Glucose readings of a resident, the newest first.
  public func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<FeatureValue>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try GlucoseReader(care: reader.care()).readings(query).map { FeatureValue($0) }
    }
  }

  /// Points of a graph, the earliest first.
  public func glucoseSeries(
    _ query: GlucoseSeriesQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucosePoint], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try GlucoseReader(care: reader.care()).series(query)
    }
  }

  /// When the first reading of a resident was measured, of certain time; nil when there is none.
  public func glucoseBegin(
    of resident: ResidentID,
    completion: @escaping @LoopActor @Sendable (Result<Timestamp?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try GlucoseReader(care: reader.care()).begin(of: resident)
    }
  }

  /// The glucose reading of an id; nil when there is none.
  public func glucoseReading(
    _ id: String,
    completion: @escaping @LoopActor @Sendable (Result<FeatureValue?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try GlucoseReader(care: reader.care()).reading(id).map { FeatureValue($0) }
    }
  }
}

/// Glucose readings as they are stored.
struct GlucoseReader {
  let care: Connection

  /// A run starts with the newest readings of each resident.
  func newest(
    of resident: ResidentID, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) -> [FeatureValue] {
    let found: [GlucoseReading] = try care.read(
      .glucoseReading, from: Self.byTime,
      "WHERE resident = ? ORDER BY time DESC, id DESC LIMIT \(GlucoseQuery.atMost)",
      [.text(resident.rawValue)], unread: &unread)
    return found.reversed().map { FeatureValue($0) }
  }

  func readings(_ query: GlucoseQuery) throws(SQLiteFailure) -> ListPage<GlucoseReading> {
    let span = PageSpan(since: query.since, until: query.until, after: query.after)
    return try care.page(
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

  /// What can be told of readings without reading them whole: years of them are a graph within a breath.
  ///
  /// A row whose checksum does not fit is passed over here; who reads it whole is told of it.
  private static let certain = """
    FROM glucose_reading INDEXED BY glucose_reading_by_time
      WHERE resident = ? AND time >= ? AND time < ?
      AND COALESCE(json_array_length(content, '$.timeDoubts'), 0) = 0
      AND checksum IS homeward_checksum('glucose_reading', id, resident, time, content)
    """

  /// Rows come by time, and are put together as they come: to group them SQLite would sort them first.
  func series(_ query: GlucoseSeriesQuery) throws(SQLiteFailure) -> [GlucosePoint] {
    var points: [GlucosePoint] = []
    var step: Int64?
    try care.rows(
      """
      SELECT time, CAST(json_extract(content, '$.level') AS REAL)
        * CASE json_extract(content, '$.unit') WHEN 'mmol/L' THEN ? ELSE 1.0 END
      \(Self.certain) ORDER BY time
      """,
      [
        .real(GlucoseUnit.milligramsPerDecilitrePerMillimolePerLitre),
        .text(query.resident.rawValue), .integer(query.since.milliseconds),
        .integer(query.until.milliseconds),
      ]
    ) { row in
      let (time, level) = (row.integer(0), row.real(1))
      let stepNow = time / query.stepMilliseconds
      if stepNow == step {
        points[points.endIndex - 1].add(level)
      } else {
        points.append(
          GlucosePoint(
            time: Timestamp(milliseconds: time), count: 1, lowest: level, mean: level,
            highest: level))
      }
      step = stepNow
      return true
    }
    return points
  }

  func begin(of resident: ResidentID) throws(SQLiteFailure) -> Timestamp? {
    var first: Timestamp?
    try care.rows(
      "SELECT time \(Self.certain) ORDER BY time LIMIT 1",
      [.text(resident.rawValue), .integer(.min), .integer(.max)]
    ) { row in
      first = Timestamp(milliseconds: row.integer(0))
      return false
    }
    return first
  }

  private static let byTime = "glucose_reading INDEXED BY glucose_reading_by_time"

  func reading(_ id: String) throws(SQLiteFailure) -> GlucoseReading? {
    try care.find(.glucoseReading, id: id)
  }
}

extension GlucosePoint {
  /// One more reading of the same point.
  fileprivate mutating func add(_ level: Double) {
    count += 1
    lowest = min(lowest, level)
    mean += (level - mean) / Double(count)
    highest = max(highest, level)
  }
}
