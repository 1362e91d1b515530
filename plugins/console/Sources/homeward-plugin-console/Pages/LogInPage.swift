import Care
import JSON

/// How somebody who has an account comes in.
struct LogInPage {
  static let page = Page(
    path: "/log-in", isForAccounts: false, questionsAtTheDoor: OpenIDCard.questions,
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Log in")
    let next = visit.fields["next"].flatMap(Visit.ownPlace) ?? "/"
    let form = Part.form(
      "account.log-in", then: next,
      """
      \(EntryPart.email(visit))
      \(Part.field(visit.gettext("Password"), "password", kind: "password", autocomplete: "current-password"))
      \(Part.submit(title))
      """)
    let trust: HTML =
      visit.way.trust.authority == nil
      ? .nothing
      : "<p><a href=\"/trust\">\(visit.gettext("My browser warns of this page: trust this home"))</a></p>"
    let new: HTML =
      switch visit.way.signUp {
      case .anybody: "<a href=\"/sign-up\">\(visit.gettext("I have no account yet"))</a>"
      case .invited: "<a href=\"/sign-up\">\(visit.gettext("I have an invitation"))</a>"
      case .nobody: HTML(EntryPart.madeByKeeper(visit))
      }
    let more: HTML = """
      <p><a href="/forgot">\(visit.gettext("I forgot my password"))</a></p>
      <p><a href="/enter">\(visit.gettext("I have a code"))</a></p>
      <p>\(new)</p>
      """
    let other = OpenIDCard.entry(visit, next: next)
    return PageContent(
      title: title,
      main: EntryPart.narrow(
        title, Part.card(nil, form) + other + more + trust + AboutPage.versionLine),
      scripts: other == .nothing ? [] : ["openid.js"])
  }
}
