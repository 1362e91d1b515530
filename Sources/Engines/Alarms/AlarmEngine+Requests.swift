import Care
import Moments

/// What people ask of the engine.
extension AlarmEngine {
  mutating func answer(
    _ command: Command, sent: Tick, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    guard case .alarm(let request) = command.request else { return nil }
    if let resident = request.resident { try house.requireResident(resident) }
    if case .photograph(let resident) = request {
      try house.requireConsent(.camera, of: resident)
    }
    var outcome = try answer(
      request, by: Asker(principal: command.principal, sent: sent), proof: command.pinProof,
      in: world)
    if case .raise(let resident, _, _, _) = request {
      outcome.reply = reach(in: world).told(of: resident, in: outcome.reply)
    }
    return outcome
  }

  /// Does what somebody asks, or throws and leaves everything as it was.
  mutating func answer(
    _ request: AlarmRequest, by asker: Asker, proof: Command.PINProof?, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    let wrong = try state.wrongTry(
      request, proof, sent: asker.sent, in: house, at: world.now)
    var copy = self
    if let wrong { copy.register.state.count(wrong) }
    do throws(CommandReply.Refusal) {
      let outcome = try copy.act(in: world) { engine, step throws(CommandReply.Refusal) in
        try engine.register.carryOut(request, by: asker, proof: proof, &step)
      }
      self = copy
      return outcome
    } catch { throw wrong.map { error.counting($0) } ?? error }
  }
}
