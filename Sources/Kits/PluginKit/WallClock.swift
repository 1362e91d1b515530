import CGatewayShims
public import Moments

/// The system's wall clock, for plugins; the daemon has its own with a measure of trust.
public enum WallClock {
  /// Whether the kernel says that somebody keeps the clock right; without it the time may be any.
  public static var isSynchronised: Bool { homeward_clock_is_synchronised() }

  /// UTC now, as the system believes it.
  public static var now: Timestamp { Timestamp(milliseconds: homeward_realtime_milliseconds()) }
}
