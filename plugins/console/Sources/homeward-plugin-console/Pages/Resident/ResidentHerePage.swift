import Care
import JSON
import Texts

/// Where one is: on a map and in words, sought anew.
struct ResidentHerePage {
  static let page = Page.resident(
    "/me/here",
    asks: { Self(view: $0).questions },
    content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var questions: [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("bookmarks.list") else {
      return []
    }
    return [
      Question("bookmarks.list", ["resident": id]), Question("zones.list", ["resident": id]),
    ]
  }

  private var content: PageContent {
    let position = view.resident["tracking"]?["position"]
    let place = position.flatMap { try? Coordinate(json: $0) }
    let at = place.map {
      ["latitude": .number($0.latitudeDegrees), "longitude": .number($0.longitudeDegrees)]
        as JSONValue
    }
    let words: HTML =
      at.map { at in
        """
        <p class="great" data-said data-near="\(at.serialized)" data-words="\(visit.gettext("You are near {address}."))">\(around)</p>
        <p class="soft" data-said>\(visit.gettext("Seen")) \(visit.age(of: position?["time"]?.stringContent))</p>
        """
      }
      ?? ResidentPart.said(
        "p", visit.gettext("I do not know where you are just now. I am looking."), kind: "great")
    let hasMap = place != nil
    let keep: HTML =
      hasMap
      ? ResidentPart.link(Icon.star, visit.gettext("Keep this place"), to: "/me/places?keep=1")
      : .nothing
    let side: HTML = """
      <div class="side"><h1>\(visit.gettext("Where you are"))</h1>\(words)
      \(ResidentPart.keys(ResidentPart.button(Icon.pin, visit.gettext("Look again"), "locate", ["target": view.id], tells: visit.gettext("I am looking.")), keep, ResidentPart.link(Icon.arrow, visit.gettext("Show the way"), to: "/me/way")))
      </div>
      """
    let map: HTML =
      hasMap
      ? "\(MapPart.canvas(visit))\(MapPart.drawn(visit, people: [view.resident], zones: visit.answers.list("zones.list"), bookmarks: visit.answers.list("bookmarks.list"), followed: view.id))"
      : .nothing
    return PageContent(
      title: visit.gettext("Where you are"),
      main:
        "<div class=\"here\" data-locates=\"\(view.id.stringContent ?? "")\">\(side)\(map)</div>",
      scripts: ["near.js"] + (hasMap ? ["map.js"] : []), hasMap: hasMap)
  }

  /// In words, before an address is known: which place it is at.
  private var around: String {
    let inside = (view.resident["tracking"]?["zones"]?.arrayContent ?? []).first {
      $0["presence"]?.stringContent == "inside"
    }
    guard let name = inside?["zoneName"]?.stringContent else {
      return visit.gettext("You are where the map shows it.")
    }
    return visit.gettext("You are at {place}.", ["place": name])
  }
}
