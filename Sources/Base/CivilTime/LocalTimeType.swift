/// What local time is during a stretch: its distance from UTC and its name.
struct LocalTimeType: Hashable, Sendable {
  /// No offset is larger than this, east or west.
  ///
  /// - Source: RFC 9636, section 3.2: offsets lie between -25 and 26 hours.
  static let largestOffsetSeconds = 26 * 3600

  /// Seconds east of UTC.
  var offsetSeconds: Int
  /// Whether the zone calls it daylight saving time.
  var isDaylightSaving: Bool
  /// Such as `CET` or `+03`.
  var abbreviation: String
}
