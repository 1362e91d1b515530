import JSON
import Moments
import Texts

/// What somebody wants to remember, one at a time, the newest first.
struct ResidentMemosPage {
  static let page = Page.resident(
    "/me/memos",
    asks: { Self(view: $0).questions },
    content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var questions: [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("notes.query") else {
      return []
    }
    return [Question("notes.query", ["resident": id, "kind": "memo", "limit": 50])]
  }

  private var content: PageContent {
    let title = visit.gettext("Memos")
    if visit.fields["new"] != nil { return newMemo }
    let memos = visit.answers.list("notes.query")
    let number = max(0, visit.fields["at"].flatMap { Int($0) } ?? 0)
    let new = ResidentPart.link(
      Icon.note, visit.gettext("New memo"), to: "/me/memos?new=1", kind: "first")
    guard number < memos.count else {
      return PageContent(
        title: title,
        main: """
          <div class="matter"><h1>\(title)</h1>\(ResidentPart.said("p", visit.gettext("There is no memo yet."), kind: "great"))\(ResidentPart.keys(new))</div>
          """)
    }
    let memo = memos[number]
    let older: HTML =
      number + 1 < memos.count
      ? ResidentPart.link(
        Icon.clock, visit.gettext("Before that"), to: "/me/memos?at=\(number + 1)") : .nothing
    let remove = ResidentPart.button(
      Icon.cross, visit.gettext("Delete"), "note.remove", ["target": memo["id"] ?? .null],
      undo: ("note.put", ["note": memo.setting("revision", to: 0)]))
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>
        \(ResidentPart.said("p", view.words.when(memo["time"]?.stringContent), kind: "soft"))
        \(ResidentPart.said("p", memo["title"]?.stringContent ?? "", kind: "great", isTheirs: true))
        \(ResidentPart.said("p", memo["text"]?.stringContent ?? "", kind: "letter", isTheirs: true))
        \(NotePictures.figures(memo, visit))
        \(ResidentPart.keys(new, older, remove))
        </div>
        """)
  }

  private var newMemo: PageContent {
    let title = visit.gettext("New memo")
    let note: JSONValue = [
      "id": "@new", "resident": view.id, "kind": "memo", "time": .string(visit.now.iso8601),
      "changedAt": .string(visit.now.iso8601), "author": view.resident["name"] ?? "",
    ]
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        \(Part.form("note.put", ["note": note], then: "/me/memos", """
          \(Part.sentences(visit.gettext("What do you want to remember?"), "note.text", most: 4000))
          <p class="actions"><button type="button" class="key" data-voice="f-note-text" hidden>\(Icon.speech)<span>\(visit.gettext("Say it"))</span></button></p>
          \(visit.isAtTheGateway ? .nothing : PictureField.chosen(for: view.resident, visit, isKey: true))
          <p class="actions"><button class="key first"><span>\(visit.gettext("Keep it"))</span></button></p>
          """))
        """, scripts: ["voice.js", "pictures.js"])
  }
}

/// The pictures of memos and of the diary.
enum NotePictures {
  static func figures(_ note: JSONValue, _ visit: Visit) -> HTML {
    let pictures = (note["pictures"]?.arrayContent ?? []).compactMap(\.stringContent)
    let title = note["title"]?.stringContent ?? ""
    let each = pictures.enumerated().map { index, id -> HTML in
      let words =
        title.isEmpty
        ? visit.gettext("Picture {n}", ["n": index + 1])
        : visit.gettext("Picture {n} of {title}", ["n": index + 1, "title": title])
      return "<figure><img src=\"/picture/\(id)\" alt=\"\(words)\"></figure>"
    }
    return "\(each)"
  }
}
