import JSON
import Texts

/// Places that are kept: those of the family, and the resident's own; one of them is asked about, then shown the way to.
struct ResidentPlacesPage {
  static let page = Page.resident(
    "/me/places",
    asks: { Self(view: $0).questions },
    content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private static let placesOnAPage = 3

  private var questions: [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("bookmarks.list") else {
      return []
    }
    return [
      Question("bookmarks.list", ["resident": id]),
      Question("guidance.places", ["resident": id]),
    ]
  }

  private var content: PageContent {
    if visit.fields["keep"] != nil { return keeping }
    let places = ResidentPlace.all(visit)
    if let chosen = places.first(where: { $0.key == visit.fields["place"] }) {
      return chosenPlace(chosen)
    }
    let pages = max(1, (places.count + Self.placesOnAPage - 1) / Self.placesOnAPage)
    let page = min(max(0, visit.fields["page"].flatMap { Int($0) } ?? 0), pages - 1)
    let shown = places.dropFirst(page * Self.placesOnAPage).prefix(Self.placesOnAPage).map {
      place -> HTML in
      """
      <a class="key wide" href="\(Visit.address("/me/places", ["place": place.key]))">\(Icon.star)<span data-theirs><strong data-said>\(place.name)</strong><span class="soft">\(place.address)</span></span></a>
      """
    }
    let more: HTML =
      pages > 1
      ? ResidentPart.link(
        Icon.arrow, visit.gettext("More places"),
        to: Visit.address("/me/places", ["page": "\((page + 1) % pages)"])) : .nothing
    let title = visit.gettext("My places")
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        \(places.isEmpty ? ResidentPart.said("p", visit.gettext("No place is kept yet.")) : "<div class=\"keys list\">\(shown)</div>")
        \(ResidentPart.keys(more, ResidentPart.link(Icon.pin, visit.gettext("Keep this place"), to: "/me/places?keep=1")))
        """)
  }

  private func chosenPlace(_ place: ResidentPlace) -> PageContent {
    let goal: JSONValue = [place.isOwn ? "kept" : "bookmark": .string(place.id)]
    let forget: HTML =
      place.isOwn
      ? ResidentPart.button(
        Icon.cross, visit.gettext("Forget it"), "guidance.forget",
        ["target": view.id, "place": .string(place.id)], then: "/me/places") : .nothing
    return PageContent(
      title: place.name,
      main: """
        <div class="matter">
        \(ResidentPart.said("h1", visit.gettext("Shall I show you the way to {place}?", ["place": place.name])))
        \(place.address.isEmpty ? .nothing : ResidentPart.said("p", place.address, isTheirs: true))
        \(ResidentPart.keys(
          ResidentPart.button(Icon.check, visit.gettext("Yes, let us go"), "guidance.start", ["target": view.id, "to": goal], kind: "first", then: "/me/way"),
          ResidentPart.link(Icon.cross, visit.gettext("No, not now"), to: "/me/places"), forget))
        </div>
        """)
  }

  /// A name for the place where somebody is: one press for the usual ones, or letters.
  private var keeping: PageContent {
    let title = visit.gettext("What is this place called?")
    let usual = [
      visit.gettext("Shop"), visit.gettext("Doctor"), visit.gettext("Park bench"),
    ].map { name in
      ResidentPart.button(
        Icon.star, name, "guidance.keep", ["target": view.id, "name": .string(name)],
        then: "/me/places")
    }
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        <div class="keys">\(usual)</div>
        \(Part.form("guidance.keep", ["target": view.id], then: "/me/places", """
          \(Part.field(visit.gettext("Another name"), "name", autocomplete: "off"))
          <p class="actions"><button class="key first"><span>\(visit.gettext("Keep this place"))</span></button></p>
          """))
        """)
  }
}

/// A place that a resident may want to go to.
struct ResidentPlace {
  var id: String
  var name: String
  var address: String
  /// Whether it is kept by the resident, in an address book of their own.
  var isOwn: Bool

  /// By which a page is asked for.
  var key: String { (isOwn ? "own-" : "") + id }

  /// All of them: home first, then by name.
  static func all(_ visit: Visit) -> [ResidentPlace] {
    let bookmarks = visit.answers.list("bookmarks.list").map { ResidentPlace($0, isOwn: false) }
    let own = visit.answers.list("guidance.places").map { ResidentPlace($0, isOwn: true) }
    return (bookmarks + own).sorted {
      ($0.name.lowercased(), $0.key) < ($1.name.lowercased(), $1.key)
    }
  }

  private init(_ place: JSONValue, isOwn: Bool) {
    id = place["id"]?.stringContent ?? ""
    name = place["name"]?.stringContent ?? ""
    address = place["address"]?.stringContent ?? ""
    self.isOwn = isOwn
  }
}
