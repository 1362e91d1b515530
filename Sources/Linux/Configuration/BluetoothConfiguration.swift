extension GatewayConfiguration {
  /// Tags, meters and buttons over Bluetooth.
  public struct Bluetooth: Sendable, Hashable {
    /// Which way the radio is used.
    public enum Source: String, Sendable, Hashable, CaseIterable {
      /// Not at all.
      case none
      /// Through bluetoothd: tags, buttons and meters.
      case bluez
      /// Past bluetoothd, by the program homeward-hci: tags and buttons, no meters.
      case hci
    }

    /// Which way the radio is used.
    public var source = Source.none
    /// Names of the adapters to use (`hci0`); none for all.
    public var adapters: [String] = []
    /// The socket of homeward-hci.
    public var hciSocket = "/run/homeward-hci/hci.sock"
    /// The room in which the gateway stands, as people name it; nil where it moves with the resident.
    public var room: String?
    /// Other rooms whose devices tell over MQTT what they hear, by the names that these use.
    public var rooms: [String] = []
    /// Decibels that are added to what it hears, -30 through 30: antennas differ.
    public var offsetDB = 0
  }
}
