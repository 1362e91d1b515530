import Care
import DBus
import Moments
import Ports

/// What bluetoothd has, kept from its signals: adapters, devices, and what connected devices can do.
///
/// At most 500 devices beside those that are bonded, connected or in use: the one heard longest ago makes room.
struct ObjectTree {
  static let mostDevices = 500
  static let mostAdapters = 16

  /// What followed from one message.
  enum Change: Hashable {
    case adapterCame(String)
    case adapterGone(String)
    case powerChanged(String)
    case discoveryChanged(String)
    case sighting(BluetoothSighting)
    /// Bond or battery.
    case deviceChanged(String)
    /// Connected or not, services known or not.
    case connectionChanged(String)
    case deviceGone(String, BluetoothAddress)
    case valueChanged(characteristic: String, [UInt8])
    /// Something changed with a device that made room for others before.
    case unknownDevice(String)
  }

  private(set) var adapters: [String: AdapterNode] = [:]
  private(set) var devices: [String: DeviceNode] = [:]
  /// Devices that stay even when it gets crowded.
  var pinned: Set<String> = []

  /// Takes everything anew, as `GetManagedObjects` answers it; what was heard before is not heard again.
  mutating func replace(with objects: BusValue, at now: Tick) -> [Change] {
    (adapters, devices) = ([:], [:])
    // A parent's path is shorter than its children's and goes before them.
    return objects.map.keys.sorted().flatMap { path in
      add(path, objects[path] ?? .other, at: now).filter {
        if case .sighting = $0 { false } else { true }
      }
    }
  }

  /// Takes what `InterfacesAdded` says.
  mutating func add(_ path: String, _ interfaces: BusValue, at now: Tick) -> [Change] {
    var changes: [Change] = []
    if let properties = interfaces[BlueZName.adapter] {
      if adapters[path] == nil, adapters.count < Self.mostAdapters {
        adapters[path] = AdapterNode()
        changes.append(.adapterCame(path))
      }
      changes += change(path, BlueZName.adapter, properties, at: now)
    }
    if interfaces[BlueZName.monitorManager] != nil { adapters[path]?.offersMonitors = true }
    if let properties = interfaces[BlueZName.device] {
      changes += addDevice(path, properties, at: now)
    }
    if let properties = interfaces[BlueZName.battery] {
      changes += change(path, BlueZName.battery, properties, at: now)
    }
    for interface in [BlueZName.service, BlueZName.characteristic] {
      guard let properties = interfaces[interface], let device = BlueZName.devicePath(of: path)
      else {
        continue
      }
      devices[device]?.addAttribute(path, interface, properties)
    }
    return changes
  }

  private mutating func addDevice(_ path: String, _ properties: BusValue, at now: Tick) -> [Change]
  {
    if devices[path] == nil {
      guard let adapter = BlueZName.adapterPath(of: path), adapters[adapter] != nil,
        let node = DeviceNode(adapter: adapter, properties)
      else { return [] }
      makeRoom()
      devices[path] = node
    }
    return change(path, BlueZName.device, properties, at: now)
  }

  private mutating func makeRoom() {
    guard devices.count >= Self.mostDevices else { return }
    let transient = devices.filter { path, node in
      !node.isBonded && !node.isConnected && !pinned.contains(path)
    }
    guard transient.count >= Self.mostDevices else { return }
    let oldest = transient.min { one, other in
      let (first, second) = (one.value.lastHeard, other.value.lastHeard)
      if first != second { return (first?.nanoseconds ?? .min) < (second?.nanoseconds ?? .min) }
      return one.key < other.key
    }
    if let oldest { devices[oldest.key] = nil }
  }

  /// Takes what `InterfacesRemoved` says.
  mutating func remove(_ path: String, _ interfaces: [String]) -> [Change] {
    var changes: [Change] = []
    if interfaces.contains(BlueZName.adapter), adapters.removeValue(forKey: path) != nil {
      let children = devices.keys.filter { BlueZName.adapterPath(of: $0) == path }.sorted()
      changes += children.flatMap { remove($0, [BlueZName.device]) }
      changes.append(.adapterGone(path))
    }
    if interfaces.contains(BlueZName.monitorManager) { adapters[path]?.offersMonitors = false }
    if interfaces.contains(BlueZName.device), let node = devices.removeValue(forKey: path) {
      changes.append(.deviceGone(path, node.address))
    }
    if interfaces.contains(BlueZName.battery), devices[path]?.batteryPercent != nil {
      devices[path]?.batteryPercent = nil
      changes.append(.deviceChanged(path))
    }
    if interfaces.contains(BlueZName.service) || interfaces.contains(BlueZName.characteristic),
      let device = BlueZName.devicePath(of: path)
    {
      devices[device]?.removeAttribute(path)
    }
    return changes
  }

