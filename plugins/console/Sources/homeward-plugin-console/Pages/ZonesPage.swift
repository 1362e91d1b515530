import JSON

/// Safe zones: a list beside the map, and one of them to change.
struct ZonesPage {
  static let page = Page(
    path: "/zones", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.answers.has("zones.list") ? [] : [Question("zones.list")]
  }

  private var content: PageContent {
    let resident = visit.chosenResident
    let id = resident?["id"]?.stringContent
    let own = visit.answers.list("zones.list").filter { $0["resident"]?.stringContent == id }
      .sorted { ($0["name"]?.stringContent ?? "") < ($1["name"]?.stringContent ?? "") }
    let title = visit.gettext(
      "Safe zones of {name}", ["name": resident?["name"]?.stringContent ?? "–"])
    // Only caregivers change zones: nobody is shown what would be refused.
    let chosen =
      visit.isCaregiver ? own.first { $0["id"]?.stringContent == visit.fields["zone"] } : nil
    let rows = own.map { zone -> HTML in
      let words: HTML = """
        <strong>\(zone["name"]?.stringContent ?? "")</strong><span class="soft">\(ZoneWords.shape(of: zone, visit))</span>
        """
      guard visit.isCaregiver else { return "<li class=\"entry\">\(words)</li>" }
      let isHere = chosen?["id"] == zone["id"]
      return """
        <li><a class="entry" href="\(Visit.address("/zones", ["resident": id, "zone": zone["id"]?.stringContent]))"\(HTML.attribute("aria-current", isHere ? "true" : nil))>\(words)</a></li>
        """
    }
    let list: HTML =
      rows.isEmpty
      ? Part.empty(
        visit.gettext("There is no safe zone yet. Outside of all of them is what raises an alarm."))
      : "<ul class=\"entries\">\(rows)</ul>"
    let isNew = visit.isCaregiver && visit.fields["zone"] == "new"
    let form = chosen.map { zoneForm($0) } ?? (isNew ? zoneForm(nil) : .nothing)
    let add: HTML = """
      <p class="actions">\(Part.link(visit.gettext("Add a zone"), to: Visit.address("/zones", ["resident": id, "zone": "new"]), isFirst: true))</p>
      <p class="soft">\(visit.gettext("Press two seconds on the map to put one there."))</p>
      """
    let side: HTML = """
      <h1>\(title)</h1>
      \(Part.people(visit, path: "/zones"))
      \(list)
      \(visit.isCaregiver ? add : .nothing)
      \(form)
      """
    let isEditing = chosen != nil || isNew
    return PageContent(
      title: title,
      main: """
        <div class="split"><div class="side">\(side)</div>\(MapPart.canvas(visit))</div>
        \(isEditing ? drawingBar : .nothing)
        \(MapPart.drawn(visit, zones: own, edited: chosen?["id"]))
        """,
      scripts: ["map.js"] + (visit.isCaregiver ? ["zones.js"] : [])
        + (isEditing ? ["border.js"] : []), hasMap: true, place: .map)
  }

  /// What is at hand while somebody draws: on a telephone the form is far below the map.
  private var drawingBar: HTML {
    """
    <div id="drawing" role="group" aria-label="\(visit.gettext("Draw the border"))" hidden>
    <p data-border-says></p>
    <p class="actions"><button type="button" class="button" data-border="back">\(visit.gettext("Undo corner"))</button><button type="button" class="button first" data-border="finish">\(visit.gettext("Finish"))</button></p>
    </div>
    """
  }

