import Care
import JSON
import Texts

/// Tags and meters, what is around to be added, and how the parts of the house do.
struct DevicesPage {
  static let page = Page(
    path: "/devices", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard visit.answers.has("tags.list") else {
      let asked =
        [
          Question("tags.list"), Question("meters.list"), Question("status"),
          Question("plugins.list"),
        ] + ObfuscationPart.questions
      guard visit.isCaregiver, let id = visit.chosenResident?["id"] else { return asked }
      return asked + [Question("devices.nearby", ["resident": id])]
    }
    guard visit.isCaregiver, let id = visit.fields["tag"], !visit.answers.has("tag.get") else {
      return []
    }
    return [Question("tag.get", ["id": .string(id)])]
  }

  private var content: PageContent {
    let title = visit.gettext("Devices and tags")
    let tags = visit.answers.list("tags.list").map { DeviceWords.line(ofTag: $0, visit) }
    let meters = visit.answers.list("meters.list").map { DeviceWords.line(ofMeter: $0, visit) }
    let parts = (visit.answers["status"]["components"]?.arrayContent ?? []).map {
      HousePart.line(of: $0, visit)
    }
    let plugins = visit.answers.list("plugins.list").map { HousePart.line(ofPlugin: $0, visit) }
    let changes = visit.isCaregiver && visit.chosenResident != nil
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(changes ? Part.people(visit, path: "/devices") : .nothing)<div class="cards">
        \(changes ? DeviceForms.chosen(visit) : .nothing)
        \(Part.card(visit.gettext("Tags"), tags.isEmpty ? Part.empty(visit.gettext("There is no tag yet. A tag is a small sender at the keys, in a bag or at the door: it tells what was left behind, and who is at home.")) : Part.list(tags)))
        \(Part.card(visit.gettext("Glucose meters"), meters.isEmpty ? Part.empty(visit.gettext("There is no glucose meter yet. Readings can be written down by hand, too.")) : Part.list(meters)))
        \(changes ? NearbyCard.card(visit) : .nothing)
        \(changes ? screen : .nothing)
        \(ObfuscationPart.card(visit))
        \(Part.card(visit.gettext("Parts of the gateway"), parts.isEmpty ? Part.empty(visit.gettext("You may not see the parts of the gateway.")) : Part.list(parts)))
        \(visit.answers.list("plugins.list").contains { $0["name"] == "keyword" } ? ConsentPart.asked(.microphone, of: visit.chosenResident, visit) : .nothing)
        \(Part.card(visit.gettext("Plugins"), plugins.isEmpty ? Part.empty(visit.gettext("No plugin is to be seen.")) : Part.list(plugins)))
        </div>
        """, scripts: changes ? [CodePart.script] : [], place: .more)
  }

  /// How a screen in the home, or a telephone that somebody carries, comes to show the pages of whoever is looked after.
  private var screen: HTML {
    let resident = visit.chosenResident
    let name = resident?["name"]?.stringContent ?? "–"
    return Part.card(
      visit.gettext("A screen for {name}", ["name": name]),
      """
      <p>\(visit.gettext("A screen in the home, or a telephone that {name} carries, shows the pages of {name} for good, without a password. Have a code shown, and point the camera of that device at it; or open these pages there, choose “I have a code”, and type it in. It is good for ten minutes, and once.", ["name": name]))</p>
      \(CodePart.shown(visit))
      <p class="actions">\(CodePart.button(visit.gettext("Show a code"), "account.add-screen", ["resident": resident?["id"] ?? .null], isFirst: false))</p>
      """)
  }
}

/// How tags and meters are spoken of.
enum DeviceWords {
  /// What a tag stands for.
  static func words(ofKind kind: String?, _ visit: Visit) -> String {
    switch kind {
    case "home": visit.gettext("Stays at home")
    case "room": visit.gettext("Stays in a room")
    case "keys": visit.gettext("Keys")
    case "wallet": visit.gettext("Wallet or handbag")
    case "companion": visit.gettext("Somebody who goes along")
    case "caregiver": visit.gettext("Somebody who comes to care")
    case "person": visit.gettext("Somebody else")
    default: visit.gettext("Something else")
    }
  }

  static func line(ofTag tag: JSONValue, _ visit: Visit) -> HTML {
    let owner = tag["resident"]?.stringContent
    var facts: [HTML] = [HTML(words(ofKind: tag["kind"]?.stringContent, visit))]
    if let name = visit.resident(owner)?["name"]?.stringContent { facts.append("\(name)") }
    facts.append(heard(tag["lastHeardAt"]?.stringContent, visit))
    if let percent = tag["batteryPercent"]?.integerContent {
      facts.append("\(visit.gettext("Battery {n} %", ["n": percent]))")
    }
    let name = tag["tagName"]?.stringContent ?? "–"
    return Part.line(
      Icon.tag, "<strong>\(name)</strong> \(state(of: tag, visit))", joined(facts),
      aside: change("tag", tag["tag"], of: owner, name, visit))
  }

  private static func state(of tag: JSONValue, _ visit: Visit) -> HTML {
    if tag["isBatteryLow"]?.boolContent == true {
      return Part.pill(visit.gettext("Battery low"), .attention)
    }
    if tag["isSilent"]?.boolContent == true {
      return Part.pill(visit.gettext("Silent for long: is its battery empty?"), .attention)
    }
    return switch tag["presence"]?.stringContent {
    case "near": Part.pill(visit.gettext("Near"), .safe)
    case "room": Part.pill(visit.gettext("In the room or next door"), .safe)
    case "away": Part.pill(visit.gettext("Not here"), .plain)
    default: Part.pill(visit.gettext("Nobody can say where"), .unknown)
    }
  }

  static func line(ofMeter meter: JSONValue, _ visit: Visit) -> HTML {
    let owner = meter["resident"]?.stringContent
    var facts: [HTML] = []
    if let name = visit.resident(owner)?["name"]?.stringContent { facts.append("\(name)") }
    facts.append(heard(meter["lastHeardAt"]?.stringContent, visit))
    if let fetched = meter["lastFetchedAt"]?.stringContent {
      facts.append("\(visit.gettext("Readings fetched")) \(visit.age(of: fetched))")
    }
    if let percent = meter["batteryPercent"]?.integerContent {
      facts.append("\(visit.gettext("Battery {n} %", ["n": percent]))")
    }
    if let detail = meter["detail"]?.stringContent { facts.append("\(detail)") }
    let pill: HTML =
      switch (meter["state"]?.stringContent, meter["isBonded"]?.boolContent) {
      case (nil, _): Part.pill(visit.gettext("Nobody listens for it"), .unknown)
      case (_, false): Part.pill(visit.gettext("Not paired: pair it anew"), .attention)
      case ("failed", _): Part.pill(visit.gettext("Its readings do not come"), .attention)
      case ("fetching", _): Part.pill(visit.gettext("Is being read"), .safe)
      default: Part.pill(visit.gettext("Waits for the next measurement"), .safe)
      }
    let name = meter["name"]?.stringContent ?? "–"
    return Part.line(
      Icon.drop, "<strong>\(name)</strong> \(pill)", joined(facts),
      aside: change("meter", meter["address"], of: owner, name, visit))
  }

  private static func heard(_ time: String?, _ visit: Visit) -> HTML {
    time == nil
      ? HTML(visit.gettext("Not heard yet")) : "\(visit.gettext("Heard")) \(visit.age(of: time))"
  }

  private static func joined(_ facts: [HTML]) -> HTML {
    facts.dropFirst().reduce(facts.first ?? .nothing) { "\($0), \($1)" }
  }

  private static func change(
    _ what: String, _ id: JSONValue?, of resident: String?, _ name: String, _ visit: Visit
  ) -> HTML {
    guard visit.isCaregiver, let id = id?.stringContent else { return .nothing }
    let fields: KeyValuePairs<String, String?> =
      what == "tag" ? ["resident": resident, "tag": id] : ["resident": resident, "meter": id]
    let label = visit.gettext("Change {name}", ["name": name])
    return
      "<a class=\"button\" href=\"\(Visit.address("/devices", fields))\" aria-label=\"\(label)\">\(visit.gettext("Change"))</a>"
  }
}
