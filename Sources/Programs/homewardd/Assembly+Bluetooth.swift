import BlueZ
import Bluetooth
import BluetoothKeys
import Bytes
import Care
import Configuration
import HCI
import MachineClock
import Plugins
import Ports
import Runtime
import Store
import Texts

extension Assembly {
  /// What listens for tags, as proximity knows it: the radio of this machine, where it is used, and other rooms.
  static func hearers(_ configuration: GatewayConfiguration) -> [TagHearer] {
    let bluetooth = configuration.bluetooth
    return (bluetooth.source == .none ? [] : [hearer(bluetooth)])
      + bluetooth.rooms.map { TagHearer(id: RoomListener.hearer(in: $0), place: .room($0)) }
  }

  /// What takes the news of other rooms; nil where the configuration names none.
  static func makeRooms(
    _ configuration: GatewayConfiguration, clock: SystemClock, links: Links
  ) -> RoomListener? {
    guard !configuration.bluetooth.rooms.isEmpty else { return nil }
    return RoomListener(rooms: configuration.bluetooth.rooms, clock: clock) {
      links.runtime?.observe($0)
    }
  }

  private static func hearer(_ bluetooth: GatewayConfiguration.Bluetooth) -> TagHearer {
    TagHearer(
      id: "bluetooth", place: bluetooth.room.map { .room($0) } ?? .withResident,
      offsetDB: Double(bluetooth.offsetDB))
  }

  /// What listens for tags, buttons and meters; nil where Bluetooth is not used.
  static func makeBluetooth(
    _ configuration: GatewayConfiguration, clock: SystemClock, store: SQLiteStore
  ) -> BluetoothCentral? {
    let bluetooth = configuration.bluetooth
    let source: any BluetoothSource
    switch bluetooth.source {
    case .none: return nil
    case .bluez:
      source = BlueZSource(
        options: .init(busPath: PluginHost.Environment.usualSystemBus, adapters: bluetooth.adapters)
      )
    case .hci: source = HCISource(options: .init(socketPath: bluetooth.hciSocket))
    }
    let buttons = configuration.buttons.compactMap { button in
      button.bluetooth.address.flatMap { BluetoothAddress(written: $0) }.map {
        BluetoothCentral.Options.Button(
          id: SourceID(button.name), address: $0,
          key: button.bluetooth.key.flatMap { AES128Key($0) })
      }
    }
    let language = configuration.gateway.language
    var options = BluetoothCentral.Options(
      sourceName: bluetooth.source.rawValue, hearer: hearer(bluetooth), buttons: buttons,
      language: language, log: { Log.info($0.text(in: language)) })
    let rows = store.loaded.engineRows
    options.counters =
      rows.first { $0.engine == "gateway" && $0.name == countersName }?.content
    options.keepCounters = { [store] counters in
      let row = EngineRow(
        engine: "gateway", subject: "gateway", name: countersName, content: counters)
      store.submit(StepRecord(changes: [.putEngineRow(row)])) { _ in }
    }
    return BluetoothCentral(source: source, clock: clock, cipher: MbedCipher(), options: options)
  }

  private static let countersName = "button-counters"
}
