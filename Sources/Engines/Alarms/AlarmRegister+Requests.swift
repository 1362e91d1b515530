import Care
import JSON
import Moments
import Texts

/// What people ask of alarms.
extension AlarmRegister {
  /// Does what somebody asks.
  ///
  /// - Throws: why not; what was done until then has to be forgotten.
  mutating func carryOut(
    _ request: AlarmRequest, by asker: Asker, proof: Command.PINProof?, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch request {
    case .raise(let id, let kind, let trigger, let text):
      try raise(id, kind, trigger, text, &step)
    case .cancel(let id, _, let message):
      try state.cancel(id, message, proof, by: asker, carriers: carriers, &step)
    case .acknowledge(let alarm, let by):
      try state.acknowledge(alarm, by, asker, carriers: carriers, &step)
    case .resolve(let alarm, let by, let reason):
      try state.resolve(alarm, by, reason, asker, carriers: carriers, &step)
    case .silence:
      let tags = state.silence(since: asker.sent, &step)
      step.outcome.reply = ["silenced": .array(tags.map { .string($0) })]
    case .photograph(let id): try state.photograph(id, &step)
    case .test(let id): try test(id, &step)
    case .setPIN(let id, let kind, _): try state.setPIN(id, kind, proof, &step)
    case .prepareEmergency(let id, let profile, let registered, let text):
      try prepareEmergency(
        id, EmergencySetup.Terms(profile: profile, registered: registered, text: text), &step)
    case .confirmEmergency(let id, let code): try state.confirmEmergency(id, code, &step)
    case .disableEmergency(let id): state.disableEmergency(id, &step)
    case .contactEmergency(let id, let mode): try contactEmergency(id, mode, &step)
    }
  }

  // MARK: Raising

  private mutating func raise(
    _ id: ResidentID, _ kind: AlarmKind, _ trigger: AlarmTrigger, _ text: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let finding = try Finding(asked: kind, of: id, by: trigger, saying: text, in: step.house)
    if kind == .test { return try test(id, &step) }
    let raises = state.joined(kind, id).map { state.alarms[$0].raises }
    let alarm = state.alarms[raise(finding, &step)]
    step.outcome.reply = [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "stage": .string(alarm.stage.rawValue), "raises": .integer(alarm.raises),
      "isNew": .bool(raises == nil),
    ]
  }

  private mutating func test(
    _ id: ResidentID, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let house = step.house
    guard house.hasWay(toldOf: id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has no guardian to test with; add one: homeward guardians add.",
          ["name": house.name(of: id)]))
    }
    // No date is known while no clock is trusted.
    if let local = house.localTime(of: id, in: step.world) {
      state.care[id, default: CareState()].lastTestDay = local.daysSinceEpoch
    }
    let index = raise(Finding(testOf: id, by: .commandLine, in: house), &step)
    let alarm = state.alarms[index]
    step.outcome.reply = ["alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag)]
  }

  // MARK: The emergency services

  private mutating func prepareEmergency(
    _ id: ResidentID, _ terms: EmergencySetup.Terms, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let service = try EmergencyService(agreeing: terms, of: id, step)
    let code = newCode()
    var setup = state.care[id]?.emergency ?? EmergencySetup()
    setup.offer(service.terms, confirmedWith: code, at: step.now)
    state.care[id, default: CareState()].emergency = setup
    step.outcome.reply = [
      "code": .string(code), "validSeconds": .integer(EmergencySetup.codeSeconds),
      "meaning": .string(service.meaning),
    ]
  }

  /// Has the emergency services contacted, for an SOS that guardians are told of at the same time.
  ///
  /// - Throws: a refusal where that is not set up, or is under way.
  private mutating func contactEmergency(
    _ id: ResidentID, _ mode: EmergencyContact.Mode, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let service = try EmergencyService(state.care[id]?.emergency, of: id, in: step.house)
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
      id: newIdentifier(at: step.now), mode: mode, number: number,
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
      ?? raise(Finding(emergencyOf: id, mode, in: step.house), &step)
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
