import JSON

/// How large the letters are, and in which language.
struct ResidentLookPage {
  static let page = Page.resident("/me/look", content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let title = visit.gettext("Large and small")
    let sizes = [
      ("", visit.gettext("Letters as they are")), ("large", visit.gettext("Large letters")),
      ("larger", visit.gettext("Very large letters")),
    ].map { value, words in ResidentPart.deed(Icon.eye, words, "data-size-choice", value) }
    let profile = visit.account["profile"] ?? .null
    let languages = [("en", "English"), ("zh", "中文")].map { tag, name in
      ResidentPart.button(
        Icon.speech, name, "account.put-profile",
        [
          "target": visit.account["id"] ?? .null,
          "profile": profile.setting("language", to: .string(tag)),
        ], tells: "")
    }
    return PageContent(
      title: title,
      main:
        "<h1 data-said>\(title)</h1><div class=\"keys\">\(sizes)\(languages)\(ResidentPart.link(Icon.tag, visit.gettext("How large the keys are"), to: "/me/size"))</div>"
    )
  }
}
