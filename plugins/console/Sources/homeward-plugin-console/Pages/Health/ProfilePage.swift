import GlucoseValues
import JSON
import Texts

/// What somebody tells of themselves for those who treat them; nothing changes before it is saved.
struct ProfilePage {
  static let page = Page(
    path: "/profile", isForClinicians: true, questions: HealthProfilePart.questions,
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Profile")
    guard let resident = visit.chosenResident else {
      return PageContent(title: title, main: Part.heading(title, visit, "/profile"), place: .more)
    }
    let part = HealthProfilePart(visit: visit, resident: resident)
    let back = Visit.address("/health", ["resident": resident["id"]?.stringContent])
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/profile"))
        <div class="cards">\(visit.isClinician ? Part.card(nil, part.told) : Part.card(nil, part.form) + Part.card(visit.gettext("Units and language"), part.units))</div>
        <p class="actions">\(Part.link(visit.gettext("Back to Health"), to: back))</p>
        """, place: .more)
  }
}

/// The profile of a resident, on its page and as the questions of the first time.
struct HealthProfilePart {
  let visit: Visit
  let resident: JSONValue

  static let questions: @Sendable (Visit) -> [Question] = { visit in
    guard let resident = visit.chosenResident, let id = resident["id"],
      !visit.answers.has("profile.get")
    else { return [] }
    return [Question("profile.get", ["resident": id]), ReadingWords.question(about: resident)]
  }

  private var profile: JSONValue { visit.answers["profile.get"] }
  private var members: JSONValue { ["target": resident["id"] ?? .null] }
  private var name: String? {
    profile["name"]?.stringContent ?? resident["name"]?.stringContent
  }

  /// Whether nobody has answered the first questions yet.
  var isNew: Bool {
    visit.answers.refusal("profile.get") == nil && profile["diabetes"] == nil
      && profile["birthDate"] == nil
  }

  private var types: [(value: String, words: String)] {
    [
      ("type-1", visit.gettext("Type 1")), ("type-2", visit.gettext("Type 2")),
      ("gestational", visit.gettext("In a pregnancy")), ("other", visit.gettext("Another one")),
      ("none", visit.gettext("No diabetes")),
    ]
  }

  private var open: (value: String, words: String) { ("", visit.gettext("Not told")) }

  private var sexes: [(value: String, words: String)] {
    [
      open, ("female", visit.gettext("Female")), ("male", visit.gettext("Male")),
      ("intersex", visit.gettext("Intersex")),
    ]
  }

  /// The profile, to read only.
  var told: HTML {
    func words(_ choices: [(value: String, words: String)], _ name: String) -> String {
      let value = profile[name]?.stringContent ?? ""
      return choices.first { $0.value == value }?.words ?? open.words
    }
    let lines = [
      (visit.gettext("Whole name"), name ?? open.words),
      (visit.gettext("Date of birth"), profile["birthDate"]?.stringContent ?? open.words),
      (visit.gettext("Biological sex"), words(sexes, "sex")),
      (visit.gettext("Type of diabetes"), words([open] + types, "diabetes")),
    ]
    return "<dl>\(lines.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>"
  }

  var form: HTML {
    return Part.form(
      "profile.put", members,
      """
      \(Part.field(visit.gettext("Whole name"), "profile.name", name, hint: visit.gettext("As it stands in a report."), autocomplete: "off"))
      \(Part.field(visit.gettext("Date of birth"), "profile.birthDate", profile["birthDate"]?.stringContent, kind: "date", isRequired: false))
      \(Part.choice(visit.gettext("Biological sex"), "profile.sex", sexes, chosen: profile["sex"]?.stringContent))
      \(Part.choice(visit.gettext("Type of diabetes"), "profile.diabetes", [open] + types, chosen: profile["diabetes"]?.stringContent))
      \(Part.submit(visit.gettext("Save")))
      """)
  }

  /// In which unit levels are shown, and the way to the account's own units and language.
  var units: HTML {
    let unit = ReadingWords.unit(of: resident, visit)?.rawValue ?? "as-received"
    let choices = [
      ("mmol/L", "mmol/L"), ("mg/dL", "mg/dL"),
      ("as-received", visit.gettext("As each reading came")),
    ]
    return """
      \(Part.form("setting.put", members.setting("name", to: "glucoseUnit"), """
        \(Part.choice(visit.gettext("Glucose in"), "value", choices, chosen: unit))
        \(Part.submit(visit.gettext("Save")))
        """))
      <p><a href="/account">\(visit.gettext("Language, metres or feet: on your account"))</a></p>
      """
  }

  /// The first three questions, one at a time; they are saved together, when all of them are answered.
  var questionnaire: HTML {
    let options = types.map { type -> HTML in
      """
      <span class="check"><input type="radio" id="f-type-\(type.value)" name="profile.diabetes" value="\(type.value)" data-reads="chosen" required><label for="f-type-\(type.value)">\(type.words)</label></span>
      """
    }
    return """
      <form method="post" action="/" data-command="profile.put" data-members="\(members.serialized)" data-then="/health" data-steps novalidate>
      <p class="soft" role="status" data-step-words="\(visit.gettext("Question {n} of {count}"))"></p>
      <p class="fault" role="alert" hidden></p>
      <section data-step>\(Part.field(visit.gettext("What is your name?"), "profile.name", name, autocomplete: "name"))</section>
      <section data-step hidden>\(Part.field(visit.gettext("When were you born?"), "profile.birthDate", kind: "date"))</section>
      <section data-step hidden><fieldset><legend>\(visit.gettext("Which type of diabetes do you have?"))</legend>\(options)</fieldset></section>
      <p class="actions"><button type="button" class="button" data-step-back hidden>\(visit.gettext("Back"))</button><button type="button" class="button first" data-step-next>\(visit.gettext("Next"))</button><button class="button first" data-step-end hidden>\(visit.gettext("That is all"))</button></p>
      </form>
      """
  }
}
