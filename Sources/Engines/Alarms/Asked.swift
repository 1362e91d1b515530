import Care

/// Which plugin was asked to carry something, and so may say what became of it.
enum Asked: Hashable, Sendable {
  /// Nobody had said yet what plugins offer, so that whoever answers was asked.
  case whoever
  /// No plugin took it.
  case nobody
  /// The plugin of this name.
  case plugin(String)

  /// Whether a report of a plugin, or of the gateway itself (an empty name), counts.
  func takesWord(of plugin: String) -> Bool {
    if plugin.isEmpty { return true }
    switch self {
    case .whoever: return true
    case .nobody: return false
    case .plugin(let asked): return asked == plugin
    }
  }

  /// As it is stored: nothing, an empty text, or the plugin's name.
  init(stored: String?) {
    switch stored {
    case nil: self = .whoever
    case "": self = .nobody
    case .some(let name): self = .plugin(name)
    }
  }

  var stored: String? {
    switch self {
    case .whoever: nil
    case .nobody: ""
    case .plugin(let name): name
    }
  }
}

extension GuardianMessage {
  /// Whether a report is of the newest attempt, by whoever was asked, and something is still expected of it.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    asked.takesWord(of: report.plugin) && (report.attempt.map { $0 == attempt } ?? true)
      && expects(report.outcome)
  }
}
