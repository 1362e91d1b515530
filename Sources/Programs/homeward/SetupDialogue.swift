/// Asks what options do not say.
struct SetupDialogue {
  let session: Session

  /// Whether questions may be asked.
  var isAsking: Bool {
    session.terminal.isInteractive && !session.arguments.has("yes") && !session.wantsJSON
  }

  /// Tells how it goes; on standard error, for the result goes to standard output.
  func say(_ text: String) { session.terminal.writeError(text) }

  /// The option's value, or the answer; asked again until there is one, unless something is offered.
  func required(
    _ option: String, _ question: String, default offered: String? = nil
  ) throws(CommandFailure) -> String {
    if let text = session.arguments.option(option), !text.isEmpty { return text }
    guard isAsking else {
      throw .usage(gettext("say --{option}.", ["option": option]), SetupCommand.specification)
    }
    let asked =
      offered.map {
        gettext("{question} [{standard}] ", ["question": question, "standard": $0])
      } ?? gettext("{question} ", ["question": question])
    while let answer = session.terminal.ask(asked) {
      let typed = NumberText.trimmed(answer)
      let text = typed.isEmpty ? offered ?? "" : typed
      if !text.isEmpty { return text }
    }
    throw CommandFailure(.failed, gettext("set-up was left; nothing was changed."))
  }

  /// The option's value, or the answer, or the default; asked again until `fault` finds nothing wrong.
  func checked(
    _ option: String, _ question: String, default standard: String, fault: (String) -> String?
  ) throws(CommandFailure) -> String {
    if let text = session.arguments.option(option) {
      if let fault = fault(text) { throw .usage(fault, SetupCommand.specification) }
      return text
    }
    guard isAsking else { return standard }
    while let answer = session.terminal.ask(
      gettext("{question} [{standard}] ", ["question": question, "standard": standard]))
    {
      let trimmed = NumberText.trimmed(answer)
      let text = trimmed.isEmpty ? standard : trimmed
      guard let fault = fault(text) else { return text }
      say(fault)
    }
    throw CommandFailure(.failed, gettext("set-up was left; nothing was changed."))
  }

  func confirms(_ question: String) -> Bool {
    guard isAsking,
      let answer = session.terminal.ask(gettext("{question} [y/N] ", ["question": question]))
    else { return false }
    return ["y", "yes"].contains(NumberText.trimmed(answer).lowercased())
  }

  /// An answer that is not shown while it is typed.
  func secret(_ question: String) -> String? {
    guard isAsking else { return nil }
    return session.terminal.askSecret("\(question) ").flatMap { $0.isEmpty ? nil : $0 }
  }
}
