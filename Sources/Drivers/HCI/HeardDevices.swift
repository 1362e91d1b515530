import Advertisements
import Care
import Moments
import Ports

/// The devices that were heard, at most 500: the one heard longest ago makes room.
struct HeardDevices {
  static let mostDevices = 500
  private static let mostEntries = 32
  private static let mostNameCharacters = 248

  private struct Heard {
    var adapter: String
    var rssi: Int?
    var lastHeard: Tick
    var advertisement = BluetoothAdvertisement()
  }

  private var heard: [BluetoothAddress: Heard] = [:]

  /// All of them, by address.
  var all: [BluetoothDevice] {
    heard.keys.sorted().compactMap { address in
      heard[address].map {
        BluetoothDevice(
          address: address, adapters: [$0.adapter], name: $0.advertisement.name, rssi: $0.rssi,
          lastHeard: $0.lastHeard, services: $0.advertisement.services)
      }
    }
  }

  /// Takes an advertisement that came in at `now`.
  mutating func take(
    _ line: HCIAdvertisement, adapter: String, at now: Tick
  ) -> BluetoothSighting {
    // It waited in the socket for a moment; a clock that differs is not that of this machine.
    let isPlausible = line.tick <= now && now.milliseconds(since: line.tick) < 60_000
    let tick = isPlausible ? line.tick : now
    var device = heard[line.address] ?? Heard(adapter: adapter, lastHeard: tick)
    let came = Self.merge(line.data, into: &device.advertisement)
    device.adapter = adapter
    device.lastHeard = max(device.lastHeard, tick)
    if let rssi = line.rssi { device.rssi = rssi }
    if heard[line.address] == nil { makeRoom() }
    heard[line.address] = device
    return BluetoothSighting(
      address: line.address, adapter: adapter, rssi: line.rssi,
      advertisement: device.advertisement, came: came, tick: tick)
  }

  private mutating func makeRoom() {
    guard heard.count >= Self.mostDevices else { return }
    let oldest = heard.min { one, other in
      (one.value.lastHeard, one.key) < (other.value.lastHeard, other.key)
    }
    if let oldest { heard[oldest.key] = nil }
  }

  /// Puts what came over what was known before, and says what came.
  private static func merge(
    _ data: AdvertisingData, into known: inout BluetoothAdvertisement
  ) -> BluetoothSighting.Parts {
    var came: BluetoothSighting.Parts = []
    if let name = data.name {
      known.name = String(name.prefix(mostNameCharacters))
      came.insert(.others)
    }
    if let power = data.transmitPowerDBm {
      known.txPower = Int(power)
      came.insert(.others)
    }
    if let flags = data.flags {
      known.flags = [flags]
      came.insert(.others)
    }
    if !data.services.isEmpty {
      known.services = Array(data.services.prefix(mostEntries))
      came.insert(.others)
    }
    for part in data.serviceData {
      came.insert(.serviceData)
      guard known.serviceData[part.service] != nil || known.serviceData.count < mostEntries else {
        continue
      }
      known.serviceData[part.service] = part.bytes
    }
    // Blocks of the same company belong together.
    for company in Set(data.manufacturerData.map(\.company)).sorted() {
      came.insert(.manufacturerData)
      guard known.manufacturerData[company] != nil || known.manufacturerData.count < mostEntries
      else { continue }
      known.manufacturerData[company] = data.data(ofCompany: company)
    }
    return came
  }
}
