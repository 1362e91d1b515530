public import Bytes

extension CivilDateTime {
  /// Date and time as `2026-03-27T08:00:00`, without a zone; milliseconds are left out.
  public var localText: String { "\(iso8601Date)T\(iso8601Time)" }

  /// Reads `2026-03-27T08:00` or `2026-03-27T08:00:00`, with `T` or a space between.
  ///
  /// - Throws: ``DecodeError`` with the offset of the first byte that does not fit; a zone does not fit either.
  public init(localText text: String) throws(DecodeError) {
    guard text.utf8.count <= 19 else { throw DecodeError(.tooLarge, at: 19) }
    var reader = ByteReader(Array(text.utf8))
    let year = try reader.digits(4)
    try reader.expect("-")
    let month = try reader.digits(2)
    try reader.expect("-")
    let day = try reader.digits(2)
    try reader.expectDateTimeSeparator()
    let hour = try reader.digits(2)
    try reader.expect(":")
    let minute = try reader.digits(2)
    var second = 0
    if !reader.isAtEnd {
      try reader.expect(":")
      second = try reader.digits(2)
    }
    guard reader.isAtEnd else { throw reader.error(.unexpectedByte) }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    guard isOnTheCalendar else { throw reader.error(.outOfRange) }
  }

  /// Whether month, day, hour, minute and second are within their ranges, and milliseconds are none.
  public var isOnTheCalendar: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.daysInMonth(month, year: year)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
      && millisecond == 0
  }

  /// Date and time as iCalendar writes it, `20260327T080000`.
  ///
  /// - Source: RFC 5545, section 3.3.5.
  public var iCalendarText: String {
    iso8601Date.filter { $0 != "-" } + "T" + iso8601Time.filter { $0 != ":" }
  }

  /// The date as iCalendar writes it, `20260327`.
  ///
  /// - Source: RFC 5545, section 3.3.4.
  public var iCalendarDate: String { iso8601Date.filter { $0 != "-" } }

  /// Reads `20260327T080000`, or `20260327` as its midnight.
  ///
  /// - Throws: ``DecodeError`` with the offset of the first byte that does not fit.
  public init(iCalendarText text: String) throws(DecodeError) {
    guard text.utf8.count <= 15 else { throw DecodeError(.tooLarge, at: 15) }
    var reader = ByteReader(Array(text.utf8))
    self.init(
      year: try reader.digits(4), month: try reader.digits(2), day: try reader.digits(2))
    if !reader.isAtEnd {
      try reader.expect("T")
      hour = try reader.digits(2)
      minute = try reader.digits(2)
      second = try reader.digits(2)
    }
    guard reader.isAtEnd else { throw reader.error(.unexpectedByte) }
    guard isOnTheCalendar else { throw reader.error(.outOfRange) }
  }
}
