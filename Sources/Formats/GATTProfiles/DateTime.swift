public import Bytes
public import Moments

/// Date and time of day as devices send them, without a zone; the characteristic Date Time (0x2A08).
///
///     offset  0..1  2      3    4     5       6
///     field   year  month  day  hour  minute  second
///     bytes   e807  01     1e   05    3a      1b        2024-01-30 05:58:27
///
/// Zero stands for an unknown year, month or day. Fields are kept as sent, also impossible ones: a meter whose clock
/// ran wild still has a reading.
///
/// - Source: Bluetooth GATT Specification Supplement, Date Time.
public struct DateTime: Hashable, Sendable {
  /// How many octets it has.
  public static let octetCount = 7

  /// 1582...9999, or 0.
  public var year: UInt16
  /// 1...12, or 0.
  public var month: UInt8
  /// 1...31, or 0.
  public var day: UInt8
  /// 0...23.
  public var hour: UInt8
  /// 0...59.
  public var minute: UInt8
  /// 0...59.
  public var second: UInt8

  /// A date and time from its fields, which are not checked.
  public init(
    year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// A date and time that devices can be told; nil outside the years 1582...9999.
  public init?(_ civil: CivilDateTime) {
    guard (1582...9999).contains(civil.year), let month = UInt8(exactly: civil.month),
      let day = UInt8(exactly: civil.day), let hour = UInt8(exactly: civil.hour),
      let minute = UInt8(exactly: civil.minute), let second = UInt8(exactly: civil.second)
    else { return nil }
    self.init(
      year: UInt16(civil.year), month: month, day: day, hour: hour, minute: minute, second: second)
    if self.civil == nil { return nil }
  }

  /// Reads the seven octets of the characteristic; more are ignored.
  ///
  /// - Throws: ``DecodeError`` when there are fewer.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    self = try reader.dateTime("dateTime")
  }

  /// The seven octets.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.append(self)
    return octets
  }

  /// Date and time; nil when a part is unknown or impossible.
  public var civil: CivilDateTime? {
    let (year, month, day) = (Int(year), Int(month), Int(day))
    guard (1582...9999).contains(year), (1...12).contains(month),
      (1...CivilDateTime.daysInMonth(month, year: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    return CivilDateTime(
      year: year, month: month, day: day, hour: Int(hour), minute: Int(minute),
      second: Int(second))
  }

  /// All fields in one number that is unique to them: the key of identities.
  public var packed: UInt64 { octets.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// The date and time of a packed number.
  public init(packed: UInt64) {
    self.init(
      year: UInt16(truncatingIfNeeded: packed), month: UInt8(truncatingIfNeeded: packed >> 16),
      day: UInt8(truncatingIfNeeded: packed >> 24), hour: UInt8(truncatingIfNeeded: packed >> 32),
      minute: UInt8(truncatingIfNeeded: packed >> 40),
      second: UInt8(truncatingIfNeeded: packed >> 48))
  }
}

extension CivilDateTime {
  /// The date and time so many minutes later, by the calendar alone.
  func adding(minutes: Int) -> CivilDateTime {
    CivilDateTime(utc: asUTC.advanced(byMilliseconds: Int64(minutes) * 60_000))
  }

  /// Seconds from another date and time to this one, by the calendar alone.
  func seconds(since other: CivilDateTime) -> Int64 {
    asUTC.milliseconds(since: other.asUTC) / 1000
  }
}

extension DateTime: CustomStringConvertible {
  /// The fields as sent, `2024-01-30T05:58:27`.
  public var description: String {
    func two(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let years = String(year)
    return String(repeating: "0", count: max(0, 4 - years.utf8.count)) + years
      + "-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))"
  }
}
