import Care
import JSON
import Texts

/// What those see who treat somebody, and how those who care let them see it.
enum ClinicianPart {
  // MARK: For those who treat

  /// Two places: how somebody is, and the account.
  static func navigation(_ visit: Visit) -> HTML {
    let isHealth = !["account", "family", "about"].contains(visit.path.first ?? "")
    let places: [(HTML, String, String, Bool)] = [
      (Icon.drop, visit.gettext("Health"), "/health", isHealth),
      (Icon.person, visit.gettext("Who sees whom"), "/family", visit.path.first == "family"),
    ]
    let items = places.map { icon, words, path, isHere -> HTML in
      """
      <li><a href="\(path)"\(HTML.attribute("aria-current", isHere ? "page" : nil))>\(icon)<span>\(words)</span></a></li>
      """
    }
    return "<nav aria-label=\"\(visit.gettext("Pages"))\"><ul>\(items)</ul></nav>"
  }

  /// The first page of somebody who sees nobody.
  static func nobody(_ title: String, _ visit: Visit) -> PageContent {
    let way = Part.link(visit.gettext("Link with somebody"), to: "/family", isFirst: true)
    let empty: HTML =
      visit.linked.isEmpty
      ? Part.empty(visit.gettext("You are linked to nobody yet."), way) : unshown(visit)
    return PageContent(
      title: title, main: "<h1>\(title)</h1>\(LinkRequestPart.news(visit))\(empty)", place: .more)
  }

  /// Who is linked and does not want to be seen just now.
  static func unshown(_ visit: Visit) -> HTML {
    guard visit.isClinician else { return .nothing }
    let names = visit.linked.filter { $0["isShown"]?.boolContent != true }
      .compactMap { $0["name"]?.stringContent }
    return HTML(
      names.map { name -> HTML in
        """
        <p class="empty">\(visit.gettext("{name} does not agree at present that others see how they are. Please ask {name}.", ["name": name]))</p>
        """
      })
  }

  /// One entry of the diary, whole.
  static func entry(_ entry: JSONValue, of resident: JSONValue, _ visit: Visit) -> HTML {
    let title = entry["title"]?.stringContent ?? visit.gettext("Diary")
    let tags = DiaryTags.of(entry).map { DiaryTags.name($0, visit) }.joined(separator: ", ")
    let back = Visit.address("/diary", ["resident": resident["id"]?.stringContent])
    return Part.card(
      title, id: "entry",
      """
      <p class="soft">\(visit.clock(entry["time"]?.stringContent, of: resident))</p>
      <p>\(entry["text"]?.stringContent ?? "")</p>
      \(NotePictures.figures(entry, visit))
      \(tags.isEmpty ? HTML.nothing : "<p class=\"soft\">\(tags)</p>")
      <p class="actions">\(Part.link(visit.gettext("All entries"), to: back))</p>
      """)
  }

  /// Whom they are linked to, as the page of who sees whom lists it.
  static func links(_ visit: Visit) -> [JSONValue] {
    visit.linked.map { resident in
      .object([
        "account": visit.account["id"], "name": visit.account["profile"]?["name"],
        "role": "clinician", "resident": resident["id"],
      ])
    }
  }

  /// The name of somebody who is linked.
  static func name(_ resident: JSONValue?, _ visit: Visit) -> String {
    let known = visit.residents + visit.linked
    return known.first { $0["id"] == resident }?["name"]?.stringContent ?? "–"
  }

  // MARK: For those who care

  /// What ends that somebody who treats a resident sees how they are.
  static func end(_ link: JSONValue, _ name: String, _ visit: Visit) -> HTML {
    Part.button(
      visit.gettext("No longer"), "account.end-view",
      ["resident": link["resident"] ?? .null, "other": link["account"] ?? .null], kind: "quiet",
      asks: visit.gettext(
        "Let {account} no longer see the readings, diary and medicine of {name}?",
        ["account": link["name"]?.stringContent ?? "–", "name": name]))
  }

  /// How a doctor is let see somebody: by a code, once the person has said yes.
  static func invitation(_ visit: Visit) -> HTML {
    guard visit.isCaregiver, let resident = visit.chosenResident else { return .nothing }
    let name = resident["name"]?.stringContent ?? "–"
    let asked = ConsentPart.asked(.reports, of: resident, visit)
    let code: HTML =
      asked == .nothing
      ? """
      \(CodePart.shown(visit))
      <p class="actions">\(CodePart.button(visit.gettext("Show a code"), "account.show-view-code", ["resident": resident["id"] ?? .null]))</p>
      """ : asked
    return Part.card(
      visit.gettext("For a doctor or dietitian"), id: "doctor",
      """
      \(Part.people(visit, path: "/family"))
      <p>\(visit.gettext("Whoever treats {name} can see readings, diary and medicine at any time: to read only, never where {name} is, and for as long as you and {name} want.", ["name": name]))</p>
      <p>\(visit.gettext("They sign up here, say that they treat somebody, and enter this code. It is good for ten minutes, and for one of them."))</p>
      \(code)
      """)
  }
}
