/// How large a millimetre is on this screen, which no browser knows: by a card whose size is everywhere the same.
struct ResidentSizePage {
  static let page = Page.resident("/me/size", content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let title = visit.gettext("How large the keys are")
    return PageContent(
      title: title,
      main: """
        <div class="sizing"><div>\(ResidentPart.said("h1", visit.gettext("Hold a bank card upright between the lines.")))
        <div class="between" aria-hidden="true"></div></div>
        \(ResidentPart.keys(
          ResidentPart.deed(Icon.cross, visit.gettext("Too wide"), "data-card", "narrower"),
          ResidentPart.deed(Icon.arrow, visit.gettext("Too narrow"), "data-card", "wider"),
          ResidentPart.deed(Icon.check, visit.gettext("It fits"), "data-card", "fits", kind: "first")))</div>
        """)
  }
}
