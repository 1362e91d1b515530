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
    let wrong = try wrongTry(request, proof, sent: asker.sent, at: world.now)
    var copy = self
    if let wrong { copy.count(wrong) }
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
    case .silence: silence(asker, &step)
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

  /// Stops what sounds of alarms that were dispatched; a pre-alarm goes on, and nothing is acknowledged.
  private mutating func silence(_ asker: Asker, _ step: inout Step) {
    var tags: [JSONValue] = []
    for index in state.alarms.indices
    where state.alarms[index].isSounding && state.alarms[index].callsSince(asker.sent) {
      state.alarms[index].silence(&step)
      tags.append(.string(state.alarms[index].tag))
    }
    step.outcome.reply = ["silenced": .array(tags)]
  }

  // MARK: Wrong tries

  /// What was wrong about a request that is done all the same: the wrong PIN that is once too often counts as duress, and
  /// looks like success.
  ///
  /// - Throws: that a PIN or code was wrong, and how many tries are left; with it the signal that counts the try.
  private func wrongTry(
    _ request: AlarmRequest, _ proof: Command.PINProof?, sent: Tick, at now: Moment
  ) throws(CommandReply.Refusal) -> Signal.WrongTry? {
    if case .confirmEmergency(let id, let code) = request {
      try state.care[id]?.emergency?.refuseWrongCode(code, of: id, at: now)
      return nil
    }
    guard case .cancel(let id, _, _) = request, proof.verdict == .wrong,
      let index = state.openSOS(id, sent) ?? state.somebodysSOS(sent)
    else { return nil }
    let wrong = Signal.WrongTry.pin(state.alarms[index].id)
    let left = house.alarmSettings(of: id).wrongPINLimit - state.alarms[index].wrongPINs - 1
    guard left > 0 else { return wrong }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "That PIN is not right. {n} try is left.",
        plural: "That PIN is not right. {n} tries are left.", Int(left))
    ).counting(wrong)
  }

  mutating func count(_ wrong: Signal.WrongTry) {
    switch wrong {
    case .pin(let alarm):
      if let index = state.place(of: alarm) { state.alarms[index].wrongPINs += 1 }
    case .code(let resident): state.care[resident]?.emergency?.countWrongCode()
    case .password, .linkCode, .browser: break
    }
  }
}

extension CommandReply.Refusal {
  /// The refusal, with the try that counts although it was refused.
  func counting(_ wrong: Signal.WrongTry) -> CommandReply.Refusal {
    var refusal = self
    refusal.signals.append(.wrongTry(wrong))
    return refusal
  }
}
