import BluetoothKeys
import Bytes
import Care

/// One advertisement as the radio gives it, with the household's tag that sent it.
struct RadioPacket {
  var bytes: [UInt8]
  var sender: BluetoothAddress
  /// nil for a stranger's.
  var tag: Int?
}

/// The devices around a house, made up from a seed: the household's tags, and strangers' telephones, tags and sensors.
struct RadioCrowd {
  static let tags = 30

  /// What each of the household's tags is known by, in the order of their numbers.
  private(set) var identities: [TagIdentity] = []
  /// One advertisement of each device, in the order in which they are heard.
  private(set) var packets: [RadioPacket] = []
  private var chance = SplitMix64(seed: 1)
  private let cipher = MbedCipher()

  init(devices count: Int) throws {
    for number in 0..<Self.tags { try addTag(number) }
    while packets.count < count { packets.append(try stranger(packets.count)) }
    packets.shuffle(using: &chance)
  }

  private mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
  }

  // MARK: The household's

  /// Of ten tags four are iBeacons, two each Eddystone beacons, key finders and buttons; and three of all are telephones.
  private mutating func addTag(_ number: Int) throws {
    let (identity, packet) =
      number < 3 ? try telephone() : number == 3 ? try sealedSensor() : try tag(number)
    identities.append(identity)
    packets.append(RadioPacket(bytes: packet.bytes, sender: packet.sender, tag: number))
  }

  private mutating func tag(_ number: Int) throws -> (TagIdentity, RadioPacket) {
    switch number % 5 {
    case 0, 1:
      let body = octets(20)
      let identity = TagIdentity.iBeacon(
        uuid: try found(BluetoothUUID(octets: body.prefix(16).reversed())),
        major: UInt16(body[16]) << 8 | UInt16(body[17]),
        minor: UInt16(body[18]) << 8 | UInt16(body[19]))
      return (identity, try packet(Self.iBeacon(body)))
    case 2:
      let id = octets(16)
      let frame = Self.structure(0x16, [0xAA, 0xFE, 0x00, 0xEE] + id + [0, 0])
      let identity = TagIdentity.eddystone(try found(EddystoneID(bytes: id)))
      return (identity, try packet(Self.flags + [3, 3, 0xAA, 0xFE] + frame))
    case 3:
      let finder = try packet(Self.flags + Self.structure(0x09, Array("iTAG  ".utf8)))
      return (.address(finder.sender), finder)
    default:
      let button = try packet(
        Self.flags + Self.structure(0x16, [0xD2, 0xFC, 0x44, 0x00, 0x09, 0x01, 0x61, 0x3A, 0x00]))
      return (.bthome(button.sender, key: nil), button)
    }
  }

  private mutating func telephone() throws -> (TagIdentity, RadioPacket) {
    let key = try found(AES128Key(bytes: octets(16)))
    var random = octets(3)
    random[2] = random[2] & 0x3F | 0x40
    let block = [UInt8](repeating: 0, count: 13) + random.reversed()
    let hash = try found(cipher.encrypt(block, key: key)).suffix(3).reversed()
    let sender = try found(BluetoothAddress(octets: hash + random, kind: .random))
    return (.resolvingKey(key), RadioPacket(bytes: continuity(), sender: sender))
  }

  /// The example of bthome.io's page on encryption.
  private func sealedSensor() throws -> (TagIdentity, RadioPacket) {
    let sender = try found(BluetoothAddress("54:48:E6:8F:80:A5"))
    let key = try found(AES128Key("231d39c1d7cc1ab1aee224cd096db932"))
    let frame = try found(Hexadecimal.bytes("d2fc41e445f3c9962b332211006c7c4519"))
    return (
      .bthome(sender, key: key),
      RadioPacket(bytes: Self.flags + Self.structure(0x16, frame), sender: sender)
    )
  }

  // MARK: Strangers

  /// Of ten five are telephones and watches, two tags of a network, and one each a beacon, a sensor and a thing with a name.
  private mutating func stranger(_ number: Int) throws -> RadioPacket {
    switch number % 10 {
    case 0, 1, 2, 3, 4: return try packet(continuity(), highBits: 0x40)
    case 5, 6:
      let tag = [0x4C, 0x00, 0x12, 0x19, 0x10] + octets(22) + [0x01, 0x00]
      return try packet(Self.structure(0xFF, tag), highBits: 0xC0)
    case 7: return try packet(Self.iBeacon(octets(20)))
    case 8:
      let sensor = Self.structure(0x16, [0xD2, 0xFC, 0x40, 0x01, 0x61, 0x02] + octets(2))
      return try packet(Self.flags + sensor)
    default:
      let name = Self.structure(0x09, Array("LE-thing \(number)".utf8))
      return try packet(Self.flags + [3, 3, 0x0F, 0x18] + name, highBits: 0xC0)
    }
  }

  /// What a telephone says of itself.
  private mutating func continuity() -> [UInt8] {
    Self.flags + [2, 0x0A, 0x0C] + Self.structure(0xFF, [0x4C, 0x00, 0x10, 0x05] + octets(5))
  }

  /// A packet of a new device; with high bits its address is a random one.
  private mutating func packet(_ bytes: [UInt8], highBits: UInt8? = nil) throws -> RadioPacket {
    var address = octets(6)
    if let highBits { address[5] = address[5] & 0x3F | highBits }
    let sender = BluetoothAddress(octets: address, kind: highBits == nil ? .public : .random)
    return RadioPacket(bytes: bytes, sender: try found(sender))
  }

  // MARK: Bytes

  private static let flags: [UInt8] = [2, 1, 6]

  private static func structure(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    [UInt8(body.count + 1), type] + body
  }

  private static func iBeacon(_ body: [UInt8]) -> [UInt8] {
    flags + structure(0xFF, [0x4C, 0x00, 0x02, 0x15] + body + [0xC5])
  }

  private func found<Part>(_ part: Part?) throws -> Part {
    guard let part else { throw BenchmarkFailure("the crowd cannot be made up") }
    return part
  }
}
