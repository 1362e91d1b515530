public import Care
public import Loop
public import Moments
public import Texts

/// Something new from the radio.
public enum BluetoothNews: Hashable, Sendable {
  /// An advertisement was heard.
  case sighting(BluetoothSighting)
  /// A watched device came near or was lost, as the system judges it.
  case presence(BluetoothPresence)
  /// The adapters, or how they do, changed; all of them, in order of their names.
  case adapters([BluetoothAdapter])
  /// A device was bonded or connected, or no longer is, or its battery was read.
  case device(BluetoothDevice)
  /// Somebody has to do something so that a pairing goes on.
  case question(PairingQuestion)
  /// A device wanted what nobody had asked for, and was refused.
  case refused(PairingRefusal)
  /// The health of the component `bluetooth`.
  case health(HealthReport)
}

/// Whether a watched device is near, as the system's own monitor judges it.
public struct BluetoothPresence: Hashable, Sendable {
  /// Who it is.
  public var address: BluetoothAddress
  /// The adapter that heard it.
  public var adapter: String
  /// The monitor that it fits; see ``BluetoothMonitor/id``.
  public var monitor: String
  /// Whether it came near; false when it was lost.
  public var isNear: Bool
  /// When that was told.
  public var tick: Tick

  /// A presence from its parts.
  public init(
    address: BluetoothAddress, adapter: String, monitor: String, isNear: Bool, tick: Tick
  ) {
    self.address = address
    self.adapter = adapter
    self.monitor = monitor
    self.isNear = isNear
    self.tick = tick
  }
}

/// Which advertisements the system itself watches for, so that the processor may sleep meanwhile.
///
/// - Source: BlueZ, `org.bluez.AdvertisementMonitor`; used where bluetoothd offers it.
public struct BluetoothMonitor: Hashable, Sendable {
  /// Octets that an advertisement has to have.
  public struct Pattern: Hashable, Sendable {
    /// The type of the AD structure, such as 0xFF.
    public var type: UInt8
    /// Where in its data the octets begin.
    public var offset: UInt8
    /// The octets, 1 through 31.
    public var octets: [UInt8]

    /// A pattern from its parts.
    public init(type: UInt8, offset: UInt8 = 0, octets: [UInt8]) {
      self.type = type
      self.offset = offset
      self.octets = octets
    }
  }

  /// Its name, chosen by the owner; comes back with every presence.
  public var id: String
  /// Any of these has to fit; one without patterns is not registered.
  public var patterns: [Pattern]
  /// At least so strong, in dBm, counts as near.
  public var nearDBm: Int
  /// For how long, in seconds.
  public var nearSeconds: Int
  /// At most so strong, in dBm, counts as lost.
  public var farDBm: Int
  /// For how long, in seconds.
  public var farSeconds: Int

  /// A monitor from its parts; strengths are held within −127 through 20 dBm, times within 1 through 300 s.
  public init(
    id: String, patterns: [Pattern], nearDBm: Int = -75, nearSeconds: Int = 1, farDBm: Int = -90,
    farSeconds: Int = 20
  ) {
    self.id = id
    self.patterns = patterns.filter { (1...31).contains($0.octets.count) }
    self.nearDBm = min(max(nearDBm, -127), 20)
    self.nearSeconds = min(max(nearSeconds, 1), 300)
    self.farDBm = min(max(farDBm, -127), 20)
    self.farSeconds = min(max(farSeconds, 1), 300)
  }
}

/// What a person has to do during a pairing.
public struct PairingQuestion: Hashable, Sendable {
  /// What it is.
  public enum Kind: Hashable, Sendable {
    /// The device shows six digits: type them in, and answer with ``PairingAnswer/passkey(_:)``.
    case passkey
    /// Both show a number: compare, and answer with ``PairingAnswer/isSame(_:)``.
    case confirmation(UInt32)
    /// Type this number in on the device; needs no answer.
    case typeOnDevice(UInt32)
  }

  /// The device.
  public var address: BluetoothAddress
  /// What to do.
  public var kind: Kind

  /// A question from its parts.
  public init(address: BluetoothAddress, kind: Kind) {
    self.address = address
    self.kind = kind
  }
}

/// What a person answers.
public enum PairingAnswer: Hashable, Sendable {
  /// The digits that the device shows, 0 through 999,999.
  case passkey(UInt32)
  /// Whether both numbers are the same.
  case isSame(Bool)
}

