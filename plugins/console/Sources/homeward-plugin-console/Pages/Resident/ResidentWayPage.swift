import JSON
import Texts

/// The way that is shown; without one, where home is.
struct ResidentWayPage {
  static let page = Page.resident(
    "/me/way", yields: false,
    asks: { Self(view: $0).questions },
    content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var questions: [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("guidance.home") else {
      return []
    }
    return [Question("guidance.home", ["resident": id])]
  }

  private var content: PageContent {
    view.journey.map { underWay($0) } ?? idle
  }

  private func underWay(_ journey: JSONValue) -> PageContent {
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
          camera,
          ResidentPart.button(Icon.cross, visit.gettext("Stop"), "guidance.cancel", ["target": view.id], then: "/me")))
        </div>
        """, scripts: ["way.js"])
  }

  /// Only where there is a camera that may be used, a script shows it.
  private var camera: HTML {
    ResidentPart.deed(Icon.camera, visit.gettext("Camera"), "data-camera", isHidden: true)
      + ResidentPart.deed(
        Icon.arrow, visit.gettext("Turn the arrow"), "data-compass", isHidden: true)
  }

  private var idle: PageContent {
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
        \(ResidentPart.keys(go, ResidentPart.link(Icon.star, visit.gettext("My places"), to: "/me/places"), camera))
        </div>
        """, scripts: ["way.js"])
  }
}
