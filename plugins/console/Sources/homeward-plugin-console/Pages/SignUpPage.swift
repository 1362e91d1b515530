import Care
import JSON
import Texts

/// How somebody makes an account, where they may.
struct SignUpPage {
  static let page = Page(
    path: "/sign-up", isForAccounts: false, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Make an account")
    let more: HTML = "<p><a href=\"/log-in\">\(visit.gettext("I have an account"))</a></p>"
    guard visit.way.signUp != .nobody else {
      return PageContent(
        title: title,
        main: EntryPart.narrow(title, Part.empty(EntryPart.madeByKeeper(visit)) + more))
    }
    let invitation: HTML =
      visit.way.signUp == .anybody
      ? .nothing
      : Part.field(
        visit.gettext("Invitation"), "code", visit.fields["code"],
        hint: visit.gettext(
          "Eight letters and digits that whoever keeps the gateway gave you. They are good for a week, and once."
        ), autocomplete: "off", more: " autocapitalize=\"none\" spellcheck=\"false\"")
    let form = Part.form(
      "account.sign-up",
      [
        "profile": ["language": .string(visit.visitor.language.rawValue)], "questions": [],
        "answers": [],
      ],
      then: "/welcome",
      """
      \(invitation)\(Part.field(visit.gettext("Your name"), "profile.name", hint: visit.gettext("As those whom you care for know you."), autocomplete: "name"))
      \(EntryPart.email(visit))
      \(Part.field(visit.gettext("Password"), "password", kind: "password", hint: visit.gettext("At least 8 characters. A few words that only you put together are easy to keep."), autocomplete: "new-password"))
      \(Part.field(visit.gettext("Phone number"), "profile.phone", kind: "tel", hint: visit.gettext("Not needed. Others who care see it, so that they can call you."), autocomplete: "tel", isRequired: false))
      \(Part.submit(title))
      """)
    return PageContent(title: title, main: EntryPart.narrow(title, Part.card(nil, form) + more))
  }
}
