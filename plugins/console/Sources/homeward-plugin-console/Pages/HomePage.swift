import Care
import JSON
import Moments
import Texts

/// What a caregiver wants to know at a glance, of everybody.
struct HomePage {
  static let page = Page(
    path: "/", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("routine.list") else { return [] }
    let each = visit.residents.flatMap { resident -> [Question] in
      guard let id = resident["id"]?.stringContent else { return [] }
      let midnight = visit.midnight(of: resident).iso8601
      return [
        Question(
          "occurrences.query", ["resident": .string(id), "since": .string(midnight)],
          as: "occurrences \(id)"),
        Question("glucose.query", ["resident": .string(id), "limit": 1], as: "glucose \(id)"),
        ReadingWords.question(about: resident),
      ]
    }
    return [Question("routine.list"), Question("messages.query", ["limit": 20])] + each
  }

  private var content: PageContent {
    let title = visit.pgettext("page", "Home")
    guard !visit.residents.isEmpty else {
      let main: HTML = """
        <h1>\(title)</h1>\(LinkRequestPart.news(visit))
        \(Part.empty(visit.gettext("You are linked to nobody yet."), Part.link(visit.gettext("Link with somebody"), to: "/family", isFirst: true)))
        """
      return PageContent(title: title, main: main, place: .home)
    }
    let cards = visit.residents.map { card($0) }
    return PageContent(
      title: title,
      main:
        "<h1 class=\"unseen\">\(title)</h1><div class=\"cards\">\(Unseen.attacks(visit))\(LinkRequestPart.news(visit))\(cards)</div>\(PushCard.mark(visit))",
      scripts: visit.session?["push"] == nil ? [] : ["push.js"], place: .home)
  }

  private func card(_ resident: JSONValue) -> HTML {
    let id = resident["id"]?.stringContent ?? ""
    let name = resident["name"]?.stringContent ?? ""
    return """
      <section class="card person" aria-labelledby="who-\(id)">
      <div class="row"><h2 id="who-\(id)">\(name)</h2>\(Whereabouts.pill(resident, visit))</div>
      <p class="soft">\(Whereabouts.position(resident, visit))</p>
      <p class="actions">
      \(Part.link(visit.gettext("See on map"), to: Visit.address("/map", ["resident": id]), isFirst: true))
      \(ConsentPart.locate(resident, visit.gettext("Ask for the position now"), tells: visit.gettext("Asked. The newer position stands here as soon as it comes.")))
      </p>
      \(ConsentPart.refused(.location, by: resident, visit))
      \(help(for: resident))
      \(today(resident, id))
      \(said(resident, id))
      </section>
      """
  }

  /// For somebody who sees or hears that help is needed and stands at no button.
  private func help(for resident: JSONValue) -> HTML {
    guard visit.isCaregiver else { return .nothing }
    let name = resident["name"]?.stringContent ?? "–"
    let button = Part.button(
      visit.gettext("Call for help for {name}", ["name": name]), "sos.raise",
      ["target": resident["id"] ?? .null], kind: "quiet",
      asks: visit.gettext(
        "Everybody who cares for {name} and every guardian is told at once that {name} needs help.",
        ["name": name]),
      tells: visit.gettext("Help is being called."))
    return "<p class=\"actions\">\(button)</p>"
  }

  private func today(_ resident: JSONValue, _ id: String) -> HTML {
    let lines = DayWords.lines(of: resident, visit) + glucose(resident, id)
    let heading = visit.gettext("Today")
    guard !lines.isEmpty else {
      return "<h3>\(heading)</h3>\(Part.empty(visit.gettext("Nothing is planned for today.")))"
    }
    return "<h3>\(heading)</h3>\(Part.list(Array(lines.prefix(6))))"
  }

  private func glucose(_ resident: JSONValue, _ id: String) -> [HTML] {
    guard let reading = visit.answers.list("glucose \(id)").first else { return [] }
    return [
      Part.line(
        Icon.drop,
        "\(visit.gettext("Glucose")) \(ReadingWords.level(reading, in: ReadingWords.unit(of: resident, visit)))",
        HTML(visit.clock(reading["time"]?.stringContent, of: resident)))
    ]
  }

