import JSON
import Moments
import Texts

extension Page {
  /// What somebody's account is, who else sees, and who looked.
  static let accountPages: [Page] = [
    Page(
      path: "/account",
      questionsAtTheDoor: OpenIDCard.questions,
      isForClinicians: true,
      namesGuardians: true,
      questions: { visit in
        visit.isCaregiver && !visit.residents.isEmpty && !visit.answers.has("push.key")
          ? PushCard.questions : []
      }, content: accountContent),
    Page(
      path: "/family", isForClinicians: true,
      questions: { visit in
        visit.isClinician || visit.answers.has("accounts.linked")
          ? [] : [Question("accounts.linked")]
      }, content: familyContent),
    Page(
      path: "/looks",
      questions: { visit in
        guard !visit.answers.has("events.query") else { return [] }
        let since = visit.midnight(of: visit.residents.first, daysAgo: 30).iso8601
        return [
          Question(
            "events.query",
            Pager.params(
              ["types": ["account"], "since": .string(since), "limit": 500], visit))
        ]
      },
      content: { visit in
        let title = visit.gettext("Who looked")
        return PageContent(
          title: title,
          main: """
            <h1>\(title)</h1>
            <p>\(visit.gettext("Whoever looks at positions, readings or notes stands here for good."))</p>
            \(EventList.days(visit.answers.list("events.query"), visit, empty: visit.gettext("Nobody looked in the last month.")))\(Pager.links("events.query", visit, "/looks"))
            """, place: .more)
      }),
  ]

  @Sendable private static func accountContent(_ visit: Visit) -> PageContent {
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
      \((1...3).map { question($0, visit) })
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
        \(Part.card(visit.gettext("How the pages look"), looks(visit)))
        \(AccountCards.erasure(visit))
        </div>
        """,
      scripts: [CodePart.script] + (visit.isCaregiver ? ["push.js"] : [])
        + (OpenIDCard.isThere(visit) ? ["openid.js"] : []),
      place: .more)
  }

  /// One secret question with its answer; nobody needs all of them.
  private static func question(_ number: Int, _ visit: Visit) -> HTML {
    let n: Message.Values = ["n": number]
    return """
      <p class="field"><label for="q-\(number)">\(visit.gettext("Question {n}", n))</label><input id="q-\(number)" name="questions" data-reads="item" maxlength="200" autocomplete="off"></p>
      <p class="field"><label for="q-answer-\(number)">\(visit.gettext("Answer {n}", n))</label><input id="q-answer-\(number)" name="answers" data-reads="item" maxlength="200" autocomplete="off"></p>
      """
  }

  /// What stays in this browser.
  private static func looks(_ visit: Visit) -> HTML {
    """
    <p class="field"><label for="f-look">\(visit.gettext("Colours"))</label><select id="f-look" data-keeps="look"><option value="">\(visit.gettext("As the device has them"))</option><option value="light">\(visit.gettext("Light"))</option><option value="dark">\(visit.gettext("Dark"))</option><option value="contrast">\(visit.gettext("High contrast"))</option></select></p>
    <p class="field"><label for="f-size">\(visit.gettext("Size of the text"))</label><select id="f-size" data-keeps="size"><option value="">\(visit.gettext("Usual"))</option><option value="large">\(visit.gettext("Large"))</option><option value="larger">\(visit.gettext("Very large"))</option></select></p>
    """
  }

  @Sendable private static func familyContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Who sees whom")
    let id = visit.account["id"] ?? .null
    let links =
      visit.isClinician
      ? ClinicianPart.links(visit) : visit.answers.list("accounts.linked")
    let linked = links.map { link -> HTML in
      let name = ClinicianPart.name(link["resident"], visit)
      let isOwn = link["account"] == id
      let end: HTML
      let treats = link["role"]?.stringContent == "clinician"
      if isOwn, !visit.isResident {
        end = Part.button(
          visit.gettext("End it"), "account.unlink",
          ["target": id, "resident": link["resident"] ?? .null], kind: "quiet",
          asks: visit.gettext(
            "See no longer how {name} is? To be linked again takes a code, or a yes.",
            ["name": name]))
      } else if !isOwn, visit.isCaregiver, treats {
        end = ClinicianPart.end(link, name, visit)
      } else if !isOwn, visit.isResident {
        end = Part.button(
          visit.gettext("No longer"), "account.dismiss",
          ["target": id, "other": link["account"] ?? .null], kind: "quiet",
          asks: visit.gettext(
            "Let {account} no longer see how you are? To be linked again takes a code, or a yes.",
            ["account": link["name"]?.stringContent ?? "–"]))
      } else {
        end = .nothing
      }
      return Part.line(
        Icon.eye,
        HTML(
          visit.gettext(
            "{account} sees {name}", ["account": link["name"]?.stringContent ?? "–", "name": name])),
        treats ? HTML(visit.gettext("Readings, diary and medicine, to read only")) : .nothing,
        aside: end)
    }
    let list: HTML =
      linked.isEmpty ? Part.empty(visit.gettext("Nobody is linked yet.")) : Part.list(linked)
    let byMail = Part.form(
      "account.request-link", ["target": id],
      """
      \(Part.field(visit.gettext("E-mail address"), "email", hint: visit.gettext("Whoever has an account under it is asked."), autocomplete: "off"))
      \(Part.submit(visit.gettext("Ask")))
      """)
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <div class="cards" data-linked="\(linked.count)">
        \(LinkRequestPart.card(visit))
        \(Part.card(nil, list))
        \(Part.card(!visit.isResident ? visit.gettext("By the code of whoever is looked after") : visit.gettext("By a code"), byCode(id, visit)))
        \(Part.card(visit.gettext("By e-mail address"), byMail))
        \(ClinicianPart.invitation(visit))
        </div>
        """, scripts: [CodePart.script, "family.js"], place: .more)
  }

  private static func byCode(_ id: JSONValue, _ visit: Visit) -> HTML {
    guard !visit.isResident else {
      return """
        <p>\(visit.gettext("Show a code to whoever is to see how you are. It is good for ten minutes, and for one of them."))</p>
        <p>\(visit.gettext("The camera of their telephone can read it, too."))</p>
        \(CodePart.shown(visit))
        <p class="actions">\(CodePart.button(visit.gettext("Show a code"), "account.show-code", ["target": id]))</p>
        """
    }
    return Part.form(
      "account.enter-code", ["target": id], then: "/",
      """
      \(CodePart.brought("code", visit.gettext("The camera has read the code. Nobody is linked before you press.")))
      \(Part.field(visit.gettext("The code"), "code", hint: visit.gettext("Eight letters and digits, as the page of whoever is looked after shows them."), autocomplete: "off", more: " data-brings=\"code\" autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"12\""))
      \(Part.submit(visit.gettext("Link us")))
      """)
  }
}
