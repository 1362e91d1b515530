import Care
import JSON
import Moments

extension Page {
  /// What is open and what was, by day.
  static let alerts = Page(
    path: "/alerts", namesGuardians: true, questions: alertQuestions, content: alertContent)

  /// One alarm, which cannot be missed.
  static let alarm = Page(
    path: "/alarm", namesGuardians: true, questions: alarmQuestions, content: alarmContent)

  private static let spans: [(word: String, days: Int64)] = [
    ("day", 0), ("week", 6), ("month", 30),
  ]

  private static func span(_ visit: Visit) -> (word: String, days: Int64) {
    spans.first { $0.word == visit.fields["span"] } ?? spans[1]
  }

  private static let eventsAtMost: Int64 = 300
  private static let countedAtMost: Int64 = 1000

  private static func kinds(_ visit: Visit) -> [EventKind] {
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

  @Sendable private static func alertQuestions(_ visit: Visit) -> [Question] {
    guard !visit.answers.has("events.query") else { return [] }
    let since = visit.midnight(of: visit.residents.first, daysAgo: span(visit).days).iso8601
    return [
      Question(
        "events.query",
        Pager.params(
          EventKind.chosen(kinds(visit), visit).narrowing(
            ["since": .string(since), "limit": .integer(eventsAtMost)]), visit)),
      Question(
        "events.query",
        [
          "types": EventTally.types, "since": .string(since),
          "limit": .integer(countedAtMost),
        ], as: "counted"),
    ]
  }

  @Sendable private static func alertContent(_ visit: Visit) -> PageContent {
    let title = visit.pgettext("page", "Alerts")
    let open = visit.alarms.map { alarm -> HTML in
      """
      <li><a class="entry open" href="\(Visit.address("/alarm", ["id": alarm["alarm"]?.stringContent]))"><strong>\(AlarmWords.heading(alarm, visit))</strong><span class="soft">\(visit.age(of: alarm["raisedAt"]?.stringContent)). \(AlarmWords.charge(alarm, visit))</span></a></li>
      """
    }
    let now: HTML =
      open.isEmpty
      ? Part.empty(visit.gettext("No alarm is open.")) : "<ul class=\"entries\">\(open)</ul>"
    let (here, kind) = (span(visit), EventKind.chosen(kinds(visit), visit))
    let choices = spans.map { choice -> HTML in
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
    let filters = kinds(visit).map {
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

  // MARK: One alarm

  @Sendable private static func alarmQuestions(_ visit: Visit) -> [Question] {
    guard !visit.answers.has("events.query") else { return [] }
    let alarm = visit.alarms.first { $0["alarm"]?.stringContent == visit.fields["id"] }
    var events = JSONValue.object([]).setting("types", to: ["alarm"]).setting("limit", to: 200)
    guard let resident = alarm?["resident"] else { return [Question("events.query", events)] }
    events = events.setting("resident", to: resident)
    return [
      Question("events.query", events), Question("zones.list", ["resident": resident]),
    ]
  }

  @Sendable private static func alarmContent(_ visit: Visit) -> PageContent {
    let id = visit.fields["id"]
    let story = visit.answers.list("events.query").filter {
      $0["data"]?["alarm"]?.stringContent == id || $0["id"]?.stringContent == id
    }
    guard let alarm = visit.alarms.first(where: { $0["alarm"]?.stringContent == id }) else {
      return over(story, visit)
    }
    let resident = visit.resident(alarm["resident"]?.stringContent)
    let name = resident?["name"]?.stringContent ?? visit.gettext("the gateway")
    let target: JSONValue = ["target": .string(id ?? "")]
    let head: HTML = """
      <div class="siren">
      <p>\(AlarmWords.kind(alarm, visit)), \(visit.clock(alarm["raisedAt"]?.stringContent, of: resident)), \(visit.age(of: alarm["raisedAt"]?.stringContent))</p>
      <h1>\(AlarmWords.heading(alarm, visit))</h1>
      <p>\(alarm["explanation"]?.stringContent ?? "")</p>
      </div>
      """
    let place = resident.map {
      AlarmPlace(resident: $0, zones: visit.answers.list("zones.list"))
    }
    let words: HTML =
      place.map { place in
        let who = place.resident
        return Part.card(
          visit.gettext("Where {name} is", ["name": name]),
          """
          \(Part.list(place.lines(visit)))
          <p class="actions">\(Part.link(visit.gettext("See on map"), to: Visit.address("/map", ["resident": who["id"]?.stringContent])))\(ConsentPart.locate(who, visit.gettext("Ask for the position now"), tells: visit.gettext("Asked. The newer position stands here as soon as it comes.")))</p>
          \(ConsentPart.refused(.location, by: who, visit))
          """)
      } ?? .nothing
    let guardians = visit.answers.list("guardians.list").filter {
      $0["resident"] == alarm["resident"]
    }
    // Nobody calls themselves: an account and its guardian have the address in common.
    let own = visit.account["email"]?.stringContent?.lowercased()
    let calls = guardians.compactMap { guardian -> HTML? in
      guard let phone = guardian["phone"]?.stringContent,
        let name = guardian["name"]?.stringContent,
        own == nil || guardian["email"]?.stringContent?.lowercased() != own
      else { return nil }
      return
        "<a class=\"button\" href=\"tel:\(phone)\">\(Icon.phone)\(visit.gettext("Call {name}", ["name": name]))</a>"
    }
    let deeds =
      visit.isCaregiver
      ? answering(alarm, target, named: name, calls, visit) : ownEnding(alarm, visit)
    // Where there is no map, a page lets nothing be put anew that scripts could read.
    let drawing = place.flatMap { $0.hasMap ? $0 : nil }
    let hasMap = drawing != nil
    let main: HTML = """
      <div class="side">
      \(head)
      <div class="deeds">
      <p><strong>\(AlarmWords.charge(alarm, visit))</strong></p>
      \(deeds)
      </div>
      </div>
      <div class="\(hasMap ? "split brief" : "cards")">
      <div class="side">
      \(photographs(story, of: resident, visit))\(unphotographed(alarm, resident, visit))
      \(words)
      \(Part.card(visit.gettext("What happened"), Part.list(told(story, of: resident, visit))))
      </div>
      \(hasMap ? MapPart.canvas(visit) : .nothing)
      </div>
      \(drawing.map { MapPart.drawn(visit, people: [$0.resident], zones: $0.zones, followed: $0.resident["id"]) } ?? .nothing)
      """
    return PageContent(
      title: AlarmWords.heading(alarm, visit), main: main,
      // What is heard must not wait for what is drawn.
      scripts: ["alarm.js", "near.js"] + (hasMap ? ["map.js"] : []), hasMap: hasMap, place: .alerts,
      isAlarm: true)
  }

  /// What a caregiver does about an alarm.
  private static func answering(
    _ alarm: JSONValue, _ target: JSONValue, named name: String, _ calls: [HTML], _ visit: Visit
  ) -> HTML {
    let coming: HTML =
      alarm["stage"]?.stringContent == "prealarm"
      ? "<p>\(visit.gettext("Nobody was called yet: for some seconds {name} can still say that all is well.", ["name": name]))</p>"
      : Part.button(
        visit.gettext("I’m coming"), "alarm.acknowledge", target, isFirst: true, kind: "great")
    return """
      \(coming)
      <p class="actions">\(Part.button(visit.gettext("Silence the room"), "alarm.silence"))\(calls)</p>
      <details><summary class="button">\(visit.gettext("Close the alarm …"))</summary>
      \(Part.form("alarm.resolve", target, then: "/alerts", """
        \(Part.field(visit.gettext("How did it end?"), "reason", hint: visit.gettext("One sentence. Everybody who cares for {name} reads it.", ["name": name])))
        \(Part.submit(visit.gettext("Close the alarm")))
        """))
      </details>
      """
  }

  /// How whoever called for help takes it back, with words of their own.
  private static func ownEnding(_ alarm: JSONValue, _ visit: Visit) -> HTML {
    guard alarm["kind"]?.stringContent == AlarmKind.sos.rawValue,
      let resident = alarm["resident"], visit.residents.contains(where: { $0["id"] == resident })
    else { return .nothing }
    return Part.form(
      "sos.cancel", ["target": resident], then: "/",
      """
      \(Part.sentences(visit.gettext("What the others read"), "message", visit.gettext("I am all right. Thank you for looking after me."), most: 100, hint: visit.gettext("Change it as you like.")))
      \(Part.field(visit.gettext("Your PIN"), "pin", kind: "password", hint: visit.gettext("Not needed in the first seconds."), autocomplete: "off", isRequired: false, more: " inputmode=\"numeric\""))
      \(Part.submit(visit.gettext("All is well")))
      """)
  }

  /// The newest photographs of a story, the newest first.
  private static func photographs(
    _ story: [JSONValue], of resident: JSONValue?, _ visit: Visit
  ) -> HTML {
    let taken = story.filter {
      $0["type"]?.stringContent == "alarm.photo" && $0["data"]?["isTaken"]?.boolContent == true
    }
    guard !taken.isEmpty else { return .nothing }
    let pictures = taken.prefix(photographsAtMost).map { event -> HTML in
      let taken = visit.clock(event["time"]?.stringContent, of: resident)
      let words = visit.gettext("Photograph, taken {time}", ["time": taken])
      let address = "/photograph/\(event["id"]?.stringContent ?? "")"
      return """
        <figure><a href="\(address)"><img src="\(address)" alt="\(words)"></a><figcaption class="soft">\(words)</figcaption></figure>
        """
    }
    return Part.card(visit.gettext("What the camera saw"), "\(pictures)")
  }

  private static let photographsAtMost = 4

  /// Why no photograph comes of whoever calls for help and refused it.
  private static func unphotographed(
    _ alarm: JSONValue, _ resident: JSONValue?, _ visit: Visit
  ) -> HTML {
    guard alarm["kind"]?.stringContent == AlarmKind.sos.rawValue,
      ConsentPart.isRefused(.camera, by: resident)
    else { return .nothing }
    return Part.card(
      visit.gettext("What the camera saw"), ConsentPart.asked(.camera, of: resident, visit))
  }

  /// The newest of a story, and how it began, however much came in between. Of what became of one person's messages on one
  /// way only the newest is told: tries that fail are many.
  private static func told(_ story: [JSONValue], of resident: JSONValue?, _ visit: Visit) -> [HTML]
  {
    var ways: Set<[String?]> = []
    let news = story.filter { event in
      guard event["type"]?.stringContent == "alarm.delivery" else { return true }
      let facts = event["data"] ?? .null
      return ways.insert(["recipient", "channel", "notice"].map { facts[$0]?.stringContent })
        .inserted
    }
    return (news.prefix(toldAtMost) + news.dropFirst(toldAtMost).suffix(1)).map { event in
      Part.line(
        EventWords.icon(event), HTML(EventWords.sentence(event, visit)),
        HTML(visit.clock(event["time"]?.stringContent, of: resident)))
    }
  }

  private static let toldAtMost = 12

  private static func over(_ story: [JSONValue], _ visit: Visit) -> PageContent {
    let title = visit.gettext("This alarm is over")
    let resident = story.first.flatMap { EventWords.resident($0, visit) }
    let lines = told(story, of: resident, visit)
    let ended = story.first { AllClear.types.contains($0["type"]?.stringContent ?? "") }
    let body: HTML =
      lines.isEmpty
      ? Part.empty(visit.gettext("Nothing more is known of it.")) : Part.card(nil, Part.list(lines))
    return PageContent(
      title: title,
      main: """
        <h1\(ended.map { AllClear.mark($0) } ?? .nothing)>\(title)</h1><div class="cards">\(photographs(story, of: resident, visit))\(body)</div>
        <p class="actions">\(Part.link(visit.gettext("To all alerts"), to: "/alerts", isFirst: true))</p>
        """, place: .alerts)
  }
}

extension AlarmWords {
  /// Whether its page opens by itself and rings: for who cares, while somebody needs help and nobody has taken charge.
  static func rings(_ alarm: JSONValue, _ visit: Visit) -> Bool {
    let kind = alarm["kind"]?.stringContent.flatMap(AlarmKind.init)
    return visit.isCaregiver && kind?.isAboutAPerson == true
      && alarm["acknowledgedBy"]?.arrayContent?.isEmpty != false
  }

  /// What an alarm is about, in a word.
  static func kind(_ alarm: JSONValue, _ visit: Visit) -> String {
    switch alarm["kind"]?.stringContent {
    case "sos": visit.gettext("SOS")
    case "test": visit.gettext("Test")
    default: visit.gettext("Alarm")
    }
  }
}
