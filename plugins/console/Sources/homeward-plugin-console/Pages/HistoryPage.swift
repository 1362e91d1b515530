import JSON
import Moments

/// What was, of one resident: how far back and about what, with the first visit to each safe zone.
struct HistoryPage {
  static let page = Page(
    path: "/history", namesGuardians: true, questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private static let eventsAtMost: Int64 = 500
  private static let visitsAtMost: Int64 = 1000

  private var hours: Int64 {
    switch visit.fields["span"] {
    case "week": 7 * 24
    case "month": 31 * 24
    default: 24
    }
  }

  private var kinds: [EventKind] {
    [
      EventKind("", visit.gettext("Everything"), []),
      EventKind(
        "places", visit.gettext("Places"),
        ["zone", "position", "location", "absence", "guidance"]),
      EventKind("alarms", visit.gettext("Alarms"), ["alarm", "sos"]),
      EventKind("routine", visit.gettext("Routine"), ["routine", "medicine", "reminder"]),
      EventKind("readings", visit.gettext("Readings"), ["glucose"]),
    ]
  }

  private var questions: [Question] {
    guard let id = visit.chosenResident?["id"] else { return [] }
    guard visit.answers.has("events.query") else {
      let since = visit.now.advanced(byMilliseconds: -hours * 3_600_000).iso8601
      return [
        Question(
          "events.query",
          Pager.params(
            EventKind.chosen(kinds, visit).narrowing(
              ["resident": id, "since": .string(since), "limit": .integer(Self.eventsAtMost)]),
            visit))
      ]
    }
    let words = RecordWords.questions(visit.answers.list("events.query"), of: id, visit)
    guard words.isEmpty else { return words }
    if isAboutPlaces, !visit.answers.has(Trail.question) {
      let since = visit.now.advanced(byMilliseconds: -hours * 3_600_000).iso8601
      return [
        Question(
          "locations.query",
          ["resident": id, "since": .string(since), "limit": .integer(Trail.recordsAtMost)],
          as: Trail.question),
        Question("zones.list", ["resident": id]), Question("bookmarks.list", ["resident": id]),
      ]
    }
    // Whether a visit was the first only all that came before it tells.
    let isThere = visit.answers.list("events.query").contains(where: FirstVisits.isArrival)
    guard isThere, !visit.answers.has("visits") else { return [] }
    return [
      Question(
        "events.query",
        [
          "resident": id, "types": ["zone.entered", "zone.left", "zone.certain"],
          "limit": .integer(Self.visitsAtMost),
        ], as: "visits")
    ]
  }

  private var isAboutPlaces: Bool {
    EventKind.chosen(kinds, visit).word == "places"
  }

  private var content: PageContent {
    let title = visit.gettext("History")
    let id = visit.chosenResident?["id"]?.stringContent
    let kind = EventKind.chosen(kinds, visit)
    let events = visit.answers.list("events.query").filter {
      $0["type"]?.stringContent?.hasPrefix("account.") != true
    }
    let visits = visit.answers.list("visits")
    let firsts = visits.count < Self.visitsAtMost ? FirstVisits.ids(in: visits) : []
    let span = visit.fields["span"] ?? "day"
    let spans = [
      ("day", visit.gettext("24 hours")), ("week", visit.gettext("A week")),
      ("month", visit.gettext("A month")),
    ].map { word, words in
      Part.choiceLink(
        words, to: Visit.address("/history", ["resident": id, "span": word, "about": kind.word]),
        isHere: word == span)
    }
    let filters = kinds.map {
      Part.choiceLink(
        $0.words, to: Visit.address("/history", ["resident": id, "span": span, "about": $0.word]),
        isHere: $0.word == kind.word)
    }
    let trail = isAboutPlaces ? Trail(visit.answers.list(Trail.question)) : nil
    let hasMap = trail?.places.isEmpty == false
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/history"))
        <nav class="people" aria-label="\(visit.gettext("How far back"))">\(spans)</nav>
        <nav class="people" aria-label="\(visit.gettext("What to show"))">\(filters)</nav>
        \(trail.map { places($0) } ?? .nothing)
        \(EventList.days(events, visit, firsts: firsts, empty: visit.gettext("Nothing is known of this time.")))\(Pager.links("events.query", visit, "/history", ["resident": id, "span": span, "about": kind.word]))
        """, scripts: hasMap ? ["map.js"] : [], hasMap: hasMap, place: .more)
  }

  /// Where somebody was, as a list beside the map.
  private func places(_ trail: Trail) -> HTML {
    let zones = visit.answers.list("zones.list")
    let bookmarks = visit.answers.list("bookmarks.list")
    let blurred: HTML =
      trail.isBlurred
      ? "<p class=\"soft\">\(visit.gettext("Positions:")) \(ObfuscationPart.words(visit))</p>"
      : .nothing
    let list =
      trail.card(of: visit.chosenResident, zones: zones, bookmarks: bookmarks, visit) + blurred
    guard !trail.places.isEmpty else { return list }
    return """
      <div class="split brief"><div class="side">\(list)</div>\(MapPart.canvas(visit))</div>
      \(MapPart.drawn(visit, people: [], zones: zones, bookmarks: bookmarks, trail: trail))
      """
  }
}

/// What a list of events can be narrowed to.
struct EventKind: Sendable {
  /// The word in the address; empty for everything.
  let word: String
  /// What people read.
  let words: String
  /// Whole types, or everything below a word; empty for all.
  let types: [String]

  init(_ word: String, _ words: String, _ types: [String]) {
    self.word = word
    self.words = words
    self.types = types
  }

  /// The kind that the address names, else the first.
  static func chosen(_ kinds: [EventKind], _ visit: Visit) -> EventKind {
    kinds.first { $0.word == visit.fields["about"] } ?? kinds[0]
  }

  /// The parameters of a question about events, of this kind alone: what is left out afterwards would count towards
  /// the limit.
  func narrowing(_ params: JSONValue) -> JSONValue {
    types.isEmpty
      ? params : params.setting("types", to: .array(types.map { .string($0) }))
  }
}

/// Which arrivals were the first at a safe zone.
enum FirstVisits {
  /// Whether somebody came somewhere, or is known to be there.
  static func isArrival(_ event: JSONValue) -> Bool {
    switch event["type"]?.stringContent {
    case "zone.entered": true
    case "zone.certain": event["data"]?["presence"]?.stringContent == "inside"
    default: false
    }
  }

  /// The ids of first arrivals among all events of a resident about zones, the newest first.
  ///
  /// Whoever left a zone was in it before, even where the gateway did not see them come.
  static func ids(in events: [JSONValue]) -> Set<String> {
    var (known, firsts): (Set<String>, Set<String>) = ([], [])
    for event in events.reversed() {
      guard let zone = event["data"]?["zone"]?.stringContent,
        isArrival(event) || event["type"]?.stringContent == "zone.left",
        known.insert(zone).inserted, isArrival(event), let id = event["id"]?.stringContent
      else { continue }
      firsts.insert(id)
    }
    return firsts
  }
}
