public import Care

/// One structure of what a device advertises: a length, a type, and what the type says of the rest.
///
///     offset  0   1     2....
///     field   len type  body (len − 1 bytes)
///     bytes   02  01    06
///
/// - Source: Bluetooth Core Specification 5.4, volume 3, part C, section 11.
public struct ADStructure: Hashable, Sendable {
  /// What the body is, an ``ADType`` where this is a known one.
  public var type: UInt8
  /// What stands behind the type.
  public var body: [UInt8]
  /// Where its length byte stands in the whole input.
  public var offset: Int

  /// A structure from its parts.
  public init(type: UInt8, body: [UInt8], offset: Int = 0) {
    self.type = type
    self.body = body
    self.offset = offset
  }

  /// The known type.
  public var knownType: ADType? { ADType(rawValue: type) }
}

/// Types of structures that are understood here; others are passed over.
///
/// - Source: Bluetooth Assigned Numbers, section 2.3.
public enum ADType: UInt8, Hashable, Sendable, CaseIterable {
  /// What the device can do, a bit each.
  case flags = 0x01
  /// Some of the services with UUIDs of 16 bits.
  case someServices16 = 0x02
  /// All services with UUIDs of 16 bits.
  case allServices16 = 0x03
  /// Some of the services with UUIDs of 32 bits.
  case someServices32 = 0x04
  /// All services with UUIDs of 32 bits.
  case allServices32 = 0x05
  /// Some of the services with UUIDs of 128 bits.
  case someServices128 = 0x06
  /// All services with UUIDs of 128 bits.
  case allServices128 = 0x07
  /// The beginning of the name.
  case shortName = 0x08
  /// The name.
  case name = 0x09
  /// The power it sends with, in dBm.
  case transmitPower = 0x0A
  /// Data of a service with a UUID of 16 bits.
  case serviceData16 = 0x16
  /// What the device looks like.
  case appearance = 0x19
  /// Data of a service with a UUID of 32 bits.
  case serviceData32 = 0x20
  /// Data of a service with a UUID of 128 bits.
  case serviceData128 = 0x21
  /// Data as a company likes them.
  case manufacturerData = 0xFF

  /// Bytes of the UUIDs in the body; nil where it holds none.
  var uuidBytes: Int? {
    switch self {
    case .someServices16, .allServices16, .serviceData16: 2
    case .someServices32, .allServices32, .serviceData32: 4
    case .someServices128, .allServices128, .serviceData128: 16
    case .flags, .shortName, .name, .transmitPower, .appearance, .manufacturerData: nil
    }
  }

  /// A short word for programs, as `service-data-16`.
  public var word: String {
    switch self {
    case .flags: "flags"
    case .someServices16: "some-services-16"
    case .allServices16: "all-services-16"
    case .someServices32: "some-services-32"
    case .allServices32: "all-services-32"
    case .someServices128: "some-services-128"
    case .allServices128: "all-services-128"
    case .shortName: "short-name"
    case .name: "name"
    case .transmitPower: "transmit-power"
    case .serviceData16: "service-data-16"
    case .appearance: "appearance"
    case .serviceData32: "service-data-32"
    case .serviceData128: "service-data-128"
    case .manufacturerData: "manufacturer-data"
    }
  }
}

/// Data that a device advertises for one service.
public struct ServiceData: Hashable, Sendable {
  /// The service.
  public var service: BluetoothUUID
  /// Its data.
  public var bytes: [UInt8]
  /// Where the first byte of the data stands in the whole input.
  public var offset: Int

  /// Data from their parts.
  public init(service: BluetoothUUID, bytes: [UInt8], offset: Int = 0) {
    self.service = service
    self.bytes = bytes
    self.offset = offset
  }
}

/// Data that a device advertises as its maker likes.
public struct ManufacturerData: Hashable, Sendable {
  /// The number of the company, from the Bluetooth SIG's list.
  public var company: UInt16
  /// The data behind that number.
  public var bytes: [UInt8]
  /// Where the first byte of the data stands in the whole input.
  public var offset: Int

  /// Data from their parts.
  public init(company: UInt16, bytes: [UInt8], offset: Int = 0) {
    self.company = company
    self.bytes = bytes
    self.offset = offset
  }
}
