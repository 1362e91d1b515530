import Care
import JSON

/// Who is told when somebody is in danger, and in which order.
struct GuardiansPage {
  static let page = Page(
    path: "/guardians", namesGuardians: true, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
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
        <div class="cards">\(list)\(openConsents(of: resident))\(visit.isCaregiver ? guardianCard(chosen, of: resident) + testCard(of: resident) : .nothing)</div>
        """, place: .more)
  }

  /// What guardians are not told, or nobody has asked yet.
  private func openConsents(of resident: JSONValue?) -> HTML {
    let open = [ConsentKind.notifications, .calls].map {
      ConsentPart.asked($0, of: resident, visit)
    }.filter { $0 != .nothing }
    return open.isEmpty ? .nothing : Part.card(visit.gettext("Consent"), "\(open)")
  }

  /// Lets everybody be told once while nothing is wrong.
  private func testCard(of resident: JSONValue?) -> HTML {
    Part.card(
      visit.gettext("Try it"),
      """
      <p>\(visit.gettext("A test tells everybody in the list, and says that nothing is wrong. Do it once after each change."))</p>
      <p class="actions">\(Part.button(visit.gettext("Send a test"), "alarm.test", ["target": resident?["id"] ?? .null], asks: visit.gettext("Everybody in the list gets a message now."), tells: visit.gettext("The test is on its way.")))</p>
      """)
  }

  /// One guardian to be changed, or a new one.
  private func guardianCard(_ guardian: JSONValue?, of resident: JSONValue?) -> HTML {
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
}
