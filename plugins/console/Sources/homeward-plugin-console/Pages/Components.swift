import JSON

/// The parts that pages are put together from; `Design.md` of the console shows them.
enum Part {
  /// How something stands: a word in a shape and a colour of its own.
  enum State: String, Sendable {
    case safe, attention, alarm, unknown, plain
  }

  /// A state in a pill; what is not known is hatched, too.
  static func pill(_ words: String, _ state: State) -> HTML {
    "<span class=\"pill \(state.rawValue)\">\(words)</span>"
  }

  /// A card with a heading of its own.
  static func card(_ heading: String? = nil, id: String? = nil, _ content: HTML) -> HTML {
    let head: HTML = heading.map { "<h2>\($0)</h2>" } ?? .nothing
    return "<section class=\"card\"\(HTML.attribute("id", id))>\(head)\(content)</section>"
  }

  /// A line of a list: a picture, what it is about, and a second line.
  static func line(_ icon: HTML, _ first: HTML, _ second: HTML = .nothing, aside: HTML = .nothing)
    -> HTML
  {
    let below: HTML = second == .nothing ? .nothing : "<span class=\"soft\">\(second)</span>"
    return "<li class=\"line\">\(icon)<div><span>\(first)</span>\(below)</div>\(aside)</li>"
  }

  static func list(_ lines: [HTML]) -> HTML { "<ul class=\"lines\">\(lines)</ul>" }

  /// What an empty page says.
  static func empty(_ words: String, _ next: HTML = .nothing) -> HTML {
    "<p class=\"empty\">\(words)</p>\(next)"
  }

  /// A link that looks like what it does.
  static func link(_ words: String, to address: String, isFirst: Bool = false) -> HTML {
    "<a class=\"button\(isFirst ? " first" : "")\" href=\"\(address)\">\(words)</a>"
  }

  /// What a press of a button asks of the gateway, with the members of the request.
  ///
  /// - Parameters:
  ///   - then: where to go when it is done; the same page, anew, where nothing is said.
  ///   - undo: what takes it back, as the same request with other members.
  ///   - asks: what is asked before it is done; nil where nothing is.
  ///   - tells: what is told when the gateway took it; that it is saved, where nothing is said.
  ///   - id: for one that is there only at times: the focus finds those beside it by their number.
  static func button(
    _ words: String, _ action: String, _ members: JSONValue = .object([]), isFirst: Bool = false,
    kind: String = "", then: String? = nil, undo: (action: String, members: JSONValue)? = nil,
    asks: String? = nil, tells: String? = nil, id: String? = nil
  ) -> HTML {
    let undone: HTML =
      undo.map {
        " data-undo=\"\($0.action)\" data-undo-members=\"\($0.members.serialized)\""
      } ?? .nothing
    return """
      <button type="button"\(HTML.attribute("id", id)) class="button\(isFirst ? " first" : "")\(kind.isEmpty ? "" : " " + kind)" data-command="\(action)" data-members="\(members.serialized)"\(HTML.attribute("data-then", then))\(HTML.attribute("data-asks", asks))\(HTML.attribute("data-tells", tells))\(undone)>\(words)</button>
      """
  }

  /// A form that asks something of the gateway; its fields are members of the request, by their names.
  ///
  /// - Parameters:
  ///   - isAnswered: whether a script of the page shows the answer, and nothing else follows.
  ///   - asks: what is asked before it is done; nil where nothing is.
  static func form(
    _ action: String, _ members: JSONValue = .object([]), then: String? = nil, said: String? = nil,
    isAnswered: Bool = false, asks: String? = nil, _ fields: HTML
  ) -> HTML {
    """
    <form method="post" action="/" data-command="\(action)" data-members="\(members.serialized)"\(HTML.attribute("data-then", then))\(HTML.attribute("data-said", said))\(HTML.flag("data-code", isAnswered))\(HTML.attribute("data-asks", asks)) novalidate>
    <p class="fault" role="alert" hidden></p>
    \(fields)
    </form>
    """
  }

  /// The id of a field whose name stands only once on a page.
  private static func id(of name: String) -> String {
    "f-" + name.map { $0 == "." ? "-" : String($0) }.joined()
  }

