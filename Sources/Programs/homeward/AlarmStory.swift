import Care
import JSON
import Moments

/// The life of an alarm as people read it: a line for each thing that happened.
struct AlarmStory: Sendable {
  /// CloudEvents of one alarm, the oldest first.
  var events: [JSONValue]
  var times: TimeDisplay
  var allPositions: Bool

  var text: String {
    guard let first = events.first, let last = events.last else {
      return gettext("Its events are not in the journal any more.\n")
    }
    var table = Table([gettext("TIME"), gettext("AFTER"), gettext("WHAT"), gettext("HOW")])
    for line in lines { table.add(line) }
    return heading(first, last) + "\n" + table.text
  }

  private func heading(_ first: JSONValue, _ last: JSONValue) -> String {
    let facts = first["data"] ?? .null
    let who =
      facts["residentName"]?.stringContent
      ?? first["subject"]?.stringContent?.split(separator: "/").last.map(String.init)
    let tag = facts["tag"]?.stringContent ?? "-"
    let kind = facts["kind"]?.stringContent ?? "alarm"
    let stage = events.compactMap { $0["data"]?["stage"]?.stringContent }.last ?? "unknown"
    let id = AlarmJournal.alarm(of: last) ?? "-"
    return TextWidth.printable(
      gettext(
        "Alarm {tag}: {kind} of {who}, now {stage}",
        [
          "tag": tag, "kind": StateWords.kind(kind), "who": who ?? gettext("the gateway"),
          "stage": StateWords.stage(stage, isOpen: false),
        ]))
      + "\n" + TextWidth.printable(gettext("id {id}", ["id": id])) + "\n"
  }

  private var lines: [[String]] {
    var lines: [[String]] = []
    var index = 0
    while index < events.count {
      let end = endOfPositions(from: index)
      if !allPositions, end - index > 3 {
        lines.append(line(events[index]))
        lines.append([
          "", "", gettext("… {n} more positions", ["n": end - index - 2]),
          gettext("see them: --positions"),
        ])
        lines.append(line(events[end - 1]))
        index = end
      } else {
        lines.append(line(events[index]))
        index += 1
      }
    }
    return lines
  }

  /// Behind the last of the positions that follow each other from an index on.
  private func endOfPositions(from start: Int) -> Int {
    events[start...].firstIndex {
      $0["type"]?.stringContent != EventType.alarmLocation.rawValue
    } ?? events.count
  }

  private func line(_ event: JSONValue) -> [String] {
    [
      times.text(event["time"]?.stringContent), since(event), word(event),
      EventText.sentence(event, times),
    ]
  }

  /// Time since the first event; minutes and seconds, or hours and minutes.
  private func since(_ event: JSONValue) -> String {
    guard let began = instant(events.first), let now = instant(event) else { return "" }
    let milliseconds = now.milliseconds.subtractingReportingOverflow(began.milliseconds)
    guard !milliseconds.overflow, milliseconds.partialValue >= 0 else { return "-" }
    let seconds = milliseconds.partialValue / 1000
    if seconds < 60 {
      return gettext(
        "{seconds} s",
        ["seconds": NumberText.fixed(Double(milliseconds.partialValue) / 1000, 1)])
    }
    if seconds < 3600 {
      return gettext(
        "{minutes} min {seconds} s", ["minutes": seconds / 60, "seconds": seconds % 60])
    }
    return gettext(
      "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds / 60 % 60])
  }

  private func instant(_ event: JSONValue?) -> Timestamp? {
    event?["time"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
  }

  /// What happened in a word or two.
  private func word(_ event: JSONValue) -> String {
    let facts = event["data"] ?? .null
    let type = event["type"]?.stringContent ?? "-"
    if type == EventType.alarmDelivery.rawValue {
      let outcome = facts["outcome"]?.stringContent ?? "told"
      return [facts["channel"]?.stringContent, outcome].compactMap { $0 }.joined(separator: " ")
    }
    return type.hasPrefix("alarm.") ? String(type.dropFirst(6)) : type
  }
}
