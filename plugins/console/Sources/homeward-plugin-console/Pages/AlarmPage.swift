import Care
import JSON

/// One alarm, which cannot be missed.
struct AlarmPage {
  static let page = Page(
    path: "/alarm", namesGuardians: true, questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("events.query") else { return [] }
    let alarm = visit.alarms.first { $0["alarm"]?.stringContent == visit.fields["id"] }
    var events = JSONValue.object([]).setting("types", to: ["alarm"]).setting("limit", to: 200)
    guard let resident = alarm?["resident"] else { return [Question("events.query", events)] }
    events = events.setting("resident", to: resident)
    return [
      Question("events.query", events), Question("zones.list", ["resident": resident]),
    ]
  }

  private var content: PageContent {
    let id = visit.fields["id"]
    let story = visit.answers.list("events.query").filter {
      $0["data"]?["alarm"]?.stringContent == id || $0["id"]?.stringContent == id
    }
    guard let alarm = visit.alarms.first(where: { $0["alarm"]?.stringContent == id }) else {
      return over(story)
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
      ? answering(alarm, target, named: name, calls) : ownEnding(alarm)
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
      \(photographs(story, of: resident))\(unphotographed(alarm, resident))
      \(words)
      \(Part.card(visit.gettext("What happened"), Part.list(told(story, of: resident))))
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
  private func answering(
    _ alarm: JSONValue, _ target: JSONValue, named name: String, _ calls: [HTML]
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
  private func ownEnding(_ alarm: JSONValue) -> HTML {
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
  private func photographs(_ story: [JSONValue], of resident: JSONValue?) -> HTML {
    let taken = story.filter {
      $0["type"]?.stringContent == "alarm.photo" && $0["data"]?["isTaken"]?.boolContent == true
    }
    guard !taken.isEmpty else { return .nothing }
    let pictures = taken.prefix(Self.photographsAtMost).map { event -> HTML in
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
  private func unphotographed(_ alarm: JSONValue, _ resident: JSONValue?) -> HTML {
    guard alarm["kind"]?.stringContent == AlarmKind.sos.rawValue,
      ConsentPart.isRefused(.camera, by: resident)
    else { return .nothing }
    return Part.card(
      visit.gettext("What the camera saw"), ConsentPart.asked(.camera, of: resident, visit))
  }

  /// The newest of a story, and how it began, however much came in between. Of what became of one person's messages on one
  /// way only the newest is told: tries that fail are many.
  private func told(_ story: [JSONValue], of resident: JSONValue?) -> [HTML] {
    var ways: Set<[String?]> = []
    let news = story.filter { event in
      guard event["type"]?.stringContent == "alarm.delivery" else { return true }
      let facts = event["data"] ?? .null
      return ways.insert(["recipient", "channel", "notice"].map { facts[$0]?.stringContent })
        .inserted
    }
    return (news.prefix(Self.toldAtMost) + news.dropFirst(Self.toldAtMost).suffix(1)).map { event in
      Part.line(
        EventWords.icon(event), HTML(EventWords.sentence(event, visit)),
        HTML(visit.clock(event["time"]?.stringContent, of: resident)))
    }
  }

  private static let toldAtMost = 12

  private func over(_ story: [JSONValue]) -> PageContent {
    let title = visit.gettext("This alarm is over")
    let resident = story.first.flatMap { EventWords.resident($0, visit) }
    let lines = told(story, of: resident)
    let ended = story.first { AllClear.types.contains($0["type"]?.stringContent ?? "") }
    let body: HTML =
      lines.isEmpty
      ? Part.empty(visit.gettext("Nothing more is known of it.")) : Part.card(nil, Part.list(lines))
    return PageContent(
      title: title,
      main: """
        <h1\(ended.map { AllClear.mark($0) } ?? .nothing)>\(title)</h1><div class="cards">\(photographs(story, of: resident))\(body)</div>
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
