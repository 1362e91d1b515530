import JSON

/// What somebody says once: what they are here.
struct WelcomePage {
  static let page = Page(path: "/welcome", content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Welcome")
    let id = visit.account["id"] ?? .null
    let main: HTML = """
      <h1>\(title)</h1>
      <p>\(visit.gettext("What are you here? This is asked once."))</p>
      <div class="choices">
      \(Part.button(visit.gettext("I care for somebody"), "account.choose-role", ["target": id, "role": "caregiver"], isFirst: true, then: "/family"))
      \(Part.button(visit.gettext("I treat somebody, as a doctor or dietitian"), "account.choose-role", ["target": id, "role": "clinician"], then: "/family"))
      \(Part.button(visit.gettext("I am looked after"), "account.choose-role", ["target": id, "role": "resident"], then: "/family"))
      </div>
      """
    return PageContent(title: title, main: "<div class=\"narrow\">\(main)</div>")
  }
}
