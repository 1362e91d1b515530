import Care

/// News that plugins were asked to tell guardians, and of which something may still be heard.
struct ToldNews: Sendable {
  /// One of them.
  private struct News: Sendable {
    let event: String
    let guardian: GuardianID
    let channel: Guardian.Channel
    let asked: Asked
    var wasSent = false
  }

  /// So much is remembered; what was told before proves nothing any more.
  private static let limit = 256
  /// The oldest first.
  private var news: [News] = []

  /// Remembers what is being told, so that what becomes of it can be learnt from.
  mutating func note(_ message: AlarmMessage, by asked: Asked) {
    news.append(
      News(
        event: message.alarm.rawValue, guardian: message.guardian, channel: message.channel,
        asked: asked))
    if news.count > Self.limit { news.removeFirst(news.count - Self.limit) }
  }

  /// The place of what a report is about; nil where nothing of the kind was told, or all is known of it.
  func place(of report: DeliveryReport) -> Int? {
    news.firstIndex {
      $0.event == report.event.rawValue && $0.guardian.rawValue == report.recipient
        && $0.channel.rawValue == report.channel && $0.asked.takesWord(of: report.plugin)
        && (!$0.wasSent || report.outcome != .sent)
    }
  }

  /// Takes what became of one.
  mutating func take(_ outcome: DeliveryReport.Outcome, at place: Int) {
    if outcome == .sent { news[place].wasSent = true } else { news.remove(at: place) }
  }
}
