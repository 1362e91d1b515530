import JSON
import Moments

/// What happened that somebody has not looked at yet, on any of their devices.
enum Unseen {
  private static let question = "unseen"
  /// What counts for whoever cares: calls for help, comings and goings, things left behind, and tries at a password.
  private static let types: JSONValue = [
    "alarm.raised", "zone.left", "zone.entered", "left.without", attack,
  ]
  /// What counts for whoever is looked after, and knows the rest: tries at a password.
  private static let ownTypes: JSONValue = [attack]
  private static let attack: JSONValue = "account.attacked"
  /// As many as a badge has room for.
  static let atMost = 99

  /// What is asked once it is known until when somebody looked; nothing where that is answered, or they see nobody.
  static func questions(_ visit: Visit) -> [Question] {
    guard !visit.isClinician, !visit.residents.isEmpty, !visit.answers.has(question) else {
      return []
    }
    let since = since(visit).advanced(byMilliseconds: 1)
    return [
      Question(
        "events.query",
        [
          "types": visit.isCaregiver ? types : ownTypes, "since": .string(since.iso8601),
          "limit": .integer(Int64(atMost) + 1),
        ], as: question)
    ]
  }

  /// The newest first.
  private static func events(_ visit: Visit) -> [JSONValue] {
    let since = since(visit)
    return visit.answers.list(question).filter { event in
      event["time"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }.map { $0 > since }
        ?? false
    }
  }

  /// How many they are.
  static func count(_ visit: Visit) -> Int { events(visit).count }

  /// What tells the page's script that all of it is looked at now.
  static func mark(_ visit: Visit) -> HTML {
    guard let newest = events(visit).first?["time"]?.stringContent else { return .nothing }
    return """
      <span id="seen" hidden data-account="\(visit.account["id"]?.stringContent ?? "")" data-newest="\(newest)"></span>
      """
  }

  /// Tries at a password, for whoever is looked after; nothing once they were looked at.
  static func attacks(_ visit: Visit) -> HTML {
    let attacks = visit.isCaregiver ? [] : events(visit)
    guard !attacks.isEmpty else { return .nothing }
    let lines = attacks.map { event in
      Part.line(
        Icon.person, "<strong>\(EventWords.sentence(event, visit))</strong>",
        visit.age(of: event["time"]?.stringContent))
    }
    return Part.card(
      visit.gettext("Wrong passwords"),
      "\(Part.list(lines))<p class=\"actions\">\(Part.link(visit.gettext("I have seen it"), to: "/alerts"))</p>"
    )
  }

  /// Until when somebody looked; who never did has seen what was before their account.
  private static func since(_ visit: Visit) -> Timestamp {
    let told = visit.account["alertsSeen"]?.stringContent ?? visit.account["created"]?.stringContent
    return told.flatMap { try? Timestamp(iso8601: $0) } ?? visit.now
  }
}
