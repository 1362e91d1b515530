import Alarms
import Care
import Door
import Moments
import Texts

/// How a command comes in: whether its principal may ask for it, whether it was done before, whether it still counts, and
/// what of it is remembered.
extension GatewayCore {
  mutating func handle(_ command: Command, in step: inout Step) {
    do {
      try authorise(command)
      if let reply = try earlierReply(to: command) {
        step.reply = reply
        return
      }
      let sent = try CommandExpiry.admit(command, at: world.now)
      carryOut(command, sent: sent, in: &step)
    } catch {
      // Not kept: it is refused for what it is or when it came, again each time.
      answer(command, .refused(error), in: &step)
    }
  }

  /// Refuses what its principal may not ask for, before anything that is known of its id is told.
  private func authorise(_ command: Command) throws(CommandReply.Refusal) {
    try CommandExpiry.checkForm(of: command)
    if case .alarm(let request) = command.request {
      try engines[AlarmEngine.self].requireStanding(for: request, command.principal)
    }
  }

  /// The answer that the command got when it came before; nil for one that is new.
  private func earlierReply(
    to command: Command
  ) throws(CommandReply.Refusal) -> CommandReply? {
    switch ledger.verdict(on: command) {
    case .new: return nil
    case .answered(let reply): return reply
    case .taken:
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "The id {id} was used for something else. Send this with an id of its own.",
          ["id": command.id]))
    }
  }

  private mutating func carryOut(
    _ command: Command, sent: Tick, in step: inout Step
  ) {
    var attempt = self
    var attemptStep = step
    let reply: CommandReply
    var isTold = false
    do {
      reply = .done(try attempt.perform(command, sent: sent, in: &attemptStep))
      self = attempt
      step = attemptStep
    } catch {
      isTold = !error.events.isEmpty
      tell(error, in: &step)
      reply = .refused(CommandReply.Refusal(error.code, error.message))
    }
    // What was told of a refusal is not told again when the command is repeated.
    if !Self.mayPass(reply) || isTold {
      step.changes += ledger.record(reply, to: command, at: world.now)
    }
    answer(command, reply, in: &step)
  }

  private func answer(
    _ command: Command, _ reply: CommandReply, in step: inout Step
  ) {
    step.reply = reply
    step.changes.append(.addAudit(audit(of: command, reply)))
  }

  /// Whether the same command may be done another time. What was counted, as a wrong PIN, is not counted again.
  private static func mayPass(_ reply: CommandReply) -> Bool {
    guard case .refused(let refusal) = reply else { return false }
    switch refusal.code {
    case .notNow, .conflict, .unknownTarget, .expired: return true
    case .invalid, .forbidden: return false
    }
  }

  private func audit(of command: Command, _ reply: CommandReply) -> AuditEntry {
    let outcome =
      switch reply {
      case .done: "done"
      case .refused(let refusal): refusal.code.rawValue
      }
    return AuditEntry(
      time: world.now.utc, principal: who(asked: command), command: command.id.rawValue,
      action: command.request.action, target: command.request.target, outcome: outcome)
  }

  /// Who asked for something, and for whom where they said so: `local:ole for Anna`.
  private func who(asked command: Command) -> String {
    let principal = command.principal.description
    guard case .alarm(let request) = command.request, command.principal.channel == .local,
      let by = request.spokenFor, !by.isEmpty
    else { return principal }
    return "\(principal) for \(world.house.nameOfGuardian(knownAs: String(by.prefix(200))))"
  }
}
