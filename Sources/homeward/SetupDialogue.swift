import Glibc

/// Asks what options do not say.
struct SetupDialogue {
  let session: Session

  /// Whether questions may be asked.
  var isAsking: Bool {
    session.terminal.isInteractive && !session.arguments.has("yes") && !session.wantsJSON
  }

  /// Tells how it goes; on standard error, for the result goes to standard output.
  func say(_ text: String) { session.terminal.writeError(text) }

  func required(_ option: String, _ question: String) throws(CommandFailure) -> String {
    if let text = session.arguments.option(option), !text.isEmpty { return text }
    guard isAsking else { throw .usage("say --\(option).", SetupCommand.specification) }
    while let answer = session.terminal.ask("\(question) ") {
      let text = NumberText.trimmed(answer)
      if !text.isEmpty { return text }
    }
    throw CommandFailure(.failed, "set-up was left; nothing was changed.")
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
    while let answer = session.terminal.ask("\(question) [\(standard)] ") {
      let trimmed = NumberText.trimmed(answer)
      let text = trimmed.isEmpty ? standard : trimmed
      guard let fault = fault(text) else { return text }
      say(fault)
    }
    throw CommandFailure(.failed, "set-up was left; nothing was changed.")
  }

  func confirms(_ question: String) -> Bool {
    guard isAsking, let answer = session.terminal.ask("\(question) [y/N] ") else { return false }
    return ["y", "yes"].contains(NumberText.trimmed(answer).lowercased())
  }

  /// An answer that is not shown while it is typed.
  func secret(_ question: String) -> String? {
    guard isAsking else { return nil }
    var old = termios()
    let isTerminal = tcgetattr(0, &old) == 0
    var quiet = old
    quiet.c_lflag &= ~tcflag_t(ECHO)
    if isTerminal { tcsetattr(0, TCSAFLUSH, &quiet) }
    defer {
      if isTerminal { tcsetattr(0, TCSAFLUSH, &old) }
      say("")
    }
    return session.terminal.ask("\(question) ").flatMap { $0.isEmpty ? nil : $0 }
  }
}
