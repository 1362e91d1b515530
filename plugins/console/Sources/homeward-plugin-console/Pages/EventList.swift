import JSON

/// Events in a list, by the day.
enum EventList {
  /// - Parameter firsts: the ids of those that were a first visit.
  static func days(
    _ events: [JSONValue], _ visit: Visit, firsts: Set<String> = [], empty: String
  ) -> HTML {
    guard !events.isEmpty else { return Part.empty(empty) }
    var days: [(day: String, lines: [HTML])] = []
    for event in events {
      let resident = EventWords.resident(event, visit) ?? visit.residents.first
      let day = visit.day(event["time"]?.stringContent, of: resident)
      let name = EventWords.resident(event, visit)?["name"]?.stringContent
      let sentence = EventWords.sentence(event, visit)
      let isNamed = visit.residents.count == 1 || name.map(sentence.hasPrefix) != false
      let several: HTML = isNamed ? .nothing : "<strong>\(name ?? "")</strong> "
      let time = visit.clock(event["time"]?.stringContent, of: resident).split(separator: " ").last
      let isFirst = event["id"]?.stringContent.map(firsts.contains) == true
      let first: HTML =
        isFirst ? " " + Part.pill(visit.gettext("First visit that is known"), .plain) : .nothing
      let line = Part.line(
        EventWords.icon(event), several + HTML(sentence) + first,
        HTML(time.map(String.init) ?? ""))
      if days.last?.day == day {
        days[days.count - 1].lines.append(line)
      } else {
        days.append((day, [line]))
      }
    }
    return HTML(
      days.map {
        "<section class=\"card\"><h2 class=\"day\">\($0.day)</h2>\(Part.list($0.lines))</section>"
      })
  }
}

/// How often what happened, the most frequent first and the newest first among equals.
struct EventTally {
  /// One thing that happened, once or several times.
  struct Group: Hashable, Sendable {
    /// What people read.
    var words: String
    /// How often it happened.
    var count: Int
    /// When it did last, in ISO 8601.
    var latest: String
    /// Whose it is.
    var resident: JSONValue?
  }

  /// What is counted: alarms by their kind, leavings by the zone, and when nobody knew where somebody was.
  static let types: JSONValue = ["alarm.raised", "zone.left", "position.unknown"]

  /// Counts events that came the newest first.
  static func groups(_ events: [JSONValue], _ visit: Visit) -> [Group] {
    var groups: [Group] = []
    var places: [String: Int] = [:]
    for event in events {
      guard let words = words(event, visit) else { continue }
      let key = (event["subject"]?.stringContent ?? "") + " " + words
      if let place = places[key] {
        groups[place].count += 1
      } else {
        places[key] = groups.count
        groups.append(
          Group(
            words: words, count: 1, latest: event["time"]?.stringContent ?? "",
            resident: EventWords.resident(event, visit)))
      }
    }
    return groups.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
  }

  private static func words(_ event: JSONValue, _ visit: Visit) -> String? {
    let facts = event["data"] ?? .null
    let name = EventWords.resident(event, visit)?["name"]?.stringContent
    switch event["type"]?.stringContent {
    case "alarm.raised": return AlarmWords.heading(facts, visit)
    case "zone.left":
      return visit.gettext(
        "{name} left {zone}",
        ["name": name ?? "–", "zone": facts["zoneName"]?.stringContent ?? "–"])
    case "position.unknown":
      return visit.gettext("Nobody knew where {name} was", ["name": name ?? "–"])
    default: return nil
    }
  }

  /// The counts as a list; nothing where nothing happened.
  static func card(_ groups: [Group], _ visit: Visit) -> HTML {
    guard !groups.isEmpty else { return .nothing }
    let lines = groups.map { group in
      let count = visit.ngettext("once", "{n} times", group.count, ["n": group.count])
      let latest = visit.gettext(
        "Last: {time}", ["time": visit.clock(group.latest, of: group.resident)])
      return Part.line(
        Icon.bell, "<strong>\(group.words)</strong> \(Part.pill(count, .plain))", HTML(latest))
    }
    return Part.card(visit.gettext("How often"), Part.list(lines))
  }
}
