import JSON

/// How somebody who forgot their password comes to another one: by a code, or by secret questions.
struct ForgotPage {
  static let page = Page(
    path: "/forgot", isForAccounts: false, isForEverybody: true,
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Another password")
    let asking = Part.form(
      "account.send-code", said: "code-sent",
      """
      <p>\(visit.gettext("A code is sent to your phone or by mail, where this gateway can send one."))</p>
      \(EntryPart.email(visit))
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
    let main = EntryPart.narrow(
      title,
      Part.card(visit.gettext("First"), asking) + Part.card(visit.gettext("Then"), recovering)
        + Part.card(visit.gettext("Or by your secret questions"), bySecrets)
        + "<p>\(visit.gettext("Neither works? Whoever keeps the gateway can set another password for you:")) <code>homeward accounts password</code></p>"
    )
    return PageContent(title: title, main: main, scripts: ["entry.js"])
  }

  /// The questions of an account, and a form for the answers that its script fills.
  private var bySecrets: HTML {
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
}
