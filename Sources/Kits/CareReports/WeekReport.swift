import Care
import GlucoseValues
import JSON
import Moments
import Texts

/// For those who care: what a week was like.
struct WeekReport {
  let writer: ReportWriter

  private func text(_ message: Message) -> String { writer.text(message) }

  private var events: [JSONValue] {
    writer.answers.list("events.query").sorted {
      ($0["time"]?.stringContent ?? "") < ($1["time"]?.stringContent ?? "")
    }
  }

  var document: ReportDocument {
    writer.document(
      text(Message("The week of {name}", ["name": writer.name])), lines: [writer.period],
      alarms + outings + routine + glucose)
  }

  private var alarms: [ReportPart] {
    let ended: Set = ["alarm.resolved", "alarm.cancelled"]
    let own = events.filter {
      ended.contains($0["type"]?.stringContent ?? "") && $0["data"]?["kind"] != "test"
    }
    let head: [ReportPart] = [.heading(text(Message("Alarms")))] + writer.missing("events.query")
    guard !own.isEmpty else {
      return head + writer.none(Message("There was no alarm."), of: "events.query")
    }
    return head + [
      .table(
        header: [text(Message("When")), text(Message("What happened"))],
        rows: own.map {
          [writer.clock($0["time"]), $0["data"]?["explanation"]?.stringContent ?? ""]
        })
    ]
  }

  private var outings: [ReportPart] {
    let left = events.filter {
      $0["type"] == "zone.left" && $0["data"]?["isHome"]?.boolContent == true
    }
    let byDay = Dictionary(grouping: left) {
      $0["time"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }.map(writer.date) ?? "–"
    }
    let head = ReportPart.heading(text(Message("Out of the house")))
    guard writer.answers.refusal("events.query") == nil else { return [] }
    guard !left.isEmpty else {
      return [head, .paragraph(text(Message("Nobody was seen to leave the house.")))]
    }
    return [
      head,
      .table(
        header: [text(Message("Day")), text(Message("How often"))],
        rows: byDay.keys.sorted().map { [$0, "\(byDay[$0]?.count ?? 0)"] }),
    ]
  }

  private var routine: [ReportPart] {
    let items = writer.answers.list("routine.list").filter {
      $0["resident"]?.stringContent == writer.request.resident
    }
    let head: [ReportPart] =
      [.heading(text(Message("What recurs")))] + writer.missing("routine.list", "occurrences.query")
    guard !items.isEmpty else {
      return head + writer.none(Message("Nothing is planned yet."), of: "routine.list")
    }
    let rows = items.map { item -> [String] in
      let adherence = writer.adherence(of: item)
      return [item["title"]?.stringContent ?? ""]
        + [adherence?.done, adherence?.missed, adherence?.declined].map {
          $0.map(String.init) ?? "–"
        }
    }
    return head + [
      .table(
        header: [
          text(Message("What")), text(Message("Done", context: "how often")),
          text(Message("Missed")), text(Message("Declined")),
        ], rows: rows)
    ]
  }

  private var glucose: [ReportPart] {
    let readings = writer.answers.list("glucose.query").compactMap {
      try? GlucoseReading(json: $0)
    }.sorted(by: GlucoseReading.isEarlier)
    guard !readings.isEmpty else { return writer.missing("glucose.query") }
    return [.heading(text(Message("Glucose")))]
      + GlucosePart(writer: writer, readings: readings).figures
  }
}
