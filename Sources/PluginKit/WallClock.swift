import CGatewayShims
public import CareModel

/// The system's wall clock, for plugins; the daemon has its own with a measure of trust.
public enum WallClock {
  /// UTC now, as the system believes it.
  public static var now: Timestamp { Timestamp(milliseconds: homeward_realtime_milliseconds()) }
}
