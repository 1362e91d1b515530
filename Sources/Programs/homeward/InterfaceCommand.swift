import Door

/// `homeward openapi`.
enum InterfaceCommand {
  static let specification: CommandSpecification = .init(
    path: ["openapi"], summary: gettext("What programs can ask the pages' server for"),
    discussion: gettext(
      "An OpenAPI 3.1 document, from which tools make clients and tests. The plugin console serves the same under /api/v1/openapi.json."
    ),
    examples: [
      Example("homeward openapi > homeward.json", gettext("For a generator of clients."))
    ]
  ) { session in
    session.terminal.write(InterfaceDocument.made())
  }
}
