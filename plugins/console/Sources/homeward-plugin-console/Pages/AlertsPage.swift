import JSON
import Moments

/// What is open and what was, by day.
struct AlertsPage {
  static let page = Page(
    path: "/alerts", namesGuardians: true, questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private static let spans: [(word: String, days: Int64)] = [
    ("day", 0), ("week", 6), ("month", 30),
  ]

  private var span: (word: String, days: Int64) {
    Self.spans.first { $0.word == visit.fields["span"] } ?? Self.spans[1]
  }

  private static let eventsAtMost: Int64 = 300
  private static let countedAtMost: Int64 = 1000

  private var kinds: [EventKind] {
    [
      EventKind(
        "", visit.gettext("Everything"),
        ["alarm", "zone", "position.unknown", "absence", "left.without", "account.attacked"]),
      EventKind("alarms", visit.gettext("Alarms"), ["alarm"]),
      EventKind("zones", visit.gettext("Safe zones"), ["zone"]),
      EventKind(
        "position", visit.gettext("Position not known"),
        ["position.unknown", "position.regained"]),
      EventKind("absences", visit.gettext("Planned absences"), ["absence"]),
      EventKind("left", visit.gettext("Left behind"), ["left.without"]),
      EventKind("passwords", visit.gettext("Wrong passwords"), ["account.attacked"]),
    ]
  }

  private var questions: [Question] {
    guard !visit.answers.has("events.query") else { return [] }
    let since = visit.midnight(of: visit.residents.first, daysAgo: span.days).iso8601
    return [
      Question(
        "events.query",
        Pager.params(
          EventKind.chosen(kinds, visit).narrowing(
            ["since": .string(since), "limit": .integer(Self.eventsAtMost)]), visit)),
      Question(
        "events.query",
        [
          "types": EventTally.types, "since": .string(since),
          "limit": .integer(Self.countedAtMost),
        ], as: "counted"),
    ]
  }

  private var content: PageContent {
    let title = visit.pgettext("page", "Alerts")
    let open = visit.alarms.map { alarm -> HTML in
      """
      <li><a class="entry open" href="\(Visit.address("/alarm", ["id": alarm["alarm"]?.stringContent]))"><strong>\(AlarmWords.heading(alarm, visit))</strong><span class="soft">\(visit.age(of: alarm["raisedAt"]?.stringContent)). \(AlarmWords.charge(alarm, visit))</span></a></li>
      """
    }
    let now: HTML =
      open.isEmpty
      ? Part.empty(visit.gettext("No alarm is open.")) : "<ul class=\"entries\">\(open)</ul>"
    let (here, kind) = (span, EventKind.chosen(kinds, visit))
    let choices = Self.spans.map { choice -> HTML in
      let words =
        switch choice.word {
        case "day": visit.gettext("Today")
        case "month": visit.gettext("A month")
        default: visit.gettext("A week")
        }
      return Part.choiceLink(
        words, to: Visit.address("/alerts", ["span": choice.word, "about": kind.word]),
        isHere: choice.word == here.word)
    }
    let filters = kinds.map {
      Part.choiceLink(
        $0.words, to: Visit.address("/alerts", ["span": here.word, "about": $0.word]),
        isHere: $0.word == kind.word)
    }
    let events = visit.answers.list("events.query")
    let groups = EventTally.groups(visit.answers.list("counted"), visit)
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Unseen.mark(visit))
        \(now)
        <h2>\(visit.gettext("What happened"))</h2>
        <nav class="people" aria-label="\(visit.gettext("How far back"))">\(choices)</nav>
        \(EventTally.card(groups, visit))
        <nav class="people" aria-label="\(visit.gettext("What to show"))">\(filters)</nav>
        \(EventList.days(events, visit, empty: visit.gettext("Nothing happened in this time.")))\(Pager.links("events.query", visit, "/alerts", ["span": here.word, "about": kind.word]))
        """, place: .alerts)
  }
}
