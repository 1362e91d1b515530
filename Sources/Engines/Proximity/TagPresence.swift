/// How close a tag is, as far as signal strength can tell; never a distance.
public enum TagPresence: String, Hashable, Sendable, CaseIterable {
  /// Nobody listens, or it was never heard.
  case unknown
  /// It is not heard although somebody listens.
  case away
  /// It is heard: in the same room or next door.
  case room
  /// It is close by.
  case near

  /// Whether it is heard at all.
  public var isHeard: Bool { self == .near || self == .room }
}
