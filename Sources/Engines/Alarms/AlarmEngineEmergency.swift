import Care
import JSON
import Moments
import Texts

/// The emergency services: off until two steps have set them up, never from a test, never without telling a guardian.
extension AlarmEngine {
  // MARK: Setting up

  mutating func prepareEmergency(
    _ id: ResidentID, _ terms: EmergencySetup.Terms, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let service = try EmergencyService(agreeing: terms, of: id, step)
    let code = codes.code()
    var setup = state.care[id]?.emergency ?? EmergencySetup()
    setup.offer(service.terms, confirmedWith: code, at: step.now)
    state.care[id, default: CareState()].emergency = setup
    step.outcome.reply = [
      "code": .string(code), "validSeconds": .integer(EmergencySetup.codeSeconds),
      "meaning": .string(service.meaning),
    ]
  }

  mutating func confirmEmergency(
    _ id: ResidentID, _ code: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var setup = state.care[id]?.emergency ?? EmergencySetup()
    let terms = try setup.confirm(code, at: step.now)
    state.care[id]?.emergency = setup
    step.outcome.reply = ["isEnabled": true, "profile": .string(terms.profile)]
  }

  mutating func disableEmergency(_ id: ResidentID, _ step: inout Step) {
    state.care[id]?.emergency = nil
    step.outcome.reply = ["isEnabled": false]
  }

  // MARK: Contact

  mutating func contactEmergency(
    _ id: ResidentID, _ mode: EmergencyContact.Mode, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let service = try EmergencyService(state.care[id]?.emergency, of: id, in: house)
    guard state.openAlarm(.test, id) == nil || state.openSOS(id) != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A test is running, and a test never contacts the emergency services. Raise an SOS first."
        ))
    }
    let number = try service.number(mode)
    let index = sosInDispatch(id, mode, &step)
    if let call = state.alarms[index].contact, call.isUnderWay(at: step.now) {
      throw CommandReply.Refusal(
        .notNow, Message("The emergency services are being contacted; try again in a minute."))
    }
    let call = EmergencyCall(
      id: identifiers.next(at: step.now.utc), mode: mode, number: number,
      asked: carriers.askedInEmergency, at: step.now)
    let contact = service.contact(call, at: state.care[id]?.position, step.now)
    state.alarms[index].begin(call, saying: contact, &step)
    step.outcome.reply = [
      "contact": .string(call.id), "alarm": .string(state.alarms[index].id.rawValue),
      "number": .string(number),
    ]
  }

  /// The resident's SOS, past its pre-alarm, with nobody in charge: whoever contacts 112 wants everybody told.
  private mutating func sosInDispatch(
    _ id: ResidentID, _ mode: EmergencyContact.Mode, _ step: inout Step
  ) -> Int {
    // Of one that must look over nothing may begin anew in the house.
    let index =
      state.openSOS(id) ?? state.ownForcedSOS(id)
      ?? raise(
        Finding(emergencyOf: id, mode, in: house), &step)
    switch state.alarms[index].stage {
    case .prealarm: dispatch(index, &step)
    case .acknowledged:
      // Those who come learn of it by the next message; nobody is relieved of being in charge.
      state.alarms[index].endCharge()
      state.alarms[index].tierSince = Stamp(step.now)
    case .dispatched, .resolved, .cancelled: break
    }
    return index
  }
}
