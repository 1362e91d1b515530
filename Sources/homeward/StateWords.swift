import Texts

/// The words that the daemon uses for states, as people read them; unknown ones stay as they are.
enum StateWords {
  /// The state of a part or a plugin; bad ones in capital letters where the script has any.
  static func of(_ state: String) -> String {
    switch state {
    case "working": Message("working", context: "state").spoken
    case "unused": Message("unused", context: "state").spoken
    case "starting": Message("starting", context: "state").spoken
    case "running": Message("running", context: "state").spoken
    case "degraded": Message("DEGRADED", context: "state").spoken
    case "failed": Message("FAILED", context: "state").spoken
    case "disabled": Message("DISABLED", context: "state").spoken
    case "invalid": Message("INVALID", context: "state").spoken
    case "stopping": Message("STOPPING", context: "state").spoken
    case "waiting": Message("WAITING", context: "state").spoken
    case "stopped": Message("STOPPED", context: "state").spoken
    default: TextWidth.printable(state.uppercased())
    }
  }

  /// How well the time is known.
  static func quality(_ quality: String) -> String {
    switch quality {
    case "synchronised": Message("network time", context: "clock").spoken
    case "satellite": Message("satellite", context: "clock").spoken
    case "hardware-clock": Message("hardware clock", context: "clock").spoken
    case "untrusted": Message("not known", context: "clock").spoken
    default: TextWidth.printable(quality)
    }
  }
}
