public import Care
public import JSON
public import Loop
public import Moments

/// Reads both clocks and knows what vouches for the wall clock.
@LoopActor
public protocol GatewayClock: AnyObject {
  /// Both clocks now.
  func now() -> Moment
  /// Starts to call `observer` whenever trust in the wall clock changes or somebody sets it.
  func start(_ observer: @escaping @LoopActor (ClockReport) -> Void)
  /// Stops calling.
  func stop()
  /// Takes what a GPS receiver says about time; three agreeing 3D fixes later than the build date make the clock trusted.
  func consider(receiverTime: Timestamp, mode: FixMode)
}

/// A device, or a daemon that speaks for devices, which hands observations in.
@LoopActor
public protocol ObservationSource: AnyObject {
  /// The name from the configuration.
  var id: SourceID { get }
  /// Starts; observations and health reports go to `observer`, on the loop, until ``stop()``.
  func start(_ observer: @escaping @LoopActor (Observation) -> Void)
  /// Stops and lets go of every descriptor.
  func stop()
  /// Samples as fast as the device can until the tick; sources that always do ignore it.
  func sampleBurst(until: Tick)
}

/// Something that sends committed events onwards: the plugin host.
@LoopActor
public protocol EventForwarder: AnyObject {
  /// Events up to these sequences are durable now and can be read from the journal.
  func journalAdvanced(to heads: LaneHeads)
  /// An alarm-lane event that could not be made durable in time; goes out from memory, marked `durable: false`.
  func forwardBeforeDurable(_ event: EncodedEvent)
}

/// What the owner can see and do about plugins.
@LoopActor
public protocol PluginAdministration: AnyObject {
  /// Every plugin with its state, lanes and last error, as an array of objects.
  func report(completion: @escaping @LoopActor (JSONValue) -> Void)
  /// Starts a plugin again; false when there is none of that name.
  func restartPlugin(_ name: String) -> Bool
  /// Delivers dead letters again; answers how many.
  func redriveDeadLetters(
    plugin: String?, event: EventID?, completion: @escaping @LoopActor (Int) -> Void)
}
