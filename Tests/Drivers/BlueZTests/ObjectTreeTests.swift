import Bytes
import Care
import DBus
import Moments
import Ports
import Testing

@testable import BlueZ

@Suite("What bluetoothd has")
struct ObjectTreeTests {
  private static let hub = "/org/bluez/hci0"
  private static let path = "/org/bluez/hci0/dev_AA_11_22_33_44_55"
  private static let text = "AA:11:22:33:44:55"

  private static func device(_ address: String = text, _ more: [String: BusValue] = [:]) -> BusValue
  {
    .map([
      BlueZName.device: .map(
        more.merging(["Address": .text(address), "AddressType": .text("random")]) { $1 })
    ])
  }

  private static func tree() -> ObjectTree {
    var tree = ObjectTree()
    let adapter: BusValue = .map([BlueZName.adapter: .map(["Powered": .flag(true)])])
    #expect(tree.add(hub, adapter, at: .seconds(1)) == [.adapterCame(hub), .powerChanged(hub)])
    return tree
  }

  @Test("A device below no adapter, without an address or with none that is one is not taken")
  func noDevice() {
    var tree = Self.tree()
    #expect(tree.add("/org/bluez/hci7/dev_1", Self.device(), at: .seconds(1)).isEmpty)
    #expect(tree.add(Self.path, Self.device("nonsense"), at: .seconds(1)).isEmpty)
    #expect(tree.add(Self.path, .map([BlueZName.device: .map([:])]), at: .seconds(1)).isEmpty)
    #expect(tree.add(Self.path, .text("no"), at: .seconds(1)).isEmpty)
    #expect(tree.allDevices.isEmpty)
  }

