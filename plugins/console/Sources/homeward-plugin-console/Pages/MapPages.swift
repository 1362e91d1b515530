import JSON

extension Page {
  /// Where everybody is, live.
  static let map = Page(
    path: "/map",
    questions: { visit in
      visit.answers.has("zones.list") ? [] : [Question("zones.list"), Question("bookmarks.list")]
    }, content: mapContent)

  /// Safe zones: a list beside the map, and one of them to change.
  static let zones = Page(
    path: "/zones", questions: { $0.answers.has("zones.list") ? [] : [Question("zones.list")] },
    content: zonesContent)

  /// What scripts draw, as a table that everybody can read.
  private static func drawn(_ visit: Visit, zones: [JSONValue], bookmarks: [JSONValue]) -> HTML {
    let people = visit.residents.map { resident -> JSONValue in
      .object([
        "id": resident["id"], "name": resident["name"],
        "position": resident["tracking"]?["position"],
        "isOutside": resident["tracking"]?["outside"],
      ])
    }
    let data: JSONValue = [
      "people": .array(people), "zones": .array(zones), "bookmarks": .array(bookmarks),
      "chosen": visit.fields["resident"].map { .string($0) } ?? .null,
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
    <div id="map" role="application" aria-label="\(visit.gettext("Map. Everything on it stands in the list, too."))" data-squares="/map/squares"></div>
    """
  }

  @Sendable private static func mapContent(_ visit: Visit) -> PageContent {
    let title = visit.pgettext("page", "Map")
    let rows = visit.residents.sorted {
      ($0["name"]?.stringContent ?? "") < ($1["name"]?.stringContent ?? "")
    }.map { resident -> HTML in
      let id = resident["id"]?.stringContent ?? ""
      return """
        <li class="line" data-person="\(id)">\(Icon.person)<div><span><strong>\(resident["name"]?.stringContent ?? "")</strong> \(Whereabouts.pill(resident, visit))</span><span class="soft">\(Whereabouts.position(resident, visit))</span></div>\(Part.button(visit.gettext("Ask now"), "locate", ["target": .string(id)]))</li>
        """
    }
    let side: HTML = """
      <h1>\(title)</h1>
      \(Part.list(rows))
      <p class="actions">\(Part.link(visit.gettext("Safe zones"), to: "/zones"))\(Part.link(visit.gettext("Places"), to: "/bookmarks"))\(Part.link(visit.gettext("Show where I am"), to: Visit.address("/map", ["resident": visit.fields["resident"], "me": "1"])))</p>
      """
    return PageContent(
      title: title,
      main: """
        <div class="split"><div class="side">\(side)</div>\(canvas(visit))</div>
        \(drawn(visit, zones: visit.answers.list("zones.list"), bookmarks: visit.answers.list("bookmarks.list")))
        """, scripts: ["map.js"], hasMap: true, place: .map)
  }

  @Sendable private static func zonesContent(_ visit: Visit) -> PageContent {
    let resident = visit.chosenResident
    let id = resident?["id"]?.stringContent
    let own = visit.answers.list("zones.list").filter { $0["resident"]?.stringContent == id }
      .sorted { ($0["name"]?.stringContent ?? "") < ($1["name"]?.stringContent ?? "") }
    let title = visit.gettext(
      "Safe zones of {name}", ["name": resident?["name"]?.stringContent ?? "–"])
    let chosen = own.first { $0["id"]?.stringContent == visit.fields["zone"] }
    let rows = own.map { zone -> HTML in
      let isHere = chosen?["id"] == zone["id"]
      return """
        <li><a class="entry" href="\(Visit.address("/zones", ["resident": id, "zone": zone["id"]?.stringContent]))"\(HTML.attribute("aria-current", isHere ? "true" : nil))><strong>\(zone["name"]?.stringContent ?? "")</strong><span class="soft">\(shape(zone, visit))</span></a></li>
        """
    }
    let list: HTML =
      rows.isEmpty
      ? Part.empty(
        visit.gettext("There is no safe zone yet. Outside of all of them is what raises an alarm."))
      : "<ul class=\"entries\">\(rows)</ul>"
    let isNew = visit.fields["zone"] == "new"
    let form = chosen.map { zoneForm($0, visit) } ?? (isNew ? zoneForm(nil, visit) : .nothing)
    let side: HTML = """
      <h1>\(title)</h1>
      \(Part.people(visit, path: "/zones"))
      \(list)
      <p class="actions">\(Part.link(visit.gettext("Add a zone"), to: Visit.address("/zones", ["resident": id, "zone": "new"]), isFirst: true))</p>
      <p class="soft">\(visit.gettext("Press two seconds on the map to put one there."))</p>
      \(form)
      """
    return PageContent(
      title: title,
      main: """
        <div class="split"><div class="side">\(side)</div>\(canvas(visit))</div>
        \(drawn(visit, zones: own, bookmarks: []))
        """, scripts: ["map.js", "zones.js"], hasMap: true, place: .map)
  }

  private static func shape(_ zone: JSONValue, _ visit: Visit) -> String {
    let margin = visit.distance(zone["exitMarginMeters"]?.doubleContent ?? 0)
    let beyond = visit.gettext("left counts {distance} beyond", ["distance": margin])
    let corners =
      zone["border"]?.arrayContent?.count ?? zone["border"]?["points"]?.arrayContent?.count
    if let corners { return visit.gettext("Shape, {n} corners", ["n": corners]) + ", " + beyond }
    let radius = visit.distance(zone["radiusMeters"]?.doubleContent ?? 0)
    return visit.gettext("Circle, {distance}", ["distance": radius]) + ", " + beyond
  }

  private static func zoneForm(_ zone: JSONValue?, _ visit: Visit) -> HTML {
    let resident = visit.chosenResident
    let id = zone?["id"]?.stringContent ?? "@new"
    let kept = (zone ?? .object([])).setting("id", to: .string(id))
      .setting("resident", to: resident?["id"] ?? .null)
    let center = zone?["center"] ?? .null
    let here = Visit.address("/zones", ["resident": resident?["id"]?.stringContent])
    let position = resident?["tracking"]?["position"]
    let latitude = center["latitude"]?.doubleContent ?? position?["latitude"]?.doubleContent
    let longitude = center["longitude"]?.doubleContent ?? position?["longitude"]?.doubleContent
    let remove: HTML =
      zone.map {
        Part.button(
          visit.gettext("Delete"), "zone.remove", ["target": .string(id)], kind: "quiet",
          then: here,
          undo: ("zone.put", ["zone": $0]))
      } ?? .nothing
    return Part.card(
      zone?["name"]?.stringContent ?? visit.gettext("A new zone"), id: "zone",
      Part.form(
        "zone.put", ["zone": kept], then: here,
        """
        \(Part.field(visit.gettext("Name"), "zone.name", zone?["name"]?.stringContent))
        <p class="field"><label for="f-address">\(visit.gettext("Address"))</label><span class="hint" id="f-address-hint">\(visit.gettext("Type it, press two seconds on the map, or use the button below."))</span><input id="f-address" type="text" data-address aria-describedby="f-address-hint" autocomplete="off"></p>
        <p class="actions"><button type="button" class="button" data-find>\(visit.gettext("Find the address"))</button><button type="button" class="button" data-here>\(visit.gettext("The middle of the map"))</button></p>
        <ul class="entries" id="found" aria-live="polite"></ul>
        <input type="hidden" name="zone.center.latitude" value="\(latitude.map { "\($0)" } ?? "")" data-reads="number">
        <input type="hidden" name="zone.center.longitude" value="\(longitude.map { "\($0)" } ?? "")" data-reads="number">
        \(Part.field(visit.gettext("Radius in metres"), "zone.radiusMeters", zone?["radiusMeters"]?.doubleContent.map { "\(Int64($0))" } ?? "50", kind: "number", reads: "number", more: " min=\"10\" max=\"20000\" step=\"5\""))
        \(Part.field(visit.gettext("Left counts so many metres beyond"), "zone.exitMarginMeters", zone?["exitMarginMeters"]?.doubleContent.map { "\(Int64($0))" } ?? "50", kind: "number", reads: "number", more: " min=\"0\" max=\"1000\" step=\"5\""))
        <p class="check"><input type="checkbox" id="f-home" name="zone.isHome" data-reads="flag"\(HTML.flag("checked", zone?["isHome"]?.boolContent == true))><label for="f-home">\(visit.gettext("It is the home"))</label></p>
        <p class="check"><input type="checkbox" id="f-leaving" name="zone.alarmOnLeaving" data-reads="flag"\(HTML.flag("checked", zone?["alarmOnLeaving"]?.boolContent == true))><label for="f-leaving">\(visit.gettext("Every leaving is an alarm"))</label></p>
        <p class="actions"><button class="button first">\(visit.gettext("Save"))</button>\(remove)</p>
        """))
  }
}
