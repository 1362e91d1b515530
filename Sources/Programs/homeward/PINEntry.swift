import Glibc

/// Asks for PINs: never an argument, which other users of the machine could read.
enum PINEntry {
  private static let lengths = 4...12

  /// A PIN typed once.
  static func once(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    try checked(session.terminal.askSecret("PIN: "), command)
  }

  /// A new PIN: typed twice at a terminal, else one line of standard input.
  static func twice(
    _ session: Session, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    let pin = try checked(session.terminal.askSecret(gettext("New PIN: ")), command)
    guard session.terminal.isInteractive else { return pin }
    guard session.terminal.askSecret(gettext("The same again: ")) == pin else {
      throw CommandFailure(.failed, gettext("the two are not the same; nothing was changed."))
    }
    return pin
  }

  private static func checked(
    _ typed: String?, _ command: CommandSpecification
  ) throws(CommandFailure) -> String {
    guard let typed, !typed.isEmpty else {
      throw .usage(gettext("no PIN came; type it, or give it on standard input."), command)
    }
    guard lengths.contains(typed.utf8.count), typed.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw .usage(
        gettext(
          "a PIN has {shortest} to {longest} digits and nothing else.",
          ["shortest": lengths.lowerBound, "longest": lengths.upperBound]), command
      )
    }
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
