import Bluetooth
import Buttons
import Compass
import Configuration
import GPSD
import Lamps
import Loop
import Loudspeaker
import MachineClock
import Ports
import PowerSupply

/// What this gateway has drivers for, those first that others build on.
enum DriverList {
  static let all: [any Driver.Type] = [
    GPSDriver.self, ButtonDriver.self, CompassDriver.self, PowerSupplyDriver.self, LampDriver.self,
    LoudspeakerDriver.self, RadioDriver.self,
  ]

  /// The sections of the configuration; a driver's with its driver.
  static let schema = ConfigurationSchema(
    drivers: all.compactMap { $0.section } + [ClockSection.self])

  /// The devices that a configuration asks for.
  @LoopActor
  static func devices(
    of configuration: GatewayConfiguration, in surroundings: Surroundings
  ) -> Devices {
    var devices = Devices()
    for driver in all { driver.add(from: configuration, to: &devices, in: surroundings) }
    return devices
  }
}
