public import Bytes
public import Moments

/// What a continuous monitor can do: CGM Feature (0x2AA8), read.
///
///     offset  0....2  3              4.5
///     field   bits    type|location  CRC, or FFFF where bit 12 is 0
///     bytes   6e9e01  16             8ac1
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.2.
public struct CGMFeature: Hashable, Sendable {
  /// Names of the bits from 0 upwards, for programs.
  public static let names = [
    "calibration", "patient high/low alerts", "hypo alerts", "hyper alerts",
    "rate of increase/decrease alerts", "device specific alert", "sensor malfunction detection",
    "sensor temperature high-low detection", "sensor result high-low detection",
    "low battery detection", "sensor type error detection", "general device fault", "E2E-CRC",
    "multiple bonds", "multiple sessions", "trend information", "quality",
  ]

  /// The bits, 24 of them.
  public var bits: UInt32
  /// What is measured, and where.
  public var origin: GlucoseSampleOrigin

  /// A feature from its parts.
  public init(bits: UInt32, origin: GlucoseSampleOrigin) {
    self.bits = bits & 0xFF_FFFF
    self.origin = origin
  }

  /// Reads the six octets of the characteristic.
  ///
  /// - Throws: ``DecodeError`` for another count, or a checksum that does not match.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    bits = 0
    for place in [0, 8, 16] as [UInt32] { bits |= UInt32(try reader.byte("feature")) << place }
    origin = GlucoseSampleOrigin(octet: try reader.byte("typeAndLocation"))
    let sent = try reader.word("crc")
    let isRight = hasCRC ? sent == E2ECRC.of(octets.prefix(4)) : sent == 0xFFFF
    guard isRight else { throw reader.error(.checksum, "crc", back: 2) }
    try reader.expectEnd("crc")
  }

  /// The six octets.
  public var octets: [UInt8] {
    var octets = [0, 8, 16].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
    octets.append(origin.octet)
    octets.append(word: hasCRC ? E2ECRC.of(octets) : 0xFFFF)
    return octets
  }

  /// Whether values have a checksum.
  public var hasCRC: Bool { bits & 1 << 12 != 0 }
  /// What that means for reading values.
  public var crcRule: E2ECRCRule { hasCRC ? .required : .absent }
}

/// How a continuous monitor does: CGM Status (0x2AA9), read.
///
///     offset  0.1     2....4        5.6
///     field   offset  annunciation  CRC, where the feature says so
///     bytes   0500    3f3fff        a7e0
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.3.
public struct CGMStatus: Hashable, Sendable {
  /// Minutes since the session's start.
  public var timeOffsetMinutes: UInt16
  /// What the device found out about itself.
  public var annunciation: CGMAnnunciation
  /// Whether it came with a checksum, which was right.
  public var hasCRC: Bool

  /// A status from its parts.
  public init(timeOffsetMinutes: UInt16, annunciation: CGMAnnunciation, hasCRC: Bool = false) {
    self.timeOffsetMinutes = timeOffsetMinutes
    self.annunciation = annunciation
    self.hasCRC = hasCRC
  }

  /// Reads the five octets of the characteristic, or seven with a checksum.
  ///
  /// - Throws: ``DecodeError`` for another count, or a checksum that does not match.
  public init(
    _ octets: some Collection<UInt8>, crc: E2ECRCRule = .unknown
  ) throws(DecodeError) {
    let (fields, hasCRC) = try crc.strip(Array(octets), to: 5)
    var reader = ByteReader(fields)
    timeOffsetMinutes = try reader.word("timeOffset")
    var bits: UInt32 = 0
    for place in [0, 8, 16] as [UInt32] {
      bits |= UInt32(try reader.byte("annunciation")) << place
    }
    annunciation = CGMAnnunciation(rawValue: bits)
    self.hasCRC = hasCRC
  }

  /// The octets, with a checksum when it has one.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.append(word: timeOffsetMinutes)
    octets += annunciation.octets
    return hasCRC ? E2ECRC.appended(to: octets) : octets
  }
}

/// When a session began: CGM Session Start Time (0x2AAA), read and written.
///
///     offset  0...........6   7     8    9.10
///     field   Date Time       zone  DST  CRC, where the feature says so
///     bytes   e20704180d0818  08    04   e0c2     2018-04-24 13:08:24, two hours and one of summer time east of UTC
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.4.
public struct CGMSessionStart: Hashable, Sendable {
  /// Date and time, local to the device.
  public var dateTime: DateTime
  /// How far that is from UTC.
  public var localTime: LocalTimeInformation
  /// Whether it came with a checksum, which was right.
  public var hasCRC: Bool

  /// A start from its parts.
  public init(dateTime: DateTime, localTime: LocalTimeInformation, hasCRC: Bool = false) {
    self.dateTime = dateTime
    self.localTime = localTime
    self.hasCRC = hasCRC
  }

  /// Reads the nine octets of the characteristic, or eleven with a checksum.
  ///
  /// - Throws: ``DecodeError`` for another count, or a checksum that does not match.
  public init(
    _ octets: some Collection<UInt8>, crc: E2ECRCRule = .unknown
  ) throws(DecodeError) {
    let (fields, hasCRC) = try crc.strip(Array(octets), to: 9)
    var reader = ByteReader(fields)
    dateTime = try reader.dateTime("dateTime")
    localTime = try reader.localTime()
    self.hasCRC = hasCRC
  }

  /// The octets, with a checksum when it has one.
  public var octets: [UInt8] {
    let octets = dateTime.octets + localTime.octets
    return hasCRC ? E2ECRC.appended(to: octets) : octets
  }

  /// The moment in UTC; nil when date, zone or summer time are unknown.
  public var utc: Timestamp? {
    guard let civil = dateTime.civil, let minutes = localTime.minutesAheadOfUTC else { return nil }
    return civil.asUTC.advanced(byMilliseconds: Int64(-minutes) * 60_000)
  }
}

/// How long a sensor is meant to work: CGM Session Run Time (0x2AAB), read.
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.5.
public struct CGMSessionRunTime: Hashable, Sendable {
  /// Hours from the session's start.
  public var hours: UInt16
  /// Whether it came with a checksum, which was right.
  public var hasCRC: Bool

  /// A run time.
  public init(hours: UInt16, hasCRC: Bool = false) {
    self.hours = hours
    self.hasCRC = hasCRC
  }

  /// Reads the two octets of the characteristic, or four with a checksum.
  ///
  /// - Throws: ``DecodeError`` for another count, or a checksum that does not match.
  public init(
    _ octets: some Collection<UInt8>, crc: E2ECRCRule = .unknown
  ) throws(DecodeError) {
    let (fields, hasCRC) = try crc.strip(Array(octets), to: 2)
    var reader = ByteReader(fields)
    hours = try reader.word("runTime")
    self.hasCRC = hasCRC
  }

  /// The octets, with a checksum when it has one.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.append(word: hours)
    return hasCRC ? E2ECRC.appended(to: octets) : octets
  }
}
