import JSON

/// What a guardian sees who opens the link in a message: one alarm, where somebody is now, and "I'm coming".
struct LinkPage {
  private let visit: Visit

  init(visit: Visit) { self.visit = visit }

  private var alarm: JSONValue { visit.answers["alarm.linked"] }
  private var name: String { alarm["residentName"]?.stringContent ?? "" }

  var content: PageContent {
    guard let id = alarm["alarm"] else { return isOver }
    let title = AlarmWords.heading(alarm, visit)
    let duress: HTML =
      alarm["isDuress"]?.boolContent == true
      ? "<p><strong>\(visit.gettext("{name} was forced to say that all is well. Do not phone.", ["name": name]))</strong></p>"
      : .nothing
    let coming: HTML =
      alarm["isYours"]?.boolContent == true
      ? "<p>\(Icon.check)<strong>\(visit.gettext("You said that you are coming. The others were told."))</strong></p>"
      : Part.button(
        visit.gettext("I’m coming"), "alarm.acknowledge", ["target": id], isFirst: true,
        kind: "great")
    return PageContent(
      title: title,
      main: """
        <div class="side">
        <div class="siren">
        <p>\(AlarmWords.kind(alarm, visit)), \(visit.clock(alarm["raisedAt"]?.stringContent, of: alarm)), \(visit.age(of: alarm["raisedAt"]?.stringContent))</p>
        <h1>\(title)</h1>
        <p>\(alarm["explanation"]?.stringContent ?? "")</p>
        \(duress)
        </div>
        <div class="deeds">
        <p><strong>\(AlarmWords.charge(alarm, visit))</strong></p>
        \(coming)
        </div>
        </div>
        <div class="split brief"><div class="side">
        \(Part.card(visit.gettext("Where {name} is", ["name": name]), whereabouts))
        <p class="soft">\(visit.gettext("This page is for you alone, and opens until the alarm is over."))</p>
        </div>\(MapPart.canvas(visit))</div>
        \(drawn)
        """, scripts: ["map.js"], hasMap: true, isAlarm: true)
  }

  private var whereabouts: HTML {
    let position = alarm["position"] ?? .null
    guard let latitude = position["latitude"]?.doubleContent,
      let longitude = position["longitude"]?.doubleContent
    else {
      if alarm["isLocationRefused"]?.boolContent == true {
        return Part.empty(
          visit.gettext(
            "{name} does not agree to be located. {name}, or whoever cares for {name} and has an account, can change that on the page Settings.",
            ["name": name]))
      }
      return Part.empty(visit.gettext("Nobody knows where {name} is.", ["name": name]))
    }
    let blurred = ObfuscationPart.isBlurred(position) ? ", " + ObfuscationPart.words(visit) : ""
    let accuracy = position["accuracyMeters"]?.doubleContent.map {
      ", " + visit.gettext("within {distance}", ["distance": visit.distance($0)])
    }
    let place = "\(Self.rounded(latitude)),\(Self.rounded(longitude))"
    return """
      <p>\(visit.gettext("Position:")) \(visit.age(of: position["time"]?.stringContent))\(blurred)\(accuracy ?? "")</p>
      <p><strong>\(Self.rounded(latitude)),<wbr>\(Self.rounded(longitude))</strong></p>
      <p class="actions"><a class="button" rel="noreferrer" href="geo:\(place)?q=\(place)">\(Icon.pin)\(visit.gettext("Open in my map"))</a><a class="button" rel="noreferrer" href="https://www.openstreetmap.org/?mlat=\(Self.rounded(latitude))&amp;mlon=\(Self.rounded(longitude))#map=17/\(Self.rounded(latitude))/\(Self.rounded(longitude))">\(visit.gettext("Open a map of the world"))</a></p>
      """
  }

  /// About a metre.
  private static func rounded(_ degrees: Double) -> String {
    let scaled = Int64((degrees * 100_000).rounded())
    let fraction = String(scaled.magnitude % 100_000)
    return
      "\(scaled < 0 ? "-" : "")\(scaled.magnitude / 100_000).\(String(repeating: "0", count: 5 - fraction.count))\(fraction)"
  }

  private var drawn: HTML {
    let person: JSONValue = [
      "id": "linked", "name": .string(name), "position": alarm["position"] ?? .null,
      "isOutside": true,
    ]
    return MapPart.drawn([
      "people": [person], "zones": [], "bookmarks": [], "chosen": "linked", "edited": .null,
      "followed": "linked",
    ])
  }

  /// Where a link opens nothing any more, or never did: the same, so that nobody learns which.
  private var isOver: PageContent {
    let title = visit.gettext("This link opens nothing")
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <p>\(visit.gettext("It shows an alarm until it is over. If you got a message just now, ask those who sent it whether all is well."))</p>
        """)
  }
}
