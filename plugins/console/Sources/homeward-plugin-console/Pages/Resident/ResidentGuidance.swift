import Care
import JSON
import Texts

/// The way: an arrow, a sentence, how far it is.
enum ResidentGuidance {
  /// Where it goes.
  static func goal(_ journey: JSONValue, _ view: ResidentView) -> String {
    let goal = journey["destination"] ?? .null
    return goal["isHome"]?.boolContent == true
      ? view.visit.gettext("Shall I take you home?")
      : view.visit.gettext(
        "Shall I show you the way to {place}?", ["place": goal["name"]?.stringContent ?? ""])
  }

  /// To where, and for how long.
  static func minutes(_ journey: JSONValue, _ visit: Visit) -> String {
    let goal = journey["destination"] ?? .null
    let name =
      goal["isHome"]?.boolContent == true
      ? visit.gettext("To home")
      : visit.gettext("To {place}", ["place": goal["name"]?.stringContent ?? ""])
    guard let minutes = journey["minutesLeft"]?.integerContent else { return name }
    return visit.ngettext(
      "{place}, {n} minute", "{place}, {n} minutes", Int(clamping: minutes),
      ["place": name, "n": minutes])
  }

  /// How far it is to what is to be done next, in steps, as somebody walks.
  static func steps(_ journey: JSONValue, _ visit: Visit) -> String? {
    guard let meters = journey["metersToNext"]?.integerContent, (5...150).contains(meters) else {
      return nil
    }
    let steps = Int((Double(meters) / metersInStep / 10).rounded()) * 10
    return visit.ngettext(
      "about {n} step", "about {n} steps", max(10, steps), ["n": max(10, steps)])
  }

  /// Of somebody of eighty.
  private static let metersInStep = 0.55

  /// An arrow that a script turns: by where to go, and by where the telephone or the tracker looks.
  static func arrow(_ bearing: JSONValue?, heading: JSONValue?, isHere: Bool, _ visit: Visit)
    -> HTML
  {
    let degrees = bearing?.integerContent
    let turned = degrees.map { $0 - (heading?.integerContent ?? 0) }
    return """
      <div class="compass\(degrees == nil ? " lost" : "")" data-bearing="\(degrees.map(String.init) ?? "")" data-heading="\(heading?.integerContent.map(String.init) ?? "")" data-turned="\(turned.map(String.init) ?? "")">
      <svg viewBox="0 0 200 200" aria-hidden="true" focusable="false"><circle class="ring" cx="100" cy="100" r="96"/>\(rose(visit))\(isHere ? HTML(stringLiteral: "<circle class=\"here\" cx=\"100\" cy=\"100\" r=\"44\"/>") : HTML(stringLiteral: "<path class=\"needle\" d=\"M100 30 142 160 100 132 58 160Z\"/>"))</svg>
      </div>
      """
  }

  /// The four directions, which turn with whoever looks.
  private static func rose(_ visit: Visit) -> HTML {
    let names = [
      visit.pgettext("on a compass", "N"), visit.pgettext("on a compass", "E"),
      visit.pgettext("on a compass", "S"), visit.pgettext("on a compass", "W"),
    ]
    let marks = names.enumerated().map { index, name -> HTML in
      let (x, y) = [(100, 22), (182, 106), (100, 190), (18, 106)][index]
      return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\">\(name)</text>"
    }
    return "<g class=\"rose\">\(marks)</g>"
  }
}

extension Page {
  /// The way that is shown; without one, where home is.
  static let residentWay = Page.resident(
    "/me/way", yields: false,
    asks: { visit in
      guard let id = visit.residents.first?["id"], !visit.answers.has("guidance.home") else {
        return []
      }
      return [Question("guidance.home", ["resident": id])]
    },
    content: { view in
      view.journey.map { underWay($0, view) } ?? idle(view)
    })