  @Test("A device that was found before the start is known and not heard")
  func knownBefore() {
    var tree = ObjectTree()
    let objects: BusValue = .map([
      Self.path: Self.device(Self.text, ["RSSI": .integer(-50), "Paired": .flag(true)]),
      Self.hub: .map([BlueZName.adapter: .map([:])]),
      "/org/bluez": .map([BlueZName.agentManager: .map([:])]),
    ])
    #expect(
      tree.replace(with: objects, at: .seconds(1)) == [
        .adapterCame(Self.hub), .deviceChanged(Self.path),
      ])
    #expect(tree.allDevices.map(\.isBonded) == [true])
  }

  @Test(
    "Strengths, charges and powers out of range are not taken",
    arguments: [-128, 21, 127, Int64.max, .min])
  func outOfRange(number: Int64) {
    var tree = Self.tree()
    _ = tree.add(Self.path, Self.device(), at: .seconds(1))
    let changes = tree.change(
      Self.path, BlueZName.device, .map(["RSSI": .integer(number)]), at: .seconds(2))
    #expect(changes.isEmpty)
    let charge = tree.change(
      Self.path, BlueZName.battery, .map(["Percentage": .integer(number == 21 ? 101 : number)]),
      at: .seconds(2))
    #expect(charge.isEmpty)
  }

  @Test("A strength that bluetoothd takes back is no longer known")
  func invalidated() {
    var tree = Self.tree()
    _ = tree.add(Self.path, Self.device(Self.text, ["RSSI": .integer(-50)]), at: .seconds(1))
    #expect(tree.allDevices.map(\.rssi) == [-50])
    let changes = tree.change(
      Self.path, BlueZName.device, .map([:]), invalidated: ["RSSI"], at: .seconds(2))
    #expect(changes.isEmpty)
    #expect(tree.allDevices.map(\.rssi) == [nil])
  }

  @Test("When it is crowded the one heard longest ago goes; bonded, connected and used ones stay")
  func crowd() {
    var tree = Self.tree()
    let kept: [(String, [String: BusValue])] = [
      ("AA:00:00:00:00:01", ["Paired": .flag(true)]),
      ("AA:00:00:00:00:02", ["Connected": .flag(true)]),
      ("AA:00:00:00:00:03", [:]),
    ]
    for (address, more) in kept {
      _ = tree.add("\(Self.hub)/dev_\(address)", Self.device(address, more), at: .seconds(1))
    }
    tree.pinned = ["\(Self.hub)/dev_AA:00:00:00:00:03"]
    for number in 0..<2000 {
      let octets = [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0xC0]
      guard let address = BluetoothAddress(octets: octets) else { continue }
      let sighting = Self.device(address.text, ["RSSI": .integer(-60)])
      let changes = tree.add("\(Self.hub)/dev_\(number)", sighting, at: .seconds(Int64(number + 2)))
      #expect(changes.count == 1)
      #expect(tree.devices.count <= ObjectTree.mostDevices + 3)
    }
    #expect(kept.allSatisfy { tree.devices["\(Self.hub)/dev_\($0.0)"] != nil })
    #expect(
      tree.devices["\(Self.hub)/dev_1999"] != nil && tree.devices["\(Self.hub)/dev_1499"] == nil)
    let unknown = tree.change(
      "\(Self.hub)/dev_1", BlueZName.device, .map(["RSSI": .integer(-1)]), at: .seconds(9))
    #expect(unknown == [.unknownDevice("\(Self.hub)/dev_1")])
  }

  @Test("One device cannot fill the memory")
  func bounded() {
    var tree = Self.tree()
    let many = Dictionary(
      uniqueKeysWithValues: (0..<5000).map {
        ("\($0)", BusValue.bytes([UInt8](repeating: 1, count: 9000)))
      })
    let uuids = BusValue.list((0..<5000).map { .text(BluetoothUUID(UInt16($0)).text) })
    let hostile = Self.device(
      Self.text,
      [
        "ManufacturerData": .map(many), "UUIDs": uuids,
        "Name": .text(String(repeating: "x", count: 100_000)),
        "AdvertisingFlags": .bytes([UInt8](repeating: 1, count: 9000)),
      ])
    _ = tree.add(Self.path, hostile, at: .seconds(1))
    for number in 0..<2000 {
      let characteristic: BusValue = .map([
        "UUID": .text("2a18"), "Service": .text("\(Self.path)/service0001"),
      ])
      _ = tree.add(
        "\(Self.path)/service0001/char\(number)", .map([BlueZName.characteristic: characteristic]),
        at: .seconds(1))
    }
    let node = tree.devices[Self.path]
    #expect(node?.advertisement.manufacturerData.count == 32)
    #expect(node?.advertisement.manufacturerData.values.allSatisfy { $0.count == 1650 } == true)
    #expect(node?.advertisement.services.count == 32)
    #expect(node?.advertisement.name?.count == 248)
    #expect(node?.advertisement.flags.count == 32)
    #expect(node?.characteristics.count == 500)
    for number in 0..<100 {
      _ = tree.add(
        "/org/bluez/hci\(number + 1)", .map([BlueZName.adapter: .map([:])]), at: .seconds(1))
    }
    #expect(tree.adapters.count == 16)
  }

  @Test("The same device at two adapters is one, and is used where it is bonded")
  func twoAdapters() {
    var tree = Self.tree()
    let other = "/org/bluez/hci1"
    _ = tree.add(other, .map([BlueZName.adapter: .map([:])]), at: .seconds(1))
    let second = "\(other)/dev_AA_11_22_33_44_55"
    _ = tree.add(second, Self.device(Self.text, ["Paired": .flag(true)]), at: .seconds(1))
    _ = tree.add(Self.path, Self.device(Self.text, ["RSSI": .integer(-40)]), at: .seconds(9))
    #expect(tree.allDevices.map(\.adapters) == [["hci0", "hci1"]])
    let address = tree.allDevices.first?.address
    #expect(address.map { tree.paths(of: $0) } == [second, Self.path])
    #expect(tree.allDevices.map(\.rssi) == [-40])
    let gone = tree.remove(other, [BlueZName.adapter])
    #expect(gone.contains(.adapterGone(other)) && gone.count == 2)
  }

  @Test("Whatever comes in whatever shape, nothing is lost count of and nothing stops")
  func mutations() {
    var random = SplitMix64(seed: 6)
    var tree = Self.tree()
    for round in 0..<60_000 {
      let path = Self.somePath(&random)
      let interface = Self.interfaces[Int(random.next() % UInt64(Self.interfaces.count))]
      let properties = Self.someProperties(&random)
      let now = Tick.seconds(Int64(round))
      switch random.next() % 8 {
      case 0: _ = tree.add(path, .map([interface: properties]), at: now)
      case 1: _ = tree.remove(path, [interface])
      case 2 where round % 64 == 0:
        var objects: [String: BusValue] = [Self.hub: .map([BlueZName.adapter: .map([:])])]
        objects[path] = .map([interface: properties])
        _ = tree.replace(with: .map(objects), at: now)
      default: _ = tree.change(path, interface, properties, invalidated: ["RSSI"], at: now)
      }
      #expect(tree.devices.count <= 12)
      guard round % 256 == 0 else { continue }
      for device in tree.allDevices {
        #expect(device.rssi.map { (-127...20).contains($0) } ?? true)
        #expect(device.batteryPercent.map { (0...100).contains($0) } ?? true)
        for path in tree.paths(of: device.address) { _ = tree.devices[path]?.gattServices }
      }
    }
  }

  private static let interfaces = [
    BlueZName.adapter, BlueZName.device, BlueZName.battery, BlueZName.service,
    BlueZName.characteristic,
    BlueZName.monitorManager, "", "org.example",
  ]
  private static let keys = [
    "Address", "AddressType", "Paired", "Bonded", "Connected", "ServicesResolved", "RSSI", "Name",
    "TxPower", "UUIDs", "ServiceData", "ManufacturerData", "AdvertisingFlags", "Powered",
    "Discovering", "Percentage", "UUID", "Service", "Flags", "Primary", "Value",
  ]

  private static func somePath(_ random: inout SplitMix64) -> String {
    let parts = [
      "/", "", "/org/bluez", hub, "\(hub)/", "/org/bluez/hci1", path, "\(hub)/dev_2",
      "//org//bluez",
      "/org/bluez/hci1/dev_3", "\(path)/service0001", "\(path)/service0001/char0002",
      "\(path)/service0001/char0002/desc0003", "org/bluez/hci0/dev_2",
    ]
    return parts[Int(random.next() % UInt64(parts.count))]
  }

  private static func someProperties(_ random: inout SplitMix64) -> BusValue {
    var properties: [String: BusValue] = [:]
    for _ in 0..<(random.next() % 5) {
      properties[keys[Int(random.next() % UInt64(keys.count))]] = someValue(&random, depth: 0)
    }
    return random.next() % 32 == 0 ? .text("no map") : .map(properties)
  }

  private static func someValue(_ random: inout SplitMix64, depth: Int) -> BusValue {
    let kinds: UInt64 = depth > 3 ? 5 : 8
    switch random.next() % kinds {
    case 0: return .flag(random.next() % 2 == 0)
    case 1: return .integer(Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64))
    case 2:
      let texts = [
        "", text, "random", "public", "2a18", "read", "AA:11:22:33:44:66", "\u{0}", "76",
      ]
      return .text(texts[Int(random.next() % UInt64(texts.count))])
    case 3: return .bytes((0..<(random.next() % 40)).map { UInt8(truncatingIfNeeded: $0) })
    case 4: return .other
    case 5:
      return .list((0..<(random.next() % 4)).map { _ in someValue(&random, depth: depth + 1) })
    case 6:
      return .map([
        "76": someValue(&random, depth: depth + 1), "fcd2": someValue(&random, depth: depth + 1),
      ])
    default: return .map(["99999999": .bytes([1]), "": .bytes([]), "x": .other])
    }
  }
}
