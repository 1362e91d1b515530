import Bytes
public import Care
import Moments
import Texts

/// One frame of an Eddystone beacon, in the service data of FEAA.
///
///     offset  0     1      2........
///     UID     00    power  namespace (10), instance (6), reserved (2, may be missing)
///     URL     10    power  scheme, then characters and codes of endings
///     TLM     20    00     battery (2), temperature (2), advertisements (4), time (4)
///     eTLM    20    01     what is encrypted (12), salt (2), check (2)
///     EID     30    power  changing number (8)
///
/// Highest byte first; powers are at zero metres.
///
/// - Source: Google, eddystone repository: protocol-specification.md and the folders eddystone-uid, -url, -tlm, -eid.
public enum EddystoneFrame: Hashable, Sendable {
  /// The beacon's lasting number.
  case identity(EddystoneID, powerAtZeroMetersDBm: Int8)
  /// An address in the web.
  case url(String, powerAtZeroMetersDBm: Int8)
  /// How the beacon is.
  case telemetry(Telemetry)
  /// How the beacon is, for its owner only.
  case encryptedTelemetry(cipherText: [UInt8], salt: UInt16, check: UInt16)
  /// A number that changes and that only its owner can resolve: no identity.
  case ephemeralIdentity([UInt8], powerAtZeroMetersDBm: Int8)

  /// How a beacon is.
  public struct Telemetry: Hashable, Sendable {
    /// Voltage of its battery; nil when it cannot tell.
    public var batteryMillivolts: Int?
    /// Its temperature in degrees Celsius, to 1/256; nil when it cannot tell.
    public var celsius: Double?
    /// Advertisements since it was started.
    public var advertisementCount: UInt32
    /// Tenths of a second since it was started.
    public var uptimeTenths: UInt32
  }

  static let service = BluetoothUUID(0xFEAA)

  /// Nil for the frames 40 and 41, which are Google's network and no beacons; see ``ChangingTag``.
  init?(_ data: ServiceData) throws(AdvertisementFault) {
    var reader = ByteReader(data.bytes, at: data.offset)
    let place = reader.offset
    let kind = try reader.byte(Message("a kind of Eddystone frame: 00, 10, 20, 30, 40 or 41"))
    switch kind {
    case 0x00: self = try Self.identity(&reader)
    case 0x10: self = try Self.url(&reader)
    case 0x20: self = try Self.telemetry(&reader)
    case 0x30:
      let power = try Self.power(&reader)
      let number = try reader.take(8, Message("the 8 bytes of an Eddystone beacon's number"))
      self = .ephemeralIdentity(Array(number), powerAtZeroMetersDBm: power)
    case 0x40, 0x41: return nil
    default:
      throw AdvertisementFault(
        .unknownWord, at: place,
        Message("a kind of Eddystone frame: 00, 10, 20, 30, 40 or 41"))
    }
  }

  private static func power(_ reader: inout ByteReader) throws(AdvertisementFault) -> Int8 {
    try reader.signedByte(Message("an Eddystone beacon's power at zero metres"))
  }

  private static func identity(_ reader: inout ByteReader) throws(AdvertisementFault) -> Self {
    let power = try power(&reader)
    let expected = Message("an Eddystone beacon's namespace of 10 bytes and instance of 6")
    let bytes = try reader.take(16, expected)
    guard let id = EddystoneID(bytes: bytes) else {
      throw AdvertisementFault(.truncated, at: reader.offset, expected)
    }
    return .identity(id, powerAtZeroMetersDBm: power)
  }

  private static func telemetry(_ reader: inout ByteReader) throws(AdvertisementFault) -> Self {
    let place = reader.offset
    let version = try reader.byte(
      Message("00, a beacon's plain state, or 01, an encrypted one"))
    switch version {
    case 0:
      let fields = Array(try reader.take(12, Message("the 12 bytes of a beacon's state")))
      let battery = fields[0..<2].bigEndian
      let heat = Int16(truncatingIfNeeded: fields[2..<4].bigEndian)
      return .telemetry(
        Telemetry(
          batteryMillivolts: battery == 0 ? nil : Int(truncatingIfNeeded: battery),
          celsius: heat == .min ? nil : Double(heat) / 256,
          advertisementCount: UInt32(truncatingIfNeeded: fields[4..<8].bigEndian),
          uptimeTenths: UInt32(truncatingIfNeeded: fields[8..<12].bigEndian)))
    case 1:
      let fields = Array(try reader.take(16, Message("the 16 bytes of a beacon's encrypted state")))
      return .encryptedTelemetry(
        cipherText: Array(fields[0..<12]),
        salt: UInt16(truncatingIfNeeded: fields[12..<14].bigEndian),
        check: UInt16(truncatingIfNeeded: fields[14..<16].bigEndian))
    default:
      throw AdvertisementFault(
        .unknownWord, at: place, Message("00, a beacon's plain state, or 01, an encrypted one"))
    }
  }

  private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
  private static let endings = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]

  private static func url(_ reader: inout ByteReader) throws(AdvertisementFault) -> Self {
    let power = try power(&reader)
    let place = reader.offset
    let scheme = Int(try reader.byte(Message("a code of http or https, 00 through 03")))
    guard scheme < schemes.count else {
      throw AdvertisementFault(
        .unknownWord, at: place, Message("a code of http or https, 00 through 03"))
    }
    var text = schemes[scheme]
    while !reader.isAtEnd {
      let place = reader.offset
      let byte = try reader.byte(Message("a character of a web address"))
      switch byte {
      case 0..<7: text += endings[Int(byte)] + "/"
      case 7..<14: text += endings[Int(byte) - 7]
      case 0x21...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        throw AdvertisementFault(
          .unexpectedByte, at: place, Message("a character of a web address"))
      }
    }
    return .url(text, powerAtZeroMetersDBm: power)
  }
}
