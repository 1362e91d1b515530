import JSON
import Moments
import Texts

/// What is now, what was and what comes, and six things to do.
struct ResidentHomePage {
  static let page = Page.resident("/me", content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let name = view.resident["name"]?.stringContent ?? ""
    let going = view.journey.map { ResidentGuidance.minutes($0, visit) }
    let keys = ResidentPart.keys(
      view.journey == nil
        ? ResidentPart.button(
          Icon.home, visit.gettext("Take me home"), "guidance.start",
          ["target": view.id, "to": ["home": true]], then: "/me/way")
        : ResidentPart.link(
          Icon.arrow, going ?? visit.gettext("Show the way"), to: "/me/way", kind: "first"),
      ResidentPart.link(Icon.star, visit.gettext("My places"), to: "/me/places"),
      ResidentPart.link(Icon.pin, visit.gettext("Where am I"), to: "/me/here"),
      ResidentPart.link(
        Icon.speech, messages, to: "/me/messages", kind: unread > 0 ? "news" : ""),
      view.journey == nil
        ? ResidentPart.link(Icon.arrow, visit.gettext("Show the way"), to: "/me/way")
        : ResidentPart.button(
          Icon.cross, visit.gettext("Stop the way"), "guidance.cancel", ["target": view.id]),
      ResidentFrame.help(view), kind: "six")
    return PageContent(
      title: visit.gettext("Hello, {name}", ["name": name]),
      main:
        "\(Unseen.attacks(visit))<div class=\"desk\"><section class=\"panel\">\(panel)</section>\(keys)</div>"
    )
  }

  private var unread: Int {
    view.home["unread"]?.arrayContent?.count ?? 0
  }

  private var messages: String {
    let count = unread
    return count == 0
      ? visit.gettext("Messages")
      : visit.ngettext("{n} message", "{n} messages", count, ["n": count])
  }

  private var panel: HTML {
    let words = view.words
    let zone = view.resident["timeZone"]?.stringContent
    return """
      <div class="now">
      <p class="clock"\(HTML.attribute("data-zone", zone)) data-clock>\(words.clock)</p>
      <p class="day" data-said data-day="\(words.dayNames.serialized)">\(words.day)</p>
      <h1 class="hello" data-theirs>\(view.resident["name"]?.stringContent ?? "")</h1>
      </div>
      \(next)\(done)\(comes)\(memo)
      \(ResidentFrame.keys([.read, .more], visit))
      """
  }

  private func line(_ label: String, _ words: String) -> HTML {
    "<p data-said><strong>\(label)</strong> <span data-theirs>\(words)</span></p>"
  }

  /// What comes next in the routine.
  private var next: HTML {
    let next = view.items.first { $0["nextDue"]?.stringContent != nil && !isVisit($0) }
    guard let next else { return .nothing }
    let title = ResidentWords.brief(next["title"]?.stringContent ?? "", most: 40)
    return line(
      visit.gettext("Next:"), "\(title), \(view.words.when(next["nextDue"]?.stringContent))")
  }

  private func isVisit(_ item: JSONValue) -> Bool {
    item["kind"]?.stringContent == "appointment"
  }

  /// Who or what is expected next: appointments.
  private var comes: HTML {
    let next = view.items.first { $0["nextDue"]?.stringContent != nil && isVisit($0) }
    guard let next else { return .nothing }
    let title = ResidentWords.brief(next["title"]?.stringContent ?? "", most: 40)
    return line(
      visit.gettext("Expected:"),
      "\(title), \(view.words.when(next["nextDue"]?.stringContent))")
  }

  /// What was done last, where it was today.
  private var done: HTML {
    guard let last = view.home["lastDone"], let at = last["changedAt"]?.stringContent,
      at >= visit.midnight(of: view.resident).iso8601,
      let item = view.items.first(where: { $0["id"] == last["item"] })
    else { return .nothing }
    return line(
      visit.gettext("Done:"),
      ResidentWords.brief(item["title"]?.stringContent ?? "", most: 40))
  }

  private var memo: HTML {
    guard let memo = view.home["lastMemo"] else { return .nothing }
    let title = memo["title"]?.stringContent ?? ""
    let text = title.isEmpty ? memo["text"]?.stringContent ?? "" : title
    guard !text.isEmpty else { return .nothing }
    return "<p class=\"soft\" data-said data-theirs>“\(ResidentWords.brief(text, most: 60))”</p>"
  }
}
