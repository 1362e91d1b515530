public import Bytes
public import JSON

extension Timestamp {
  /// The moment as ISO 8601 in UTC with milliseconds, such as `2026-11-20T14:32:05.120Z`.
  public var iso8601: String {
    let civil = CivilDateTime(utc: self)
    guard (0...9999).contains(civil.year) else {
      return "\(civil.iso8601Date)T\(civil.iso8601Time).\(padded(civil.millisecond, 3))Z"
    }
    // Every event and position carries times, so the usual years are written without detours.
    return String(unsafeUninitializedCapacity: 24) { text in
      let fields: [(number: Int, digits: Int, mark: Unicode.Scalar)] = [
        (civil.year, 4, "-"), (civil.month, 2, "-"), (civil.day, 2, "T"), (civil.hour, 2, ":"),
        (civil.minute, 2, ":"), (civil.second, 2, "."), (civil.millisecond, 3, "Z"),
      ]
      var end = 0
      for field in fields {
        var rest = field.number
        for place in (end..<end + field.digits).reversed() {
          text[place] = UInt8(0x30 + rest % 10)
          rest /= 10
        }
        end += field.digits + 1
        text[end - 1] = UInt8(ascii: field.mark)
      }
      return end
    }
  }

  /// Reads RFC 3339: date, `T` or space, time, optional fraction, then `Z` or a numeric offset.
  ///
  /// - Throws: ``DecodeError`` with the offset of the first byte that does not fit.
  public init(iso8601 text: String) throws(DecodeError) {
    var reader = ByteReader(Array(text.utf8))
    let year = try reader.digits(4)
    try reader.expect("-")
    let month = try reader.digits(2)
    try reader.expect("-")
    let day = try reader.digits(2)
    guard (1...12).contains(month), (1...CivilDateTime.daysInMonth(month, year: year)).contains(day)
    else { throw reader.error(.outOfRange) }
    try reader.expectDateTimeSeparator()
    let hour = try reader.digits(2)
    try reader.expect(":")
    let minute = try reader.digits(2)
    try reader.expect(":")
    let second = try reader.digits(2)
    guard hour < 24, minute < 60, second <= 60 else { throw reader.error(.outOfRange) }
    let millisecond = try reader.fractionAsMilliseconds()
    let offsetMinutes = try reader.zoneOffsetMinutes()
    guard reader.isAtEnd else { throw reader.error(.unexpectedByte) }
    let civil = CivilDateTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      millisecond: millisecond)
    self = civil.asUTC.advanced(byMilliseconds: Int64(-offsetMinutes) * 60_000)
  }
}

extension JSONReader {
  /// The member as a UTC time in ISO 8601, or nil when it is missing.
  public func optionalTimestamp(_ name: String) throws(DecodeError) -> Timestamp? {
    guard let text = try optionalString(name) else { return nil }
    do { return try Timestamp(iso8601: text) } catch {
      throw DecodeError(error.code, at: error.offset, field: self.error(error.code, name).field)
    }
  }

  /// The member as a UTC time in ISO 8601.
  public func timestamp(_ name: String) throws(DecodeError) -> Timestamp {
    guard let time = try optionalTimestamp(name) else { throw error(.missingField, name) }
    return time
  }
}

extension CivilDateTime {
  /// The date as `YYYY-MM-DD`.
  public var iso8601Date: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// The time of day as `hh:mm:ss`.
  public var iso8601Time: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}

/// Fields of fixed width in a short text.
extension ByteReader {
  mutating func digits(_ count: Int) throws(DecodeError) -> Int {
    var number = 0
    for _ in 0..<count {
      guard let byte = next() else { throw error(.truncated) }
      guard (0x30...0x39).contains(byte) else { throw error(.unexpectedByte, back: 1) }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  mutating func expect(_ character: Unicode.Scalar) throws(DecodeError) {
    guard let byte = next() else { throw error(.truncated) }
    guard UInt32(byte) == character.value else { throw error(.unexpectedByte, back: 1) }
  }

  mutating func expectDateTimeSeparator() throws(DecodeError) {
    guard let byte = next() else { throw error(.truncated) }
    guard [0x54, 0x74, 0x20].contains(byte) else { throw error(.unexpectedByte, back: 1) }
  }

  mutating func fractionAsMilliseconds() throws(DecodeError) -> Int {
    guard peek == 0x2E else { return 0 }
    _ = next()
    var milliseconds = 0
    var places = 0
    while let byte = peek, (0x30...0x39).contains(byte) {
      if places < 3 { milliseconds = milliseconds * 10 + Int(byte - 0x30) }
      places += 1
      _ = next()
    }
    guard places > 0 else { throw error(.unexpectedByte) }
    for _ in 0..<max(0, 3 - places) { milliseconds *= 10 }
    return milliseconds
  }

  mutating func zoneOffsetMinutes() throws(DecodeError) -> Int {
    guard let sign = next() else { throw error(.truncated) }
    if sign == 0x5A || sign == 0x7A { return 0 }
    guard sign == 0x2B || sign == 0x2D else { throw error(.unexpectedByte, back: 1) }
    let hours = try digits(2)
    try expect(":")
    let minutes = try digits(2)
    guard hours < 24, minutes < 60 else { throw error(.outOfRange) }
    return (hours * 60 + minutes) * (sign == 0x2D ? -1 : 1)
  }
}
