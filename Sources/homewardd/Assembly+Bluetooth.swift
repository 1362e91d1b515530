import AdvertisementCrypto
import BlueZSource
import BluetoothCentral
import CareModel
import Configuration
import GatewayPorts
import HCISource
import SystemClock
import Texts

extension Assembly {
  /// The radio of this machine as proximity knows it; none where Bluetooth is not used.
  static func hearers(_ configuration: GatewayConfiguration) -> [TagHearer] {
    configuration.bluetooth.source == .none ? [] : [hearer(configuration.bluetooth)]
  }

  private static func hearer(_ bluetooth: GatewayConfiguration.Bluetooth) -> TagHearer {
    TagHearer(
      id: "bluetooth", place: bluetooth.room.map { .room($0) } ?? .withResident,
      offsetDB: Double(bluetooth.offsetDB))
  }

  /// What listens for tags, buttons and meters; nil where Bluetooth is not used.
  static func makeBluetooth(
    _ configuration: GatewayConfiguration, clock: SystemClock
  ) -> BluetoothCentral? {
    let bluetooth = configuration.bluetooth
    let source: any BluetoothSource
    switch bluetooth.source {
    case .none: return nil
    case .bluez: source = BlueZSource(options: .init(adapters: bluetooth.adapters))
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
    return BluetoothCentral(
      source: source, clock: clock, cipher: MbedCipher(),
      options: .init(
        sourceName: bluetooth.source.rawValue, hearer: hearer(bluetooth), buttons: buttons,
        language: language, log: { Log.info($0.text(in: language)) }))
  }
}
