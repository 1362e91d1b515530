import JSON
import Moments
import Texts

/// What was said to somebody, one at a time, the oldest first that was not heard; and what they want to say.
struct ResidentMessagesPage {
  static let page = Page.resident(
    "/me/messages",
    asks: { Self(view: $0).questions },
    content: { Self(view: $0).content })

  private let view: ResidentView

  private var visit: Visit { view.visit }

  private var questions: [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("messages.query") else {
      return []
    }
    return [Question("messages.query", ["resident": id, "limit": 20])]
  }

  private var content: PageContent {
    if visit.fields["say"] == "voice" { return speaking }
    if visit.fields["say"] != nil { return saying }
    if let unread = view.home["unread"]?.arrayContent?.first { return hearing(unread) }
    let own = visit.answers.list("messages.query")
    let number = max(0, visit.fields["at"].flatMap { Int($0) } ?? 0)
    guard number < own.count else { return nothingSaid }
    return heard(own[number], number, of: own.count)
  }

  private func from(_ message: JSONValue) -> String {
    let values: Message.Values = [
      "sender": message["sender"]?.stringContent ?? "–",
      "time": view.words.when(message["sentAt"]?.stringContent),
    ]
    return message["direction"]?.stringContent == "to-caregivers"
      ? visit.gettext("You said, {time}", values)
      : visit.gettext("{sender} says, {time}", values)
  }

  private func shown(_ message: JSONValue, once: Bool) -> HTML {
    """
    \(ResidentPart.said("p", from(message), kind: "soft", isTheirs: true))
    \(ResidentPart.said("p", RecorderPart.words(message, visit), kind: "great letter", once: once ? "message " + (message["id"]?.stringContent ?? "") : nil, isTheirs: true))
    """
  }

  private func hearing(_ message: JSONValue) -> PageContent {
    let title = visit.gettext("A message for you")
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>\(shown(message, once: true))
        \(ResidentPart.keys(
          ResidentPart.button(Icon.check, visit.gettext("I heard it"), "message.read", ["target": message["id"] ?? .null], kind: "first", tells: ""),
          RecorderPart.key(message, visit),
          ResidentPart.link(Icon.speech, visit.gettext("Answer"), to: "/me/messages?say=1")))
        </div>
        """, scripts: RecorderPart.scripts)
  }

  private func heard(_ message: JSONValue, _ number: Int, of count: Int) -> PageContent {
    let title = visit.gettext("Messages")
    let older: HTML =
      number + 1 < count
      ? ResidentPart.link(
        Icon.clock, visit.gettext("Before that"), to: "/me/messages?at=\(number + 1)") : .nothing
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>\(shown(message, once: false))
        \(ResidentPart.keys(
          RecorderPart.key(message, visit),
          ResidentPart.link(Icon.speech, visit.gettext("Say something"), to: "/me/messages?say=1", kind: "first"), older))
        </div>
        """, scripts: RecorderPart.scripts)
  }

  private var nothingSaid: PageContent {
    let title = visit.gettext("Messages")
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>
        \(ResidentPart.said("p", visit.gettext("Nobody wrote anything yet."), kind: "great"))
        \(ResidentPart.keys(ResidentPart.link(Icon.speech, visit.gettext("Say something"), to: "/me/messages?say=1", kind: "first")))
        </div>
        """)
  }

  /// What somebody says themselves, as a recording.
  private var speaking: PageContent {
    let title = visit.gettext("Your own voice")
    let members = JSONValue.object([
      "resident": view.id, "direction": "to-caregivers", "sender": view.resident["name"],
    ])
    func key(_ icon: HTML, _ words: String, _ deed: String, kind: String = "") -> HTML {
      ResidentPart.deed(icon, words, "data-record", deed, kind: kind)
    }
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1 data-said>\(title)</h1>
        \(RecorderPart.recorder(of: view.resident, members, then: "/me/messages", visit, keys: ResidentPart.keys(
          key(Icon.microphone, visit.gettext("Speak"), "start", kind: "first"),
          key(Icon.stop, visit.gettext("Stop"), "stop", kind: "first"),
          key(Icon.mail, visit.gettext("Send"), "send", kind: "first"),
          key(Icon.ear, visit.gettext("Listen again"), "listen"),
          key(Icon.cross, visit.gettext("Throw away"), "drop"))))
        \(ResidentPart.keys(ResidentPart.link(Icon.back, visit.gettext("Other answers"), to: "/me/messages?say=1")))
        </div>
        """, scripts: RecorderPart.scripts, hasRecorder: true)
  }

  /// A voice, three answers that are ready, and one in words of their own.
  private var saying: PageContent {
    let title = visit.gettext("What shall I say?")
    let members = { (text: String?) -> JSONValue in
      .object([
        "target": "@new", "resident": view.id, "direction": "to-caregivers",
        "sender": view.resident["name"], "text": text.map { .string($0) },
      ])
    }
    let voice = ResidentPart.link(
      Icon.microphone, visit.gettext("Answer by voice"), to: "/me/messages?say=voice",
      kind: "first")
    let ready = [
      visit.gettext("Yes, gladly."), visit.gettext("No, thank you."),
      visit.gettext("Please call me."),
    ].map {
      ResidentPart.button(
        Icon.speech, $0, "message.send", members($0), then: "/me/messages")
    }
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        <div class="keys">\(voice)\(ready)</div>
        \(Part.form("message.send", members(nil), then: "/me/messages", """
          \(Part.field(visit.gettext("Something else"), "text", autocomplete: "off", more: " maxlength=\"500\""))
          <p class="actions"><button class="key first"><span>\(visit.gettext("Send"))</span></button></p>
          """))
        """)
  }
}
