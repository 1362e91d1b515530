import JSON

/// What people wrote and said to each other, and one more.
struct MessagesPage {
  static let page = Page(
    path: "/messages", questions: { Self(visit: $0).questions },
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard !visit.answers.has("messages.query"), let id = visit.chosenResident?["id"] else {
      return []
    }
    return [Question("messages.query", Pager.params(["resident": id, "limit": 100], visit))]
  }

  private var content: PageContent {
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

  private func recorderKey(
    _ words: String, _ deed: String, isFirst: Bool = false, isQuiet: Bool = false
  ) -> HTML {
    """
    <button type="button" class="button\(isFirst ? " first" : "")\(isQuiet ? " quiet" : "")" data-record="\(deed)">\(words)</button>
    """
  }
}
