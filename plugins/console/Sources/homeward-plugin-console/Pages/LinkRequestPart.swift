import JSON
import Texts

/// Who asked whom to be linked, and what they said.
enum LinkRequestPart {
  /// What waits for an answer of whoever looks or of another, and what was answered, as a card; nothing where there is none.
  static func card(_ visit: Visit) -> HTML {
    let requests = all(visit)
    guard !requests.isEmpty else { return .nothing }
    // What another one answers happens to somebody whom whoever asked may not see, and comes by no stream.
    let waits = requests.contains { isOpen($0) && !isFor(visit, $0) }
    let isAnswered = requests.allSatisfy { !isOpen($0) }
    return Part.card(
      isAnswered ? visit.gettext("Answered") : visit.gettext("Waiting for an answer"),
      Part.list(requests.map { line($0, visit) })
        + (waits ? "<span data-waits hidden></span>" : .nothing))
  }

  /// What is said to whoever looks, or asked of them, wherever they are; nothing where only others are asked.
  static func news(_ visit: Visit) -> HTML {
    let news = all(visit).filter { !isOpen($0) || isFor(visit, $0) }
    return news.isEmpty ? .nothing : Part.card(nil, Part.list(news.map { line($0, visit) }))
  }

  private static func all(_ visit: Visit) -> [JSONValue] {
    visit.account["requests"]?.arrayContent ?? []
  }

  private static func isOpen(_ request: JSONValue) -> Bool { request["answer"] == nil }

  private static func isFor(_ visit: Visit, _ request: JSONValue) -> Bool {
    request["to"] == visit.account["id"]
  }

  private static func line(_ request: JSONValue, _ visit: Visit) -> HTML {
    let members: JSONValue = [
      "target": visit.account["id"] ?? .null, "request": request["id"] ?? .null,
    ]
    let asked = visit.age(of: request["asked"]?.stringContent)
    let (from, to): (Message.Values, Message.Values) = (
      ["name": request["fromName"]?.stringContent ?? "–"],
      ["name": request["toName"]?.stringContent ?? "–"]
    )
    if let answer = request["answer"] {
      let isAccepted = answer["isAccepted"]?.boolContent == true
      return Part.line(
        isAccepted ? Icon.check : Icon.person,
        "<strong>\(isAccepted ? visit.gettext("{name} said yes", to) : visit.gettext("{name} said no", to))</strong>",
        "\(isAccepted ? visit.gettext("You are linked.") : visit.gettext("You are not linked.")) \(visit.age(of: answer["time"]?.stringContent))",
        aside: Part.button(
          visit.gettext("Put away"), "account.withdraw-link", members, kind: "quiet"))
    }
    guard isFor(visit, request) else {
      return Part.line(
        Icon.clock, HTML(visit.gettext("You asked {name}", to)), asked,
        aside: Part.button(
          visit.gettext("Ask no longer"), "account.withdraw-link", members, kind: "quiet"))
    }
    let yes = Part.button(
      visit.gettext("Yes"), "account.answer-link", members.setting("isAccepted", to: true),
      isFirst: true)
    let no = Part.button(
      visit.gettext("No"), "account.answer-link", members.setting("isAccepted", to: false))
    return Part.line(
      Icon.person, HTML(visit.gettext("{name} asks to be linked with you", from)), asked,
      aside: yes + no)
  }
}
