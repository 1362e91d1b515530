import JSON

/// Places that are kept: a list beside the map, and one of them to change.
struct BookmarksPage {
  static let page = Page(
    path: "/bookmarks", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.answers.has("bookmarks.list") ? [] : [Question("bookmarks.list")]
  }

  private var content: PageContent {
    let title = visit.gettext("Places")
    let resident = visit.chosenResident
    let own = visit.answers.list("bookmarks.list").filter { $0["resident"] == resident?["id"] }
      .sorted { ($0["name"]?.stringContent ?? "") < ($1["name"]?.stringContent ?? "") }
    let chosen = own.first { $0["id"]?.stringContent == visit.fields["place"] }
    let lines = own.map { line(of: $0, isChosen: $0 == chosen) }
    let list: HTML =
      lines.isEmpty
      ? Part.empty(
        visit.gettext("No place is kept yet. The gateway can show the way to those that are."))
      : Part.list(lines)
    // Only caregivers keep places: nobody is shown what would be refused.
    let form =
      visit.isCaregiver && resident != nil ? placeForm(chosen, of: resident) : .nothing
    return PageContent(
      title: title,
      main: """
        <div class="split"><div class="side">\(Part.heading(title, visit, "/bookmarks"))\(list)\(form)</div>\(MapPart.canvas(visit))</div>
        \(MapPart.drawn(visit, people: [resident].compactMap { $0 }, zones: [], bookmarks: own, place: chosen?["id"]))
        """, scripts: ["map.js", "zones.js"], hasMap: true, place: .more)
  }

  private func line(of place: JSONValue, isChosen: Bool) -> HTML {
    let name: HTML = "<strong>\(place["name"]?.stringContent ?? "")</strong>"
    let address = HTML(place["address"]?.stringContent ?? "")
    guard visit.isCaregiver else { return Part.line(Icon.star, name, address) }
    let there = Visit.address(
      "/bookmarks",
      ["resident": place["resident"]?.stringContent, "place": place["id"]?.stringContent])
    let remove = Part.button(
      visit.gettext("Delete"), "bookmark.remove", ["target": place["id"] ?? .null], kind: "quiet",
      undo: ("bookmark.put", ["bookmark": place]))
    return Part.line(
      Icon.star,
      "<a href=\"\(there)#place\"\(HTML.attribute("aria-current", isChosen ? "true" : nil))>\(name)</a>",
      address, aside: remove)
  }

  /// One place to be changed, or a new one.
  private func placeForm(_ place: JSONValue?, of resident: JSONValue?) -> HTML {
    let here = Visit.address("/bookmarks", ["resident": resident?["id"]?.stringContent])
    // What the form does not ask stays as it is.
    let kept = place ?? ["id": "@new", "resident": resident?["id"] ?? .null, "address": ""]
    let at = place?["coordinate"]
    let degrees = { (name: String) in at?[name]?.doubleContent.map { "\($0)" } ?? "" }
    return Part.card(
      place?["name"]?.stringContent ?? visit.gettext("Another place"), id: "place",
      Part.form(
        "bookmark.put", ["bookmark": kept], then: place == nil ? nil : here,
        """
        \(Part.field(visit.gettext("Name"), "bookmark.name", place?["name"]?.stringContent))
        <p class="field"><label for="f-address">\(visit.gettext("Address"))</label><span class="hint" id="f-address-hint">\(visit.gettext("Type it, press two seconds on the map, or use the button below."))</span><input id="f-address" name="bookmark.address" type="text"\(HTML.attribute("value", place?["address"]?.stringContent)) data-address data-unfound="\(visit.gettext("Press “Find the address” and choose one, or press two seconds on the map."))" data-nowhere="\(visit.gettext("Say where the place is: find an address, or press two seconds on the map."))" aria-describedby="f-address-hint" autocomplete="off"></p>
        <p class="actions"><button type="button" class="button" data-find>\(visit.gettext("Find the address"))</button><button type="button" class="button" data-here>\(visit.gettext("The middle of the map"))</button></p>
        \(Part.found(visit))
        <input type="hidden" name="bookmark.coordinate.latitude" value="\(degrees("latitude"))" data-reads="number" data-latitude>
        <input type="hidden" name="bookmark.coordinate.longitude" value="\(degrees("longitude"))" data-reads="number" data-longitude>
        \(Part.submit(place == nil ? visit.gettext("Keep this place") : visit.gettext("Save")))
        """))
  }
}
