public import Moments

/// What a tag that stays at home says about where the resident is.
///
/// Only what the device that moves with the resident hears makes a verdict. It is no proof: a tag can be carried off or
/// imitated, so tracking believes it only as far as positions do not contradict it.
public struct HomeTagVerdict: Hashable, Sendable {
  /// What is known of a tag at home.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It is heard now, by at least two advertisements.
    case heard
    /// The device listens and does not hear it.
    case silent
    /// Nobody listens, so nothing follows.
    case unknown
  }

  /// The tag.
  public var tag: TagID
  /// The tag's name, for explanations.
  public var name: String
  /// The zone that it stands in; nil for every zone that is a home.
  public var zone: ZoneID?
  /// What is known.
  public var state: State
  /// When it was last heard; nil when it was not since the gateway started.
  public var heard: Moment?
  /// Seconds after it was last heard for which `heard` holds without another verdict.
  public var holdSeconds: Int64

  /// A verdict from its parts.
  public init(
    tag: TagID, name: String, zone: ZoneID? = nil, state: State, heard: Moment?,
    holdSeconds: Int64
  ) {
    self.tag = tag
    self.name = name
    self.zone = zone
    self.state = state
    self.heard = heard
    self.holdSeconds = holdSeconds
  }
}
