import Care
import JSON
import Texts

extension Page {
  /// What somebody sees who is not logged in, or has not said yet what they are.
  static let entryPages: [Page] = [
    Page(
      path: "/log-in", isForAccounts: false, questionsAtTheDoor: OpenIDCard.questions,
      content: logIn),
    Page(path: "/sign-up", isForAccounts: false, content: signUp),
    Page(path: "/forgot", isForAccounts: false, isForEverybody: true, content: forgot),
    Page(path: "/welcome", content: welcome),
  ]

  private static func narrow(_ title: String, _ content: HTML) -> HTML {
    "<div class=\"narrow\"><h1>\(title)</h1>\(content)</div>"
  }

  private static func email(_ visit: Visit) -> HTML {
    Part.field(
      visit.gettext("E-mail address"), "email", kind: "email", autocomplete: "username",
      more: " autocapitalize=\"none\" spellcheck=\"false\"")
  }

  @Sendable private static func logIn(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Log in")
    let next = visit.fields["next"].flatMap(Visit.ownPlace) ?? "/"
    let form = Part.form(
      "account.log-in", then: next,
      """
      \(email(visit))
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
      case .nobody: HTML(madeByKeeper(visit))
      }
    let more: HTML = """
      <p><a href="/forgot">\(visit.gettext("I forgot my password"))</a></p>
      <p><a href="/enter">\(visit.gettext("I have a code"))</a></p>
      <p>\(new)</p>
      """
    let other = OpenIDCard.entry(visit, next: next)
    return PageContent(
      title: title, main: narrow(title, Part.card(nil, form) + other + more + trust + versionLine),
      scripts: other == .nothing ? [] : ["openid.js"])
  }

  private static func madeByKeeper(_ visit: Visit) -> String {
    visit.gettext("You have no account? Whoever keeps the gateway makes one for you.")
  }

  @Sendable private static func signUp(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Make an account")
    let more: HTML = "<p><a href=\"/log-in\">\(visit.gettext("I have an account"))</a></p>"
    guard visit.way.signUp != .nobody else {
      return PageContent(
        title: title, main: narrow(title, Part.empty(madeByKeeper(visit)) + more))
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
      \(email(visit))
      \(Part.field(visit.gettext("Password"), "password", kind: "password", hint: visit.gettext("At least 8 characters. A few words that only you put together are easy to keep."), autocomplete: "new-password"))
      \(Part.field(visit.gettext("Phone number"), "profile.phone", kind: "tel", hint: visit.gettext("Not needed. Others who care see it, so that they can call you."), autocomplete: "tel", isRequired: false))
      \(Part.submit(title))
      """)
    return PageContent(title: title, main: narrow(title, Part.card(nil, form) + more))
  }

  @Sendable private static func forgot(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Another password")
    let asking = Part.form(
      "account.send-code", said: "code-sent",
      """
      <p>\(visit.gettext("A code is sent to your phone or by mail, where this gateway can send one."))</p>
      \(email(visit))
      \(Part.submit(visit.gettext("Send me a code")))
      <p id="code-sent" class="said" role="status" hidden>\(visit.gettext("If there is such an account, a code is on its way to it. It is good for a few minutes."))</p>
      """)
    let recovering = Part.form(
      "account.recover", then: "/",
      """
      <p class="field"><label for="r-email">\(visit.gettext("E-mail address"))</label><input id="r-email" name="email" type="email" autocomplete="username" required></p>
      \(Part.field(visit.gettext("The code"), "code", hint: visit.gettext("Eight digits."), autocomplete: "one-time-code", more: " inputmode=\"numeric\""))
      \(Part.field(visit.gettext("New password"), "newPassword", kind: "password", autocomplete: "new-password"))
      \(Part.submit(visit.gettext("Take the new password")))
      """)
    let main = narrow(
      title,
      Part.card(visit.gettext("First"), asking) + Part.card(visit.gettext("Then"), recovering)
        + Part.card(visit.gettext("Or by your secret questions"), bySecrets(visit))
        + "<p>\(visit.gettext("Neither works? Whoever keeps the gateway can set another password for you:")) <code>homeward accounts password</code></p>"
    )
    return PageContent(title: title, main: main, scripts: ["entry.js"])
  }

  /// The questions of an account, and a form for the answers that its script fills.
  private static func bySecrets(_ visit: Visit) -> HTML {
    let asking = Part.form(
      "account.forgot", said: "answers",
      """
      <p class="field"><label for="q-email">\(visit.gettext("E-mail address"))</label><input id="q-email" name="email" type="email" autocomplete="username" required></p>
      \(Part.submit(visit.gettext("Show my questions")))
      """)
    let answering = Part.form(
      "account.recover", then: "/",
      """
      <input type="hidden" id="a-email" name="email">
      <div id="questions"></div>
      <p class="field"><label for="a-password">\(visit.gettext("New password"))</label><input id="a-password" name="newPassword" type="password" autocomplete="new-password" required></p>
      \(Part.submit(visit.gettext("Take the new password")))
      """)
    return """
      \(asking)
      <div id="answers" hidden>\(answering)</div>
      <p id="no-questions" class="empty" role="status" hidden>\(visit.gettext("This account has no secret questions. Have a code sent instead."))</p>
      """
  }

  @Sendable private static func welcome(_ visit: Visit) -> PageContent {
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