  private func said(_ resident: JSONValue, _ id: String) -> HTML {
    let own = visit.answers.list("messages.query").filter { $0["resident"]?.stringContent == id }
    guard let last = own.first else { return .nothing }
    return """
      <h3>\(visit.gettext("Last message"))</h3>
      \(Part.list([MessageWords.line(last, of: resident, visit)]))
      """
  }
}

/// What was and is to be done on a day.
enum DayWords {
  /// A line for each due time of today, the earliest first.
  static func lines(of resident: JSONValue, _ visit: Visit, withAnswers: Bool = false) -> [HTML] {
    let id = resident["id"]?.stringContent ?? ""
    let items = visit.answers.list("routine.list").filter { $0["resident"]?.stringContent == id }
    var known: [String: JSONValue] = [:]
    for item in items { known[item["id"]?.stringContent ?? ""] = item }
    let told = visit.answers.list("occurrences \(id)").sorted {
      ($0["due"]?.stringContent ?? "") < ($1["due"]?.stringContent ?? "")
    }
    let due = told.compactMap { occurrence -> HTML? in
      guard let item = known[occurrence["item"]?.stringContent ?? ""],
        occurrence["state"]?.stringContent != "cancelled"
      else { return nil }
      return line(occurrence, of: item, resident, visit, withAnswers)
    }
    let next = items.compactMap { item -> (String, HTML)? in
      guard let next = item["nextDue"]?.stringContent else { return nil }
      return (
        next,
        Part.line(
          icon(item), HTML(item["title"]?.stringContent ?? ""),
          HTML(visit.gettext("Next: {time}", ["time": visit.clock(next, of: resident)])))
      )
    }.sorted { $0.0 < $1.0 }.map(\.1)
    return due + next
  }

  static func icon(_ item: JSONValue) -> HTML {
    item["kind"]?.stringContent == "medicine" ? Icon.pill : Icon.clock
  }

  private static func line(
    _ occurrence: JSONValue, of item: JSONValue, _ resident: JSONValue, _ visit: Visit,
    _ withAnswers: Bool
  ) -> HTML {
    let at = visit.clock(occurrence["changedAt"]?.stringContent, of: resident)
    let due = visit.clock(occurrence["due"]?.stringContent, of: resident)
    let (words, state): (String, Part.State) =
      switch occurrence["state"]?.stringContent {
      case "done": (visit.gettext("Done {time}", ["time": at]), .safe)
      case "notNow": (visit.gettext("Not now, said {time}", ["time": at]), .plain)
      case "skipped": (visit.gettext("Left out"), .plain)
      case "missed": (visit.gettext("Missed"), .attention)
      default: (visit.gettext("Not answered yet"), .attention)
      }
    let isDone = occurrence["state"]?.stringContent == "done"
    let isOpen = ["pending", "prompted", "snoozed"].contains(
      occurrence["state"]?.stringContent ?? "")
    let answer: HTML =
      withAnswers && isOpen
      ? Part.button(
        visit.gettext("It is done"), "routine.answer",
        [
          "target": item["id"] ?? .null, "slot": occurrence["slot"] ?? .null, "answer": "done",
        ],
        undo: (
          "routine.answer",
          ["target": item["id"] ?? .null, "slot": occurrence["slot"] ?? .null, "answer": "undo"]
        )) : .nothing
    return Part.line(
      isDone ? Icon.check : icon(item), "\(item["title"]?.stringContent ?? ""), \(due)",
      Part.pill(words, state), aside: answer)
  }
}

/// What people said to each other.
enum MessageWords {
  static func line(
    _ message: JSONValue, of resident: JSONValue?, _ visit: Visit, player: HTML = .nothing
  ) -> HTML {
    let heard =
      message["readAt"]?.stringContent.map {
        visit.gettext("heard {time}", ["time": visit.clock($0, of: resident)])
      } ?? visit.gettext("not heard yet")
    let isFromResident = message["direction"]?.stringContent == "to-caregivers"
    let state = isFromResident ? "" : ", \(heard)"
    return Part.line(
      Icon.speech,
      "<strong>\(message["sender"]?.stringContent ?? "")</strong> \(RecorderPart.words(message, visit))",
      "\(visit.clock(message["sentAt"]?.stringContent, of: resident))\(state)",
      aside: player)
  }
}
