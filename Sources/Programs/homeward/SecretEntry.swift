import Accounts
import Glibc

/// Asks for PINs and passwords: never an argument, which other users of the machine could read.
struct SecretEntry: Sendable {
  /// What is asked for, once.
  let question: String
  /// What is asked for where a new one is set.
  let newQuestion: String
  /// What is said where nothing came.
  let nothing: String
  /// Why something is none; nil where it may be one.
  let fault: @Sendable (String) -> String?

  /// A PIN.
  static let pin = SecretEntry(
    question: "PIN: ", newQuestion: gettext("New PIN: "),
    nothing: gettext("no PIN came; type it, or give it on standard input.")
  ) { typed in
    let lengths = 4...12
    let isOne =
      lengths.contains(typed.utf8.count) && typed.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isOne
      ? nil
      : gettext(
        "a PIN has {shortest} to {longest} digits and nothing else.",
        ["shortest": lengths.lowerBound, "longest": lengths.upperBound])
  }

  /// The password of an account; whether it is a good one says the gateway.
  static let password = SecretEntry(
    question: gettext("Password: "), newQuestion: gettext("New password: "),
    nothing: gettext("no password came; type it, or give it on standard input.")
  ) { typed in
    let lengths = AccountRules.passwordLengths
    return lengths.contains(typed.unicodeScalars.count)
      ? nil
      : gettext(
        "a password has {shortest} to {longest} characters.",
        ["shortest": lengths.lowerBound, "longest": lengths.upperBound])
  }

  /// One that is typed once.
  func once(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    try checked(session.terminal.askSecret(question), command)
  }

  /// A new one: typed twice at a terminal, else one line of standard input.
  func twice(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    let secret = try checked(session.terminal.askSecret(newQuestion), command)
    guard session.terminal.isInteractive else { return secret }
    guard session.terminal.askSecret(gettext("The same again: ")) == secret else {
      throw CommandFailure(.failed, gettext("the two are not the same; nothing was changed."))
    }
    return secret
  }

  private func checked(
    _ typed: String?, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    guard let typed, !typed.isEmpty else { throw .usage(nothing, command) }
    if let fault = fault(typed) { throw .usage(fault, command) }
    return typed
  }
}

extension Terminal {
  /// Asks and waits for a line that is not shown while it is typed; nil at the end of the input.
  func askSecret(_ question: String) -> String? {
    var before = termios()
    guard tcgetattr(0, &before) == 0 else { return ask(isInteractive ? question : "") }
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(0, TCSAFLUSH, &quiet)
    defer {
      tcsetattr(0, TCSAFLUSH, &before)
      writeError("")
    }
    return ask(question)
  }
}
