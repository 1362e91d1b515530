import JSON
import Texts

/// How the gateway follows somebody, what they consent to, their PIN, and every setting.
struct SettingsPage {
  static let page = Page(
    path: "/settings", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("settings.describe") else { return [] }
    let resident = visit.chosenResident?["id"] ?? .null
    return [
      Question(
        "settings.describe",
        ["resident": resident, "language": .string(visit.visitor.language.rawValue)])
    ]
  }

  private var content: PageContent {
    let title = visit.gettext("Settings")
    let resident = visit.chosenResident
    let id = resident?["id"] ?? .null
    let isOn = resident?["tracking"]?["isOn"]?.boolContent ?? true
    let name = resident?["name"]?.stringContent ?? "–"
    let change =
      visit.isCaregiver
      ? Part.button(
        isOn ? visit.gettext("Switch tracking off") : visit.gettext("Switch tracking on"),
        "tracking.set", ["target": id, "isOn": .bool(!isOn)]) : .nothing
    let tracking = Part.card(
      visit.gettext("Tracking"),
      """
      <p>\(isOn ? visit.gettext("It is known where {name} is.", ["name": name]) : visit.gettext("Tracking is off: nobody is told when {name} leaves.", ["name": name]))</p>
      <p class="actions">\(change)</p>
      """)
    let settings = visit.isCaregiver ? visit.answers.list("settings.describe") : []
    var groups: [(name: String, rows: [HTML])] = []
    for setting in settings {
      let group = setting["group"]?.stringContent ?? "–"
      let row = settingForm(setting, of: id)
      if groups.last?.name == group {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append((group, [row]))
      }
    }
    let cards = groups.map { group -> HTML in
      "<details class=\"card\"><summary><h2>\(SettingWords.group(group.name, visit))</h2></summary>\(group.rows)</details>"
    }
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Part.people(visit, path: "/settings"))
        <div class="cards">\(tracking)\(ConsentPart.card(of: resident, visit))\(visit.isCaregiver ? pinCard(of: resident) : .nothing)\(cards)</div>
        <p class="actions">\(Part.link(visit.gettext("Your own language, metres or feet"), to: "/account"))</p>
        """, place: .more)
  }

  /// The PIN by which the resident ends an SOS, and the one that only looks as if it did.
  private func pinCard(of resident: JSONValue?) -> HTML {
    let id = resident?["id"] ?? .null
    let name = resident?["name"]?.stringContent ?? "–"
    let kinds = [
      ("okay", visit.gettext("PIN: the SOS is over")),
      ("duress", visit.gettext("PIN under duress: it looks as if it were over")),
    ]
    // The gateway itself asks once more before a PIN is changed or removed.
    let removals = [
      Part.button(
        visit.gettext("Remove the PIN"), "pin.set", ["target": id, "kind": "okay"], kind: "quiet"),
      Part.button(
        visit.gettext("Remove the PIN under duress"), "pin.set", ["target": id, "kind": "duress"],
        kind: "quiet"),
    ]
    return Part.card(
      visit.gettext("PIN of {name}", ["name": name]),
      """
      <p>\(visit.gettext("With a PIN {name} ends an SOS (“I’m OK”). Who cannot remember one needs none: a caregiver ends the SOS then. The PIN under duress tells the guardians silently that {name} was forced.", ["name": name]))</p>
      \(Part.form(
        "pin.set", ["target": id],
        """
        \(Part.choice(visit.gettext("Which one"), "kind", kinds, chosen: "okay"))
        \(Part.field(visit.gettext("New PIN"), "pin", hint: visit.gettext("4 to 12 digits"), autocomplete: "off", more: " inputmode=\"numeric\" pattern=\"[0-9]{4,12}\""))
        \(Part.submit(visit.gettext("Set it")))
        """))
      <p class="actions">\(removals)</p>
      """)
  }

  private func settingForm(_ setting: JSONValue, of resident: JSONValue) -> HTML {
    let name = setting["name"]?.stringContent ?? ""
    let value = setting["value"] ?? setting["default"] ?? .null
    let unit = setting["unit"]?.stringContent
    let words = setting["words"]?.stringContent ?? name
    let id = "s-\(name)"
    let input: HTML
    switch setting["kind"]?.stringContent {
    case "flag":
      input =
        "<input type=\"checkbox\" id=\"\(id)\" name=\"value\" data-reads=\"flag\"\(HTML.flag("checked", value.boolContent == true))>"
    case "choice":
      let options = (setting["choices"]?.arrayContent ?? []).compactMap(\.stringContent).map {
        "<option value=\"\($0)\"\(HTML.flag("selected", $0 == value.stringContent))>\(SettingWords.choice($0, of: name, visit) ?? $0)</option>"
          as HTML
      }
      input = "<select id=\"\(id)\" name=\"value\">\(options)</select>"
    case "whole", "number":
      input =
        "<input id=\"\(id)\" type=\"number\" step=\"any\" name=\"value\" data-reads=\"number\" value=\"\(value == .null ? "" : value.serialized)\"\(HTML.attribute("min", setting["lowest"]?.serialized))\(HTML.attribute("max", setting["highest"]?.serialized))>"
    default:
      input =
        "<input id=\"\(id)\" type=\"text\" name=\"value\" value=\"\(value.stringContent ?? "")\">"
    }
    return Part.form(
      "setting.put", ["target": resident, "name": .string(name)],
      """
      <p class="setting"><label for="\(id)">\(words)\(unit.map { " (\($0))" as HTML } ?? .nothing)</label>\(input)<button class="button">\(visit.gettext("Save"))</button></p>
      """)
  }
}
