public import Bytes
public import Care

/// Current Time (0x2A2B): what a device's clock shows.
///
///     offset  0......6   7            8        9
///     field   Date Time  day of week  1/256 s  why the clock was set
///
/// - Source: Bluetooth Current Time Service 1.1; GATT Specification Supplement, Current Time.
public struct CurrentTime: Hashable, Sendable {
  /// Date and time of day, local to the device.
  public var dateTime: DateTime
  /// 1 for Monday through 7 for Sunday; 0 when not known.
  public var dayOfWeek: UInt8
  /// Fractions of a second, in 1/256.
  public var fractions256: UInt8
  /// Bits: set by hand, from a reference, for another zone, for summer time.
  public var adjustReason: UInt8

  /// A time from its parts.
  public init(
    dateTime: DateTime, dayOfWeek: UInt8 = 0, fractions256: UInt8 = 0, adjustReason: UInt8 = 0
  ) {
    self.dateTime = dateTime
    self.dayOfWeek = dayOfWeek
    self.fractions256 = fractions256
    self.adjustReason = adjustReason
  }

  /// Reads the ten octets of the characteristic; more are ignored.
  ///
  /// - Throws: ``DecodeError`` when there are fewer, or a day of the week above 7.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    dateTime = try reader.dateTime("dateTime")
    dayOfWeek = try reader.byte("dayOfWeek")
    guard dayOfWeek <= 7 else { throw reader.error(.outOfRange, "dayOfWeek", back: 1) }
    fractions256 = try reader.byte("fractions256")
    adjustReason = try reader.byte("adjustReason")
  }

  /// The ten octets.
  public var octets: [UInt8] { dateTime.octets + [dayOfWeek, fractions256, adjustReason] }
}

/// Where on earth a device's clock stands: Local Time Information (0x2A0F), also a part of Session Start Time.
///
/// - Source: Bluetooth GATT Specification Supplement, Local Time Information, Time Zone and DST Offset.
public struct LocalTimeInformation: Hashable, Sendable {
  /// Quarters of an hour east of UTC, −48...56; −128 when not known.
  public var zoneQuarterHours: Int8
  /// Quarters of an hour that summer time adds: 0, 2, 4 or 8; 255 when not known.
  public var daylightQuarterHours: UInt8

  /// Zone and summer time.
  public init(zoneQuarterHours: Int8, daylightQuarterHours: UInt8) {
    self.zoneQuarterHours = zoneQuarterHours
    self.daylightQuarterHours = daylightQuarterHours
  }

  /// Reads the two octets of the characteristic; more are ignored.
  ///
  /// - Throws: ``DecodeError`` when there are fewer.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    self = try reader.localTime()
  }

  /// The two octets.
  public var octets: [UInt8] { [UInt8(bitPattern: zoneQuarterHours), daylightQuarterHours] }

  /// Minutes that local time is ahead of UTC; nil when zone or summer time are unknown or reserved.
  public var minutesAheadOfUTC: Int? {
    guard (-48...56).contains(zoneQuarterHours), [0, 2, 4, 8].contains(daylightQuarterHours) else {
      return nil
    }
    return (Int(zoneQuarterHours) + Int(daylightQuarterHours)) * 15
  }
}

extension ByteReader {
  mutating func localTime() throws(DecodeError) -> LocalTimeInformation {
    LocalTimeInformation(
      zoneQuarterHours: Int8(bitPattern: try byte("timeZone")),
      daylightQuarterHours: try byte("daylightSaving"))
  }
}

/// Battery Level (0x2A19).
public enum BatteryLevel {
  /// Percent of the battery that is left, 0...100.
  ///
  /// - Throws: ``DecodeError`` without an octet, or above 100.
  /// - Source: Bluetooth Battery Service 1.1, section 3.1.
  public static func percent(_ octets: some Collection<UInt8>) throws(DecodeError) -> Int {
    var reader = ByteReader(octets)
    let percent = try reader.byte("batteryLevel")
    guard percent <= 100 else { throw reader.error(.outOfRange, "batteryLevel", back: 1) }
    return Int(percent)
  }
}

/// The texts of the Device Information Service (0x180A).
public struct DeviceInformation: Hashable, Sendable {
  /// More than this is no name: values of 512 octets are the longest that GATT allows.
  public static let maximumOctets = 512

  /// Manufacturer Name String (0x2A29).
  public var manufacturer: String?
  /// Model Number String (0x2A24).
  public var model: String?
  /// Serial Number String (0x2A25).
  public var serial: String?
  /// Firmware Revision String (0x2A26).
  public var firmware: String?

  /// What a device says of itself.
  public init(
    manufacturer: String? = nil, model: String? = nil, serial: String? = nil,
    firmware: String? = nil
  ) {
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.firmware = firmware
  }

  /// Takes the value of one of the four characteristics; others are left alone.
  ///
  /// - Throws: ``DecodeError`` when it is no text.
  public mutating func take(
    _ octets: some Collection<UInt8>, of characteristic: BluetoothUUID
  ) throws(DecodeError) {
    switch characteristic.short {
    case 0x2A29: manufacturer = try Self.text(octets)
    case 0x2A24: model = try Self.text(octets)
    case 0x2A25: serial = try Self.text(octets)
    case 0x2A26: firmware = try Self.text(octets)
    default: return
    }
  }

  /// A text without the zeros and white space that devices fill it up with; nil when nothing is left.
  ///
  /// - Throws: ``DecodeError`` for octets that are no UTF-8, that have control characters, or are too many.
  public static func text(_ octets: some Collection<UInt8>) throws(DecodeError) -> String? {
    guard octets.count <= maximumOctets else { throw DecodeError(.tooLarge, at: maximumOctets) }
    let padding: Set<UInt8> = [0x00, 0x09, 0x0A, 0x0D, 0x20]
    var kept = Array(octets)[...]
    while let last = kept.last, padding.contains(last) { kept.removeLast() }
    while let first = kept.first, padding.contains(first) { kept.removeFirst() }
    if let place = kept.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw DecodeError(.invalidText, at: place)
    }
    guard let text = String(validating: kept, as: UTF8.self) else {
      throw DecodeError(.invalidText, at: kept.startIndex)
    }
    return text.isEmpty ? nil : text
  }
}
