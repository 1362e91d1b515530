import CivilTime
import JSON
import Moments
import Recurrence
import Texts

extension Page {
  /// What recurs: medicine, the parts of a day, appointments.
  static let routine = Page(
    path: "/routine",
    questions: { $0.answers.has("routine.list") ? [] : [Question("routine.list")] },
    content: routineContent)

  @Sendable private static func routineContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("What recurs")
    let resident = visit.chosenResident
    let own = visit.answers.list("routine.list").filter { $0["resident"] == resident?["id"] }
      .sorted { ($0["title"]?.stringContent ?? "") < ($1["title"]?.stringContent ?? "") }
    let list: HTML =
      own.isEmpty
      ? Part.empty(visit.gettext("Nothing is planned yet."))
      : Part.card(nil, Part.list(own.map { line($0, of: resident, visit) }))
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Part.people(visit, path: "/routine"))
        <div class="cards">\(list)\(visit.isCaregiver ? Part.card(visit.gettext("Plan something"), form(for: resident, visit)) : .nothing)</div>
        """, place: .day)
  }

  private static func line(_ item: JSONValue, of resident: JSONValue?, _ visit: Visit) -> HTML {
    let isOn = item["isOn"]?.boolContent ?? true
    let id = item["id"] ?? .null
    let schedule = item["schedule"].flatMap { try? Schedule(json: $0) }
    let words = schedule.map { ScheduleWords.sentence(for: $0).text(in: visit.visitor.language) }
    let next = item["nextDue"]?.stringContent.map {
      visit.gettext("Next: {time}", ["time": visit.clock($0, of: resident)])
    }
    let dose = item["dose"]?.stringContent.flatMap { $0.isEmpty ? nil : $0 }
    let left = item["daysLeft"]?.integerContent.map {
      visit.gettext("enough for {days} d", ["days": $0])
    }
    let second = [dose, words, next, left].compactMap { $0 }.joined(separator: ". ")
    let critical: HTML =
      item["isCritical"]?.boolContent == true
      ? Part.pill(visit.gettext("An alarm when it is not taken"), .attention) : .nothing
    let off: HTML = isOn ? .nothing : Part.pill(visit.gettext("Switched off"), .unknown)
    let kept = kept(item)
    let changes =
      Part.button(
        isOn ? visit.gettext("Switch off") : visit.gettext("Switch on"), "routine.switch",
        ["target": id, "isOn": .bool(!isOn)])
      + Part.button(
        visit.gettext("Delete"), "routine.remove", ["target": id], kind: "quiet",
        undo: ("routine.put", ["item": kept.setting("revision", to: 0)]))
    return Part.line(
      DayWords.icon(item),
      "<strong>\(item["title"]?.stringContent ?? "")</strong> \(critical)\(off)",
      HTML(second), aside: visit.isCaregiver ? changes : .nothing)
  }

  /// An item as it was put, without what the gateway tells of it besides.
  private static func kept(_ item: JSONValue) -> JSONValue {
    let names: Set = [
      "id", "resident", "kind", "title", "details", "place", "dose", "isOn", "isCritical",
      "schedule", "timing", "stock", "recording",
    ]
    return .object((item.objectContent ?? []).filter { names.contains($0.key) })
  }

  private static func form(for resident: JSONValue?, _ visit: Visit) -> HTML {
    let today = visit.day(visit.now.iso8601, of: resident)
    let schedule: JSONValue = [
      "kind": "calendar", "start": .string(today + "T00:00:00"),
      "timeZone": resident?["timeZone"] ?? "UTC",
    ]
    let item: JSONValue = [
      "id": "@new", "resident": resident?["id"] ?? .null, "schedule": schedule,
    ]
    return Part.form(
      "routine.put", ["item": item],
      """
      \(Part.field(visit.gettext("What"), "item.title", hint: visit.gettext("As it is to be said aloud, such as: the blood pressure pill."), autocomplete: "off"))
      \(Part.choice(visit.gettext("Kind"), "item.kind", [("medicine", visit.gettext("Medicine, or something to measure")), ("routine", visit.gettext("Part of the day")), ("appointment", visit.gettext("Appointment"))], chosen: "medicine"))
      \(Part.field(visit.gettext("Dose"), "item.dose", autocomplete: "off", isRequired: false))
      \(Part.choice(visit.gettext("On which days"), "item.schedule.rrule", rules(visit), chosen: "FREQ=DAILY"))
      \(Part.field(visit.gettext("At which times"), "item.schedule.times", hint: visit.gettext("Hours and minutes, several with commas: 08:00, 20:00"), autocomplete: "off", reads: "list"))
      <p class="check"><input type="checkbox" id="f-critical" name="item.isCritical" data-reads="flag"><label for="f-critical">\(visit.gettext("An alarm when it is not taken"))</label></p>
      \(Part.submit(visit.gettext("Plan it")))
      """)
  }

  /// On which days, as rules of RFC 5545.
  private static func rules(_ visit: Visit) -> [(value: String, words: String)] {
    [
      ("FREQ=DAILY", visit.gettext("Every day")),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", visit.gettext("Monday to Friday")),
      ("FREQ=WEEKLY;BYDAY=SA,SU", visit.gettext("Saturday and Sunday")),
      ("FREQ=WEEKLY;BYDAY=MO", visit.gettext("Mondays")),
      ("FREQ=WEEKLY;BYDAY=TU", visit.gettext("Tuesdays")),
      ("FREQ=WEEKLY;BYDAY=WE", visit.gettext("Wednesdays")),
      ("FREQ=WEEKLY;BYDAY=TH", visit.gettext("Thursdays")),
      ("FREQ=WEEKLY;BYDAY=FR", visit.gettext("Fridays")),
      ("FREQ=WEEKLY;BYDAY=SA", visit.gettext("Saturdays")),
      ("FREQ=WEEKLY;BYDAY=SU", visit.gettext("Sundays")),
    ]
  }
}
