import Care
import Texts

/// The manual, two sentences at a time.
struct ResidentManualPage {
  static let page = Page.resident("/me/manual", content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let title = visit.gettext("How it works")
    let language = visit.visitor.language.rawValue
    let sentences = ResidentGuide.text(language: language)
    let pages = (sentences.count + 1) / 2
    let page = min(max(0, visit.fields["page"].flatMap { Int($0) } ?? 0), pages - 1)
    let shown = sentences.dropFirst(2 * page).prefix(2).map {
      ResidentPart.said("p", $0, kind: "great")
    }
    let address = { (page: Int) in Visit.address("/me/manual", ["page": "\(page)"]) }
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>\(shown)
        <p class="soft">\(visit.gettext("{n} of {count}", ["n": page + 1, "count": pages]))</p>
        \(ResidentPart.keys(
          page > 0 ? ResidentPart.link(Icon.back, visit.gettext("Back"), to: address(page - 1)) : .nothing,
          page + 1 < pages ? ResidentPart.link(Icon.arrow, visit.gettext("Go on"), to: address(page + 1), kind: "first") : .nothing))
        </div>
        """)
  }
}
