import Care
import Door
import Moments
import Texts

/// How a command comes in, and what of it is remembered.
extension GatewayCore {
  mutating func handle(_ command: Command, in step: inout Step) {
    do {
      switch try Admission.of(command, after: ledger, in: world.house, at: world.now) {
      case .answered(let reply): step.reply = reply
      case .admitted(let sent): carryOut(command, sent: sent, in: &step)
      }
    } catch {
      // Not kept: it is refused for what it is or when it came, again each time.
      answer(command, .refused(error), in: &step)
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
    step.changes += ledger.record(reply, to: command, isTold: isTold, at: world.now)
    answer(command, reply, in: &step)
  }

  private func answer(
    _ command: Command, _ reply: CommandReply, in step: inout Step
  ) {
    step.reply = reply
    step.changes.append(.addAudit(audit(of: command, reply)))
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

  /// Who asked for something, from where, and for whom where they said so: `local:ole for Anna`, `plugin:console, account
  /// anna, from 192.0.2.7`.
  private func who(asked command: Command) -> String {
    let principal =
      command.principal.description + (command.account.map { ", account \($0)" } ?? "")
      + (command.address.map { ", from \($0)" } ?? "")
    guard case .alarm(let request) = command.request, command.principal.channel == .local,
      let by = request.spokenFor, !by.isEmpty
    else { return principal }
    return "\(principal) for \(world.house.nameOfGuardian(knownAs: String(by.prefix(200))))"
  }
}
