import JSON

/// What was found out about one device or dependency.
struct Finding {
  /// How it stands.
  enum State: String {
    /// Found and working.
    case working
    /// Works in part, or cannot be said.
    case warning
    /// Does not work; the daemon needs it.
    case failed
    /// Not configured.
    case unused
  }

  var subject: String
  var state: State
  /// What was found.
  var found: String
  /// What to do; empty when there is nothing.
  var advice = ""

  var json: JSONValue {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "found": .string(found),
      "advice": .string(advice),
    ]
  }

  var line: String {
    let mark =
      switch state {
      case .working: gettext("ok      ")
      case .warning: gettext("WARNING ")
      case .failed: gettext("FAILED  ")
      case .unused: "-       "
      }
    let advice = advice.isEmpty ? "" : "\n          -> \(TextWidth.printable(advice))"
    return "\(mark)  \(subject): \(TextWidth.printable(found))\(advice)"
  }
}
