import Bytes
public import Texts

/// Why a text is no ``TagIdentity``.
public enum TagIdentityFault: Error, Hashable, Sendable {
  /// It does not begin with one of the known words.
  case unknownKind(String)
  /// No address stands where one is needed.
  case noAddress(String)
  /// The address is one that its device changes.
  case changingAddress(String)
  /// No numbers of an iBeacon.
  case noIBeacon
  /// No numbers of an Eddystone beacon.
  case noEddystone
  /// No number of an AltBeacon.
  case noAltBeacon
  /// No key of 32 digits.
  case noKey

  /// What is wrong, and what to write instead.
  public var message: Message {
    switch self {
    case .unknownKind(let word):
      Message(
        "A tag is known by address:…, ibeacon:…, eddystone:…, altbeacon:…, irk:… or bthome:…, not by \"{word}\".",
        ["word": word])
    case .noAddress(let text):
      Message(
        "\"{text}\" is no Bluetooth address. Write it like A4:C1:38:8D:18:B2, with /random behind it where the device drew it itself.",
        ["text": text])
    case .changingAddress(let text):
      Message(
        "{text} is an address that its device changes every few minutes. Use its identity resolving key, irk:…, or another tag.",
        ["text": text])
    case .noIBeacon:
      Message(
        "An iBeacon is written with its UUID, major and minor number: ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0"
      )
    case .noEddystone:
      Message(
        "An Eddystone beacon is written with 20 digits of its namespace and 12 of its instance: eddystone:626c7565636861726d31:000000000001"
      )
    case .noAltBeacon:
      Message(
        "An AltBeacon is written with the 40 hexadecimal digits of its number: altbeacon:d3162f5af3ee494799db09756062d0fc005a0005"
      )
    case .noKey:
      Message("A key has 32 hexadecimal digits and nothing between them.")
    }
  }
}

extension TagIdentity {
  /// An identity as written.
  ///
  /// - Throws: ``TagIdentityFault``, whose message says what to write.
  public init(_ text: some StringProtocol) throws(TagIdentityFault) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first.map({ $0.lowercased() }) ?? "" {
    case "address": self = .address(try Self.lastingAddress(rest))
    case "ibeacon": self = try Self.iBeacon(rest)
    case "eddystone": self = try Self.eddystone(rest)
    case "altbeacon":
      guard let id = Hexadecimal.bytes(rest).flatMap({ AltBeaconID(bytes: $0) }) else {
        throw .noAltBeacon
      }
      self = .altBeacon(id)
    case "irk": self = .resolvingKey(try Self.key(rest))
    case "bthome": self = try Self.bthome(rest)
    default: throw .unknownKind(String(text.prefix { $0 != ":" }))
    }
  }

  private static func lastingAddress(
    _ text: String
  ) throws(TagIdentityFault) -> BluetoothAddress {
    let isRandom = text.lowercased().hasSuffix("/random")
    let digits = isRandom ? text.dropLast("/random".count) : text[...]
    guard let address = BluetoothAddress(digits, kind: isRandom ? .random : .public) else {
      throw .noAddress(text)
    }
    guard address.isLasting else { throw .changingAddress(address.text) }
    return address
  }

  private static func iBeacon(_ text: String) throws(TagIdentityFault) -> TagIdentity {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let digits: ClosedRange<UInt8> = 0x30...0x39
    guard parts.count == 3, parts[0].utf8.count == 36, let uuid = BluetoothUUID(parts[0]),
      parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { digits.contains($0) } }),
      let major = UInt16(parts[1]), let minor = UInt16(parts[2])
    else { throw .noIBeacon }
    return .iBeacon(uuid: uuid, major: major, minor: minor)
  }

  private static func eddystone(_ text: String) throws(TagIdentityFault) -> TagIdentity {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [20, 12],
      let id = Hexadecimal.bytes(parts.joined()).flatMap({ EddystoneID(bytes: $0) })
    else { throw .noEddystone }
    return .eddystone(id)
  }

  /// An address has five colons; a key stands behind the sixth.
  private static func bthome(_ text: String) throws(TagIdentityFault) -> TagIdentity {
    let parts = text.split(separator: ":", maxSplits: 6, omittingEmptySubsequences: false)
    let address = try lastingAddress(parts.prefix(6).joined(separator: ":"))
    return .bthome(address, key: parts.count == 7 ? try key(String(parts[6])) : nil)
  }

  private static func key(_ text: String) throws(TagIdentityFault) -> AES128Key {
    guard let key = AES128Key(text) else { throw .noKey }
    return key
  }
}
