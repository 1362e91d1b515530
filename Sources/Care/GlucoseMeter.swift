public import Bytes
public import JSON

/// A glucose meter or continuous monitor that belongs to a resident.
public struct GlucoseMeter: Hashable, Sendable {
  /// The address by which it was paired.
  public var address: BluetoothAddress
  /// Whose readings it holds.
  public var resident: ResidentID
  /// What people call it, 1 through 200 characters.
  public var name: String

  /// A meter from its parts; the parts are checked by the command that brings them.
  public init(address: BluetoothAddress, resident: ResidentID, name: String) {
    self.address = address
    self.resident = resident
    self.name = name
  }
}

extension GlucoseMeter: JSONCodable {
  /// Reads `{"address": "A4:C1:38:8D:18:B2", "resident": …, "name": …}`; `/random` behind an address that the device drew.
  ///
  /// - Throws: ``DecodeError`` naming the member that is missing or does not fit.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      address: try reader.bluetoothAddress("address"),
      resident: ResidentID(try reader.string("resident")), name: try reader.string("name"))
  }

  /// The meter as an object.
  public var json: JSONValue {
    [
      "address": .string(address.written), "resident": .string(resident.rawValue),
      "name": .string(name),
    ]
  }
}

extension BluetoothAddress {
  /// An address as people write it, with `/random` behind one that its device drew; nil when it is none.
  public init?(written text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count == 1 || ["public", "random"].contains(parts[1])
    else { return nil }
    self.init(first, kind: parts.last == "random" ? .random : .public)
  }

  /// The address as people write it: `C0:11:22:33:44:55/random`, without an end for a public one.
  public var written: String { text + (kind == .random ? "/random" : "") }
}

extension JSONReader {
  /// The member as a Bluetooth address.
  ///
  /// - Throws: ``DecodeError`` naming the member when it is missing or no address.
  public func bluetoothAddress(_ name: String) throws(DecodeError) -> BluetoothAddress {
    guard let address = BluetoothAddress(written: try string(name)) else {
      throw error(.outOfRange, name)
    }
    return address
  }
}
