import JSON
import Moments

/// What happened that somebody has not looked at yet, on any of their devices.
enum Unseen {
  private static let question = "unseen"
  /// What counts: calls for help, comings and goings, things left behind, and tries at a password.
  private static let types: JSONValue = [
    "alarm.raised", "zone.left", "zone.entered", "left.without", "account.attacked",
  ]
  /// As many as a badge has room for.
  static let atMost = 99

  /// What is asked once it is known until when somebody looked; nothing where that is answered, or nobody cares.
  static func questions(_ visit: Visit) -> [Question] {
    guard visit.isCaregiver, !visit.residents.isEmpty, !visit.answers.has(question) else {
      return []
    }
    let since = since(visit).advanced(byMilliseconds: 1)
    return [
      Question(
        "events.query",
        ["types": types, "since": .string(since.iso8601), "limit": .integer(Int64(atMost) + 1)],
        as: question)
    ]
  }

  /// How many they are.
  static func count(_ visit: Visit) -> Int {
    let since = since(visit)
    return visit.answers.list(question).count { event in
      event["time"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }.map { $0 > since }
        ?? false
    }
  }

  /// What tells the page's script that all of it is looked at now.
  static func mark(_ visit: Visit) -> HTML {
    guard let newest = visit.answers.list(question).first?["time"]?.stringContent, count(visit) > 0
    else { return .nothing }
    return """
      <span id="seen" hidden data-account="\(visit.account["id"]?.stringContent ?? "")" data-newest="\(newest)"></span>
      """
  }

  /// Until when somebody looked; who never did has seen what was before their account.
  private static func since(_ visit: Visit) -> Timestamp {
    let told = visit.account["alertsSeen"]?.stringContent ?? visit.account["created"]?.stringContent
    return told.flatMap { try? Timestamp(iso8601: $0) } ?? visit.now
  }
}
