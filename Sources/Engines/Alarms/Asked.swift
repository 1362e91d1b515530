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

/// News that a plugin was asked to tell a guardian, and of which something may still be heard.
struct AskedNews: Hashable, Sendable {
  let event: String
  let guardian: GuardianID
  let channel: Guardian.Channel
  let asked: Asked
  var wasSent = false
}

extension AlarmEngine {
  /// So much news is remembered; what was told before proves nothing any more.
  private static let rememberedNews = 256

  /// The plugin that takes messages for a channel now.
  func askedNow(_ channel: Guardian.Channel) -> Asked {
    offers.map { $0[channel].map { .plugin($0.plugin) } ?? .nobody } ?? .whoever
  }

  /// The plugin that reaches the emergency services now.
  var emergencyAskedNow: Asked {
    offers == nil ? .whoever : emergencyPlugin.map { .plugin($0) } ?? .nobody
  }

  /// Remembers news that is being told, so that what becomes of it can be learnt from.
  mutating func noteTold(_ message: AlarmMessage) {
    news.append(
      AskedNews(
        event: message.alarm.rawValue, guardian: message.guardian, channel: message.channel,
        asked: askedNow(message.channel)))
    if news.count > Self.rememberedNews { news.removeFirst(news.count - Self.rememberedNews) }
  }

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
    let place = news.firstIndex {
      $0.event == id && $0.guardian.rawValue == report.recipient && $0.channel == channel
        && $0.asked.takesWord(of: report.plugin) && (!$0.wasSent || report.outcome != .sent)
    }
    return place.map { .news($0) }
  }
}

extension GuardianMessage {
  /// Whether a report is of the newest attempt, by whoever was asked, and something is still expected of it.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    asked.takesWord(of: report.plugin) && (report.attempt.map { $0 == attempt } ?? true)
      && expects(report.outcome)
  }
}
