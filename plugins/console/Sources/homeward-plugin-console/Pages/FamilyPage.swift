import JSON

/// Who sees whom, and how somebody is linked with another.
struct FamilyPage {
  static let page = Page(
    path: "/family", isForClinicians: true, questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    visit.isClinician || visit.answers.has("accounts.linked") ? [] : [Question("accounts.linked")]
  }

  private var content: PageContent {
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
        \(Part.card(!visit.isResident ? visit.gettext("By the code of whoever is looked after") : visit.gettext("By a code"), byCode(id)))
        \(Part.card(visit.gettext("By e-mail address"), byMail))
        \(ClinicianPart.invitation(visit))
        </div>
        """, scripts: [CodePart.script, "family.js"], place: .more)
  }

  private func byCode(_ id: JSONValue) -> HTML {
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
