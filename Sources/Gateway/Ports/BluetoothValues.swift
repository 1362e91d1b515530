public import Care
public import Moments

/// What a device says of itself in advertisements, as far as it was heard yet.
public struct BluetoothAdvertisement: Hashable, Sendable {
  /// The name, complete or shortened.
  public var name: String?
  /// The power at which it sends, in dBm.
  public var txPower: Int?
  /// The octets of the flags; empty when there are none.
  public var flags: [UInt8]
  /// Services that it names.
  public var services: [BluetoothUUID]
  /// Data by service.
  public var serviceData: [BluetoothUUID: [UInt8]]
  /// Data by company identifier.
  public var manufacturerData: [UInt16: [UInt8]]

  /// An advertisement from its parts.
  public init(
    name: String? = nil, txPower: Int? = nil, flags: [UInt8] = [], services: [BluetoothUUID] = [],
    serviceData: [BluetoothUUID: [UInt8]] = [:], manufacturerData: [UInt16: [UInt8]] = [:]
  ) {
    self.name = name
    self.txPower = txPower
    self.flags = flags
    self.services = services
    self.serviceData = serviceData
    self.manufacturerData = manufacturerData
  }
}

/// One advertisement as it was heard.
public struct BluetoothSighting: Hashable, Sendable {
  /// Parts of an advertisement.
  public struct Parts: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt8
    /// A set from raw bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// ``BluetoothAdvertisement/serviceData``
    public static let serviceData = Parts(rawValue: 1)
    /// ``BluetoothAdvertisement/manufacturerData``
    public static let manufacturerData = Parts(rawValue: 2)
    /// Name, services, flags or power.
    public static let others = Parts(rawValue: 4)
  }

  /// Who sent it.
  public var address: BluetoothAddress
  /// The adapter that heard it, such as `hci0`.
  public var adapter: String
  /// How strongly it came in, in dBm; nil when the adapter does not say.
  public var rssi: Int?
  /// All that is known from advertisements of the device; see ``came`` for what this one brought.
  public var advertisement: BluetoothAdvertisement
  /// What came with this one; the rest was heard before.
  public var came: Parts
  /// When it was heard.
  public var tick: Tick

  /// A sighting from its parts.
  public init(
    address: BluetoothAddress, adapter: String, rssi: Int?, advertisement: BluetoothAdvertisement,
    came: Parts, tick: Tick
  ) {
    self.address = address
    self.adapter = adapter
    self.rssi = rssi
    self.advertisement = advertisement
    self.came = came
    self.tick = tick
  }
}

/// A radio of this machine.
public struct BluetoothAdapter: Hashable, Sendable {
  /// How it does.
  public enum Condition: String, Hashable, Sendable, CaseIterable {
    /// It is being switched on.
    case starting
    /// It listens.
    case listening
    /// The system's radio switch (rfkill) keeps it off.
    case blocked
    /// Homeward may not use it.
    case forbidden
    /// It refuses what it is asked for, and is asked again later.
    case refusing
    /// It does not answer, and is switched off and on.
    case hung
  }

  /// Its name, such as `hci0`.
  public var name: String
  /// Its own address; nil when unknown.
  public var address: BluetoothAddress?
  /// How it does.
  public var condition: Condition

  /// An adapter from its parts.
  public init(name: String, address: BluetoothAddress?, condition: Condition) {
    self.name = name
    self.address = address
    self.condition = condition
  }
}

/// A device that was heard, or is bonded.
public struct BluetoothDevice: Hashable, Sendable {
  /// Its address.
  public var address: BluetoothAddress
  /// The adapters that know it, in order of their names.
  public var adapters: [String]
  /// Its name as it gives it; nil when unknown.
  public var name: String?
  /// Whether keys are kept, so that it and the gateway know each other again.
  public var isBonded: Bool
  /// Whether there is a connection.
  public var isConnected: Bool
  /// The strength at which it was heard last, in dBm; nil when it was not heard.
  public var rssi: Int?
  /// When it was heard last; nil when it was not heard since the start.
  public var lastHeard: Tick?
  /// Charge of its battery in percent, as it reported over a connection; nil when unknown.
  public var batteryPercent: Int?
  /// Services that it is known to have.
  public var services: [BluetoothUUID]

  /// A device from its parts.
  public init(
    address: BluetoothAddress, adapters: [String], name: String? = nil, isBonded: Bool = false,
    isConnected: Bool = false, rssi: Int? = nil, lastHeard: Tick? = nil,
    batteryPercent: Int? = nil, services: [BluetoothUUID] = []
  ) {
    self.address = address
    self.adapters = adapters
    self.name = name
    self.isBonded = isBonded
    self.isConnected = isConnected
    self.rssi = rssi
    self.lastHeard = lastHeard
    self.batteryPercent = batteryPercent
    self.services = services
  }
}

/// Names one characteristic of a connected device; good for one connection.
public typealias GATTCharacteristicID = Identifier<GATTCharacteristic>

/// One characteristic of a connected device.
public struct GATTCharacteristic: Hashable, Sendable {
  /// What can be done with a characteristic.
  public struct Properties: OptionSet, Hashable, Sendable {
    /// The raw bits, as in the declaration of a characteristic.
    public let rawValue: UInt8
    /// A set from raw bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// It can be read.
    public static let read = Properties(rawValue: 0x02)
    /// It can be written without an answer.
    public static let writeWithoutResponse = Properties(rawValue: 0x04)
    /// It can be written.
    public static let write = Properties(rawValue: 0x08)
    /// It tells changes without asking for an answer.
    public static let notify = Properties(rawValue: 0x10)
    /// It tells changes and wants an answer.
    public static let indicate = Properties(rawValue: 0x20)
  }

  /// Its name for calls.
  public var id: GATTCharacteristicID
  /// Its kind.
  public var uuid: BluetoothUUID
  /// What can be done with it.
  public var properties: Properties

  /// A characteristic from its parts.
  public init(id: GATTCharacteristicID, uuid: BluetoothUUID, properties: Properties) {
    self.id = id
    self.uuid = uuid
    self.properties = properties
  }
}

/// One service of a connected device.
public struct GATTService: Hashable, Sendable {
  /// Its kind.
  public var uuid: BluetoothUUID
  /// Whether it is a primary one.
  public var isPrimary: Bool
  /// Its characteristics in the order of their handles.
  public var characteristics: [GATTCharacteristic]

  /// A service from its parts.
  public init(uuid: BluetoothUUID, isPrimary: Bool, characteristics: [GATTCharacteristic]) {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.characteristics = characteristics
  }
}
