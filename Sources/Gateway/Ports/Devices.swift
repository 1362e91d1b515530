public import Bytes
public import Care
public import Loop

/// What the drivers of a gateway made of its configuration, and what the core has to know of it.
@LoopActor
public struct Devices {
  /// What observes.
  public var sources: [any ObservationSource] = []
  /// The loudspeaker; nil for none.
  public var speaker: (any Speaker)?
  /// The lamp; nil for none.
  public var lamp: (any Lamp)?
  /// Switches a buzzer that stands in for a loudspeaker that fails.
  public var buzzer: (@LoopActor (_ isOn: Bool) -> Void)?
  /// What listens for tags, buttons and meters; nil for none.
  public var bluetooth: (any BluetoothAdministration)?
  /// Takes what devices of other rooms hear; nil where no other room is known.
  public var roomNews: (@LoopActor (RoomMessage) -> Void)?
  /// Told of the tags that are listened for, at the start and when they change.
  public var tagsChanged: (@LoopActor ([KnownTag]) -> Void)?

  /// The receivers of positions, whether their gpsd runs here or elsewhere.
  public var receivers: [SourceID] = []
  /// The receiver that is plugged into this machine and moves with it.
  public var receiverOfMachine: SourceID?
  /// Seconds after which a receiver that sleeps between positions is silent on purpose no more; nil where none sleeps.
  public var longestSilenceSeconds: Int?
  /// Whose the buttons are and what their gestures bring about.
  public var buttons: [ButtonBinding] = []
  /// Buttons that are watched here; others' presses come from plugins.
  public var ownButtons: Set<SourceID> = []
  /// Buttons that send, for whoever listens.
  public var wirelessButtons: [WirelessButton] = []
  /// What listens for tags, as proximity knows it.
  public var hearers: [TagHearer] = []

  /// None yet.
  public init() {}
}

/// A button that sends BTHome advertisements.
public struct WirelessButton: Hashable, Sendable {
  /// Its name in the configuration.
  public var id: SourceID
  /// Its address.
  public var address: BluetoothAddress
  /// The key of one that encrypts.
  public var key: AES128Key?

  /// A button from its parts.
  public init(id: SourceID, address: BluetoothAddress, key: AES128Key? = nil) {
    self.id = id
    self.address = address
    self.key = key
  }
}
