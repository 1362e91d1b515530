public import Ports

extension BlueZSource {
  /// How advertisements are listened for.
  public enum Listening: String, Hashable, Sendable, CaseIterable {
    /// Every advertisement, as it comes: tags, buttons and meters.
    case everything
    /// Only by the monitors, where bluetoothd offers them; saves power, and hears no button.
    case monitorsOnly = "monitors-only"
  }

  /// What is wanted from Bluetooth.
  public struct Options: Hashable, Sendable {
    /// The socket of the system's D-Bus.
    public var busPath: String
    /// Names of the adapters to use (`hci0`); none for all.
    public var adapters: [String]
    /// How advertisements are listened for.
    public var listening: Listening
    /// What the system's monitors watch for, where bluetoothd offers them.
    public var monitors: [BluetoothMonitor]
    var patience = Patience()

    /// Options with Debian's bus, all adapters, and every advertisement.
    public init(
      busPath: String = "/run/dbus/system_bus_socket", adapters: [String] = [],
      listening: Listening = .everything, monitors: [BluetoothMonitor] = []
    ) {
      self.busPath = busPath
      self.adapters = adapters
      self.listening = listening
      self.monitors = monitors
    }
  }

  /// How long what may take, in milliseconds.
  struct Patience: Hashable, Sendable {
    /// An answer that needs nobody but bluetoothd and the controller.
    var answerMilliseconds: Int64 = 10_000
    /// Between two looks at whether bluetoothd and the adapters still work.
    var checkMilliseconds: Int64 = 60_000
    /// Without any advertisement, after which the controller is asked to search anew.
    var silenceMilliseconds: Int64 = 120_000
    /// After a refusal; doubled with each.
    var restMilliseconds: Int64 = 2000
    /// Between off and on.
    var pauseMilliseconds: Int64 = 1000
    /// Between two resets; doubled with each.
    var resetMilliseconds: Int64 = 30_000
    var longestResetMilliseconds: Int64 = 900_000
    /// Before the bus is tried again; doubled with each time.
    var busMilliseconds: Int64 = 1000
    var longestBusMilliseconds: Int64 = 60_000
    /// A connection, services included.
    var connectMilliseconds: Int64 = 60_000
    /// An answer of a device.
    var deviceMilliseconds: Int64 = 30_000
    /// A person's answer; bluetoothd itself gives up after 60 s.
    var questionMilliseconds: Int64 = 55_000
    /// A whole pairing.
    var pairingMilliseconds: Int64 = 90_000
  }
}
