import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// What recurs: medicine, the parts of a day, appointments.
struct RoutinePage {
  static let page = Page(
    path: "/routine", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.answers.has("routine.list") ? [] : [Question("routine.list")]
  }

  private var content: PageContent {
    let title = visit.gettext("What recurs")
    let resident = visit.chosenResident
    let own = visit.answers.list("routine.list").filter { $0["resident"] == resident?["id"] }
      .sorted { ($0["title"]?.stringContent ?? "") < ($1["title"]?.stringContent ?? "") }
    let list: HTML =
      own.isEmpty
      ? Part.empty(visit.gettext("Nothing is planned yet."))
      : Part.card(nil, Part.list(own.map { line($0, of: resident) }))
    let chosen = own.first { $0["id"]?.stringContent == visit.fields["item"] }
    let card: HTML =
      !visit.isCaregiver
      ? .nothing
      : chosen.map {
        Part.card(
          visit.gettext("Change what recurs"), id: "item",
          RoutineForm(of: resident, visit).changing($0)
        )
      } ?? Part.card(visit.gettext("Plan something"), RoutineForm(of: resident, visit).new)
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Part.people(visit, path: "/routine"))
        <div class="cards">\(list)\(card)</div>
        """, scripts: visit.isCaregiver ? ["pictures.js"] : [], place: .day)
  }

  private func line(_ item: JSONValue, of resident: JSONValue?) -> HTML {
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
    let kept = RoutineForm.kept(item)
    let changes =
      Part.link(
        visit.gettext("Change"),
        to: Visit.address(
          "/routine",
          ["resident": resident?["id"]?.stringContent, "item": id.stringContent]) + "#item")
      + Part.button(
        isOn ? visit.gettext("Switch off") : visit.gettext("Switch on"), "routine.switch",
        ["target": id, "isOn": .bool(!isOn)])
      + Part.button(
        visit.gettext("Delete"), "routine.remove", ["target": id], kind: "quiet",
        undo: ("routine.put", ["item": kept.setting("revision", to: 0)]))
    let picture: HTML =
      item["picture"]?.stringContent.map { PictureField.small($0) } ?? .nothing
    return Part.line(
      DayWords.icon(item),
      "\(picture)<strong>\(item["title"]?.stringContent ?? "")</strong> \(critical)\(off)",
      HTML(second), aside: visit.isCaregiver ? changes : .nothing)
  }
}

/// One more item of a routine, or one that is there, on one form.
struct RoutineForm {
  private let resident: JSONValue
  private let visit: Visit

  init(of resident: JSONValue?, _ visit: Visit) {
    self.resident = resident ?? .null
    self.visit = visit
  }

  /// An item as it was put, without what the gateway tells of it besides.
  static func kept(_ item: JSONValue) -> JSONValue {
    only(
      [
        "id", "resident", "kind", "title", "details", "place", "dose", "isOn", "isCritical",
        "schedule", "timing", "stock", "recording", "picture", "source", "event",
      ], of: item)
  }

  private static func only(_ names: Set<String>, of json: JSONValue) -> JSONValue {
    .object((json.objectContent ?? []).filter { names.contains($0.key) })
  }

  var new: HTML {
    let today = visit.day(visit.now.iso8601, of: resident)
    let schedule: JSONValue = [
      "kind": "calendar", "start": .string(today + "T00:00:00"),
      "timeZone": resident["timeZone"] ?? "UTC",
    ]
    let item: JSONValue = [
      "id": "@new", "resident": resident["id"] ?? .null, "schedule": schedule,
    ]
    return Part.form(
      "routine.put", ["item": item],
      "\(fields(nil, days("FREQ=DAILY", nil)))\(Part.submit(visit.gettext("Plan it")))")
  }

  /// - Parameter item: as the gateway tells it. A schedule that these few fields cannot say stays as it is.
  func changing(_ item: JSONValue) -> HTML {
    let back = Visit.address("/routine", ["resident": resident["id"]?.stringContent])
    let schedule = item["schedule"] ?? .null
    let rule = schedule["rrule"]?.stringContent ?? ""
    let times = (schedule["times"]?.arrayContent ?? []).compactMap(\.stringContent)
    let isPlain =
      rules.contains { $0.value == rule } && !times.isEmpty
      && Self.only(["kind", "start", "timeZone", "rrule", "times"], of: schedule) == schedule
    var kept = Self.only(
      [
        "id", "resident", "details", "place", "isOn", "timing", "stock", "recording", "source",
        "event",
      ],
      of: item)
    kept = kept.setting(
      "schedule",
      to: isPlain ? Self.only(["kind", "start", "timeZone"], of: schedule) : schedule)
    return Part.form(
      "routine.put", ["item": kept, "revision": item["revision"] ?? .null], then: back,
      """
      \(fields(item, isPlain ? days(rule, times) : .nothing))
      \(Part.submit(visit.gettext("Save")))
      """) + "<p class=\"actions\">\(Part.link(visit.gettext("Leave it as it is"), to: back))</p>"
  }

  private func fields(_ item: JSONValue?, _ days: HTML) -> HTML {
    let isCritical = item?["isCritical"]?.boolContent == true
    return """
      \(Part.field(visit.gettext("What"), "item.title", item?["title"]?.stringContent, hint: visit.gettext("As it is to be said aloud, such as: the blood pressure pill."), autocomplete: "off"))
      \(Part.choice(visit.gettext("Kind"), "item.kind", [("medicine", visit.gettext("Medicine, or something to measure")), ("routine", visit.gettext("Part of the day")), ("appointment", visit.gettext("Appointment"))], chosen: item?["kind"]?.stringContent ?? "medicine"))
      \(Part.field(visit.gettext("Dose"), "item.dose", item?["dose"]?.stringContent, autocomplete: "off", isRequired: false))
      \(days)
      <p class="check"><input type="checkbox" id="f-critical" name="item.isCritical" data-reads="flag"\(HTML.flag("checked", isCritical))><label for="f-critical">\(visit.gettext("An alarm when it is not taken"))</label></p>
      \(PictureField.single("item.picture", for: resident, visit, label: visit.gettext("A picture that the reminder shows"), keeping: item?["picture"]?.stringContent))
      """
  }

  private func days(_ rule: String, _ times: [String]?) -> HTML {
    """
    \(Part.choice(visit.gettext("On which days"), "item.schedule.rrule", rules, chosen: rule))
    \(Part.field(visit.gettext("At which times"), "item.schedule.times", times?.joined(separator: ", "), hint: visit.gettext("Hours and minutes, several with commas: 08:00, 20:00"), autocomplete: "off", reads: "list"))
    """
  }

  /// On which days, as rules of RFC 5545.
  private var rules: [(value: String, words: String)] {
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
