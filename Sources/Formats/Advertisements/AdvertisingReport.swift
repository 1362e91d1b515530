public import Care

/// One advertisement as a Bluetooth controller reports it.
public struct AdvertisingReport: Hashable, Sendable {
  /// What the sender takes; bits of the extended event type.
  ///
  /// - Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.13.
  public struct Properties: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Properties from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// One may connect to it.
    public static let connectable = Properties(rawValue: 1)
    /// One may ask it for more.
    public static let scannable = Properties(rawValue: 2)
    /// It is for one receiver only.
    public static let directed = Properties(rawValue: 4)
    /// It is the answer of one that was asked for more.
    public static let scanResponse = Properties(rawValue: 8)
    /// It is an advertisement of Bluetooth 4.
    public static let legacy = Properties(rawValue: 16)
  }

  /// Whether all data are here.
  public enum Completeness: UInt8, Hashable, Sendable {
    /// These are all.
    case complete = 0
    /// More follows in another report.
    case moreFollows = 1
    /// The controller lost the rest.
    case cutOff = 2
  }

  /// Who sends; nil when it does not say.
  public var address: BluetoothAddress?
  /// Whether the controller itself has resolved the address to a lasting one.
  public var isResolved = false
  /// What the sender takes.
  public var properties: Properties
  /// Whether all data are here.
  public var completeness = Completeness.complete
  /// How strong it was received, in dBm; nil when the controller does not know.
  public var rssiDBm: Int8?
  /// The power it was sent with, in dBm, as the radio packet itself tells; nil in those of Bluetooth 4.
  public var transmitPowerDBm: Int8?
  /// The number of the set of advertisements, 0 through 15; nil in those of Bluetooth 4.
  public var setID: UInt8?
  /// Whom it is for, when it is directed.
  public var target: BluetoothAddress?
  /// What it says.
  public var data: AdvertisingData
  /// The same as it was sent; part of it when more follows. Empty when the report was made from parts.
  public var bytes: [UInt8] = []

  /// A report from its parts.
  public init(
    address: BluetoothAddress?, properties: Properties, rssiDBm: Int8?, data: AdvertisingData
  ) {
    self.address = address
    self.properties = properties
    self.rssiDBm = rssiDBm
    self.data = data
  }
}
