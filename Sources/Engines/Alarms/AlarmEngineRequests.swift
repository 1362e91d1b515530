import Care
import JSON
import Moments
import Texts

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
    if let wrong { copy.state.count(wrong) }
    do throws(CommandReply.Refusal) {
      let outcome = try copy.act(in: world) { engine, step throws(CommandReply.Refusal) in
        try engine.carryOut(request, by: asker, proof: proof, &step)
      }
      self = copy
      return outcome
    } catch { throw wrong.map { error.counting($0) } ?? error }
  }

  private mutating func carryOut(
    _ request: AlarmRequest, by asker: Asker, proof: Command.PINProof?, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch request {
    case .raise(let id, let kind, let trigger, let text):
      try raise(id, kind, trigger, text, &step)
    case .cancel(let id, _, let message): try cancel(id, message, proof, by: asker, &step)
    case .acknowledge(let alarm, let by): try acknowledge(alarm, by, asker, &step)
    case .resolve(let alarm, let by, let reason): try resolve(alarm, by, reason, asker, &step)
    case .silence:
      let tags = state.silence(since: asker.sent, &step)
      step.outcome.reply = ["silenced": .array(tags.map { .string($0) })]
    case .photograph(let id): try photograph(id, &step)
    case .test(let id): try test(id, &step)
    case .setPIN(let id, let kind, _): try setPIN(id, kind, proof, &step)
    case .prepareEmergency(let id, let profile, let registered, let text):
      try prepareEmergency(
        id, EmergencySetup.Terms(profile: profile, registered: registered, text: text), &step)
    case .confirmEmergency(let id, let code): try confirmEmergency(id, code, &step)
    case .disableEmergency(let id): disableEmergency(id, &step)
    case .contactEmergency(let id, let mode): try contactEmergency(id, mode, &step)
    }
  }

  private mutating func photograph(
    _ id: ResidentID, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let index = state.openSOS(id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A photograph is taken only while an SOS of {name} is open.", ["name": house.name(of: id)]
        ))
    }
    step.act(.photograph(alarm: state.alarms[index].id, resident: id))
    step.outcome.reply = ["alarm": .string(state.alarms[index].id.rawValue), "requested": true]
  }
}