  /// Takes what `PropertiesChanged` says.
  mutating func change(
    _ path: String, _ interface: String, _ properties: BusValue, invalidated: [String] = [],
    at now: Tick
  ) -> [Change] {
    switch interface {
    case BlueZName.adapter: return changeAdapter(path, properties)
    case BlueZName.device:
      guard var node = devices[path] else {
        let isOurs = BlueZName.adapterPath(of: path).map { adapters[$0] != nil } ?? false
        return isOurs ? [.unknownDevice(path)] : []
      }
      defer { devices[path] = node }
      return node.take(properties, invalidated: invalidated, path: path, at: now)
    case BlueZName.battery:
      guard let percent = properties["Percentage"]?.integer, (0...100).contains(percent),
        devices[path] != nil, devices[path]?.batteryPercent != Int(percent)
      else { return [] }
      devices[path]?.batteryPercent = Int(percent)
      return [.deviceChanged(path)]
    case BlueZName.characteristic:
      guard let octets = properties["Value"]?.bytes, let device = BlueZName.devicePath(of: path),
        devices[device]?.characteristics[path] != nil
      else { return [] }
      return [.valueChanged(characteristic: path, octets)]
    default: return []
    }
  }

  private mutating func changeAdapter(_ path: String, _ properties: BusValue) -> [Change] {
    guard var node = adapters[path] else { return [] }
    var changes: [Change] = []
    if let text = properties["Address"]?.text {
      node.address = BluetoothAddress(
        text, kind: properties["AddressType"]?.text == "random" ? .random : .public)
    }
    if let isPairable = properties["Pairable"]?.flag { node.isPairable = isPairable }
    if let isPowered = properties["Powered"]?.flag, isPowered != node.isPowered {
      node.isPowered = isPowered
      changes.append(.powerChanged(path))
    }
    if let isDiscovering = properties["Discovering"]?.flag, isDiscovering != node.isDiscovering {
      node.isDiscovering = isDiscovering
      changes.append(.discoveryChanged(path))
    }
    adapters[path] = node
    return changes
  }

  /// Where a device is known, the best place first: bonded, then heard last.
  func paths(of address: BluetoothAddress) -> [String] {
    devices.filter { $0.value.address == address }.sorted { one, other in
      if one.value.isBonded != other.value.isBonded { return one.value.isBonded }
      let (first, second) = (one.value.lastHeard, other.value.lastHeard)
      if first != second { return (first?.nanoseconds ?? .min) > (second?.nanoseconds ?? .min) }
      return one.key < other.key
    }.map(\.key)
  }

  /// A device as the rest of the program sees it, from all adapters that know it.
  func device(_ address: BluetoothAddress) -> BluetoothDevice? {
    let paths = paths(of: address)
    let nodes = paths.compactMap { devices[$0] }
    guard let first = nodes.first else { return nil }
    let latest = nodes.max {
      ($0.lastHeard?.nanoseconds ?? .min) < ($1.lastHeard?.nanoseconds ?? .min)
    }
    return BluetoothDevice(
      address: address, adapters: nodes.map { BlueZName.name(of: $0.adapter) }.sorted(),
      name: nodes.lazy.compactMap(\.advertisement.name).first,
      isBonded: nodes.contains(where: \.isBonded),
      isConnected: nodes.contains(where: \.isConnected), rssi: latest?.rssi,
      lastHeard: latest?.lastHeard, batteryPercent: nodes.lazy.compactMap(\.batteryPercent).first,
      services: first.advertisement.services)
  }

  /// All devices by address.
  var allDevices: [BluetoothDevice] {
    Set(devices.values.map(\.address)).sorted().compactMap { device($0) }
  }
}

/// An adapter as bluetoothd describes it.
struct AdapterNode: Hashable {
  var address: BluetoothAddress?
  var isPowered = false
  var isDiscovering = false
  var isPairable: Bool?
  var offersMonitors = false
}

/// Names and paths of BlueZ's interfaces.
enum BlueZName {
  static let daemon = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let battery = "org.bluez.Battery1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let agent = "org.bluez.Agent1"
  static let agentManager = "org.bluez.AgentManager1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"

  /// The first so many parts of a path; nil when it has fewer.
  private static func prefix(_ path: String, parts: Int) -> String? {
    let found = path.split(separator: "/", omittingEmptySubsequences: true)
    guard path.hasPrefix("/org/bluez/"), found.count >= parts else { return nil }
    return "/" + found.prefix(parts).joined(separator: "/")
  }

  /// The adapter of whatever lies below it: `/org/bluez/hci0/dev_…` → `/org/bluez/hci0`.
  static func adapterPath(of path: String) -> String? { prefix(path, parts: 3) }

  /// The device of what lies below it: `/org/bluez/hci0/dev_…/service0010` → `/org/bluez/hci0/dev_…`.
  static func devicePath(of path: String) -> String? { prefix(path, parts: 4) }

  /// The last part of a path.
  static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
