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

extension AlarmEngine {
  /// Whether a report is of something that whoever reports was asked to do, and of which nothing final was heard yet.
  ///
  /// What the gateway says of itself always is.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    report.plugin.isEmpty || subject(of: report) != nil
  }

  /// What a report is about.
  enum ReportSubject: Hashable {
    case contact(alarm: Int)
    case message(alarm: Int, place: Int)
    case news(Int)
  }

  func subject(of report: DeliveryReport) -> ReportSubject? {
    let id = report.event.rawValue
    if report.recipient == "emergency",
      let index = state.alarms.firstIndex(where: { $0.contact?.id == id })
    {
      guard let call = state.alarms[index].contact, call.asked.takesWord(of: report.plugin),
        call.expects(report.outcome)
      else { return nil }
      return .contact(alarm: index)
    }
    guard let channel = Guardian.Channel(rawValue: report.channel) else { return nil }
    if let index = state.alarms.firstIndex(where: { $0.id.rawValue == id }) {
      let notice = report.notice ?? state.alarms[index].notice
      let place = state.alarms[index].messages.firstIndex {
        $0.guardian.rawValue == report.recipient && $0.channel == channel && $0.notice == notice
      }
      guard let place, state.alarms[index].messages[place].isAwaited(report) else { return nil }
      return .message(alarm: index, place: place)
    }
    return toldNews.place(of: report).map { .news($0) }
  }
}

extension GuardianMessage {
  /// Whether a report is of the newest attempt, by whoever was asked, and something is still expected of it.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    asked.takesWord(of: report.plugin) && (report.attempt.map { $0 == attempt } ?? true)
      && expects(report.outcome)
  }
}
