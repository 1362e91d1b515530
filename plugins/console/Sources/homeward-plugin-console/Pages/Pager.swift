import JSON

/// The way through a list that is longer than a page.
enum Pager {
  private static let field = "cursor"

  /// The parameters of a question about a list, from where the address says on.
  static func params(_ params: JSONValue, _ visit: Visit) -> JSONValue {
    visit.fields[field].map { params.setting(field, to: .string($0)) } ?? params
  }

  /// Links to what is older and back to the newest, below a list; nothing where all of it is there.
  ///
  /// - Parameter fields: what the address of the page has besides.
  static func links(
    _ question: String, _ visit: Visit, _ path: String,
    _ fields: KeyValuePairs<String, String?> = [:]
  ) -> HTML {
    let address = Visit.address(path, fields)
    var links: [HTML] = []
    if visit.fields[field] != nil {
      links.append(Part.link(visit.gettext("To the newest"), to: address))
    }
    if let next = visit.answers.cursors[question] {
      let mark = address.contains("?") ? "&" : "?"
      links.append(
        Part.link(visit.gettext("Older"), to: "\(address)\(mark)\(field)=\(next)"))
    }
    guard !links.isEmpty else { return .nothing }
    return """
      \(refusal(question, visit))<nav class="actions" aria-label="\(visit.gettext("Other pages of this list"))">\(links)</nav>
      """
  }

  /// Why there is nothing from where the address says on, such as after a week.
  private static func refusal(_ question: String, _ visit: Visit) -> HTML {
    guard visit.answers.refusal(question) != nil else { return .nothing }
    return """
      <p class="soft">\(visit.gettext("What you looked for is too long ago to be found from here. Begin with the newest."))</p>
      """
  }
}
