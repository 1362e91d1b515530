import Bytes
public import Care
import Moments
import Texts

/// An iBeacon: three numbers and the strength at which it is heard from one metre.
///
///     offset  0   1    2.......17  18.19  20.21  22
///     field   02  15   UUID        major  minor  power
///     bytes   02  15   e2c5…96e0   0064   0000   c5
///
/// Behind company 004C, highest byte first. Bytes that follow are a maker's own.
///
/// - Source: Apple, "Proximity Beacon Specification", 2015-09.
public struct IBeacon: Hashable, Sendable {
  /// The owner's number.
  public var uuid: BluetoothUUID
  /// The first number of the beacon.
  public var major: UInt16
  /// The second number of the beacon.
  public var minor: UInt16
  /// How strong it is received from one metre, in dBm.
  public var powerAtOneMeterDBm: Int8

  static let company: UInt16 = 0x004C
  static let mark: [UInt8] = [0x02, 0x15]

  init(_ data: ManufacturerData) throws(AdvertisementFault) {
    var reader = ByteReader(data.bytes, at: data.offset)
    _ = try reader.take(2, Message("the mark 02 15 of an iBeacon"))
    let octets = try reader.take(16, Message("the 16 bytes of an iBeacon's UUID"))
    // On the air this one UUID stands with its highest byte first.
    uuid = BluetoothUUID(bits: octets.reduce(0) { $0 << 8 | UInt128($1) })
    let numbers = try reader.take(4, Message("an iBeacon's major and minor number"))
    major = UInt16(truncatingIfNeeded: numbers.prefix(2).bigEndian)
    minor = UInt16(truncatingIfNeeded: numbers.suffix(2).bigEndian)
    powerAtOneMeterDBm = try reader.signedByte(Message("an iBeacon's power at one metre"))
  }

  /// What a tag that sends this is known by.
  public var identity: TagIdentity { .iBeacon(uuid: uuid, major: major, minor: minor) }
}

/// An AltBeacon: a number of 20 bytes and the strength at which it is heard from one metre.
///
///     offset  0.1   2........21  22     23
///     field   mark  number       power  maker's own
///     bytes   beac  d316…0005    c4     00
///
/// Behind any company.
///
/// - Source: AltBeacon Protocol Specification 1.0.
public struct AltBeacon: Hashable, Sendable {
  /// The beacon's number.
  public var id: AltBeaconID
  /// How strong it is received from one metre, in dBm.
  public var powerAtOneMeterDBm: Int8
  /// The number of the maker.
  public var company: UInt16

  /// Nil when it is something else: the mark is short, and other companies may use it for other things.
  init?(_ data: ManufacturerData) {
    guard data.bytes.count >= 23, data.bytes.starts(with: [0xBE, 0xAC]),
      let id = AltBeaconID(bytes: data.bytes[2..<22])
    else { return nil }
    self.id = id
    powerAtOneMeterDBm = Int8(bitPattern: data.bytes[22])
    company = data.company
  }

  /// What a tag that sends this is known by.
  public var identity: TagIdentity { .altBeacon(id) }
}
