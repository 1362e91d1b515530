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

  /// How far an alarm has come; that of an open one in capital letters where the script has any.
  static func stage(_ stage: String, isOpen: Bool) -> String {
    let word =
      switch stage {
      case "prealarm": Message("prealarm", context: "stage").spoken
      case "dispatched": Message("dispatched", context: "stage").spoken
      case "acknowledged": Message("acknowledged", context: "stage").spoken
      case "resolved": Message("resolved", context: "stage").spoken
      case "cancelled": Message("cancelled", context: "stage").spoken
      default: TextWidth.printable(stage)
      }
    return isOpen ? word.uppercased() : word
  }

  /// How far somebody is who is shown a way, and what worries on it.
  static func guidance(_ stage: String, _ trouble: String?) -> String {
    let word =
      switch stage {
      case "asked": Message("asked", context: "way").spoken
      case "seeking": Message("looking for the way", context: "way").spoken
      case "leading": Message("on the way", context: "way").spoken
      case "pointing": Message("shown the direction", context: "way").spoken
      default: TextWidth.printable(stage)
      }
    guard let trouble else { return word }
    let worry =
      switch trouble {
      case "still": Message("stands still", context: "way").spoken
      case "pacing": Message("goes back and forth", context: "way").spoken
      case "vehicle": Message("is driven", context: "way").spoken
      case "unheard": Message("cannot hear the words", context: "way").spoken
      default: TextWidth.printable(trouble)
      }
    return "\(word), \(worry.uppercased())"
  }

  /// What an alarm is about.
  static func kind(_ kind: String) -> String {
    switch kind {
    case "sos": Message("sos", context: "alarm").spoken
    case "zone": Message("zone", context: "alarm").spoken
    case "position": Message("position", context: "alarm").spoken
    case "glucose": Message("glucose", context: "alarm").spoken
    case "medicine": Message("medicine", context: "alarm").spoken
    case "lost": Message("way", context: "alarm").spoken
    case "fault": Message("fault", context: "alarm").spoken
    case "battery": Message("battery", context: "alarm").spoken
    case "test": Message("test", context: "alarm").spoken
    default: TextWidth.printable(kind)
    }
  }

  /// By what a guardian is told.
  static func channel(_ channel: String) -> String {
    switch channel {
    case "sms": Message("sms", context: "way").spoken
    case "voice": Message("voice", context: "way").spoken
    case "email": Message("email", context: "way").spoken
    case "push": Message("push", context: "way").spoken
    default: TextWidth.printable(channel)
    }
  }
}
