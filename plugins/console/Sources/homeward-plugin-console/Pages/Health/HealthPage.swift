import JSON
import Texts

/// The first page of somebody with diabetes: large buttons.
struct HealthPage {
  static let page = Page(
    path: "/health", isForClinicians: true, questions: HealthProfilePart.questions,
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Health")
    if visit.isResident, let resident = visit.chosenResident {
      let part = HealthProfilePart(visit: visit, resident: resident)
      if part.isNew { return first(part) }
    }
    if visit.isClinician, visit.residents.isEmpty { return ClinicianPart.nobody(title, visit) }
    let resident = visit.chosenResident?["id"]?.stringContent
    let entries: [(HTML, String, String)] = [
      (Icon.drop, visit.gettext("Glucose"), "/glucose"),
      (Icon.note, visit.gettext("Diary"), "/diary"),
      (Icon.trend, visit.gettext("Trend"), "/trend"),
      (Icon.mail, visit.gettext("Report"), "/report"),
      (Icon.gear, visit.gettext("System"), "/settings"),
      (Icon.person, visit.gettext("Profile"), "/profile"),
    ]
    let keys = entries.filter { !visit.isClinician || $0.2 != "/settings" }.map {
      icon, words, path -> HTML in
      """
      <li><a class="choice" href="\(Visit.address(path, ["resident": resident]))">\(icon)<strong>\(words)</strong></a></li>
      """
    }
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/health"))\(ClinicianPart.unshown(visit))
        <ul class="choices apart">\(keys)</ul>
        <details class="explains"><summary class="button">\(visit.gettext("What is what?"))</summary><div class="card"><dl>
        \(HTML(explanations.filter { !visit.isClinician || $0.0 != visit.gettext("System") }.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML }))
        </dl></div></details>
        """, place: .more)
  }

  /// The first time: three questions, and then the page itself.
  private func first(_ part: HealthProfilePart) -> PageContent {
    let title = visit.gettext("Welcome")
    return PageContent(
      title: title,
      main: """
        <div class="narrow"><h1>\(title)</h1>
        <p>\(visit.gettext("Three short questions, and everything is ready for you."))</p>
        \(Part.card(nil, part.questionnaire))</div>
        """, scripts: ["steps.js"], place: .more)
  }

  private var explanations: [(String, String)] {
    [
      (
        visit.gettext("Glucose"),
        visit.gettext("Write down what your meter shows, and see all readings.")
      ),
      (
        visit.gettext("Diary"),
        visit.gettext("Write down what you ate and did, with a picture if you like.")
      ),
      (visit.gettext("Trend"), visit.gettext("See your readings as a graph.")),
      (visit.gettext("Report"), visit.gettext("Everything for your doctor, to read and to print.")),
      (visit.gettext("System"), visit.gettext("Language, units and other settings.")),
      (visit.gettext("Profile"), visit.gettext("Your date of birth and your type of diabetes.")),
    ]
  }
}
