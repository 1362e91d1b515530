import JSON
import Moments

/// What somebody looks like, for whoever has to look for them.
struct PortraitPage {
  static let page = Page(
    path: "/portrait", questions: { Self(visit: $0).questions },
    isThere: { $0.isCaregiver || $0.isResident },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard let id = visit.chosenResident?["id"], !visit.answers.has("notes.query") else {
      return []
    }
    return [Question("notes.query", ["resident": id, "kind": "portrait", "limit": 1])]
  }

  private var content: PageContent {
    let title = visit.gettext("What somebody looks like")
    guard let resident = visit.chosenResident else {
      return PageContent(
        title: title, main: Part.heading(title, visit, "/portrait"), place: .more)
    }
    let known = visit.answers.list("notes.query").first
    let note = (known ?? ["id": "@new", "resident": resident["id"] ?? .null, "kind": "portrait"])
      .setting("time", to: .string(visit.now.iso8601))
      .setting("changedAt", to: .string(visit.now.iso8601))
      .setting("author", to: visit.account["profile"]?["name"] ?? "")
    let kept = JSONValue.object(
      (note.objectContent ?? []).filter { !["text", "pictures"].contains($0.key) })
    let back = Visit.address(
      "/report", ["resident": resident["id"]?.stringContent, "kind": "missing"])
    let form = Part.form(
      "note.put", ["note": kept, "revision": known?["revision"] ?? 0], then: back,
      """
      \(Part.sentences(visit.gettext("What does {name} look like?", ["name": resident["name"]?.stringContent ?? ""]), "note.text", known?["text"]?.stringContent ?? "", most: 2000, hint: visit.gettext("Height, hair, glasses, clothes, how they walk and speak, what frightens and what calms them.")))
      \(known.map { NotePictures.figures($0, visit) } ?? .nothing)
      \(PictureField.chosen(for: resident, visit, keeping: known == nil ? [] : (known?["pictures"]?.arrayContent ?? []).compactMap(\.stringContent)))
      \(Part.submit(visit.gettext("Save")))
      """)
    return PageContent(
      title: title, main: "\(Part.heading(title, visit, "/portrait"))\(Part.card(nil, form))",
      scripts: ["pictures.js"], place: .more)
  }
}
