import Bytes

/// Reads the `TZ` text at the end of a time-zone file, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
///     std offset [dst [offset] ,start[/time],end[/time]]
///
/// - Source: POSIX.1-2024, section 8.3; RFC 9636, section 3.3.
struct PosixTimeZoneParser {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// A parser of a part of a file; offsets in errors count from the start of the file.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// Reads the whole text.
  ///
  /// - Throws: ``DecodeError`` with the offset of the first byte that does not fit.
  mutating func parse() throws(DecodeError) -> PosixTimeZoneRule {
    let standardName = try parseName()
    let standardOffset = -(try parseTime(maximumHours: 24))
    let standard = LocalTimeType(
      offsetSeconds: standardOffset, isDaylightSaving: false, abbreviation: standardName)
    guard index < bytes.endIndex else { return PosixTimeZoneRule(standard: standard) }
    let daylightSaving = try parseDaylightSaving(standardOffset: standardOffset)
    guard index == bytes.endIndex else { throw error(.unexpectedByte) }
    return PosixTimeZoneRule(standard: standard, daylightSaving: daylightSaving)
  }

  private func error(_ code: DecodeError.Code) -> DecodeError { DecodeError(code, at: index) }

  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private mutating func parseDaylightSaving(
    standardOffset: Int
  ) throws(DecodeError) -> PosixTimeZoneRule.DaylightSaving {
    let name = try parseName()
    var offset = standardOffset + 3600
    if next != UInt8(ascii: ",") { offset = -(try parseTime(maximumHours: 24)) }
    let type = LocalTimeType(offsetSeconds: offset, isDaylightSaving: true, abbreviation: name)
    let start = try parseYearlyMoment()
    let end = try parseYearlyMoment()
    return PosixTimeZoneRule.DaylightSaving(type: type, start: start, end: end)
  }

  /// Three or more letters, or letters, digits and signs in angle brackets.
  private mutating func parseName() throws(DecodeError) -> String {
    let isQuoted = next == UInt8(ascii: "<")
    if isQuoted { index += 1 }
    let start = index
    while let byte = next, byte.isLetter || isQuoted && byte.isDigitOrSign { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    guard (3...32).contains(index - start) else {
      throw error(index < bytes.endIndex ? .unexpectedByte : .truncated)
    }
    if isQuoted { try take(">") }
    return name
  }

  private mutating func take(_ expected: Unicode.Scalar) throws(DecodeError) {
    guard let byte = next else { throw error(.truncated) }
    guard byte == UInt8(ascii: expected) else { throw error(.unexpectedByte) }
    index += 1
  }

  /// `[+|-]hh[:mm[:ss]]` in seconds.
  private mutating func parseTime(maximumHours: Int) throws(DecodeError) -> Int {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { index += 1 }
    var seconds = try parseNumber(0...maximumHours) * 3600
    if next == UInt8(ascii: ":") {
      index += 1
      seconds += try parseNumber(0...59) * 60
      if next == UInt8(ascii: ":") {
        index += 1
        seconds += try parseNumber(0...59)
      }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func parseNumber(_ range: ClosedRange<Int>) throws(DecodeError) -> Int {
    let start = index
    var number = 0
    while let byte = next, byte.isDigit, index - start < 3 {
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      index += 1
    }
    guard index > start else { throw error(next == nil ? .truncated : .unexpectedByte) }
    guard range.contains(number) else { throw DecodeError(.outOfRange, at: start) }
    return number
  }

  private mutating func parseYearlyMoment() throws(DecodeError) -> YearlyMoment {
    try take(",")
    let day = try parseDay()
    var seconds = 7200
    if next == UInt8(ascii: "/") {
      index += 1
      seconds = try parseTime(maximumHours: 167)
    }
    return YearlyMoment(day: day, secondsAfterMidnight: seconds)
  }

  private mutating func parseDay() throws(DecodeError) -> YearlyMoment.Day {
    switch next {
    case UInt8(ascii: "J"):
      index += 1
      return .julianWithoutLeapDay(try parseNumber(1...365))
    case UInt8(ascii: "M"):
      index += 1
      let month = try parseNumber(1...12)
      try take(".")
      let week = try parseNumber(1...5)
      try take(".")
      return .weekday(month: month, week: week, weekday: try parseNumber(0...6))
    default: return .zeroBased(try parseNumber(0...365))
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isDigitOrSign: Bool { isDigit || self == 0x2B || self == 0x2D }
}
