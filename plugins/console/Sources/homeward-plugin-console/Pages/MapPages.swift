import Care
import JSON

extension Page {
  /// Where everybody is, live.
  static let map = Page(
    path: "/map",
    questions: { visit in
      visit.answers.has("zones.list") ? [] : [Question("zones.list"), Question("bookmarks.list")]
    }, content: mapContent)

  /// What scripts draw, as data.
  ///
  /// - Parameters:
  ///   - people: who is shown; everybody where nothing is said.
  ///   - edited: the zone that is drawn by the form in which it is changed.
  ///   - place: the place that is changed.
  ///   - followed: the resident who stays in view.
  ///   - trail: where somebody was.
  static func drawn(
    _ visit: Visit, people: [JSONValue]? = nil, zones: [JSONValue], bookmarks: [JSONValue] = [],
    edited: JSONValue? = nil, place: JSONValue? = nil, followed: JSONValue? = nil,
    trail: Trail? = nil
  ) -> HTML {
    let people = (people ?? visit.residents).map { resident -> JSONValue in
      .object([
        "id": resident["id"], "name": resident["name"],
        "position": resident["tracking"]?["position"],
        "isOutside": resident["tracking"]?["outside"],
      ])
    }
    let data: JSONValue = [
      "people": .array(people), "zones": .array(zones), "bookmarks": .array(bookmarks),
      "chosen": followed ?? visit.fields["resident"].map { .string($0) } ?? .null,
      "edited": edited ?? .null, "place": place ?? .null, "followed": followed ?? .null,
      "trail": trail?.drawn ?? .null,
    ]
    return drawn(data)
  }

  /// Data for scripts, out of the way of whoever reads.
  static func drawn(_ data: JSONValue) -> HTML {
    HTML(stringLiteral: "<script type=\"application/json\" id=\"drawn\">")
      + HTML(stringLiteral: data.serialized.scriptSafe) + HTML(stringLiteral: "</script>")
  }

  /// Where scripts draw the map.
  static func canvas(_ visit: Visit) -> HTML {
    """
    <div id="map" role="application" aria-label="\(visit.gettext("Map. Everything on it stands in the list, too."))" data-squares="/map/squares" data-late="\(visit.gettext("No newer position has come yet. The receiver may see no sky, or have no connection."))"></div>
    """
  }

  @Sendable private static func mapContent(_ visit: Visit) -> PageContent {
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
        <div class="split"><div class="side">\(side)</div>\(canvas(visit))</div>
        \(drawn(visit, zones: visit.answers.list("zones.list"), bookmarks: visit.answers.list("bookmarks.list")))
        """, scripts: ["map.js"], hasMap: true, place: .map)
  }
}
