import JSON
import Moments

/// That an alarm is over, in the words of whoever ended it: on every page, with a calm sound, for an hour.
enum AllClear {
  /// How long it is told, in milliseconds.
  static let milliseconds: Int64 = 3_600_000
  /// The name of the question by which pages hear of it.
  static let question = "all-clear"
  /// The events that tell of it.
  static let types = ["alarm.cancelled", "alarm.resolved"]

  /// A line for each alarm that is over, and not open again.
  static func lines(_ visit: Visit) -> [HTML] {
    let open = Set(visit.alarms.compactMap { $0["alarm"]?.stringContent })
    return visit.answers.list(question).compactMap { event in
      guard let alarm = event["data"]?["alarm"]?.stringContent, !open.contains(alarm),
        event["data"]?["kind"]?.stringContent != "test",
        types.contains(event["type"]?.stringContent ?? ""),
        let time = event["time"]?.stringContent, let then = try? Timestamp(iso8601: time),
        (0..<milliseconds).contains(visit.now.milliseconds(since: then))
      else { return nil }
      let resident = EventWords.resident(event, visit)
      let until = then.advanced(byMilliseconds: milliseconds).iso8601
      return """
        <a class="banner calm" href="\(Visit.address("/alarm", ["id": alarm]))"\(mark(event)) data-until="\(until)">\(Icon.check)<span><strong>\(visit.gettext("The alarm is over"))</strong> \(EventWords.sentence(event, visit)), \(visit.clock(time, of: resident))</span></a>
        """
    }
  }

  /// What makes an event's end heard once, by whoever looks when it comes.
  static func mark(_ event: JSONValue) -> HTML {
    guard types.contains(event["type"]?.stringContent ?? "") else { return .nothing }
    return
      " data-calms=\"\(event["data"]?["alarm"]?.stringContent ?? "")\" data-at=\"\(event["time"]?.stringContent ?? "")\""
  }
}
