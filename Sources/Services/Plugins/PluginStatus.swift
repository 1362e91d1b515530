public import Care
public import Moments

/// Where a plugin is in its life.
public enum PluginState: String, Hashable, Sendable, CaseIterable {
  /// Switched off in the configuration.
  case disabled
  /// Cannot start until its manifest, its settings or the configuration changes.
  case invalid
  /// Started; has not answered `initialize` yet.
  case starting
  /// Takes events.
  case running
  /// Asked to finish, or being ended.
  case stopping
  /// Ended; will be started again.
  case waiting
  /// Ended, and the host has stopped.
  case stopped
}

/// How one plugin does.
public struct PluginStatus: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version; empty when the manifest cannot be read.
  public var version: String
  /// Where it is in its life.
  public var state: PluginState
  /// Its process, while there is one.
  public var pid: Int32?
  /// Starts after the first one.
  public var restarts: Int
  /// What keeps it in; nil while it does not run.
  public var confinement: PluginConfinement?
  /// Kinds of data that it asks for and does not see, as grants name them.
  public var withheld: [String]
  /// What it may ask the gateway, as grants name it; without what its manifest does not ask for.
  public var reads: [String]
  /// Its lanes, alarm first.
  public var lanes: [LaneStatus]
  /// Events that it refused for ever and that nobody has driven again.
  public var deadLetters: Int
  /// What went wrong last; empty when nothing has.
  public var lastError: String

  /// How one lane does.
  public struct LaneStatus: Hashable, Sendable {
    /// The lane.
    public var lane: Lane
    /// Everything up to this sequence is settled, but for the exceptions.
    public var cursor: Int64
    /// Events that wait, exceptions included, those of types that the plugin does not want too.
    public var depth: Int64
    /// When the oldest of them happened, exceptions not counted.
    public var oldest: Timestamp?
    /// Events before the cursor that are not settled.
    public var exceptions: Int
    /// When the plugin accepted something last; nil when it has not since the host started.
    public var lastSuccess: Moment?
    /// How long the outstanding batch has waited for its answer; nil when there is none.
    public var outstandingMilliseconds: Int64?
    /// Events accepted since the host started.
    public var delivered: Int64
    /// Events sent more than once since the host started, those asked for by `retry` not counted.
    public var redelivered: Int64
  }
}
