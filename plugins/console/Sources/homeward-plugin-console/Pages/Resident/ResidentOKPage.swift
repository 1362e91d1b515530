import JSON

/// Ends a call for help with the PIN, by keys as a telephone has them.
struct ResidentOKPage {
  static let page = Page.resident("/me/ok", yields: false, content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let title = visit.gettext("I am all right")
    guard view.help != nil else {
      return PageContent(
        title: title,
        main: """
          <div class="matter">\(ResidentPart.said("h1", visit.gettext("Nobody is called just now.")))\(ResidentPart.keys(ResidentPart.link(Icon.home, visit.pgettext("page", "Home"), to: "/me", kind: "first")))</div>
          """)
    }
    let digits = (Array(1...9) + [0]).map { digit -> HTML in
      "<button type=\"button\" class=\"key\" data-digit=\"\(digit)\"><span>\(digit)</span></button>"
    }
    let message = visit.gettext("I am all right. Thank you for looking after me.")
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(visit.gettext("Your number, please"))</h1>
        \(Part.form("sos.cancel", ["target": view.id, "message": .string(message)], then: "/me", """
          <p class="field"><label class="unseen" for="f-pin">\(visit.gettext("Your PIN"))</label><input id="f-pin" name="pin" type="password" inputmode="numeric" autocomplete="off" data-reads="text"></p>
          <div class="keys pad" role="group" aria-label="\(visit.gettext("Figures"))">\(digits)<button type="button" class="key" data-digit="back" aria-label="\(visit.gettext("Take the last away"))">\(Icon.back)</button></div>
          <p class="actions"><button class="key first"><span>\(title)</span></button></p>
          """))
        """)
  }
}
