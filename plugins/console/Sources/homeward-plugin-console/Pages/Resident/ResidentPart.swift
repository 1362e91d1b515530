import JSON
import Texts

/// The parts that the pages of somebody who is looked after are put together from: few, large, each with its word.
enum ResidentPart {
  /// A page that opens.
  static func link(_ icon: HTML, _ words: String, to address: String, kind: String = "") -> HTML {
    "<a class=\"\(key(kind))\" href=\"\(address)\">\(icon)<span>\(words)</span></a>"
  }

  /// What a press asks of the gateway.
  static func button(
    _ icon: HTML, _ words: String, _ action: String, _ members: JSONValue, kind: String = "",
    then: String? = nil, tells: String? = nil, undo: (action: String, members: JSONValue)? = nil
  ) -> HTML {
    let undone: HTML =
      undo.map {
        " data-undo=\"\($0.action)\" data-undo-members=\"\($0.members.serialized)\""
      } ?? .nothing
    return """
      <button type="button" class="\(key(kind))" data-command="\(action)" data-members="\(members.serialized)"\(HTML.attribute("data-then", then))\(HTML.attribute("data-tells", tells))\(undone)>\(icon)<span>\(words)</span></button>
      """
  }

  /// What a script of the page does.
  static func deed(
    _ icon: HTML, _ words: String, _ name: StaticString, _ value: String = "", kind: String = "",
    isHidden: Bool = false
  ) -> HTML {
    """
    <button type="button" class="\(key(kind))"\(HTML.attribute(name, value))\(HTML.flag("hidden", isHidden))>\(icon)<span>\(words)</span></button>
    """
  }

  private static func key(_ kind: String) -> String { kind.isEmpty ? "key" : "key \(kind)" }

  /// Several of them, in columns where there is room.
  static func keys(_ keys: HTML..., kind: String = "") -> HTML {
    "<div class=\"keys\(kind.isEmpty ? "" : " " + kind)\">\(keys)</div>"
  }

  /// What is read aloud, and what is said once by itself when it appears.
  ///
  /// - Parameters:
  ///   - once: by which it is known again; nil for what is only read when somebody asks for it.
  ///   - isTheirs: whether the words are the family's.
  static func said(
    _ tag: StaticString, _ words: String, kind: String? = nil, once: String? = nil,
    isTheirs: Bool = false
  ) -> HTML {
    HTML(stringLiteral: "<\(tag)")
      + "\(HTML.attribute("class", kind)) data-said\(HTML.attribute("data-once", once))\(HTML.flag("data-theirs", isTheirs))>\(words)"
      + HTML(stringLiteral: "</\(tag)>")
  }
}

/// What a screen of somebody who is looked after knows of them.
struct ResidentView {
  let visit: Visit

  var resident: JSONValue { visit.residents.first ?? .null }
  var id: JSONValue { resident["id"] ?? .null }
  var home: JSONValue { visit.answers["home.get"] }
  var words: ResidentWords { ResidentWords(visit: visit, resident: resident) }

  /// Their own call for help; nil while there is none.
  var help: JSONValue? {
    visit.alarms.first { $0["kind"]?.stringContent == "sos" && $0["resident"] == id }
  }

  /// What their items of the routine are now, the next first.
  var items: [JSONValue] {
    visit.answers.list("routine.list").filter { $0["resident"] == id }
      .sorted { ($0["nextDue"]?.stringContent ?? "~") < ($1["nextDue"]?.stringContent ?? "~") }
  }

  /// What is due and not answered, the first first.
  var due: JSONValue? {
    items.filter {
      $0["isDue"]?.boolContent == true
        && ["pending", "prompted"].contains($0["occurrence"]?.stringContent ?? "pending")
    }.min { ($0["due"]?.stringContent ?? "") < ($1["due"]?.stringContent ?? "") }
  }

  /// Who is shown a way; nil while nobody is.
  var journey: JSONValue? {
    visit.answers.list("guidance.list").first { $0["resident"] == id }
  }

  /// What every such page asks.
  static func questions(_ visit: Visit) -> [Question] {
    guard let id = visit.residents.first?["id"], !visit.answers.has("home.get") else { return [] }
    return [
      Question("home.get", ["resident": id]), Question("routine.list", ["resident": id]),
      Question("guidance.list", ["resident": id]),
    ]
  }
}

extension Page {
  /// A page for somebody who is looked after: what its address says, unless something matters more now.
  ///
  /// - Parameter yields: whether it gives way to a reminder, and to a call; on the way both wait.
  static func resident(
    _ path: String, yields: Bool = true,
    asks: @escaping @Sendable (ResidentView) -> [Question] = { _ in [] },
    content: @escaping @Sendable (ResidentView) -> PageContent
  ) -> Page {
    Page(
      path: path,
      questions: { visit in ResidentView.questions(visit) + asks(ResidentView(visit: visit)) },
      isThere: { $0.isResident && !$0.residents.isEmpty },
      content: { visit in
        let view = ResidentView(visit: visit)
        var shown = ResidentNow.content(view, yields: yields, path: path) ?? content(view)
        shown.frame = .resident
        shown.scripts = ["resident.js"] + shown.scripts
        return shown
      })
  }
}