  /// What helps with a field, and how the field says that it does.
  private static func help(_ hint: String?, with id: String) -> (words: HTML, mark: HTML) {
    guard let hint else { return (.nothing, .nothing) }
    return (
      "<span class=\"hint\" id=\"\(id)-hint\">\(hint)</span>",
      HTML.attribute("aria-describedby", "\(id)-hint")
    )
  }

  /// One field of a form.
  ///
  /// - Parameters:
  ///   - name: the member of the request; a dot for one inside of another.
  ///   - kind: the type of the input.
  ///   - reads: as what it is sent: `text`, `number`, `flag`, `item` of a list, `moment`, which is now where it is empty.
  ///   - id: made of the name, where the name stands only once on a page.
  static func field(
    _ label: String, _ name: String, _ value: String? = nil, kind: String = "text",
    hint: String? = nil, autocomplete: String? = nil, isRequired: Bool = true,
    reads: String = "text", id: String? = nil, more: HTML = .nothing
  ) -> HTML {
    let id = id ?? self.id(of: name)
    let help = help(hint, with: id)
    return """
      <p class="field"><label for="\(id)">\(label)</label>\(help.words)<input id="\(id)" name="\(name)" type="\(kind)"\(HTML.attribute("value", value))\(help.mark)\(HTML.attribute("autocomplete", autocomplete))\(HTML.flag("required", isRequired)) data-reads="\(reads)"\(more)></p>
      """
  }

  /// A field for sentences.
  ///
  /// - Parameter most: how many characters it takes.
  static func sentences(
    _ label: String, _ name: String, _ value: String = "", most: Int, hint: String? = nil
  ) -> HTML {
    let id = id(of: name)
    let help = help(hint, with: id)
    return """
      <p class="field"><label for="\(id)">\(label)</label>\(help.words)<textarea id="\(id)" name="\(name)" rows="3" maxlength="\(most)"\(help.mark) required>\(value)</textarea></p>
      """
  }

  /// A choice of one among few.
  static func choice(
    _ label: String, _ name: String, _ options: [(value: String, words: String)],
    chosen: String?, reads: String? = nil
  ) -> HTML {
    let items = options.map { option -> HTML in
      "<option value=\"\(option.value)\"\(HTML.flag("selected", option.value == chosen))>\(option.words)</option>"
    }
    let id = id(of: name)
    return """
      <p class="field"><label for="\(id)">\(label)</label><select id="\(id)" name="\(name)"\(HTML.attribute("data-reads", reads))>\(items)</select></p>
      """
  }

  /// Where addresses that were found are to choose from.
  static func found(_ visit: Visit) -> HTML {
    "<ul class=\"entries\" id=\"found\" aria-live=\"polite\" data-none=\"\(visit.gettext("Nothing was found. Try the street and the number, or the name of the town."))\"></ul>"
  }

  static func submit(_ words: String) -> HTML {
    "<p class=\"actions\"><button class=\"button first\">\(words)</button></p>"
  }

  /// One of several views of a page.
  static func choiceLink(_ words: String, to address: String, isHere: Bool) -> HTML {
    "<a href=\"\(address)\"\(HTML.attribute("aria-current", isHere ? "true" : nil))>\(words)</a>"
  }

  /// The first heading, and of whom the page is about.
  static func heading(_ title: String, _ visit: Visit, _ path: String) -> HTML {
    "<h1>\(title)</h1>\(people(visit, path: path))"
  }

  /// Chooses of whom a page is about, where there are several.
  static func people(_ visit: Visit, path: String) -> HTML {
    // Whoever treats somebody is to see of whom each page is.
    guard visit.residents.count > (visit.isClinician ? 0 : 1) else { return .nothing }
    let chosen = visit.chosenResident?["id"]?.stringContent
    let links = visit.residents.map { resident -> HTML in
      let id = resident["id"]?.stringContent
      return """
        <a href="\(Visit.address(path, ["resident": id]))"\(HTML.attribute("aria-current", id == chosen ? "true" : nil))>\(resident["name"]?.stringContent ?? "")</a>
        """
    }
    return
      "<nav class=\"people\" aria-label=\"\(visit.gettext("Whom it is about"))\">\(links)</nav>"
  }
}
