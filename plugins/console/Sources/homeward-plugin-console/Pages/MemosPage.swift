import JSON
import Moments

/// What is to be remembered of a resident, and one more.
struct MemosPage {
  static let page = Page(
    path: "/memos", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("notes.query"), let id = visit.chosenResident?["id"] else { return [] }
    let params: JSONValue = ["resident": id, "kind": "memo", "limit": 100]
    return [Question("notes.query", Pager.params(params, visit))]
  }

  private var content: PageContent {
    let title = visit.gettext("Memos")
    let resident = visit.chosenResident
    let lines = visit.answers.list("notes.query").map { note -> HTML in
      let remove = Part.button(
        visit.gettext("Delete"), "note.remove", ["target": note["id"] ?? .null], kind: "quiet",
        undo: ("note.put", ["note": note.setting("revision", to: 0)]))
      return Part.line(
        Icon.note,
        "<strong>\(note["title"]?.stringContent ?? "")</strong> \(note["text"]?.stringContent ?? "")",
        "\(visit.clock(note["time"]?.stringContent, of: resident)) \(note["author"]?.stringContent ?? "")",
        aside: remove)
    }
    let list: HTML =
      lines.isEmpty
      ? Part.empty(visit.gettext("There is no memo yet.")) : Part.card(nil, Part.list(lines))
    let pager = Pager.links(
      "notes.query", visit, "/memos", ["resident": resident?["id"]?.stringContent])
    let note: JSONValue = [
      "id": "@new", "resident": resident?["id"] ?? .null, "kind": "memo",
      "time": .string(visit.now.iso8601), "changedAt": .string(visit.now.iso8601),
      "author": visit.account["profile"]?["name"] ?? "",
    ]
    let form = Part.form(
      "note.put", ["note": note],
      """
      \(Part.field(visit.gettext("Title"), "note.title", isRequired: false))
      \(Part.sentences(visit.gettext("Text"), "note.text", most: 4000))
      \(Part.submit(visit.gettext("Keep it")))
      """)
    return PageContent(
      title: title,
      main:
        "\(Part.heading(title, visit, "/memos"))<div class=\"cards\">\(Part.card(nil, form))\(list)</div>\(pager)",
      place: .more)
  }
}
