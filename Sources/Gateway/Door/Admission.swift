public import Care
public import Moments
import Texts

/// What becomes of a command that ``Policy`` allows: whether it has standing, was done before, and still counts.
///
/// They are asked in this order, so that nobody is told what is known of an id who may not ask for it.
public enum Admission: Hashable, Sendable {
  /// It came before, and was answered so.
  case answered(CommandReply)
  /// It may act. `sent` is when it was made, for one that means whatever alarm is open; now for all others.
  case admitted(sent: Tick)

  /// Looks at a command at a moment, changing nothing.
  ///
  /// - Throws: why it is not carried out. That is not remembered: the same command may come again.
  public static func of(
    _ command: Command, after ledger: CommandLedger, in house: House, at now: Moment
  ) throws(CommandReply.Refusal) -> Admission {
    try CommandExpiry.checkForm(of: command)
    try requireStanding(of: command, in: house)
    switch ledger.verdict(on: command) {
    case .new: return .admitted(sent: try CommandExpiry.admit(command, at: now))
    case .answered(let reply): return .answered(reply)
    case .taken:
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "The id {id} was used for something else. Send this with an id of its own.",
          ["id": command.id]))
    }
  }

  /// Refuses what only a guardian may do, whatever is open, to whoever is none and speaks for none.
  private static func requireStanding(
    of command: Command, in house: House
  ) throws(CommandReply.Refusal) {
    guard CommandRule.of(command.request.action)?.takesGuardian == true,
      case .alarm(let request) = command.request
    else { return }
    // What the gateway itself resolves is over by itself; it takes charge of nothing.
    let by = request.spokenFor
    if case .resolve = request, command.principal.isItsOwnWord(by: by) { return }
    _ = try house.guardians(speakingAs: command.principal, by: by)
  }
}