  private func zoneForm(_ zone: JSONValue?) -> HTML {
    let resident = visit.chosenResident
    let id = zone?["id"]?.stringContent ?? "@new"
    let kept = (zone ?? .object([])).setting("id", to: .string(id))
      .setting("resident", to: resident?["id"] ?? .null)
    let here = Visit.address("/zones", ["resident": resident?["id"]?.stringContent])
    let remove: HTML =
      zone.map {
        Part.button(
          visit.gettext("Delete"), "zone.remove", ["target": .string(id)], kind: "quiet",
          then: here,
          undo: ("zone.put", ["zone": $0]))
      } ?? .nothing
    let isBorder = ZoneWords.corners(of: zone ?? .null) != nil
    return Part.card(
      zone?["name"]?.stringContent ?? visit.gettext("A new zone"), id: "zone",
      Part.form(
        "zone.put", ["zone": kept], then: here,
        """
        \(Part.field(visit.gettext("Name"), "zone.name", zone?["name"]?.stringContent))
        <p class="field"><label for="f-shape">\(visit.gettext("Shape"))</label><select id="f-shape" data-shape><option value="circle"\(HTML.flag("selected", !isBorder))>\(visit.gettext("A circle around a place"))</option><option value="border"\(HTML.flag("selected", isBorder))>\(visit.gettext("A border with corners"))</option></select></p>
        \(placeFields(zone))
        <div data-circle\(HTML.flag("hidden", isBorder))>\(Length.field(visit.isImperial ? visit.gettext("Radius in feet") : visit.gettext("Radius in metres"), "zone.radiusMeters", zone?["radiusMeters"], atMost: 100_000, visit))</div>
        \(borderFields(zone, isShown: isBorder))
        \(Length.field(visit.isImperial ? visit.gettext("Left counts so many feet beyond") : visit.gettext("Left counts so many metres beyond"), "zone.exitMarginMeters", zone?["exitMarginMeters"], atLeast: 0, atMost: 1000, visit))
        <p class="check"><input type="checkbox" id="f-home" name="zone.isHome" data-reads="flag"\(HTML.flag("checked", zone?["isHome"]?.boolContent == true))><label for="f-home">\(visit.gettext("It is the home"))</label></p>
        <p class="check"><input type="checkbox" id="f-leaving" name="zone.alarmOnLeaving" data-reads="flag"\(HTML.flag("checked", zone?["alarmOnLeaving"]?.boolContent == true))><label for="f-leaving">\(visit.gettext("Every leaving is an alarm"))</label></p>
        <p class="actions"><button class="button first">\(visit.gettext("Save"))</button>\(remove)</p>
        """))
  }

  /// Where a zone is: an address, the map, and until one is said where the resident is now.
  private func placeFields(_ zone: JSONValue?) -> HTML {
    let resident = visit.chosenResident
    let center = zone?["center"] ?? .null
    let position = resident?["tracking"]?["position"]
    let latitude = center["latitude"]?.doubleContent ?? position?["latitude"]?.doubleContent
    let longitude = center["longitude"]?.doubleContent ?? position?["longitude"]?.doubleContent
    let name = resident?["name"]?.stringContent ?? "–"
    let hint =
      zone != nil
      ? visit.gettext("Only to put it somewhere else. Type it, or press two seconds on the map.")
      : latitude != nil
        ? visit.gettext(
          "Type it, or press two seconds on the map. Without an address it is where {name} is now.",
          ["name": name])
        : visit.gettext("Type it, press two seconds on the map, or use the button below.")
    return """
      <p class="field"><label for="f-address">\(visit.gettext("Address"))</label><span class="hint" id="f-address-hint">\(hint)</span><input id="f-address" type="text" data-address data-unfound="\(visit.gettext("Press “Find the address” and choose one, or empty the field."))" data-nowhere="\(visit.gettext("Say where the zone is: find an address, or press two seconds on the map."))" aria-describedby="f-address-hint" autocomplete="off"></p>
      <p class="actions"><button type="button" class="button" data-find>\(visit.gettext("Find the address"))</button><button type="button" class="button" data-here>\(visit.gettext("The middle of the map"))</button></p>
      \(Part.found(visit))
      <input type="hidden" name="zone.center.latitude" value="\(latitude.map { "\($0)" } ?? "")" data-reads="number">
      <input type="hidden" name="zone.center.longitude" value="\(longitude.map { "\($0)" } ?? "")" data-reads="number">
      """
  }

