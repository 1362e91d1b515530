import Loop
public import Ports

/// The compass of this machine, which moves with the first receiver that is plugged into it.
public enum CompassDriver: Driver {
  /// A compass where there is such a receiver.
  public static func add(
    _: NoSection, to devices: inout Devices, in surroundings: Surroundings
  ) {
    guard let receiver = devices.receiverOfMachine else { return }
    devices.sources.append(CompassSource(movingWith: receiver))
  }
}
