import Bytes
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
    guard let profile = EmergencyProfile.of(terms.profile) else {
      let countries = EmergencyProfile.all.map(\.country).sorted().joined(separator: ", ")
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "No emergency profile is known for \"{profile}\". Known: {countries}.",
          ["profile": terms.profile.prefix(20), "countries": countries]))
    }
    guard (1...160).contains(terms.text.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("Say who it is about and what to know, in 1 through 160 characters."))
    }
    if let date = terms.registered { try checkRegistration(date, of: id, step.world) }
    guard house.hasWay(toldOf: id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("Add a guardian first: the emergency services are never contacted alone."))
    }
    let agreed = EmergencySetup.Terms(
      profile: profile.country, registered: terms.registered, text: terms.text)
    if agreed.textNumber(profile) == nil { try house.requireConsent(.calls, of: id) }
    let code = codes.code()
    var setup = state.care[id]?.emergency ?? EmergencySetup()
    setup.offer(agreed, confirmedWith: code, at: step.now)
    state.care[id, default: CareState()].emergency = setup
    step.outcome.reply = [
      "code": .string(code), "validSeconds": .integer(EmergencySetup.codeSeconds),
      "meaning": .string(meaning(profile, agreed, of: id)),
    ]
  }

  private func checkRegistration(
    _ date: String, of id: ResidentID, _ world: World
  ) throws(CommandReply.Refusal) {
    let parsed = date.utf8.count == 10 ? try? Timestamp(iso8601: date + "T00:00:00Z") : nil
    guard let parsed else {
      throw CommandReply.Refusal(
        .invalid, Message("The date of registration must be as 2026-11-20."))
    }
    guard world.now.quality.isTrusted else { return }
    // A day's grace: the date is the resident's, the clock is UTC.
    guard parsed <= world.now.utc.advanced(byMilliseconds: 86_400_000) else {
      throw CommandReply.Refusal(.invalid, Message("The date of registration lies in the future."))
    }
  }

  private func meaning(
    _ profile: EmergencyProfile, _ terms: EmergencySetup.Terms, of id: ResidentID
  ) -> String {
    let call = profile.callNumber
    let ways: Message
    if let number = terms.textNumber(profile), house.isRefused(.calls, by: id) {
      ways = Message("text {number}, and never call", ["number": number])
    } else if let number = terms.textNumber(profile) {
      ways = Message("text {number} and call {callNumber}", ["number": number, "callNumber": call])
    } else if profile.textNumber != nil {
      ways = Message(
        "call {callNumber}, and text only once the phone is registered", ["callNumber": call])
    } else {
      ways = Message(
        "call {callNumber}; texts are not known to be taken in {country}",
        ["callNumber": call, "country": profile.country])
    }
    return gettext(
      "With this code Homeward may, when asked to, {ways} for {name}, with the exact position. "
        + "A guardian is told at the same time. Tests never do it. Misuse is an offence.",
      ["ways": ways, "name": house.name(of: id)], in: house.alarmLanguage(of: id))
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
    guard let terms = state.care[id]?.emergency?.confirmed,
      let profile = EmergencyProfile.of(terms.profile)
    else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "Contact with the emergency services is not set up. Call them yourself if it is urgent."))
    }
    let isTest = state.alarms.contains { $0.isOpen && $0.kind == .test && $0.resident == id }
    guard !isTest || state.openSOS(id) != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "A test is running, and a test never contacts the emergency services. Raise an SOS first."
        ))
    }
    if mode == .call { try requireCalls(of: id, profile) }
    let number = mode == .call ? profile.callNumber : terms.textNumber(profile)
    guard let number else {
      throw CommandReply.Refusal(
        .conflict,
        Message("The emergency services do not take texts from this phone; make a call instead."))
    }
    try send(mode, number, terms, of: id, &step)
  }

  /// Refuses a call in the name of whoever refused calls: whoever asked for it can still call, and texts go out.
  private func requireCalls(
    of id: ResidentID, _ profile: EmergencyProfile
  ) throws(CommandReply.Refusal) {
    guard let answer = house.consent(.calls, of: id), !answer.isGranted else { return }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "If it is urgent, call {number} yourself: {who} refused calls by the gateway on {date}. "
          + "Ask again; when the answer is yes: homeward consent grant calls",
        ["number": profile.callNumber, "who": answer.by, "date": answer.at.iso8601.prefix(10)]))
  }

  private mutating func send(
    _ mode: EmergencyContact.Mode, _ number: String, _ terms: EmergencySetup.Terms,
    of id: ResidentID, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let index = sosInDispatch(id, mode, &step)
    if let call = state.alarms[index].contact, call.outcome != .failed,
      call.since.age(at: step.now) < EmergencyCall.answerSeconds * 1000
    {
      throw CommandReply.Refusal(
        .notNow, Message("The emergency services are being contacted; try again in a minute."))
    }
    let call = EmergencyCall(
      id: identifiers.next(at: step.now.utc), mode: mode, number: number, since: Stamp(step.now),
      asked: carriers.askedInEmergency)
    let words = EmergencyText(
      name: house.name(of: id), terms: terms.text, position: state.care[id]?.position,
      language: house.alarmLanguage(of: id))
    let contact = EmergencyContact(
      id: call.id, resident: id, mode: mode, number: number,
      text: words.text(mode, at: step.now))
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
      state.alarms[index].stage = .dispatched
      state.alarms[index].acknowledgedBy = []
      state.alarms[index].tierSince = Stamp(step.now)
    case .dispatched, .resolved, .cancelled: break
    }
    return index
  }
}