  /// Corners by taps on the map, by addresses or as a square; and in a list that needs no map.
  private func borderFields(_ zone: JSONValue?, isShown: Bool) -> HTML {
    let directions: [(String, String)] = [
      ("north", visit.gettext("North")), ("east", visit.gettext("East")),
      ("south", visit.gettext("South")), ("west", visit.gettext("West")),
    ]
    let moves = directions.map { direction, words -> HTML in
      "<button type=\"button\" class=\"button\" data-border=\"\(direction)\">\(words)</button>"
    }
    return """
      <div id="border"\(HTML.flag("hidden", !isShown)) data-corner="\(visit.gettext("Corner {n}"))" data-corner-at="\(visit.gettext("Corner {n}, {address}"))" data-remove="\(visit.gettext("Remove corner {n}"))" data-few="\(visit.gettext("A border needs three corners at least. Add some."))" data-crosses="\(visit.gettext("The border crosses itself. Put its corners in the order of a walk around."))" data-line="\(visit.gettext("The corners lie in a line and enclose nothing. Move one."))" data-wrong="\(visit.gettext("Write a corner as degrees north and east, such as 40.0123, -74.0045."))" data-next="\(visit.gettext("Corners so far: {n}. Tap on the map for the next one."))" data-whole="\(visit.gettext("Corners: {n}. Drag one on the map, or move it below."))" data-many="\(visit.gettext("Corners: {n}, too many to move one by one. Start anew to draw it otherwise."))">
      <h3>\(visit.gettext("The border"))</h3>
      <p class="soft" role="status" data-border-says></p>
      <p class="actions"><button type="button" class="button" data-border="draw">\(visit.gettext("Draw on the map"))</button><button type="button" class="button" data-border="add">\(visit.gettext("A corner at this address"))</button></p>
      <p class="field"><label for="f-side">\(visit.gettext("Or a square, so many metres wide"))</label><input id="f-side" type="number" value="100" min="10" max="100000" step="any" data-side></p>
      <p class="actions"><button type="button" class="button" data-border="square">\(visit.gettext("A square around this address"))</button></p>
      <ol class="corners" id="corners" aria-label="\(visit.gettext("Corners"))"></ol>
      <div data-moving hidden>
      <p class="field"><label for="f-corner">\(visit.gettext("Move by 5 metres"))</label><select id="f-corner" data-chosen></select></p>
      <p class="actions moves">\(moves)</p>
      </div>
      <p class="actions"><button type="button" class="button quiet" data-border="back">\(visit.gettext("Undo corner"))</button><button type="button" class="button quiet" data-border="clear">\(visit.gettext("Start anew"))</button></p>
      <input type="hidden" name="zone.border" value="\(isShown ? zone?["border"]?.serialized ?? "" : "")" data-reads="json">
      </div>
      """
  }
}

/// What is said of a zone.
enum ZoneWords {
  /// Its shape and how far beyond its edge somebody has left it.
  static func shape(of zone: JSONValue, _ visit: Visit) -> String {
    let margin = visit.distance(zone["exitMarginMeters"]?.doubleContent ?? 0)
    let beyond = visit.gettext("left counts {distance} beyond", ["distance": margin])
    if let corners = corners(of: zone) {
      return visit.gettext("Shape, {n} corners", ["n": corners]) + ", " + beyond
    }
    let radius = visit.distance(zone["radiusMeters"]?.doubleContent ?? 0)
    return visit.gettext("Circle, {distance}", ["distance": radius]) + ", " + beyond
  }

  /// How many corners its border has, those of holes too; nil for a circle.
  ///
  /// Rings of GeoJSON are closed: their first corner stands once more at the end (RFC 7946, 3.1.6).
  static func corners(of zone: JSONValue) -> Int? {
    zone["border"]?["coordinates"]?.arrayContent.map { rings in
      rings.reduce(0) { $0 + max(0, ($1.arrayContent?.count ?? 0) - 1) }
    }
  }
}
