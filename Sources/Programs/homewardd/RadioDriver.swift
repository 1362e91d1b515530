import BlueZ
import Bluetooth
import BluetoothKeys
import Care
import HCI
import Loop
import Plugins
import Ports

/// Tags, meters and buttons over Bluetooth: the radio of this machine, whichever way it is used, and other rooms.
enum RadioDriver: Driver {
  private static let countersName = "button-counters"

  static func add(
    _ section: BluetoothSection, to devices: inout Devices, in surroundings: Surroundings
  ) {
    devices.hearers += section.hearers
    if !section.rooms.isEmpty {
      let rooms = RoomListener(
        rooms: section.rooms, clock: surroundings.clock, observer: surroundings.observe)
      devices.roomNews = { rooms.take($0) }
      devices.tagsChanged = { rooms.setTags($0) }
    }
    guard let source = source(section) else { return }
    var options = BluetoothCentral.Options(
      sourceName: section.source.rawValue, hearer: section.hearer,
      buttons: devices.wirelessButtons, language: surroundings.language, log: surroundings.log)
    options.counters = surroundings.kept(countersName)
    options.keepCounters = { [keep = surroundings.keep] in keep(countersName, $0) }
    devices.bluetooth = BluetoothCentral(
      source: source, clock: surroundings.clock, cipher: MbedCipher(), options: options)
  }

  private static func source(_ section: BluetoothSection) -> (any BluetoothSource)? {
    switch section.source {
    case .none: nil
    case .bluez:
      BlueZSource(
        options: .init(
          busPath: PluginHost.Environment.usualSystemBus, adapters: section.adapters))
    case .hci: HCISource(options: .init(socketPath: section.hciSocket))
    }
  }
}
