import JSON
import Texts

/// What somebody's account is, what speaks for it, and how the pages look to them.
struct AccountPage {
  static let page = Page(
    path: "/account", questionsAtTheDoor: OpenIDCard.questions, isForClinicians: true,
    namesGuardians: true, questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.isCaregiver && !visit.residents.isEmpty && !visit.answers.has("push.key")
      ? PushCard.questions : []
  }

  private var content: PageContent {
    let title = visit.gettext("Your account")
    let id = visit.account["id"] ?? .null
    let profile = visit.account["profile"] ?? .null
    let about = Part.form(
      "account.put-profile", ["target": id, "profile": profile],
      """
      \(Part.field(visit.gettext("Your name"), "profile.name", profile["name"]?.stringContent, autocomplete: "name"))
      \(Part.field(visit.gettext("Phone number"), "profile.phone", profile["phone"]?.stringContent, kind: "tel", autocomplete: "tel", isRequired: false))
      \(Part.field(visit.gettext("Year of birth"), "profile.birthYear", profile["birthYear"]?.integerContent.map { "\($0)" }, kind: "number", isRequired: false, reads: "number", more: " min=\"1900\" max=\"2100\""))
      \(Part.choice(visit.gettext("You are"), "profile.gender", [("", visit.gettext("not said")), ("woman", visit.gettext("a woman")), ("man", visit.gettext("a man")), ("other", visit.gettext("neither"))], chosen: profile["gender"]?.stringContent))
      \(Part.choice(visit.gettext("Language"), "profile.language", [("en", "English"), ("zh", "中文")], chosen: profile["language"]?.stringContent ?? visit.visitor.language.rawValue))
      \(Part.choice(visit.gettext("Distances"), "profile.units", [("metric", visit.gettext("metres and kilometres")), ("imperial", visit.gettext("feet and miles"))], chosen: profile["units"]?.stringContent ?? "metric"))
      \(Part.submit(visit.gettext("Save")))
      """)
    let password = Part.form(
      "account.set-password", ["target": id, "session": visit.session?["id"] ?? .null],
      """
      \(Part.field(visit.gettext("Password until now"), "password", kind: "password", autocomplete: "current-password"))
      \(Part.field(visit.gettext("New password"), "newPassword", kind: "password", hint: visit.gettext("At least 8 characters. A few words that only you put together are easy to keep."), autocomplete: "new-password"))
      \(Part.submit(visit.gettext("Take the new password")))
      """)
    let known = (visit.account["questions"]?.arrayContent ?? []).compactMap(\.stringContent)
    let secrets = Part.form(
      "account.set-questions", ["target": id, "questions": [], "answers": []],
      """
      <p>\(visit.gettext("By their answers you come in when you forgot your password. Ask what only you know, and what nobody finds out."))</p>
      \(known.isEmpty ? .nothing : Part.list(known.map { Part.line(Icon.eye, HTML($0)) }))
      \((1...3).map { question($0) })
      \(Part.field(visit.gettext("Password until now"), "password", kind: "password", autocomplete: "current-password", id: "q-password"))
      \(Part.submit(known.isEmpty ? visit.gettext("Take these questions") : visit.gettext("Take these instead")))
      """)
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <p class="soft">\(visit.account["email"]?.stringContent ?? "")</p>
        <div class="cards">
        \(visit.answers.has("push.key") ? PushCard.card(visit) : .nothing)
        \(Part.card(visit.gettext("What others see of you"), about))
        \(AccountCards.email(visit))
        \(Part.card(visit.gettext("Password"), password))\(OpenIDCard.card(visit))
        \(Part.card(visit.gettext("Secret questions"), secrets))
        \(AccountCards.sessions(visit))
        \(BrowserCard.card(visit))
        \(AccountCards.programs(visit))
        \(Part.card(visit.gettext("How the pages look"), looks))
        \(AccountCards.erasure(visit))
        </div>
        """,
      scripts: [CodePart.script] + (visit.isCaregiver ? ["push.js"] : [])
        + (OpenIDCard.isThere(visit) ? ["openid.js"] : []),
      place: .more)
  }

  /// One secret question with its answer; nobody needs all of them.
  private func question(_ number: Int) -> HTML {
    let n: Message.Values = ["n": number]
    return """
      <p class="field"><label for="q-\(number)">\(visit.gettext("Question {n}", n))</label><input id="q-\(number)" name="questions" data-reads="item" maxlength="200" autocomplete="off"></p>
      <p class="field"><label for="q-answer-\(number)">\(visit.gettext("Answer {n}", n))</label><input id="q-answer-\(number)" name="answers" data-reads="item" maxlength="200" autocomplete="off"></p>
      """
  }

  /// What stays in this browser.
  private var looks: HTML {
    """
    <p class="field"><label for="f-look">\(visit.gettext("Colours"))</label><select id="f-look" data-keeps="look"><option value="">\(visit.gettext("As the device has them"))</option><option value="light">\(visit.gettext("Light"))</option><option value="dark">\(visit.gettext("Dark"))</option><option value="contrast">\(visit.gettext("High contrast"))</option></select></p>
    <p class="field"><label for="f-size">\(visit.gettext("Size of the text"))</label><select id="f-size" data-keeps="size"><option value="">\(visit.gettext("Usual"))</option><option value="large">\(visit.gettext("Large"))</option><option value="larger">\(visit.gettext("Very large"))</option></select></p>
    """
  }
}
