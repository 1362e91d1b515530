public import Care
public import Configuration

/// Tags, meters and buttons over Bluetooth, as the configuration has them.
public struct BluetoothSection: ConfigurationPart {
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

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "bluetooth",
    [
      .word("source", \.source),
      .texts("adapters", \.adapters, fault: ConfigurationChecks.name),
      .text("hciSocket", \.hciSocket, fault: ConfigurationChecks.absolutePath),
      .optionalText("room", \.room, fault: ConfigurationChecks.device),
      .texts("rooms", \.rooms, fault: ConfigurationChecks.device),
      .integer("offsetDB", \.offsetDB, in: -30...30),
    ])

  /// The section of the documented file.
  public static let documentation =
    """
    bluetooth:
      # none, bluez (through bluetoothd: tags, buttons and glucose meters) or hci (by homeward-hci, without bluetoothd: tags
      # and buttons).
      source: none
      # Adapters to use, such as hci0; all of them with [].
      adapters: []
      # Where homeward-hci listens.
      hciSocket: /run/homeward-hci/hci.sock
      # The room in which this gateway stands; empty where it moves with the resident.
      room:
      # Other rooms whose devices tell over MQTT what they hear, by their names; see the plugin mqtt, "rooms".
      rooms: []
      # Decibels that are added to what it hears, -30 to 30, for an antenna that differs from others.
      offsetDB: 0
    """

  /// The radio of this machine, as proximity knows it.
  public var hearer: TagHearer {
    TagHearer(
      id: "bluetooth", place: room.map { .room($0) } ?? .withResident, offsetDB: Double(offsetDB))
  }

  /// What listens for tags: the radio of this machine, where it is used, and other rooms.
  public var hearers: [TagHearer] {
    (source == .none ? [] : [hearer])
      + rooms.map { TagHearer(id: RoomListener.hearer(in: $0), place: .room($0)) }
  }
}
