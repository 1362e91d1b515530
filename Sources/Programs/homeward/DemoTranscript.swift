import Care
import CivilTime
import JSON
import Moments

/// What the demonstration tells the person in front of it.
struct DemoTranscript {
  private let terminal: Terminal
  private let times: TimeDisplay
  private var left: Timestamp?
  private var returned: Timestamp?
  private var eventCount = 0
  private var brokerCount = 0

  init(terminal: Terminal, times: TimeDisplay) {
    self.terminal = terminal
    self.times = times
  }

  /// Whether the person left home and is back.
  var hasReturned: Bool { returned != nil }

  func say(_ sentence: String) { terminal.writeLine("\(clock(TimeDisplay.now))  \(sentence)") }

  /// An event of the gateway, with its local time and its explanation.
  mutating func show(_ event: JSONValue) {
    eventCount += 1
    let type = event["type"]?.stringContent ?? "-"
    let time = event["time"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
    if type == EventType.zoneLeft.rawValue { left = time }
    if type == EventType.zoneEntered.rawValue, left != nil { returned = time }
    terminal.writeLine(
      "\(clock(time ?? TimeDisplay.now))  \(heading(type))\n"
        + "          \(TextWidth.printable(EventText.sentence(event, times)))")
  }

  /// A message that a subscriber of the broker got: its topic, a blank, its content.
  mutating func showBroker(_ line: String) {
    guard let blank = line.firstIndex(of: " ") else { return }
    let (topic, content) = (String(line[..<blank]), String(line[line.index(after: blank)...]))
    let event = try? JSONValue(parsing: content)
    guard topic.hasSuffix("/event/alarm") || topic.hasSuffix("/zone") else { return }
    brokerCount += 1
    let gist = event?["type"]?.stringContent ?? content
    terminal.writeLine(
      gettext(
        "            → on the broker: {topic}: {name}",
        ["topic": topic, "name": TextWidth.printable(gist)]))
  }

  func summarize(isInterrupted: Bool) {
    var parts = [ngettext("{n} event", "{n} events", eventCount)]
    if brokerCount > 0 {
      parts.append(
        gettext("{messages} messages on the broker shown", ["messages": brokerCount]))
    }
    if let left, let returned {
      let away = TimeDisplay.span(seconds: returned.milliseconds(since: left) / 1000)
      parts.append(gettext("Ada was away for {away}", ["away": away]))
    }
    let summary = parts.joined(separator: ", ")
    say(
      isInterrupted
        ? gettext("Interrupted: {summary}.", ["summary": summary])
        : gettext("Done: {summary}.", ["summary": summary]))
  }

  private func heading(_ type: String) -> String {
    switch type {
    case EventType.zoneLeft.rawValue: gettext("*** zone.left: Ada has left home ***")
    case EventType.zoneEntered.rawValue: gettext("*** zone.entered: Ada is at home ***")
    default: type
    }
  }

  private func clock(_ moment: Timestamp) -> String {
    times.time(times.zone.local(at: moment).civil)
  }
}
