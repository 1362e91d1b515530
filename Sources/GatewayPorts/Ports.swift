public import CareModel
public import EventLoop

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

/// The highest sequence of each lane that is durable; 0 when a lane is empty.
///
/// Alarm and record lane share one sequence (that of the journal); the trace lane counts for itself.
public struct LaneHeads: Hashable, Sendable {
  /// Highest sequence of the alarm lane.
  public var alarm: Int64
  /// Highest sequence of the record lane.
  public var record: Int64
  /// Highest sequence of the trace lane.
  public var trace: Int64

  /// Heads of all lanes.
  public init(alarm: Int64 = 0, record: Int64 = 0, trace: Int64 = 0) {
    self.alarm = alarm
    self.record = record
    self.trace = trace
  }

  /// The head of one lane.
  public subscript(lane: Lane) -> Int64 {
    get {
      switch lane {
      case .alarm: alarm
      case .record: record
      case .trace: trace
      }
    }
    set {
      switch lane {
      case .alarm: alarm = newValue
      case .record: record = newValue
      case .trace: trace = newValue
      }
    }
  }
}
