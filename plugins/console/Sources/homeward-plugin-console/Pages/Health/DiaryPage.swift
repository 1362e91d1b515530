import JSON
import Moments
import Texts

/// What somebody ate, drank and did: one more entry on one screen, and those of a period as a table.
struct DiaryPage {
  static let page = Page(
    path: "/diary", isForClinicians: true,
    questions: Period.questions("notes.query", ["kind": "diary"]),
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Diary")
    guard let resident = visit.chosenResident else {
      return PageContent(title: title, main: Part.heading(title, visit, "/diary"), place: .more)
    }
    let entries = visit.answers.list("notes.query").filter { $0["kind"]?.stringContent == "diary" }
    let chosen = entries.first { $0["id"]?.stringContent == visit.fields["entry"] }
    let form = DiaryForm(visit: visit, resident: resident)
    let card: HTML =
      visit.isClinician
      ? chosen.map { ClinicianPart.entry($0, of: resident, visit) } ?? .nothing
      : chosen.map { Part.card(visit.gettext("Change an entry"), id: "entry", form.changing($0)) }
        ?? Part.card(visit.gettext("Write something down"), form.new)
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/diary"))
        \(HealthLinks.others(than: "/diary", visit))
        <div class="cards">\(card)\(table(entries, of: resident))</div>
        """, scripts: ["reading.js", "voice.js", "pictures.js"], place: .more)
  }

  private func table(_ entries: [JSONValue], of resident: JSONValue) -> HTML {
    let title = visit.gettext("Entries")
    let order = TableOrder(visit, keys: ["time", "title", "tag"])
    let tags = Set(entries.flatMap { DiaryTags.of($0) }).sorted()
    let filter = TagFilter.links(tags.map { ($0, DiaryTags.name($0, visit)) }, "/diary", visit)
    let shown = DiaryTags.sorted(
      entries.filter { entry in
        visit.fields["tag"].map { DiaryTags.of(entry).contains($0) } ?? true
      }, by: order.key, isAscending: order.isAscending)
    let period = Period.links("/diary", visit)
    guard !shown.isEmpty else {
      return Part.card(
        title,
        "\(period)\(filter)\(Part.empty(visit.gettext("Nothing was written down in this time.")))")
    }
    let rows = shown.map { entry -> HTML in
      let id = entry["id"]?.stringContent
      let address = Visit.address(
        "/diary", ["resident": resident["id"]?.stringContent, "entry": id])
      let name = entry["title"]?.stringContent ?? ""
      let text = ResidentWords.brief(entry["text"]?.stringContent ?? "", most: 60)
      let picture: HTML =
        (entry["pictures"]?.arrayContent?.first?.stringContent).map { PictureField.small($0) }
        ?? .nothing
      return """
        <tr><td><a href="\(address)#entry">\(visit.clock(entry["time"]?.stringContent, of: resident))</a></td><td>\(picture)<strong>\(name)</strong> \(text)</td><td>\(DiaryTags.of(entry).map { DiaryTags.name($0, visit) }.joined(separator: ", "))</td></tr>
        """
    }
    let heads = [
      ("time", visit.gettext("When")), ("title", visit.gettext("Title")),
      ("tag", visit.gettext("Tag")),
    ]
    return Part.card(
      title, "\(period)\(filter)\(order.table(heads, rows, "/diary", caption: title))")
  }
}

/// Tags of the diary, and what happened besides, which are tags of a list.
enum DiaryTags {
  /// What may have happened, by the words that are kept.
  static let events = ["exercise", "illness", "stress", "travel", "celebration", "other-medicine"]

  static func of(_ entry: JSONValue) -> [String] {
    (entry["tags"]?.arrayContent ?? []).compactMap(\.stringContent)
  }

  static func name(_ tag: String, _ visit: Visit) -> String {
    switch tag {
    case "exercise": visit.pgettext("what happened", "exercise")
    case "illness": visit.pgettext("what happened", "illness")
    case "stress": visit.pgettext("what happened", "stress")
    case "travel": visit.pgettext("what happened", "travel")
    case "celebration": visit.pgettext("what happened", "a celebration")
    case "other-medicine": visit.pgettext("what happened", "another medicine")
    default: tag
    }
  }

  /// Entries in an order; equals by time, and those without a tag last.
  static func sorted(_ entries: [JSONValue], by key: String, isAscending: Bool) -> [JSONValue] {
    func time(_ entry: JSONValue) -> String { entry["time"]?.stringContent ?? "" }
    func word(_ entry: JSONValue) -> String {
      key == "title"
        ? entry["title"]?.stringContent?.lowercased() ?? "" : of(entry).min()?.lowercased() ?? ""
    }
    return entries.sorted { left, right in
      if key == "time" { return isAscending ? time(left) < time(right) : time(left) > time(right) }
      let (first, second) = (word(left), word(right))
      if first == second { return time(left) > time(right) }
      if first.isEmpty || second.isEmpty { return second.isEmpty }
      return isAscending ? first < second : first > second
    }
  }
}

/// What somebody writes into the diary, or changes in it.
struct DiaryForm {
  let visit: Visit
  let resident: JSONValue

  var new: HTML {
    let note: JSONValue = [
      "id": "@new", "resident": resident["id"] ?? .null, "kind": "diary",
      "changedAt": .string(visit.now.iso8601), "author": visit.account["profile"]?["name"] ?? "",
    ]
    return Part.form(
      "note.put", ["note": note], fields(nil) + Part.submit(visit.gettext("Write it down")))
  }

  func changing(_ entry: JSONValue) -> HTML {
    let back = Visit.address("/diary", ["resident": resident["id"]?.stringContent])
    let kept = JSONValue.object(
      (entry.objectContent ?? []).filter { !["tags", "pictures", "title"].contains($0.key) }
    ).setting("changedAt", to: .string(visit.now.iso8601))
    let remove = Part.button(
      visit.gettext("Delete"), "note.remove",
      ["target": entry["id"] ?? .null, "revision": entry["revision"] ?? .null], kind: "quiet",
      then: back, undo: ("note.put", ["note": entry.setting("revision", to: 0)]))
    return """
      \(NotePictures.figures(entry, visit))
      \(Part.form("note.put", ["note": kept, "revision": entry["revision"] ?? .null], then: back, fields(entry) + Part.submit(visit.gettext("Save"))))
      <p class="actions">\(Part.link(visit.gettext("Leave it as it is"), to: back))\(remove)</p>
      """
  }

  private func fields(_ entry: JSONValue?) -> HTML {
    let tags = entry.map { DiaryTags.of($0) } ?? []
    let own = tags.filter { !DiaryTags.events.contains($0) }
    let events = DiaryTags.events.map { word -> HTML in
      """
      <span class="check"><input type="checkbox" id="f-event-\(word)" name="note.tags" value="\(word)" data-reads="item"\(HTML.flag("checked", tags.contains(word)))><label for="f-event-\(word)">\(DiaryTags.name(word, visit))</label></span>
      """
    }
    let pictures = (entry?["pictures"]?.arrayContent ?? []).compactMap(\.stringContent)
    return """
      \(Part.field(visit.gettext("Title"), "note.title", entry?["title"]?.stringContent, hint: visit.gettext("Such as: lentil soup."), autocomplete: "off", more: " maxlength=\"200\""))
      <p class="field"><label for="f-note-text">\(visit.gettext("What it was"))</label><textarea id="f-note-text" name="note.text" rows="3" maxlength="10000">\(entry?["text"]?.stringContent ?? "")</textarea></p>
      <p class="actions"><button type="button" class="button" data-voice="f-note-text" hidden>\(visit.gettext("Say it"))</button></p>
      <p class="field"><label for="f-tags">\(visit.gettext("Tags"))</label><span class="hint" id="f-tags-hint">\(visit.gettext("Several with commas between."))</span><input id="f-tags" name="note.tags" data-reads="items" value="\(own.joined(separator: ", "))" aria-describedby="f-tags-hint" autocomplete="off"></p>
      <fieldset><legend>\(visit.gettext("What happened"))</legend>\(events)</fieldset>
      <p class="field"><label for="f-at">\(visit.gettext("When"))</label><span class="hint" id="f-at-hint">\(visit.gettext("Leave it empty for now."))</span><input id="f-at" name="note.time" type="datetime-local" data-moment="\(entry?["time"]?.stringContent ?? "")" data-reads="moment" aria-describedby="f-at-hint"></p>
      \(PictureField.chosen(for: resident, visit, keeping: pictures))
      """
  }
}
