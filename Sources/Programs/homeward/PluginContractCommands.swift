/// `homeward plugin events` and `homeward plugin requests`: what this gateway tells plugins, and what they can ask for.
enum PluginContractCommands {
  static let all = [events, requests]

  private static let events: CommandSpecification = .init(
    path: ["plugin", "events"], summary: gettext("Every type of event that plugins can be told"),
    discussion: gettext(
      "A page in Markdown, in English: each member, how it looks, what it means, and the grant that shows it. With --json the same as JSON Schema."
    ),
    examples: [Example("homeward plugin events", gettext("What plugins/events.md says."))]
  ) { session in
    if session.wantsJSON {
      session.terminal.write(ContractPages.eventSchema())
    } else {
      session.terminal.write(ContractPages.events())
    }
  }

  private static let requests: CommandSpecification = .init(
    path: ["plugin", "requests"],
    summary: gettext("Every question and command that plugins can be granted"),
    discussion: gettext("A page in Markdown, in English: each with its members and its grants."),
    examples: [Example("homeward plugin requests", gettext("What plugins/requests.md says."))]
  ) { session in
    session.terminal.write(ContractPages.requests())
  }
}
