import Care
import JSON
import Texts

/// What is needed less often.
struct ResidentMorePage {
  static let page = Page.resident("/me/more", content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var content: PageContent {
    let title = visit.pgettext("page", "More")
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        \(ResidentPart.keys(
          ResidentPart.link(Icon.note, visit.gettext("Memos"), to: "/me/memos"),
          ResidentPart.link(Icon.drop, visit.gettext("Health"), to: "/health"),
          ring,
          ResidentPart.link(Icon.eye, visit.gettext("Large and small"), to: "/me/look"),
          ResidentPart.link(Icon.book, visit.gettext("How it works"), to: "/me/manual"),
          ResidentPart.link(Icon.dots, visit.gettext("All pages"), to: "/more"), kind: "six"))
        """, scripts: ["call.js"])
  }

  /// A reason to leave. On the gateway's own screen the room rings, a telephone rings itself, wherever it is.
  private var ring: HTML {
    let words = visit.gettext("Have my phone ring")
    guard !visit.isAtTheGateway else {
      return ResidentPart.button(
        Icon.phone, words, "fake-call.start", ["target": view.id], tells: "")
    }
    let lines = FakeCallLines.all.enumerated().map { index, line -> JSONValue in
      [
        "words": .string(line.text(in: visit.visitor.language)),
        "pause": .integer(FakeCallLines.pauseMilliseconds(after: index)),
      ]
    }
    let call: JSONValue = [
      "incoming": .string(visit.gettext("Incoming call")),
      "talking": .string(visit.gettext("You are talking with")),
      "name": .string(visit.gettext("A friend")),
      "answer": .string(visit.pgettext("telephone", "Answer")),
      "end": .string(visit.gettext("Hang up")), "lines": .array(lines),
    ]
    return ResidentPart.deed(Icon.phone, words, "data-own-call", call.serialized)
  }
}
