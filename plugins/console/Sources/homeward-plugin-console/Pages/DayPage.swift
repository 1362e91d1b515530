import JSON
import Moments

/// What is due today and what was answered, with what is planned.
struct DayPage {
  static let page = Page(
    path: "/day", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("routine.list") else { return [] }
    return [Question("routine.list")]
      + visit.residents.compactMap { resident in
        guard let id = resident["id"]?.stringContent else { return nil }
        return Question(
          "occurrences.query",
          [
            "resident": .string(id),
            "since": .string(visit.midnight(of: resident).iso8601),
          ], as: "occurrences \(id)")
      }
  }

  private var content: PageContent {
    let title = visit.gettext("The day")
    let resident = visit.chosenResident
    let lines = resident.map { DayWords.lines(of: $0, visit, withAnswers: true) } ?? []
    let list: HTML =
      lines.isEmpty
      ? Part.empty(
        visit.gettext("Nothing is planned for today."))
      : Part.card(nil, Part.list(lines))
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>\(Part.people(visit, path: "/day"))\(list)
        <p class="actions">\(Part.link(visit.gettext("What recurs"), to: Visit.address("/routine", ["resident": resident?["id"]?.stringContent])))</p>
        """, place: .day)
  }
}
