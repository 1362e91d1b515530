import JSON
import Moments

/// Who looked, in the last month.
struct LooksPage {
  static let page = Page(
    path: "/looks", questions: { Self(visit: $0).questions }, content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("events.query") else { return [] }
    let since = visit.midnight(of: visit.residents.first, daysAgo: 30).iso8601
    return [
      Question(
        "events.query",
        Pager.params(
          ["types": ["account"], "since": .string(since), "limit": 500], visit))
    ]
  }

  private var content: PageContent {
    let title = visit.gettext("Who looked")
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <p>\(visit.gettext("Whoever looks at positions, readings or notes stands here for good."))</p>
        \(EventList.days(visit.answers.list("events.query"), visit, empty: visit.gettext("Nobody looked in the last month.")))\(Pager.links("events.query", visit, "/looks"))
        """, place: .more)
  }
}
