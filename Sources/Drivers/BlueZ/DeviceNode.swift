import Care
import DBus
import Moments
import Ports

/// A device as bluetoothd describes it.
struct DeviceNode: Hashable {
  /// A characteristic and the service that it belongs to.
  struct Characteristic: Hashable {
    var uuid: BluetoothUUID
    var properties: GATTCharacteristic.Properties
    var service: String
  }

  private static let mostEntries = 32
  private static let mostOctets = 1650
  private static let mostAttributes = 500
  private static let mostNameCharacters = 248

  let adapter: String
  private(set) var address: BluetoothAddress
  private var isPaired = false
  private var hasKeys: Bool?
  private(set) var isConnected = false
  private(set) var isResolved = false
  private(set) var rssi: Int?
  private(set) var advertisement = BluetoothAdvertisement()
  private(set) var lastHeard: Tick?
  var batteryPercent: Int?
  private(set) var services: [String: BluetoothUUID] = [:]
  private(set) var secondary: Set<String> = []
  private(set) var characteristics: [String: Characteristic] = [:]

  /// Whether keys are kept; older ones of bluetoothd only say that they were exchanged.
  var isBonded: Bool { hasKeys ?? isPaired }

  /// A device that is nothing but its address yet; nil without one.
  init?(adapter: String, _ properties: BusValue) {
    guard let address = Self.address(properties, kind: nil) else { return nil }
    self.adapter = adapter
    self.address = address
  }

  private static func address(_ properties: BusValue, kind: BluetoothAddress.Kind?)
    -> BluetoothAddress?
  {
    let stated = properties["AddressType"]?.text.flatMap(BluetoothAddress.Kind.init(rawValue:))
    return properties["Address"]?.text.flatMap {
      BluetoothAddress($0, kind: stated ?? kind ?? .public)
    }
  }

  /// Takes properties, and says what followed.
  mutating func take(
    _ properties: BusValue, invalidated: [String], path: String, at now: Tick
  ) -> [ObjectTree.Change] {
    let before = self
    takeFacts(properties)
    if invalidated.contains("RSSI") { rssi = nil }
    let came = takeAdvertisement(properties)
    let strength = properties["RSSI"]?.integer.flatMap { (-127...20).contains($0) ? Int($0) : nil }
    var changes: [ObjectTree.Change] = []
    if before.isConnected != isConnected || before.isResolved != isResolved {
      changes.append(.connectionChanged(path))
    }
    if before.isBonded != isBonded { changes.append(.deviceChanged(path)) }
    if strength != nil || came.contains(.serviceData) || came.contains(.manufacturerData) {
      if let strength { rssi = strength }
      lastHeard = now
      changes.append(
        .sighting(
          BluetoothSighting(
            address: address, adapter: BlueZName.name(of: adapter), rssi: rssi,
            advertisement: advertisement, came: came, tick: now)))
    }
    return changes
  }

  private mutating func takeFacts(_ properties: BusValue) {
    if let address = Self.address(properties, kind: address.kind) { self.address = address }
    if let flag = properties["Paired"]?.flag { isPaired = flag }
    if let flag = properties["Bonded"]?.flag { hasKeys = flag }
    if let flag = properties["Connected"]?.flag { isConnected = flag }
    if let flag = properties["ServicesResolved"]?.flag { isResolved = flag }
  }

  private mutating func takeAdvertisement(_ properties: BusValue) -> BluetoothSighting.Parts {
    var came: BluetoothSighting.Parts = []
    if let name = properties["Name"]?.text {
      advertisement.name = String(name.prefix(Self.mostNameCharacters))
      came.insert(.others)
    }
    if let power = properties["TxPower"]?.integer, (-127...127).contains(power) {
      advertisement.txPower = Int(power)
      came.insert(.others)
    }
    if let flags = properties["AdvertisingFlags"]?.bytes {
      advertisement.flags = Array(flags.prefix(Self.mostEntries))
      came.insert(.others)
    }
    if let services = properties["UUIDs"] {
      advertisement.services = services.list.prefix(Self.mostEntries).compactMap {
        $0.text.flatMap { BluetoothUUID($0) }
      }
      came.insert(.others)
    }
    for (key, octets) in Self.entries(properties["ServiceData"]) {
      guard let uuid = BluetoothUUID(key) else { continue }
      came.insert(.serviceData)
      guard
        advertisement.serviceData[uuid] != nil
          || advertisement.serviceData.count < Self.mostEntries
      else { continue }
      advertisement.serviceData[uuid] = octets
    }
    for (key, octets) in Self.entries(properties["ManufacturerData"]) {
      guard let company = UInt16(key) else { continue }
      came.insert(.manufacturerData)
      guard
        advertisement.manufacturerData[company] != nil
          || advertisement.manufacturerData.count < Self.mostEntries
      else { continue }
      advertisement.manufacturerData[company] = octets
    }
    return came
  }

  private static func entries(_ map: BusValue?) -> [(String, [UInt8])] {
    guard let map else { return [] }
    return map.map.keys.sorted().compactMap { key in
      map[key]?.bytes.map { (key, Array($0.prefix(mostOctets))) }
    }
  }

  // MARK: What it can do

  mutating func addAttribute(_ path: String, _ interface: String, _ properties: BusValue) {
    guard services.count + characteristics.count < Self.mostAttributes,
      let uuid = properties["UUID"]?.text.flatMap({ BluetoothUUID($0) })
    else { return }
    if interface == BlueZName.service {
      services[path] = uuid
      if properties["Primary"]?.flag == false { secondary.insert(path) }
    } else if let service = properties["Service"]?.text {
      characteristics[path] = Characteristic(
        uuid: uuid, properties: Self.properties(properties["Flags"]), service: service)
    }
  }

  mutating func removeAttribute(_ path: String) {
    services[path] = nil
    secondary.remove(path)
    characteristics[path] = nil
  }

  private static func properties(_ flags: BusValue?) -> GATTCharacteristic.Properties {
    var properties: GATTCharacteristic.Properties = []
    for flag in flags?.list ?? [] {
      switch flag.text {
      case "read": properties.insert(.read)
      case "write-without-response": properties.insert(.writeWithoutResponse)
      case "write": properties.insert(.write)
      case "notify": properties.insert(.notify)
      case "indicate": properties.insert(.indicate)
      default: continue
      }
    }
    return properties
  }

  /// The services in the order of their handles, which their paths end in.
  var gattServices: [GATTService] {
    services.keys.sorted().compactMap { path in
      guard let uuid = services[path] else { return nil }
      let members = characteristics.filter { $0.value.service == path }.sorted { $0.key < $1.key }
      return GATTService(
        uuid: uuid, isPrimary: !secondary.contains(path),
        characteristics: members.map {
          GATTCharacteristic(
            id: GATTCharacteristicID($0.key), uuid: $0.value.uuid, properties: $0.value.properties)
        })
    }
  }
}