  private static func underWay(_ journey: JSONValue, _ view: ResidentView) -> PageContent {
    let visit = view.visit
    let title = ResidentGuidance.minutes(journey, visit)
    let words = journey["words"]?.stringContent ?? ""
    return PageContent(
      title: title,
      main: """
        <div class="matter way" data-waits>
        <h1 class="soft">\(title)</h1>
        \(ResidentGuidance.arrow(journey["bearingDegrees"], heading: journey["headingDegrees"], isHere: false, visit))
        \(ResidentPart.said("p", words, kind: "great", once: "way \(words)"))
        \(ResidentGuidance.steps(journey, visit).map { "<p data-said>\($0)</p>" as HTML } ?? .nothing)
        \(ResidentPart.keys(
          ResidentPart.button(Icon.ear, visit.gettext("Say it again"), "guidance.repeat", ["target": view.id], kind: "first", tells: ""),
          ResidentPart.link(Icon.pin, visit.gettext("Map"), to: "/me/here"),
          camera(visit),
          ResidentPart.button(Icon.cross, visit.gettext("Stop"), "guidance.cancel", ["target": view.id], then: "/me")))
        </div>
        """, scripts: ["way.js"])
  }

  /// Only where there is a camera that may be used, a script shows it.
  private static func camera(_ visit: Visit) -> HTML {
    ResidentPart.deed(Icon.camera, visit.gettext("Camera"), "data-camera", isHidden: true)
      + ResidentPart.deed(
        Icon.arrow, visit.gettext("Turn the arrow"), "data-compass", isHidden: true)
  }

  private static func idle(_ view: ResidentView) -> PageContent {
    let visit = view.visit
    let home = visit.answers["guidance.home"]
    let isHere = home["isHere"]?.boolContent == true
    let words =
      home["words"]?.stringContent
      ?? (home["destination"] == nil
        ? visit.gettext("Nobody has told me yet where your home is.")
        : visit.gettext("I do not know where you are just now. I am looking."))
    let go: HTML =
      home["destination"] == nil || isHere
      ? .nothing
      : ResidentPart.button(
        Icon.home, visit.gettext("Take me home"), "guidance.start",
        ["target": view.id, "to": ["home": true]], kind: "first")
    return PageContent(
      title: visit.gettext("Show the way"),
      main: """
        <div class="matter way" data-waits>
        <h1 class="soft">\(visit.gettext("Where home is"))</h1>
        \(ResidentGuidance.arrow(home["bearingDegrees"], heading: home["headingDegrees"], isHere: isHere, visit))
        \(ResidentPart.said("p", words, kind: "great"))
        \(ResidentPart.keys(go, ResidentPart.link(Icon.star, visit.gettext("My places"), to: "/me/places"), camera(visit)))
        </div>
        """, scripts: ["way.js"])
  }

  // MARK: Where somebody is

  /// Where one is: on a map and in words, sought anew.
  static let residentHere = Page.resident(
    "/me/here",
    asks: { visit in
      guard let id = visit.residents.first?["id"], !visit.answers.has("bookmarks.list") else {
        return []
      }
      return [
        Question("bookmarks.list", ["resident": id]), Question("zones.list", ["resident": id]),
      ]
    },
    content: { view in
      let visit = view.visit
      let position = view.resident["tracking"]?["position"]
      let place = position.flatMap { try? Coordinate(json: $0) }
      let at = place.map {
        ["latitude": .number($0.latitudeDegrees), "longitude": .number($0.longitudeDegrees)]
          as JSONValue
      }
      let words: HTML =
        at.map { at in
          """
          <p class="great" data-said data-near="\(at.serialized)" data-words="\(visit.gettext("You are near {address}."))">\(around(view))</p>
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
    })

  /// In words, before an address is known: which place it is at.
  private static func around(_ view: ResidentView) -> String {
    let inside = (view.resident["tracking"]?["zones"]?.arrayContent ?? []).first {
      $0["presence"]?.stringContent == "inside"
    }
    guard let name = inside?["zoneName"]?.stringContent else {
      return view.visit.gettext("You are where the map shows it.")
    }
    return view.visit.gettext("You are at {place}.", ["place": name])
  }
}
