import JSON

/// Events in a list, by the day.
enum EventList {
  static func days(_ events: [JSONValue], _ visit: Visit, empty: String) -> HTML {
    guard !events.isEmpty else { return Part.empty(empty) }
    var days: [(day: String, lines: [HTML])] = []
    for event in events {
      let resident = EventWords.resident(event, visit) ?? visit.residents.first
      let day = visit.day(event["time"]?.stringContent, of: resident)
      let name = EventWords.resident(event, visit)?["name"]?.stringContent
      let several: HTML =
        visit.residents.count > 1 ? name.map { "<strong>\($0)</strong> " } ?? .nothing : .nothing
      let time = visit.clock(event["time"]?.stringContent, of: resident).split(separator: " ").last
      let line = Part.line(
        EventWords.icon(event), several + HTML(EventWords.sentence(event, visit)),
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
