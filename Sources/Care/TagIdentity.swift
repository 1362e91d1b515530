public import Bytes
public import JSON

/// What a tag is known by: something in what it sends that stays the same while its neighbours' differs.
///
/// It is written as one text, in the configuration, on the command line and in JSON alike:
///
///     address:A4:C1:38:8D:18:B2                      a lasting address
///     address:C0:11:22:33:44:55/random               one that the device drew for good
///     ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:100:0
///     eddystone:626c7565636861726d31:000000000001    namespace and instance
///     altbeacon:d3162f5af3ee494799db09756062d0fc005a0005
///     irk:ec0234a357c8ad05341010a60a397d9b           of a telephone or watch whose address changes
///     bthome:54:48:E6:8F:80:A5:231d39c1d7cc1ab1aee224cd096db932
///
/// Who hears a plain identity can send it as well: only `irk` and `bthome` with a key are hard to imitate.
public enum TagIdentity: Hashable, Sendable {
  /// An address that the device keeps.
  case address(BluetoothAddress)
  /// The three numbers of an iBeacon.
  case iBeacon(uuid: BluetoothUUID, major: UInt16, minor: UInt16)
  /// The two numbers of an Eddystone beacon.
  case eddystone(EddystoneID)
  /// The number of an AltBeacon.
  case altBeacon(AltBeaconID)
  /// The identity resolving key of a device whose address changes.
  case resolvingKey(AES128Key)
  /// A BTHome device at a lasting address; with a key only what opens with it counts.
  case bthome(BluetoothAddress, key: AES128Key?)
}

/// The number that an AltBeacon sends: 20 bytes, of which the first 16 name the owner by convention.
public struct AltBeaconID: Hashable, Sendable {
  /// The 20 bytes as they are sent.
  public let bytes: [UInt8]

  /// A number from its bytes; nil unless there are 20.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 20 else { return nil }
    self.bytes = Array(bytes)
  }
}

/// The number that an Eddystone beacon sends: a namespace of 10 bytes and an instance of 6.
public struct EddystoneID: Hashable, Sendable {
  /// The owner's 10 bytes.
  public var namespace: [UInt8] { Array(bytes.prefix(10)) }
  /// The beacon's 6 bytes.
  public var instance: [UInt8] { Array(bytes.suffix(6)) }
  /// Both, as they are sent.
  public let bytes: [UInt8]

  /// A number from namespace and instance together; nil unless there are 16 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }
}

extension TagIdentity: CustomStringConvertible {
  /// The identity as written, with stars for a key.
  public var description: String { written { _ in "********" } }

  /// The identity as written, with its key: for the place where it is kept, never for a log.
  public var text: String { written(key: \.hexadecimal) }

  private func written(key show: (AES128Key) -> String) -> String {
    switch self {
    case .address(let address): "address:\(address.written)"
    case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid.text):\(major):\(minor)"
    case .eddystone(let id):
      "eddystone:\(Hexadecimal.text(id.namespace)):\(Hexadecimal.text(id.instance))"
    case .altBeacon(let id): "altbeacon:\(Hexadecimal.text(id.bytes))"
    case .resolvingKey(let key): "irk:\(show(key))"
    case .bthome(let address, let key):
      "bthome:\(address.written)" + (key.map { ":" + show($0) } ?? "")
    }
  }
}

extension TagIdentity: JSONCodable {
  /// Reads the text.
  public init(json: JSONValue) throws(DecodeError) {
    guard let text = json.stringContent else { throw DecodeError(.wrongType, at: 0) }
    do throws(TagIdentityFault) { try self.init(text) } catch {
      throw DecodeError(.unknownWord, at: 0, field: "identity")
    }
  }

  /// The text, with its key.
  public var json: JSONValue { .string(text) }
}
