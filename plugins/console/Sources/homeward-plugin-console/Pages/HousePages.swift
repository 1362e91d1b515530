import Care
import JSON

extension Page {
  // MARK: Guardians

  @Sendable static func guardianContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Guardians")
    let resident = visit.chosenResident
    let own = visit.answers.list("guardians.list").filter { $0["resident"] == resident?["id"] }
    let chosen = own.first { $0["id"]?.stringContent == visit.fields["guardian"] }
    let lines = own.map { guardian -> HTML in
      let ways = [guardian["phone"], guardian["email"]].compactMap { $0?.stringContent }
      let tier = guardian["tier"]?.integerContent ?? 1
      let remove =
        visit.isCaregiver
        ? Part.button(
          visit.gettext("Delete"), "guardian.remove", ["target": guardian["id"] ?? .null],
          kind: "quiet", undo: ("guardian.put", ["guardian": guardian])) : .nothing
      let order =
        tier == 1
        ? visit.gettext("told at once") : visit.gettext("told in round {n}", ["n": tier])
      let there = Visit.address(
        "/guardians",
        ["resident": resident?["id"]?.stringContent, "guardian": guardian["id"]?.stringContent])
      let name: HTML = "<strong>\(guardian["name"]?.stringContent ?? "–")</strong>"
      return Part.line(
        Icon.bell,
        visit.isCaregiver
          ? "<a href=\"\(there)#guardian\"\(HTML.attribute("aria-current", guardian == chosen ? "true" : nil))>\(name)</a>"
          : name,
        "\((ways + [order]).joined(separator: ", "))", aside: remove)
    }
    let list: HTML =
      lines.isEmpty
      ? Part.empty(
        visit.isCaregiver
          ? visit.gettext("Nobody would be told. Add somebody now.")
          : visit.gettext("Nobody would be told. Ask whoever cares for you to add somebody."))
      : Part.card(nil, Part.list(lines))
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Part.people(visit, path: "/guardians"))
        <p>\(visit.gettext("They are told when {name} is in danger. They need no account.", ["name": resident?["name"]?.stringContent ?? "–"]))</p>
        <div class="cards">\(list)\(openConsents(of: resident, visit))\(visit.isCaregiver ? guardianCard(chosen, of: resident, visit) + testCard(of: resident, visit) : .nothing)</div>
        """, place: .more)
  }

  /// What guardians are not told, or nobody has asked yet.
  private static func openConsents(of resident: JSONValue?, _ visit: Visit) -> HTML {
    let open = [ConsentKind.notifications, .calls].map {
      ConsentPart.asked($0, of: resident, visit)
    }.filter { $0 != .nothing }
    return open.isEmpty ? .nothing : Part.card(visit.gettext("Consent"), "\(open)")
  }

  /// Lets everybody be told once while nothing is wrong.
  private static func testCard(of resident: JSONValue?, _ visit: Visit) -> HTML {
    Part.card(
      visit.gettext("Try it"),
      """
      <p>\(visit.gettext("A test tells everybody in the list, and says that nothing is wrong. Do it once after each change."))</p>
      <p class="actions">\(Part.button(visit.gettext("Send a test"), "alarm.test", ["target": resident?["id"] ?? .null], asks: visit.gettext("Everybody in the list gets a message now."), tells: visit.gettext("The test is on its way.")))</p>
      """)
  }

  /// One guardian to be changed, or a new one.
  private static func guardianCard(
    _ guardian: JSONValue?, of resident: JSONValue?, _ visit: Visit
  ) -> HTML {
    let here = Visit.address("/guardians", ["resident": resident?["id"]?.stringContent])
    // What the form does not ask stays as it is.
    let kept =
      guardian ?? ["id": "@new", "resident": resident?["id"] ?? .null]
    let tiers = [
      ("1", visit.gettext("At once")), ("2", visit.gettext("When nobody took charge")),
      ("3", visit.gettext("Last")),
    ]
    let tier = guardian?["tier"]?.integerContent ?? 1
    let options = tiers.map { value, words -> HTML in
      "<option value=\"\(value)\"\(HTML.flag("selected", value == "\(tier)"))>\(words)</option>"
    }
    return Part.card(
      guardian?["name"]?.stringContent ?? visit.gettext("Another guardian"), id: "guardian",
      Part.form(
        "guardian.put", ["guardian": kept], then: guardian == nil ? nil : here,
        """
        \(Part.field(visit.gettext("Name"), "guardian.name", guardian?["name"]?.stringContent, autocomplete: "off"))
        \(Part.field(visit.gettext("Phone number"), "guardian.phone", guardian?["phone"]?.stringContent, kind: "tel", hint: visit.gettext("For text messages and calls."), autocomplete: "off", isRequired: false))
        \(Part.field(visit.gettext("E-mail address"), "guardian.email", guardian?["email"]?.stringContent, kind: "email", hint: visit.gettext("Whoever has an account with this address can say on its pages that they come."), autocomplete: "off", isRequired: false))
        <p class="field"><label for="f-tier">\(visit.gettext("When they are told"))</label><select id="f-tier" name="guardian.tier" data-reads="number">\(options)</select></p>
        \(Part.submit(guardian == nil ? visit.gettext("Add a guardian") : visit.gettext("Save")))
        """))
  }

  // MARK: Settings

  @Sendable static func settingContent(_ visit: Visit) -> PageContent {
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
      let row = Self.row(setting, of: id, visit)
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
        <div class="cards">\(tracking)\(ConsentPart.card(of: resident, visit))\(visit.isCaregiver ? pinCard(of: resident, visit) : .nothing)\(cards)</div>
        <p class="actions">\(Part.link(visit.gettext("Your own language, metres or feet"), to: "/account"))</p>
        """, place: .more)
  }

  /// The PIN by which the resident ends an SOS, and the one that only looks as if it did.
  private static func pinCard(of resident: JSONValue?, _ visit: Visit) -> HTML {
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

  private static func row(_ setting: JSONValue, of resident: JSONValue, _ visit: Visit) -> HTML {
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
