import Loop
public import Ports

/// The batteries that the gateway runs on.
public enum PowerSupplyDriver: Driver {
  /// What looks for them.
  public static func add(
    _: NoSection, to devices: inout Devices, in surroundings: Surroundings
  ) { devices.sources.append(PowerSupplySource()) }
}