/// A device that wanted something nobody had asked for.
public struct PairingRefusal: Hashable, Sendable {
  /// What it wanted.
  public enum Wish: String, Hashable, Sendable, CaseIterable {
    /// To pair, in any way.
    case pairing
    /// To use a service of this machine.
    case service
    /// To pair in a way other than the one that was asked for.
    case otherWay = "other-way"
    /// Not a device: another program that called what only bluetoothd may call.
    case program
  }

  /// The device; nil when the caller named none that is known.
  public var address: BluetoothAddress?
  /// What it wanted.
  public var wish: Wish
  /// One plain sentence.
  public var message: Message

  /// A refusal from its parts.
  public init(address: BluetoothAddress?, wish: Wish, message: Message) {
    self.address = address
    self.wish = wish
    self.message = message
  }
}

/// Why something with a device did not work.
public struct BluetoothFailure: Error, Hashable, Sendable {
  /// Kinds of failures.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no working adapter, or no bluetoothd.
    case noRadio = "no-radio"
    /// The device was not heard, and is not bonded.
    case unknownDevice = "unknown-device"
    /// Something of the kind goes on already.
    case busy
    /// It took too long.
    case timedOut = "timed-out"
    /// The device did not want to.
    case refused
    /// Keys are missing or wrong: pair again.
    case notBonded = "not-bonded"
    /// The connection ended.
    case disconnected
    /// The device cannot do that.
    case unsupported
    /// Somebody ended it.
    case cancelled
    /// Anything else.
    case failed
  }

  /// Its kind.
  public var code: Code
  /// One plain sentence that says what to do next.
  public var message: Message
  /// What the device itself answered, such as 0x80 for a procedure that goes on already; nil when it did not.
  public var attributeError: UInt8?

  /// A failure from its parts.
  public init(_ code: Code, _ message: Message, attributeError: UInt8? = nil) {
    self.code = code
    self.message = message
    self.attributeError = attributeError
  }
}

/// How a device is to be paired.
public struct PairingRequest: Hashable, Sendable {
  /// The device.
  public var address: BluetoothAddress
  /// The digits that it shows, when they are known beforehand; a pairing without them is then refused.
  public var passkey: UInt32?

  /// A request from its parts.
  public init(address: BluetoothAddress, passkey: UInt32? = nil) {
    self.address = address
    self.passkey = passkey
  }
}

/// The radio: what is heard around, and devices to talk with.
///
/// Every `completion` is called once, later, at the latest when ``stop()`` is called.
@LoopActor
public protocol BluetoothSource: AnyObject {
  /// Starts; news go to `observer`, on the loop, until ``stop()``.
  func start(_ observer: @escaping @LoopActor (BluetoothNews) -> Void)
  /// Ends connections and stops.
  func stop()
  /// The adapters in order of their names.
  var adapters: [BluetoothAdapter] { get }
  /// What is known, bonded devices included, by address; at most 500 beside the bonded ones.
  var devices: [BluetoothDevice] { get }
  /// Pairs and bonds with a device; questions come as news meanwhile. One at a time.
  func pair(
    _ request: PairingRequest,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Answers the question that a pairing waits with; false when none waits for such an answer.
  func answer(_ answer: PairingAnswer, for address: BluetoothAddress) -> Bool
  /// Ends a pairing that goes on.
  func cancelPairing(with address: BluetoothAddress)
  /// Forgets a device and its keys.
  func forget(
    _ address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Connects to a device and finds its services.
  func connect(
    to address: BluetoothAddress,
    completion: @escaping @LoopActor (Result<any BluetoothLink, BluetoothFailure>) -> Void)
}

/// A connection to a device.
@LoopActor
public protocol BluetoothLink: AnyObject {
  /// The device.
  var address: BluetoothAddress { get }
  /// Its services in the order of their handles.
  var services: [GATTService] { get }
  /// Called once when the connection ends, whoever ended it.
  var onLost: @LoopActor () -> Void { get set }
  /// Reads a characteristic.
  func read(
    _ characteristic: GATTCharacteristicID,
    completion: @escaping @LoopActor (Result<[UInt8], BluetoothFailure>) -> Void)
  /// Writes a characteristic, and waits for the device's answer where asked to.
  func write(
    _ octets: [UInt8], to characteristic: GATTCharacteristicID, withResponse: Bool,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Asks a characteristic to tell changes; `heard` gets each one, also those before `completion`.
  func subscribe(
    to characteristic: GATTCharacteristicID, heard: @escaping @LoopActor ([UInt8]) -> Void,
    completion: @escaping @LoopActor (Result<Void, BluetoothFailure>) -> Void)
  /// Ends the connection.
  func disconnect()
}
