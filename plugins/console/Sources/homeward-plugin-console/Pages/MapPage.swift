import Care
import JSON

/// Where everybody is, live.
struct MapPage {
  static let page = Page(
    path: "/map", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.answers.has("zones.list") ? [] : [Question("zones.list"), Question("bookmarks.list")]
  }

  private var content: PageContent {
    let title = visit.pgettext("page", "Map")
    let rows = visit.residents.sorted {
      ($0["name"]?.stringContent ?? "") < ($1["name"]?.stringContent ?? "")
    }.map { resident -> HTML in
      let id = resident["id"]?.stringContent ?? ""
      return """
        <li class="line" data-person="\(id)">\(Icon.person)<div><span><strong>\(resident["name"]?.stringContent ?? "")</strong> \(Whereabouts.pill(resident, visit))</span><span class="soft">\(Whereabouts.position(resident, visit))</span></div>\(ConsentPart.locate(resident, visit.gettext("Ask now"), tells: visit.gettext("Asked. The map shows the newer position as soon as it comes.")))</li>
        """
    }
    let open = visit.residents.map { ConsentPart.asked(.location, of: $0, visit) }
    let side: HTML = """
      <h1>\(title)</h1>
      \(Part.list(rows))\(open)
      <p class="actions">\(Part.link(visit.gettext("Safe zones"), to: "/zones"))\(Part.link(visit.gettext("Places"), to: "/bookmarks"))\(Part.link(visit.gettext("Show where I am"), to: Visit.address("/map", ["resident": visit.fields["resident"], "me": "1"])))</p>
      """
    return PageContent(
      title: title,
      main: """
        <div class="split"><div class="side">\(side)</div>\(MapPart.canvas(visit))</div>
        \(MapPart.drawn(visit, zones: visit.answers.list("zones.list"), bookmarks: visit.answers.list("bookmarks.list")))
        """, scripts: ["map.js"], hasMap: true, place: .map)
  }
}
