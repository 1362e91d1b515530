public import Bytes

/// One record of the CGM Measurement characteristic (0x2AA7); a notification may have several.
///
///     offset  0     1  2..3  4..5    6       7     8     9.10   11.12    13.14
///     field   size  F  mg/dL offset  status  cal   warn  trend  quality  CRC
///     bytes   0f    e3 d2e4  0500    02      14    ff    02f0   e5f3     8e3f
///
/// `size` counts the whole record. `F`: bit 0 `trend` is there, bit 1 `quality`, bit 5 `warn`, bit 6 `cal`, bit 7
/// `status`; the octets come in the other order. `offset` is minutes since the session's start.
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.1.
public struct CGMMeasurement: Hashable, Sendable {
  /// The shortest record.
  static let smallestSize = 6

  /// Glucose in mg/dL.
  public var concentration: SFLOAT
  /// Minutes since the session's start.
  public var timeOffsetMinutes: UInt16
  /// What the device found out about itself; octets that were not sent are 0.
  public var annunciation: CGMAnnunciation
  /// Which octets of the annunciation were sent: bits 7 status, 6 calibration and temperature, 5 warnings.
  public var annunciationFlags: UInt8
  /// mg/dL each minute; nil when not sent.
  public var trend: SFLOAT?
  /// Percent; nil when not sent.
  public var quality: SFLOAT?
  /// Whether it came with a checksum, which was right.
  public var hasCRC: Bool

  /// A record from its parts; octets of the annunciation without a bit are not sent.
  public init(
    concentration: SFLOAT, timeOffsetMinutes: UInt16, annunciation: CGMAnnunciation = [],
    trend: SFLOAT? = nil, quality: SFLOAT? = nil, hasCRC: Bool = false
  ) {
    self.concentration = concentration
    self.timeOffsetMinutes = timeOffsetMinutes
    self.annunciation = annunciation
    let sent = zip(annunciation.octets, [0x80, 0x40, 0x20] as [UInt8])
    annunciationFlags = sent.reduce(0) { $1.0 == 0 ? $0 : $0 | $1.1 }
    self.trend = trend
    self.quality = quality
    self.hasCRC = hasCRC
  }

  /// All records of a notification.
  ///
  /// - Throws: ``DecodeError`` when one is damaged: what stands behind it cannot be found then.
  public static func records(
    in octets: some Collection<UInt8>, crc: E2ECRCRule = .unknown
  ) throws(DecodeError) -> [CGMMeasurement] {
    let octets = Array(octets)
    guard !octets.isEmpty else { throw DecodeError(.truncated, at: 0, field: "size") }
    var records: [CGMMeasurement] = []
    var start = 0
    while start < octets.count {
      let size = Int(octets[start])
      guard size >= smallestSize else {
        throw DecodeError(.outOfRange, at: start, field: "size")
      }
      guard size <= octets.count - start else {
        throw DecodeError(.truncated, at: octets.count, field: "size")
      }
      do throws(DecodeError) {
        records.append(try CGMMeasurement(record: Array(octets[start..<start + size]), crc))
      } catch {
        throw DecodeError(error.code, at: start + error.offset, field: error.field)
      }
      start += size
    }
    return records
  }

  private init(record: [UInt8], _ rule: E2ECRCRule) throws(DecodeError) {
    var reader = ByteReader(record)
    _ = try reader.byte("size")
    let flags = try reader.byte("flags")
    let length =
      Self.smallestSize + [0x80, 0x40, 0x20].count { flags & $0 != 0 }
      + 2 * [0x01, 0x02].count { flags & $0 != 0 }
    (_, hasCRC) = try rule.strip(record, to: length)
    concentration = try reader.float("concentration")
    timeOffsetMinutes = try reader.word("timeOffset")
    annunciationFlags = flags & 0xE0
    var bits: UInt32 = 0
    for (place, flag) in [(0, 0x80), (8, 0x40), (16, 0x20)] as [(UInt32, UInt8)]
    where flags & flag != 0 { bits |= UInt32(try reader.byte("annunciation")) << place }
    annunciation = CGMAnnunciation(rawValue: bits)
    trend = flags & 1 != 0 ? try reader.float("trend") : nil
    quality = flags & 2 != 0 ? try reader.float("quality") : nil
  }

  /// The record as a device sends it.
  public var octets: [UInt8] {
    var octets: [UInt8] = [0, annunciationFlags & 0xE0]
    if trend != nil { octets[1] |= 1 }
    if quality != nil { octets[1] |= 2 }
    octets.append(concentration)
    octets.append(word: timeOffsetMinutes)
    for (octet, flag) in zip(annunciation.octets, [0x80, 0x40, 0x20] as [UInt8])
    where annunciationFlags & flag != 0 { octets.append(octet) }
    if let trend { octets.append(trend) }
    if let quality { octets.append(quality) }
    octets[0] = UInt8(octets.count + (hasCRC ? 2 : 0))
    return hasCRC ? E2ECRC.appended(to: octets) : octets
  }
}
