import CGatewayShims
import Moments

/// The wall clock, for the names of files only.
enum SystemTime {
  static var utc: Timestamp { Timestamp(milliseconds: homeward_realtime_milliseconds()) }
}
