import GATTProfiles
import Ports

/// The numbers that the Bluetooth SIG gave services; the port has a type of the same name for a connected device's own.
typealias ServiceNumber = GATTProfiles.GATTService
/// The numbers that it gave characteristics.
typealias CharacteristicNumber = GATTProfiles.GATTCharacteristic
/// A service of a connected device.
typealias FoundService = Ports.GATTService
