import JSON
import Moments
import Texts

extension Page {
  /// What is due today and what was answered, with what is planned.
  static let day = Page(
    path: "/day",
    questions: { visit in
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
    },
    content: { visit in
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
    })

  /// The way to everything else.
  static let more = Page(path: "/more") { visit in
    let title = visit.pgettext("page", "More")
    var entries: [(HTML, String, String)] = [
      (Icon.ring, visit.gettext("Safe zones"), "/zones"),
      (Icon.star, visit.gettext("Places"), "/bookmarks"),
      (Icon.pill, visit.gettext("What recurs"), "/routine"),
      (Icon.clock, visit.gettext("History"), "/history"),
      (Icon.speech, visit.gettext("Messages"), "/messages"),
      (Icon.note, visit.gettext("Memos"), "/memos"),
      (Icon.drop, visit.gettext("Health"), "/health"),
      (Icon.tag, visit.gettext("Devices and tags"), "/devices"),
      (Icon.bell, visit.gettext("Guardians"), "/guardians"),
      (Icon.gear, visit.gettext("Settings"), "/settings"),
      (Icon.person, visit.gettext("Who sees whom"), "/family"),
      (Icon.eye, visit.gettext("Who looked"), "/looks"),
      (Icon.person, visit.gettext("Your account"), "/account"),
    ]
    if visit.isCaregiver {
      entries.append((Icon.pin, visit.gettext("How to reach it from outside"), "/reach"))
    }
    entries.append((Icon.home, visit.gettext("About Homeward"), "/about"))
    let links = entries.map {
      "<li><a class=\"entry with\" href=\"\($0.2)\">\($0.0)<strong>\($0.1)</strong></a></li>"
        as HTML
    }
    return PageContent(
      title: title, main: "<h1>\(title)</h1><ul class=\"entries grid\">\(links)</ul>", place: .more)
  }

  /// What is kept about people.
  static let carePages: [Page] = [
    BookmarksPage.page,
    .history,
    Page(
      path: "/messages", questions: ofOne("messages.query", limit: 100), content: messageContent),
    Page(path: "/memos", questions: memoQuestions, content: memoContent),
    health, glucose, diary, trend, .profile, .report, .portrait,
    devices,
    Page(path: "/guardians", namesGuardians: true, content: guardianContent),
    Page(
      path: "/settings",
      questions: { visit in
        guard !visit.answers.has("settings.describe") else { return [] }
        let resident = visit.chosenResident?["id"] ?? .null
        return [
          Question(
            "settings.describe",
            ["resident": resident, "language": .string(visit.visitor.language.rawValue)])
        ]
      }, content: settingContent),
  ]

  static func ofOne(_ route: String, limit: Int64) -> @Sendable (Visit) -> [Question] {
    { visit in
      guard !visit.answers.has(route), let id = visit.chosenResident?["id"] else { return [] }
      return [
        Question(route, Pager.params(["resident": id, "limit": .integer(limit)], visit))
      ]
    }
  }

  // MARK: Messages, memos, readings

  @Sendable private static func messageContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Messages")
    let resident = visit.chosenResident
    let own = visit.answers.list("messages.query").filter { $0["resident"] == resident?["id"] }
    let list: HTML =
      own.isEmpty
      ? Part.empty(
        visit.gettext("Nobody wrote anything yet. What you write is read aloud in the room."))
      : Part.card(
        nil,
        Part.list(
          own.map {
            MessageWords.line($0, of: resident, visit, player: RecorderPart.player($0, visit))
          }))
    let pager = Pager.links(
      "messages.query", visit, "/messages", ["resident": resident?["id"]?.stringContent])
    let sender = visit.account["profile"]?["name"] ?? ""
    let members: JSONValue = ["resident": resident?["id"] ?? .null, "sender": sender]
    let form = Part.form(
      "message.send", members.setting("target", to: "@new"),
      """
      \(Part.sentences(visit.gettext("Message"), "text", most: 500))
      \(Part.submit(visit.gettext("Send")))
      """)
    let recorder = Part.card(
      visit.gettext("By voice"),
      RecorderPart.recorder(
        of: resident ?? .null, members, visit,
        keys: """
          <p class="actions">\(recorderKey(visit.gettext("Speak"), "start"))\(recorderKey(visit.gettext("Stop"), "stop", isFirst: true))\(recorderKey(visit.gettext("Listen again"), "listen"))\(recorderKey(visit.gettext("Send"), "send", isFirst: true))\(recorderKey(visit.gettext("Throw away"), "drop", isQuiet: true))</p>
          """))
    return PageContent(
      title: title,
      main:
        "\(Part.heading(title, visit, "/messages"))<div class=\"cards\">\(Part.card(nil, form))\(recorder)\(list)</div>\(pager)",
      scripts: RecorderPart.scripts, hasRecorder: true, place: .more)
  }

  private static func recorderKey(
    _ words: String, _ deed: String, isFirst: Bool = false, isQuiet: Bool = false
  ) -> HTML {
    """
    <button type="button" class="button\(isFirst ? " first" : "")\(isQuiet ? " quiet" : "")" data-record="\(deed)">\(words)</button>
    """
  }

  @Sendable private static func memoQuestions(_ visit: Visit) -> [Question] {
    guard !visit.answers.has("notes.query"), let id = visit.chosenResident?["id"] else { return [] }
    let params: JSONValue = ["resident": id, "kind": "memo", "limit": 100]
    return [Question("notes.query", Pager.params(params, visit))]
  }

  @Sendable private static func memoContent(_ visit: Visit) -> PageContent {
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
